#include "report/pregen_study_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "capella/version.h"

#include "report/json_value.h"
#include "report/number_text.h"

namespace capella::report {
namespace {

Table generator_table(const PregenStudyResult& result, bool exact) {
  const auto number = [exact](double value, int decimals) {
    return exact ? fmt::format("{}", value) : fixed(value, decimals);
  };
  Table table{{"generator", "images", "parameters", "epochs", "kept"}, {}, 1};
  for (const std::string& post : result.posts) table.columns.push_back(post);
  table.columns.insert(table.columns.end(), {"perplexity", kBestPregenMetric});
  for (const StudiedGenerator& generator : result.generators) {
    auto& row = table.rows.emplace_back();
    row = {{fmt::format("{}_{}", generator.architecture, generator.run)},
           {fmt::format("{:g} %", 100 * generator.share)},
           {fmt::to_string(generator.parameters)},
           {fmt::to_string(generator.epochs)},
           {fmt::to_string(generator.best_epoch)}};
    for (const double value : generator.post) row.push_back({number(value, 4)});
    row.push_back({number(generator.perplexity, 3)});
    row.push_back({number(generator.best_metric, 4)});
  }
  return table;
}

const PregenCorrelations::Row* row_of(const PregenCorrelations& correlations, std::string_view metric) {
  const auto row = std::ranges::find(correlations.rows, metric, &PregenCorrelations::Row::metric);
  return row == correlations.rows.end() ? nullptr : &*row;
}

const PregenCorrelations::Row* best_row(const PregenCorrelations& correlations) {
  const auto row =
      std::ranges::max_element(correlations.rows, {}, [](const auto& r) { return r.in.back().r_squared; });
  return row == correlations.rows.end() ? nullptr : &*row;
}

std::string with_interval(const PregenCorrelation& correlation) {
  if (std::isnan(correlation.interval.low)) return fixed(correlation.r_squared, 3);
  return fmt::format("{} [{}, {}]", fixed(correlation.r_squared, 3), fixed(correlation.interval.low, 3),
                     fixed(correlation.interval.high, 3));
}

// R^2 with every post-gen score: the best of all metrics, the paper's best, perplexity.
Table foretelling_table(const PregenStudyResult& result) {
  Table table{{"score", "best metric", "R² of the best", fmt::format("R² of {}", kBestPregenMetric),
               "its rank", "R² of perplexity", "its rank"},
              {},
              2};
  for (const PregenCorrelations& correlations : result.correlations) {
    auto& row = table.rows.emplace_back();
    row.push_back({correlations.post});
    const PregenCorrelations::Row* best = best_row(correlations);
    row.push_back({best != nullptr ? best->metric : "-"});
    row.push_back({best != nullptr ? with_interval(best->in.back()) : "-"});
    for (const char* name : {kBestPregenMetric, kPregenPerplexity}) {
      const PregenCorrelations::Row* found = row_of(correlations, name);
      row.push_back({found != nullptr ? with_interval(found->in.back()) : "-"});
      row.push_back({found != nullptr ? fmt::to_string(found->in.back().rank) : "-"});
    }
  }
  return table;
}

Table time_table(const PregenStudyResult& result) {
  Table table{
      {"generator", "pre-gen s", "generation s", "scoring s", "generation and scoring / pre-gen"}, {}, 1};
  for (const StudiedGenerator& generator : result.generators) {
    const double whole = generator.generation_seconds + generator.scoring_seconds;
    table.rows.push_back({{fmt::format("{}_{}", generator.architecture, generator.run)},
                          {fixed(generator.metric_seconds, 3)},
                          {fixed(generator.generation_seconds, 3)},
                          {fixed(generator.scoring_seconds, 3)},
                          {fixed(whole / generator.metric_seconds, 1)}});
  }
  return table;
}

Json generator_json(const StudiedGenerator& generator, const std::vector<std::string>& posts) {
  Json scores = Json::object();
  for (std::size_t i = 0; i < posts.size(); ++i) scores[posts[i]] = json_number(generator.post.at(i));
  return {{"architecture", generator.architecture},
          {"run", generator.run},
          {"share", generator.share},
          {"parameters", generator.parameters},
          {"epochs", generator.epochs},
          {"best_epoch", generator.best_epoch},
          {"validation_perplexity", json_number(generator.validation_perplexity)},
          {"scores", std::move(scores)},
          {"perplexity", json_number(generator.perplexity)},
          {kBestPregenMetric, json_number(generator.best_metric)}};
}

Json foretelling_json(const PregenCorrelations& correlations) {
  const auto one = [&](const PregenCorrelations::Row* row) -> Json {
    if (row == nullptr) return nullptr;
    const PregenCorrelation& all = row->in.back();
    return {{"metric", row->metric},
            {"r_squared", json_number(all.r_squared)},
            {"low", json_number(all.interval.low)},
            {"high", json_number(all.interval.high)},
            {"r", json_number(all.r)},
            {"p", json_number(all.p)},
            {"rank", all.rank}};
  };
  return {{"post", correlations.post},
          {"best", one(best_row(correlations))},
          {"paper", one(row_of(correlations, kBestPregenMetric))},
          {"perplexity", one(row_of(correlations, kPregenPerplexity))}};
}

std::string study_json(const PregenStudyResult& result) {
  Json generators = Json::array();
  for (const StudiedGenerator& generator : result.generators)
    generators.push_back(generator_json(generator, result.posts));
  Json correlations = Json::array();
  for (const PregenCorrelations& one : result.correlations) correlations.push_back(foretelling_json(one));
  return dump({{"capella", kVersion},
               {"generated_world", true},
               {"training_images", result.training_images},
               {"test_images", result.test_images},
               {"test_captions", result.test_captions},
               {"vocabulary", result.vocabulary},
               {"generators", std::move(generators)},
               {"correlations", std::move(correlations)},
               {"findings", result.findings},
               {"warnings", result.warnings}},
              2) +
         "\n";
}

}  // namespace

std::string format_pregen_study(const PregenStudyResult& result, Format format) {
  if (format == Format::json) return study_json(result);
  if (format == Format::csv || format == Format::plain)
    return format_table(generator_table(result, true), format);
  const auto title = [format](std::string_view text) {
    return format == Format::markdown ? fmt::format("\n## {}\n\n", text)
           : format == Format::latex  ? fmt::format("\n% {}\n", text)
                                      : fmt::format("\n{}\n", text);
  };
  std::string out = fmt::format(
      "{}Pre-gen study of a generated world: {} training images, {} test images with {} "
      "captions, {} words\n",
      format == Format::markdown ? "# "
      : format == Format::latex  ? "% "
                                 : "",
      result.training_images, result.test_images, result.test_captions, result.vocabulary);
  out += title("Generators, over all test images") + format_table(generator_table(result, false), format);
  out += title("What foretells a score (R² over all strata, 95 % intervals by drawing generators)") +
         format_table(foretelling_table(result), format);
  out += title("Findings");
  for (const auto* sentences : {&result.findings, &result.warnings}) {
    for (const std::string& sentence : *sentences)
      out += fmt::format("{}{}\n", format == Format::latex ? "% " : "- ", sentence);
  }
  return out;
}

std::string format_pregen_times(const PregenStudyResult& result, Format format) {
  if (format == Format::csv) return format_table(time_table(result), format);
  double before = 0;
  double after = 0;
  double scoring = 0;
  for (const StudiedGenerator& generator : result.generators) {
    before += generator.metric_seconds;
    after += generator.generation_seconds;
    scoring += generator.scoring_seconds;
  }
  const auto count = static_cast<double>(result.generators.size());
  return fmt::format(
             "Probabilities and all 504 metrics take {:.3f} s on average; captions {:.3f} s ({:.1f} times), "
             "and "
             "their scores {:.3f} s.\n\n",
             before / count, after / count, after / before, scoring / count) +
         format_table(time_table(result), format);
}

}  // namespace capella::report
