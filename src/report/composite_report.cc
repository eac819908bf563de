#include "report/composite_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/version.h"

#include "report/json_value.h"
#include "report/meta_report.h"
#include "report/number_text.h"
#include "report/plot.h"

namespace capella::report {
namespace {

std::string exact(double value) {
  return std::isnan(value) ? "-" : fmt::format("{}", value);
}

Table seed_table(const CompositeTrained& trained, bool exact) {
  Table table{
      {"seed", "epochs", "kept", "training accuracy", "held-out accuracy", "tau-b", "tau-c", "model"}, {}, 1};
  const int decimals = exact ? 17 : 4;
  for (std::size_t i = 0; i < trained.seeds.size(); ++i) {
    const CompositeSeed& seed = trained.seeds[i];
    const bool best = i == trained.best;
    table.rows.push_back({{fmt::to_string(seed.seed)},
                          {fmt::to_string(seed.epochs)},
                          {fmt::to_string(seed.best_epoch)},
                          {fixed(seed.training_accuracy, decimals)},
                          {fixed(seed.accuracy, decimals)},
                          {fixed(seed.tau_b, decimals), best},
                          {fixed(seed.tau_c, decimals), best},
                          {seed.path}});
  }
  return table;
}

// "0.4401 ± 0.0012"
std::string with_deviation(const SeedSpread& spread) {
  if (std::isnan(spread.mean)) return "-";
  return fmt::format("{} ± {}", fixed(spread.mean, 4), fixed(spread.deviation, 4));
}

Json json_numbers(const std::vector<double>& values) {
  Json numbers = Json::array();
  for (const double value : values) numbers.push_back(json_number(value));
  return numbers;
}

Json json_trained(const CompositeTrained& trained) {
  Json seeds = Json::array();
  for (const CompositeSeed& seed : trained.seeds) {
    Json curve = Json::array();
    for (const CompositeEpoch& epoch : seed.curve)
      curve.push_back({json_number(epoch.loss), json_number(epoch.accuracy), json_number(epoch.tau_b)});
    seeds.push_back({{"seed", seed.seed},
                     {"epochs", seed.epochs},
                     {"kept", seed.best_epoch},
                     {"training_accuracy", json_number(seed.training_accuracy)},
                     {"held_out_accuracy", json_number(seed.accuracy)},
                     {"validation_kendall_b", json_number(seed.tau_b)},
                     {"validation_kendall_c", json_number(seed.tau_c)},
                     {"model", seed.path},
                     {"loss_accuracy_kendall_b", std::move(curve)}});
  }
  return {{"metric", trained.name},
          {"inputs", trained.inputs},
          {"trained_on", trained.source},
          {"human", trained.human},
          {"machine", trained.machine},
          {"held_out", trained.held_out},
          {"validated_on", trained.validation_source},
          {"validation", trained.validation},
          {"best", trained.best},
          {"warnings", trained.warnings},
          {"seeds", std::move(seeds)}};
}

std::string training_notes(const CompositeTrained& trained, std::string_view mark) {
  std::string out = fmt::format("{}{} learns from {}\n", mark, trained.name, fmt::join(trained.inputs, ", "));
  out += fmt::format("{}trained on {} human and {} machine captions, {} held out: {}\n", mark, trained.human,
                     trained.machine, trained.held_out, trained.source);
  out += fmt::format("{}ended by {} ratings: {}\n", mark, trained.validation, trained.validation_source);
  std::vector<std::string> measures;
  for (const SeedSpread& spread : trained.spreads)
    measures.push_back(fmt::format("{} {} {}", spread.test, spread.measure, with_deviation(spread)));
  out += fmt::format("{}over {} seeds: {}\n", mark, trained.seeds.size(), fmt::join(measures, ", "));
  return out;
}

// Presets by the measures of some tests, mean ± deviation over seeds, x 100.
Table spread_table(const StudyResult& result, std::initializer_list<std::string_view> tests) {
  const auto wanted = [&](const SeedSpread& spread) {
    return std::ranges::find(tests, spread.test) != tests.end();
  };
  Table table{{"metric"}, {}, 1};
  for (const SeedSpread& spread : result.presets[0].spreads) {
    if (wanted(spread))
      table.columns.push_back(tests.size() > 1 ? spread.test + " " + spread.measure : spread.measure);
  }
  for (const StudyPreset& preset : result.presets) {
    auto& row = table.rows.emplace_back();
    row.push_back({preset.trained.name});
    for (const SeedSpread& spread : preset.spreads) {
      if (wanted(spread))
        row.push_back({std::isnan(spread.mean)
                           ? "-"
                           : fmt::format("{:.2f} ±{:.2f}", 100 * spread.mean, 100 * spread.deviation)});
    }
  }
  return table;
}

Table exact_spreads(const StudyResult& result) {
  Table table{{"metric", "test", "measure", "mean", "deviation"}, {}, 3};
  for (const StudyPreset& preset : result.presets) {
    for (const SeedSpread& spread : preset.spreads)
      table.rows.push_back({{preset.trained.name},
                            {spread.test},
                            {spread.measure},
                            {exact(spread.mean)},
                            {exact(spread.deviation)}});
  }
  return table;
}

Table length_table(const StudyResult& result) {
  Table table{{"score", "Spearman"}, {}, 1};
  for (std::size_t c = 0; c < result.length_classes.size(); ++c)
    table.columns.push_back(fmt::format("{} words", result.length_classes[c]));
  for (const LengthEffect& effect : result.lengths) {
    auto& row = table.rows.emplace_back();
    row = {{effect.score}, {fixed(effect.spearman, 3)}};
    for (const double mean : effect.means)
      row.push_back({std::isnan(mean) ? "-" : fmt::format("{:+.2f}", mean)});
  }
  auto& counts = table.rows.emplace_back();
  counts = {{"captions"}, {""}};
  for (const std::size_t rows : result.length_rows) counts.push_back({fmt::to_string(rows)});
  return table;
}

std::string json_study(const StudyResult& result) {
  Json whole = {{"capella", kVersion}, {"trained_on", result.source}};
  whole["presets"] = Json::array();
  for (const StudyPreset& preset : result.presets) {
    Json entry = json_trained(preset.trained);
    for (const SeedSpread& spread : preset.spreads)
      entry["spreads"][spread.test][spread.measure] = {{"mean", json_number(spread.mean)},
                                                       {"deviation", json_number(spread.deviation)},
                                                       {"seeds", json_numbers(spread.values)}};
    whole["presets"].push_back(std::move(entry));
  }
  whole["tests"] = Json::array();
  for (std::size_t i = 0; i < result.tests.size(); ++i) {
    Json test = Json::parse(format_meta(result.tests[i], Format::json, true));
    test["test"] = result.test_names[i];
    whole["tests"].push_back(std::move(test));
  }
  whole["lengths"] = {{"classes", result.length_classes}, {"captions", result.length_rows}};
  for (const LengthEffect& effect : result.lengths)
    whole["lengths"]["scores"][effect.score] = {{"spearman", json_number(effect.spearman)},
                                                {"means", json_numbers(effect.means)}};
  whole["findings"] = result.findings;
  return dump(whole, 2) + '\n';
}

// A line as `meta --scores` reads it for each row of the benchmark's file.
std::string score_lines(const ScoredFeatures& scored) {
  const bool several = std::ranges::any_of(
      scored.systems, [&](const std::string& system) { return system != scored.systems[0]; });
  std::string lines;
  for (std::size_t k = 0; k < scored.scores.size(); ++k) {
    const Json score = json_number(scored.scores[k]);
    if (scored.pairs) {
      lines += dump(Json{{"pair", k / 2}, {"candidate", k % 2}, {"score", score}}, -1) + '\n';
      continue;
    }
    for (std::size_t i = 0; i < scored.rows_each; ++i) {
      Json line{{"row", scored.rows_each * k + i}, {"id", scored.ids[k]}};
      if (several) line["system"] = scored.systems[k];
      line["score"] = score;
      lines += dump(line, -1) + '\n';
    }
  }
  return lines;
}

}  // namespace

std::string format_training(const CompositeTrained& trained, Format format) {
  if (format == Format::json) return dump(json_trained(trained), 2) + '\n';
  const bool for_programs = format == Format::csv || format == Format::plain;
  const std::string table = format_table(seed_table(trained, for_programs), format);
  if (for_programs) return table;
  return table + '\n' + training_notes(trained, format == Format::latex ? "% " : "");
}

std::string format_scored_features(const ScoredFeatures& scored, Format format) {
  if (format == Format::json) return score_lines(scored);
  Table table{{"id", "system", scored.name}, {}, 2};
  for (std::size_t k = 0; k < scored.scores.size(); ++k)
    table.rows.push_back({{scored.ids[k]}, {scored.systems[k]}, {exact(scored.scores[k])}});
  return format_table(table, format);
}

std::string format_study(const StudyResult& result, Format format) {
  if (format == Format::json) return json_study(result);
  if (format == Format::csv || format == Format::plain) return format_table(exact_spreads(result), format);
  std::string out = fmt::format("Trained on {}.\n", result.source);
  out += heading("Training and validation, mean and deviation over seeds (x 100)", format);
  out += format_table(spread_table(result, {"held-out", "validation"}), format);
  for (std::size_t i = 0; i < result.tests.size(); ++i) {
    out += heading(fmt::format("{}: all seeds, mean and deviation (x 100)", result.test_names[i]), format);
    out += format_table(spread_table(result, {result.test_names[i]}), format);
    out += heading(fmt::format("{}: single scores and the network kept of each metric", result.test_names[i]),
                   format);
    out += format_meta(result.tests[i], format, true);
  }
  if (!result.lengths.empty()) {
    out += heading("Scores by caption length (Composite; in deviations from the mean)", format);
    out += format_table(length_table(result), format);
  }
  out += heading("Are composite metrics better than the best of the scores they are made of?", format);
  for (const std::string& finding : result.findings)
    out += finding + (format == Format::markdown ? "\n\n" : "\n");
  return out;
}

std::string draw_training(const CompositeTrained& trained) {
  ScatterPlot plot;
  plot.frame.title = fmt::format("{}: agreement with people while training", trained.name);
  plot.frame.subtitle = trained.validation_source;
  plot.frame.x_label = "epoch";
  plot.frame.y_label = "Kendall tau-b";
  for (const CompositeSeed& seed : trained.seeds) {
    PlotSeries& series = plot.series.emplace_back();
    series.name = fmt::format("seed {}", seed.seed);
    for (std::size_t epoch = 0; epoch < seed.curve.size(); ++epoch)
      series.points.push_back({static_cast<double>(epoch), seed.curve[epoch].tau_b});
  }
  return draw(plot);
}

std::vector<NamedContent> draw_study(const StudyResult& result) {
  std::vector<NamedContent> pictures;
  for (const StudyPreset& preset : result.presets)
    pictures.push_back({fmt::format("training-{}.svg", preset.trained.name), draw_training(preset.trained)});
  if (result.lengths.empty()) return pictures;
  HeatMap map;
  map.frame.title = "Scores by caption length";
  map.frame.subtitle = "Composite; mean in deviations from the mean of all captions";
  map.frame.x_label = "words";
  map.columns = result.length_classes;
  for (const LengthEffect& effect : result.lengths) {
    map.rows.push_back(effect.score);
    map.values.insert(map.values.end(), effect.means.begin(), effect.means.end());
  }
  pictures.push_back({"lengths.svg", draw(map)});
  return pictures;
}

}  // namespace capella::report
