#include "report/pregen_report.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/version.h"

#include "base/python_float.h"
#include "report/json_value.h"
#include "report/number_text.h"
#include "report/verdict.h"

namespace capella::report {
namespace {

std::string interval_text(const Interval& interval) {
  return std::isnan(interval.low) ? "-" : fmt::format("{:.4f} to {:.4f}", interval.low, interval.high);
}

std::string p_text(double p) {
  return std::isnan(p) ? "-" : p < 1e-300 ? "<1e-300" : fmt::format("{:.2g}", p);
}

std::string metric_text(const std::string& metric) {
  return metric == kPregenPerplexity ? fmt::format("{} (perplexity)", metric) : metric;
}

// All rows first, since they are what papers print; then the data sets.
std::vector<std::size_t> shown_selections(const PregenCorrelations& result) {
  std::vector<std::size_t> order = {result.selections.size() - 1};
  for (std::size_t s = 0; s + 1 < result.selections.size(); ++s) order.push_back(s);
  return order;
}

Table top_table(const PregenCorrelations& result, std::size_t top) {
  Table table{{"rows", "metric", "rank", "R^2", "95 % interval", "R", "p"}, {}, 2};
  for (const std::size_t s : shown_selections(result)) {
    std::vector<std::size_t> shown = best_metrics(result, s, top);
    const std::size_t perplexity = perplexity_place(result);
    if (perplexity < result.rows.size() && std::ranges::find(shown, perplexity) == shown.end())
      shown.push_back(perplexity);
    for (const std::size_t place : shown) {
      const PregenCorrelations::Row& row = result.rows[place];
      const PregenCorrelation& in = row.in[s];
      table.rows.push_back({{result.selections[s]},
                            {metric_text(row.metric)},
                            {fmt::to_string(in.rank)},
                            {fixed(in.r_squared), in.rank == 1},
                            {interval_text(in.interval)},
                            {fixed(in.r)},
                            {p_text(in.p)}});
    }
  }
  return table;
}

// "mean_max_normcount_prefix0 explains 0.1817 more than perplexity (0.13 to 0.22), p = ..., a real
// difference"
std::string comparison_sentence(const std::string& selection, std::size_t systems,
                                const PregenComparison& comparison) {
  std::string text =
      fmt::format("{}: R^2 of {} is {:.4f} {} than that of perplexity", selection, comparison.metric,
                  std::abs(comparison.difference), comparison.difference < 0 ? "lower" : "higher");
  if (std::isnan(comparison.p)) {
    return text + (systems < 2 ? "; with one system there is no test"
                               : "; some draws are constant, so there is no test");
  }
  return text + fmt::format(" (95 % {:+.4f} to {:+.4f}), p = {:.4f}, {:.4f} after Holm: {}",
                            comparison.interval.low, comparison.interval.high, comparison.p,
                            comparison.p_corrected, verdict_words(comparison.verdict));
}

std::vector<std::string> notes(const PregenCorrelations& result) {
  std::vector<std::string> lines;
  for (const std::size_t s : shown_selections(result)) {
    for (const auto* comparisons : {&result.comparisons, &result.published}) {
      if (s >= comparisons->size()) continue;
      const std::string sentence =
          comparison_sentence(result.selections[s], result.systems[s], (*comparisons)[s]) + ".";
      if (lines.empty() || lines.back() != sentence) lines.push_back(sentence);
    }
  }
  std::vector<std::string> counts;
  for (const std::size_t s : shown_selections(result))
    counts.push_back(fmt::format("{} {} rows of {} system{}", result.selections[s], result.row_counts[s],
                                 result.systems[s], result.systems[s] == 1 ? "" : "s"));
  const std::size_t left_out = result.infinite.size() + result.constant.size();
  lines.push_back(
      fmt::format("{}; {} of {} metrics are left out: {} not finite somewhere, {} constant somewhere.",
                  fmt::join(counts, ", "), left_out, left_out + result.rows.size(), result.infinite.size(),
                  result.constant.size()));
  if (result.resamples > 0)
    lines.push_back(
        fmt::format("Intervals and tests draw systems with all their strata ({} resamples, seed {}); "
                    "with fewer than 20 systems there is no verdict.",
                    result.resamples, result.seed));
  lines.push_back("p takes rows as independent, which strata of one system are not.");
  return lines;
}

Table post_table(const PregenCorrelations& result) {
  Table table{{"R^2"}, {}, 1};
  const std::size_t count = result.posts.size();
  for (std::size_t i = 0; i < count; ++i) {
    table.columns.push_back(result.posts[i]);
    auto& row = table.rows.emplace_back();
    row.push_back({result.posts[i]});
    for (std::size_t j = 0; j < count; ++j) row.push_back({fixed(result.between_posts[i * count + j])});
  }
  return table;
}

Table exact_table(const std::vector<PregenCorrelations>& results) {
  Table table{{"post", "rows", "metric", "rank", "R^2", "low", "high", "R", "p"}, {}, 3};
  for (const PregenCorrelations& result : results) {
    for (std::size_t s = 0; s < result.selections.size(); ++s) {
      for (const PregenCorrelations::Row& row : result.rows) {
        const PregenCorrelation& in = row.in[s];
        auto& cells = table.rows.emplace_back();
        cells = {{result.post}, {result.selections[s]}, {row.metric}, {fmt::to_string(in.rank)}};
        for (const double value : {in.r_squared, in.interval.low, in.interval.high, in.r, in.p})
          cells.push_back({python_float(value)});
      }
    }
  }
  return table;
}

Json json_comparison(const PregenComparison& comparison) {
  return {{"metric", comparison.metric},
          {"against", comparison.baseline},
          {"difference", json_number(comparison.difference)},
          {"low", json_number(comparison.interval.low)},
          {"high", json_number(comparison.interval.high)},
          {"p", json_number(comparison.p)},
          {"p_corrected", json_number(comparison.p_corrected)},
          {"real", json_verdict(comparison.verdict)}};
}

Json json_selection(const PregenCorrelations& result, std::size_t s) {
  Json entry = {{"rows", result.row_counts[s]}, {"systems", result.systems[s]}};
  if (s < result.comparisons.size())
    entry["best_against_perplexity"] = json_comparison(result.comparisons[s]);
  if (s < result.published.size())
    entry["published_best_against_perplexity"] = json_comparison(result.published[s]);
  entry["metrics"] = Json::object();
  for (const PregenCorrelations::Row& row : result.rows) {
    const PregenCorrelation& in = row.in[s];
    entry["metrics"][row.metric] = {{"rank", in.rank},
                                    {"R^2", json_number(in.r_squared)},
                                    {"low", json_number(in.interval.low)},
                                    {"high", json_number(in.interval.high)},
                                    {"R", json_number(in.r)},
                                    {"p", json_number(in.p)}};
  }
  return entry;
}

std::string json_correlations(const std::vector<PregenCorrelations>& results) {
  Json whole = {{"capella", kVersion}, {"resamples", results[0].resamples}, {"seed", results[0].seed}};
  for (const PregenCorrelations& result : results) {
    Json& post = whole["posts"][result.post];
    for (std::size_t s = 0; s < result.selections.size(); ++s)
      post["selections"][result.selections[s]] = json_selection(result, s);
    post["left_out"] = {{"not_finite", result.infinite}, {"constant", result.constant}};
  }
  const std::vector<std::string>& posts = results[0].posts;
  for (std::size_t i = 0; i < posts.size(); ++i) {
    for (std::size_t j = 0; j < posts.size(); ++j)
      whole["between_posts"][posts[i]][posts[j]] =
          json_number(results[0].between_posts[i * posts.size() + j]);
  }
  return dump(whole, 2) + '\n';
}

std::string heading_at_top(const std::string& text, Format format) {
  return format == Format::markdown ? fmt::format("## {}\n\n", text)
         : format == Format::latex  ? fmt::format("% {}\n", text)
                                    : fmt::format("{}\n\n", text);
}

}  // namespace

std::vector<std::size_t> best_metrics(const PregenCorrelations& result, std::size_t selection,
                                      std::size_t top) {
  std::vector<std::size_t> order(result.rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {},
                           [&](std::size_t place) { return result.rows[place].in[selection].rank; });
  order.resize(std::min(top, order.size()));
  return order;
}

std::size_t perplexity_place(const PregenCorrelations& result) {
  const auto found = std::ranges::find(result.rows, kPregenPerplexity, &PregenCorrelations::Row::metric);
  return static_cast<std::size_t>(found - result.rows.begin());
}

std::string format_correlations(const std::vector<PregenCorrelations>& results, Format format,
                                std::size_t top) {
  if (format == Format::json) return json_correlations(results);
  if (format == Format::csv || format == Format::plain) return format_table(exact_table(results), format);
  const std::string_view mark = format == Format::latex ? "% " : "";
  const std::string_view end = format == Format::markdown ? "\n\n" : "\n";
  std::string out;
  for (const PregenCorrelations& result : results) {
    out += heading_at_top(fmt::format("{}: the pre-gen metrics that explain it best", result.post), format);
    out += format_table(top_table(result, top), format) + '\n';
    for (const std::string& line : notes(result)) out += fmt::format("{}{}{}", mark, line, end);
    if (format != Format::markdown) out += '\n';
  }
  out += heading_at_top("R^2 between the post-gen scores, all rows", format);
  return out + format_table(post_table(results[0]), format);
}

std::string correlation_file(const PregenCorrelations& result) {
  std::string text = "pregen";
  for (const std::string& selection : result.selections)
    text += fmt::format("\t{0}_R^2\t{0}_R\t{0}_p", selection);
  text += '\n';
  for (const PregenCorrelations::Row& row : result.rows) {
    text += row.metric;
    for (const PregenCorrelation& in : row.in)
      text += fmt::format("\t{}\t{}\t{}", python_float(in.r_squared), python_float(in.r), python_float(in.p));
    text += '\n';
  }
  return text;
}

}  // namespace capella::report
