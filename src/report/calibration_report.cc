#include "report/calibration_report.h"

#include <cmath>

#include <fmt/format.h>

#include "report/json_value.h"
#include "report/plot.h"

namespace capella::report {
namespace {

Table bin_table(const AdapterCalibrated& calibrated, bool exact) {
  Table table{{"predicted", "rated", "standard error", "captions"}, {}, 0};
  const auto shown = [&](double value) {
    return exact ? fmt::format("{}", value) : fmt::format("{:.3f}", value);
  };
  for (const CalibrationBin& bin : calibrated.bins)
    table.rows.push_back({{shown(bin.predicted)},
                          {shown(bin.rated)},
                          {shown(bin.standard_error)},
                          {fmt::to_string(bin.captions)}});
  return table;
}

std::string calibration_json(const AdapterCalibrated& calibrated) {
  Json bins = Json::array();
  for (const CalibrationBin& bin : calibrated.bins)
    bins.push_back({{"captions", bin.captions},
                    {"predicted", json_number(bin.predicted)},
                    {"rated", json_number(bin.rated)},
                    {"standard_error", json_number(bin.standard_error)}});
  const Json all = {{"file", calibrated.file},
                    {"captions", calibrated.captions},
                    {"images", calibrated.images},
                    {"knots", calibrated.knots},
                    {"kendall_c", json_number(calibrated.agreement)},
                    {"error", json_number(calibrated.error)},
                    {"within", json_number(calibrated.within)},
                    {"bins", bins}};
  return dump(all, 2) + "\n";
}

std::string summary_of(const AdapterCalibrated& calibrated) {
  return fmt::format(
      "{} captions of {} images, tau-c {:.4f}; predictions for images that the curve "
      "was "
      "not learnt from are wrong by {:.3f} of the scale on average over {} bins, {:.0f} % of single ratings "
      "are as near as it says",
      calibrated.captions, calibrated.images, calibrated.agreement, calibrated.error, calibrated.bins.size(),
      100 * calibrated.within);
}

}  // namespace

std::string format_calibration(const AdapterCalibrated& calibrated, Format format) {
  if (format == Format::json) return calibration_json(calibrated);
  const bool exact = format == Format::csv || format == Format::plain;
  const std::string table = format_table(bin_table(calibrated, exact), format);
  if (exact || format == Format::latex) return table;
  return fmt::format("{}\n\n{}", summary_of(calibrated), table);
}

std::string draw_reliability(const AdapterCalibrated& calibrated) {
  ScatterPlot plot;
  plot.frame = {"What was predicted, and what people said",
                fmt::format("{} captions in {} bins; bars are two standard errors", calibrated.captions,
                            calibrated.bins.size()),
                "predicted rating", "mean rating"};
  PlotSeries& series = plot.series.emplace_back();
  for (const CalibrationBin& bin : calibrated.bins) {
    series.points.push_back({bin.predicted, bin.rated});
    series.spread.push_back(std::isnan(bin.standard_error) ? 0 : 2 * bin.standard_error);
  }
  plot.lines.push_back({1, 0, "as predicted", {}, true});
  plot.x_range = plot.y_range = {0.0, 1.0};
  return draw(plot);
}

}  // namespace capella::report
