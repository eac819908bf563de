#include "report/deneb_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "report/json_value.h"
#include "report/number_text.h"
#include "report/plot.h"
#include "report/plot_parts.h"

namespace capella::report {
namespace {

constexpr std::string_view kAccuracy = "accuracy";

Table epoch_table(const DenebTrained& trained, bool exact) {
  Table table{{"epoch", "loss", "validation " + trained.measure}, {}, 1};
  for (std::size_t k = 0; k < trained.epochs.size(); ++k) {
    const DenebEpoch& epoch = trained.epochs[k];
    table.rows.push_back({{fmt::to_string(k)},
                          {shown(epoch.loss, 6, exact)},
                          {shown(epoch.agreement, 4, exact), k == trained.best_epoch}});
  }
  return table;
}

// "validation_tau_c" or "validation_accuracy".
std::string measure_key(std::string measure) {
  std::ranges::replace(measure, '-', '_');
  return "validation_" + measure;
}

std::string dropped_words(const DenebTrained& trained) {
  if (trained.dropped_rows == 0) return "";
  return fmt::format(" ({} more were left out, about images that are held out)", trained.dropped_rows);
}

std::string deneb_json(const DenebTrained& trained) {
  Json epochs = Json::array();
  for (const DenebEpoch& epoch : trained.epochs)
    epochs.push_back({{"loss", number_or_null(epoch.loss)},
                      {measure_key(trained.measure), number_or_null(epoch.agreement)}});
  const Json all = {{"architecture", trained.architecture},
                    {"parameters", trained.parameters},
                    {"training_rows", trained.training_rows},
                    {"dropped_rows", trained.dropped_rows},
                    {"validation_rows", trained.validation_rows},
                    {"measure", trained.measure},
                    {"images", trained.images},
                    {"captions", trained.captions},
                    {"most_references", trained.most_references},
                    {"epochs", std::move(epochs)},
                    {"best_epoch", trained.best_epoch},
                    {"resumed", trained.resumed}};
  return dump(all, 2) + "\n";
}

}  // namespace

std::string format_deneb(const DenebTrained& trained, Format format) {
  if (format == Format::json) return deneb_json(trained);
  const bool for_programs = format == Format::csv || format == Format::plain;
  std::string out = format_table(epoch_table(trained, for_programs), format);
  if (format != Format::table && format != Format::markdown) return out;
  return out +
         fmt::format(
             "\n{}: {} parameters, learnt from {}{} with up to {}; {} ended the training, and the weights of "
             "epoch {} are kept{}\n",
             trained.architecture, trained.parameters, counted(trained.training_rows, "rated caption"),
             dropped_words(trained), counted(trained.most_references, "reference"),
             counted(trained.validation_rows,
                     trained.measure == kAccuracy ? "compared caption" : "rated caption"),
             trained.best_epoch, trained.resumed ? " (resumed from a checkpoint)" : "");
}

std::string draw_deneb(const DenebTrained& trained) {
  ScatterPlot plot;
  plot.frame.title = fmt::format("{}: training", trained.architecture);
  plot.frame.subtitle = fmt::format("{} rows to learn from, {} to validate; epoch {} is kept",
                                    trained.training_rows, trained.validation_rows, trained.best_epoch);
  plot.frame.x_label = "epoch";
  const std::string& measure = trained.measure;
  plot.frame.y_label = fmt::format("{}; loss as a share of the first epoch's",
                                   measure == kAccuracy ? "accuracy" : "Kendall " + measure);
  PlotSeries agreement{"validation " + measure, {}}, loss{"training loss", {}};
  loss.marker = PlotMarker::square;
  const double first = trained.epochs.size() > 1 ? trained.epochs[1].loss : 0;
  for (std::size_t epoch = 0; epoch < trained.epochs.size(); ++epoch) {
    const auto x = static_cast<double>(epoch);
    agreement.points.push_back({x, trained.epochs[epoch].agreement});
    agreement.tips.push_back(
        fmt::format("epoch {}: {} {}", epoch, measure, shown(trained.epochs[epoch].agreement, 4, false)));
    if (epoch == 0) continue;
    loss.points.push_back({x, first > 0 ? trained.epochs[epoch].loss / first : 0});
    loss.tips.push_back(fmt::format("epoch {}: loss {}", epoch, shown(trained.epochs[epoch].loss, 6, false)));
  }
  plot.series = {std::move(agreement), std::move(loss)};
  return draw(plot);
}

}  // namespace capella::report
