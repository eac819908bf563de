#include "report/comparison_report.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/version.h"

#include "report/json_value.h"
#include "report/result_report.h"
#include "report/verdict.h"

namespace capella::report {
namespace {

const std::string& first_name(const Comparison& comparison, const Difference& difference) {
  return comparison.result.systems[difference.first].name;
}

const std::string& second_name(const Comparison& comparison, const Difference& difference) {
  return comparison.result.systems[difference.second].name;
}

const ScoreColumn& column_of(const Comparison& comparison, const Difference& difference) {
  return comparison.result.columns[difference.column];
}

// On the scale of the tables, with its sign.
std::string difference_text(const Comparison& comparison, const Difference& difference, double value) {
  if (std::isnan(value)) return "-";
  return fmt::format("{:+.2f}", value * column_of(comparison, difference).display_scale);
}

std::string shown_p(double p) {
  if (std::isnan(p)) return "-";
  return p < 0.0001 ? "<.0001" : fmt::format("{:.4f}", p).substr(p < 1 ? 1 : 0);
}

// Pair by pair: the differences of a comparison stand so.
template <class Visit>
void for_each_pair(const Comparison& comparison, Visit visit) {
  const std::span<const Difference> all = comparison.differences;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin;
    while (end < all.size() && all[end].first == all[begin].first && all[end].second == all[begin].second)
      ++end;
    visit(all.subspan(begin, end - begin));
    begin = end;
  }
}

std::string pair_sentence(const Comparison& comparison, std::span<const Difference> pair) {
  std::vector<std::string> better, worse, equal, undefined;
  for (const Difference& difference : pair) {
    const std::string& name = column_of(comparison, difference).name;
    if (difference.verdict == Verdict::undecided) {
      undefined.push_back(name);
    } else if (difference.verdict == Verdict::not_real) {
      equal.push_back(name);
    } else {
      (difference.value > 0 ? better : worse)
          .push_back(fmt::format("{} ({})", name, difference_text(comparison, difference, difference.value)));
    }
  }
  std::vector<std::string> parts;
  const std::string& first = first_name(comparison, pair[0]);
  const std::string& second = second_name(comparison, pair[0]);
  if (!better.empty()) parts.push_back(fmt::format("better than {} on {}", second, fmt::join(better, ", ")));
  if (!worse.empty()) parts.push_back(fmt::format("worse than {} on {}", second, fmt::join(worse, ", ")));
  std::string sentence = fmt::format("{} is {}", first, fmt::join(parts, " and "));
  if (parts.empty()) sentence = fmt::format("{} and {}", first, second);
  const std::string_view link = parts.empty() ? ": " : "; ";
  if (!equal.empty()) sentence += fmt::format("{}no real difference on {}", link, fmt::join(equal, ", "));
  if (!undefined.empty())
    sentence += fmt::format("{}undecided on {}", equal.empty() ? link : "; ", fmt::join(undefined, ", "));
  return sentence + ".";
}

// How many scores of the row's system are really better than those of the column's.
Table win_table(const Comparison& comparison) {
  const auto& systems = comparison.result.systems;
  std::vector<std::vector<int>> wins(systems.size(), std::vector<int>(systems.size(), 0));
  std::vector<std::vector<int>> asked = wins;
  for (const Difference& difference : comparison.differences) {
    const auto [a, b] = std::pair(difference.first, difference.second);
    ++asked[a][b];
    ++asked[b][a];
    if (difference.verdict == Verdict::real) ++(difference.value > 0 ? wins[a][b] : wins[b][a]);
  }
  Table table{{"wins over"}, {}, 1};
  for (const SystemResult& system : systems) table.columns.push_back(system.name);
  for (std::size_t a = 0; a < systems.size(); ++a) {
    auto& row = table.rows.emplace_back();
    row.push_back({systems[a].name});
    for (std::size_t b = 0; b < systems.size(); ++b)
      row.push_back({asked[a][b] == 0 ? "-" : fmt::format("{} of {}", wins[a][b], asked[a][b])});
  }
  return table;
}

Table difference_table(const Comparison& comparison) {
  Table table{
      {"system", "against", "score", "difference", "95 % interval", "p", "p (Holm)", "effect", "significant"},
      {},
      3};
  for (const Difference& difference : comparison.differences) {
    const auto text = [&](double value) { return difference_text(comparison, difference, value); };
    table.rows.push_back(
        {{first_name(comparison, difference)},
         {second_name(comparison, difference)},
         {column_of(comparison, difference).name},
         {text(difference.value), difference.verdict == Verdict::real},
         {fmt::format("{} .. {}", text(difference.interval.low), text(difference.interval.high))},
         {shown_p(difference.p)},
         {shown_p(difference.p_corrected)},
         {std::isnan(difference.effect) ? "-" : fmt::format("{:+.2f}", difference.effect)},
         {verdict_word(difference.verdict)}});
  }
  return table;
}

Table exact_table(const Comparison& comparison) {
  Table table{
      {"system", "against", "score", "difference", "low", "high", "p", "p_holm", "effect", "real"}, {}, 3};
  for (const Difference& difference : comparison.differences) {
    auto& row = table.rows.emplace_back();
    row = {{first_name(comparison, difference)},
           {second_name(comparison, difference)},
           {column_of(comparison, difference).name}};
    for (const double value : {difference.value, difference.interval.low, difference.interval.high,
                               difference.p, difference.p_corrected, difference.effect})
      row.push_back({fmt::format("{}", value)});
    row.push_back({verdict_word(difference.verdict)});
  }
  return table;
}

std::string how_tested(const Comparison& comparison) {
  const std::string test = comparison.test == "bootstrap" ? "paired bootstrap"
                           : comparison.exact             ? "exact randomization"
                                                          : "approximate randomization";
  const std::size_t tests = comparison.differences.size();
  return fmt::format(
      "{}, {} {}, seed {}; p-values two-sided, Holm's correction over {} test{}; significant: corrected p < "
      "{}; "
      "effect: "
      "Cohen's d over captions",
      test, comparison.trials, comparison.exact ? "assignments" : "resamples",
      comparison.result.intervals->seed, tests, tests == 1 ? "" : "s", kSignificance);
}

std::string json_comparison(const Comparison& comparison) {
  Json whole = result_json(comparison.result);
  whole["test"] = comparison.test;
  whole["exact"] = comparison.exact;
  whole["trials"] = comparison.trials;
  if (!comparison.undecided.empty()) whole["undecided"] = comparison.undecided;
  whole["resamples"] = comparison.result.intervals->resamples;
  whole["seed"] = comparison.result.intervals->seed;
  whole["correction"] = "holm";
  whole["level"] = kSignificance;
  Json differences = Json::array();
  for (const Difference& difference : comparison.differences) {
    Json entry = {{"system", first_name(comparison, difference)},
                  {"against", second_name(comparison, difference)},
                  {"score", column_of(comparison, difference).name},
                  {"difference", json_number(difference.value)},
                  {"low", json_number(difference.interval.low)},
                  {"high", json_number(difference.interval.high)},
                  {"p", json_number(difference.p)},
                  {"p_corrected", json_number(difference.p_corrected)},
                  {"effect", json_number(difference.effect)},
                  {"real", json_verdict(difference.verdict)}};
    if (comparison.test == "bootstrap") entry["p_sacrebleu"] = json_number(difference.p_sacrebleu);
    differences.push_back(std::move(entry));
  }
  whole["differences"] = std::move(differences);
  whole["sentences"] = comparison_sentences(comparison);
  return dump(whole, 2) + '\n';
}

}  // namespace

std::vector<std::string> comparison_sentences(const Comparison& comparison) {
  std::vector<std::string> sentences;
  for_each_pair(comparison, [&](std::span<const Difference> pair) {
    sentences.push_back(pair_sentence(comparison, pair));
  });
  return sentences;
}

std::string format_comparison(const Comparison& comparison, Format format) {
  if (format == Format::json) return json_comparison(comparison);
  if (format == Format::csv || format == Format::plain) return format_table(exact_table(comparison), format);
  const std::string_view mark = format == Format::latex ? "% " : format == Format::markdown ? "- " : "";
  std::string out = format_result(comparison.result, format) + '\n';
  out += format_table(difference_table(comparison), format) + '\n';
  out += format_table(win_table(comparison), format) + '\n';
  for (const std::string& sentence : comparison_sentences(comparison))
    out += fmt::format("{}{}\n", mark, sentence);
  if (!comparison.undecided.empty()) out += fmt::format("{}undecided: {}\n", mark, comparison.undecided);
  return out + fmt::format("\n{}{}\n", mark, how_tested(comparison));
}

}  // namespace capella::report
