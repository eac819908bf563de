#include "report/adapter_report.h"

#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "report/json_value.h"
#include "report/number_text.h"
#include "report/plot.h"
#include "report/plot_parts.h"

namespace capella::report {
namespace {

// Some steps as one.
struct Stretch {
  std::size_t last = 0;
  double loss = std::numeric_limits<double>::quiet_NaN();  // the mean over the steps
  double agreement = std::numeric_limits<double>::quiet_NaN();
};

// A stretch ends after every few steps, where agreement was measured, and with the last step.
std::vector<Stretch> stretches_of(const AdapterTrained& trained) {
  std::vector<Stretch> all;
  double sum = 0;
  std::size_t steps = 0;
  for (std::size_t k = 0; k < trained.steps.size(); ++k) {
    const AdapterStep& step = trained.steps[k];
    if (k > 0) {
      sum += step.loss;
      ++steps;
    }
    if (k % trained.tell_every != 0 && std::isnan(step.agreement) && k + 1 < trained.steps.size()) continue;
    Stretch& stretch = all.emplace_back();
    stretch.last = k;
    if (steps > 0) stretch.loss = sum / static_cast<double>(steps);
    stretch.agreement = step.agreement;
    sum = 0;
    steps = 0;
  }
  return all;
}

Table step_table(const AdapterTrained& trained, bool exact) {
  const bool validated = trained.validation_rows > 0;
  Table table{{"step", "loss"}, {}, 1};
  if (validated) table.columns.emplace_back("validation tau-c");
  for (const Stretch& stretch : stretches_of(trained)) {
    auto& row = table.rows.emplace_back();
    row = {{fmt::to_string(stretch.last)}, {shown(stretch.loss, 4, exact)}};
    if (validated) row.push_back({shown(stretch.agreement, 4, exact)});
  }
  return table;
}

Table data_table(const AdapterTrained& trained) {
  Table table{{"captions", "images", "captions of them", "held out by caption", "held out by name",
               "too few captions", "repeated"},
              {},
              1};
  for (const AdapterData& file : trained.data)
    table.rows.push_back({{file.path},
                          {fmt::to_string(file.images)},
                          {fmt::to_string(file.captions)},
                          {fmt::to_string(file.known)},
                          {fmt::to_string(file.named)},
                          {fmt::to_string(file.few)},
                          {fmt::to_string(file.again)}});
  return table;
}

Table rated_table(const AdapterRatings& rated) {
  return {{"rated captions", "learnt from", "held out by caption", "held out by name", "blank"},
          {{{rated.path},
            {fmt::to_string(rated.rows)},
            {fmt::to_string(rated.known)},
            {fmt::to_string(rated.named)},
            {fmt::to_string(rated.blank)}}},
          1};
}

std::string training_json(const AdapterTrained& trained) {
  Json steps = Json::array(), files = Json::array();
  for (const Stretch& stretch : stretches_of(trained))
    steps.push_back({{"step", stretch.last},
                     {"loss", number_or_null(stretch.loss)},
                     {"validation_tau_c", number_or_null(stretch.agreement)}});
  for (const AdapterData& file : trained.data)
    files.push_back({{"file", file.path},
                     {"images", file.images},
                     {"captions", file.captions},
                     {"held_out_by_caption", file.known},
                     {"held_out_by_name", file.named},
                     {"too_few_captions", file.few},
                     {"repeated", file.again}});
  Json all = {{"base", trained.base},      {"parameters", trained.parameters},
              {"images", trained.images},  {"batch", trained.batch},
              {"data", std::move(files)},  {"validation_rows", trained.validation_rows},
              {"steps", std::move(steps)}, {"resumed", trained.resumed}};
  if (!trained.rated.path.empty())
    all["rated"] = {{"file", trained.rated.path},
                    {"rows", trained.rated.rows},
                    {"held_out_by_caption", trained.rated.known},
                    {"held_out_by_name", trained.rated.named},
                    {"blank", trained.rated.blank}};
  return dump(all, 2) + "\n";
}

}  // namespace

std::string format_adapter_training(const AdapterTrained& trained, Format format) {
  if (format == Format::json) return training_json(trained);
  const bool for_programs = format == Format::csv || format == Format::plain;
  const std::string steps = format_table(step_table(trained, for_programs), format);
  if (format != Format::table && format != Format::markdown) return steps;
  const std::string rated =
      trained.rated.path.empty() ? "" : format_table(rated_table(trained.rated), format) + "\n";
  return format_table(data_table(trained), format) + "\n" + rated + steps +
         fmt::format("\n{} parameters on {}; {}, {} in a step{}\n", trained.parameters, trained.base,
                     counted(trained.images, "image"), trained.batch,
                     trained.resumed ? " (resumed from a checkpoint)" : "");
}

std::string draw_adapter_training(const AdapterTrained& trained) {
  ScatterPlot plot;
  plot.frame.title = fmt::format("An adapter of {}: training", trained.base);
  plot.frame.subtitle =
      fmt::format("{} to learn from, {} in a step", counted(trained.images, "image"), trained.batch);
  plot.frame.x_label = "step";
  plot.frame.y_label = "Kendall tau-c; loss as a share of the first steps'";
  PlotSeries agreement{"validation tau-c", {}}, loss{"training loss", {}};
  loss.marker = PlotMarker::square;
  double first = 0;
  for (const Stretch& stretch : stretches_of(trained)) {
    const auto x = static_cast<double>(stretch.last);
    if (!std::isnan(stretch.agreement)) {
      agreement.points.push_back({x, stretch.agreement});
      agreement.tips.push_back(
          fmt::format("step {}: tau-c {}", stretch.last, shown(stretch.agreement, 4, false)));
    }
    if (std::isnan(stretch.loss)) continue;
    if (first == 0) first = stretch.loss;
    loss.points.push_back({x, first > 0 ? stretch.loss / first : 0});
    loss.tips.push_back(fmt::format("step {}: loss {}", stretch.last, shown(stretch.loss, 4, false)));
  }
  if (trained.validation_rows > 0)
    plot.series.push_back(std::move(agreement));
  else
    plot.frame.y_label = "loss as a share of the first steps'";
  plot.series.push_back(std::move(loss));
  return draw(plot);
}

}  // namespace capella::report
