#include "report/meta_report.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/version.h"

#include "report/json_value.h"
#include "report/published.h"
#include "report/signature_lines.h"
#include "report/verdict.h"

namespace capella::report {
namespace {

std::string measure_title(const std::string& measure) {
  if (measure == "kendall_b") return "tau-b";
  if (measure == "kendall_c") return "tau-c";
  if (measure == "pearson") return "Pearson";
  if (measure == "spearman") return "Spearman";
  return measure;
}

std::string percent(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.2f}", 100 * value);
}

std::string with_interval(const Estimate& estimate) {
  const double half = (estimate.interval.high - estimate.interval.low) / 2;
  std::string text = percent(estimate.value);
  return std::isnan(half) || std::isnan(estimate.value) ? text : text + fmt::format(" ±{:.2f}", 100 * half);
}

// Many columns are read across, so that intervals and ties would only be in the way.
bool has_many_columns(const MetaResult& result) {
  constexpr std::size_t kMany = 6;
  return result.measures.size() > kMany;
}

// A challenge set says itself which caption is better.
std::string_view better_caption(const MetaResult& result) {
  return result.half_ties ? "is better" : "people prefer";
}

double main_value(const MetaResult& result, std::size_t metric) {
  return result.metrics[metric].estimates[result.main_measure].value;
}

// Which metric has the highest value; nobody if none is a number.
std::size_t best_metric(const MetaResult& result, std::size_t measure) {
  std::size_t best = result.metrics.size();
  for (std::size_t metric = 0; metric < result.metrics.size(); ++metric) {
    const double value = result.metrics[metric].estimates[measure].value;
    if (std::isnan(value)) continue;
    if (best == result.metrics.size() || value > result.metrics[best].estimates[measure].value) best = metric;
  }
  return best;
}

// At least one decimal, as the tables of papers have.
std::string as_printed(double value) {
  const std::string text = fmt::format("{}", value);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

// Whether the source prints a number for any of our measures.
bool has_value(const PublishedRow& published, const MetaResult& result) {
  return std::any_of(result.measures.begin(), result.measures.end(),
                     [&](const std::string& measure) { return published.value(measure).has_value(); });
}

void append_published(const MetaResult& result, Table& table) {
  for (const PublishedRow& published : published_rows(result.benchmark)) {
    if (!has_value(published, result)) continue;
    auto& row = table.rows.emplace_back();
    row.push_back({std::string(published.printed)});
    row.push_back({std::string(published.source) + (published.note.empty() ? "" : " *")});
    for (const std::string& measure : result.measures) {
      const auto value = published.value(measure);
      row.push_back({value ? as_printed(*value) : "-"});
    }
    if (table.columns.back() == "ties") row.push_back({""});
  }
}

Table agreement_table(const MetaResult& result, bool published) {
  Table table{{"metric"}, {}, published ? 2u : 1u};
  if (published) table.columns.push_back("source");
  for (const std::string& measure : result.measures) table.columns.push_back(measure_title(measure));
  const bool many = has_many_columns(result);
  if (result.pairs > 0 && !many) table.columns.push_back("ties");
  for (std::size_t metric = 0; metric < result.metrics.size(); ++metric) {
    const Agreement& agreement = result.metrics[metric];
    auto& row = table.rows.emplace_back();
    row.push_back({agreement.metric});
    if (published) row.push_back({"this run"});
    for (std::size_t measure = 0; measure < result.measures.size(); ++measure) {
      const Estimate& estimate = agreement.estimates[measure];
      row.push_back(
          {many && measure != result.main_measure ? percent(estimate.value) : with_interval(estimate),
           result.metrics.size() > 1 && best_metric(result, measure) == metric});
    }
    if (result.pairs > 0 && !many) row.push_back({fmt::format("{}", fmt::join(agreement.ties, "/"))});
  }
  if (published) append_published(result, table);
  return table;
}

// What to know before comparing with the published figures; rows that share a note share a line.
std::string published_notes(const MetaResult& result, std::string_view mark) {
  std::string out;
  const auto rows = published_rows(result.benchmark);
  for (std::size_t i = 0; i < rows.size();) {
    const PublishedRow& first = rows[i];
    std::vector<std::string_view> names;
    for (; i < rows.size() && rows[i].source == first.source && rows[i].note == first.note; ++i)
      names.push_back(rows[i].printed);
    if (!first.note.empty())
      out += fmt::format("{}* {}: {}: {}\n", mark, first.source, fmt::join(names, ", "), first.note);
  }
  return out;
}

Table exact_table(const MetaResult& result) {
  Table table{{"metric"}, {}, 1};
  for (const std::string& measure : result.measures) {
    for (const char* part : {"", "_low", "_high"}) table.columns.push_back(measure + part);
  }
  for (std::size_t i = 0; i < result.measures.size() && result.pairs > 0; ++i) {
    if (i < result.metrics[0].ties.size()) table.columns.push_back(result.measures[i] + "_ties");
  }
  for (const Agreement& agreement : result.metrics) {
    auto& row = table.rows.emplace_back();
    row.push_back({agreement.metric});
    for (const Estimate& estimate : agreement.estimates) {
      for (const double value : {estimate.value, estimate.interval.low, estimate.interval.high})
        row.push_back({fmt::format("{}", value)});
    }
    for (const std::size_t ties : agreement.ties) row.push_back({fmt::format("{}", ties)});
  }
  return table;
}

// How many pairs each category has, in their order.
std::string pairs_by_category(const MetaResult& result) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < result.category_pairs.size(); ++i)
    parts.push_back(fmt::format("{} {}", result.measures[i], result.category_pairs[i]));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string footnotes(const MetaResult& result, std::string_view mark) {
  std::string out = fmt::format("{}{}: {}\n", mark, result.title, result.version);
  out += fmt::format(
      "{}{} of {} image{}; x 100; ± half of the 95 % interval (bootstrap of images, {} "
      "resamples, seed {})\n",
      mark, result.pairs > 0 ? fmt::format("{} pairs", result.pairs) : fmt::format("{} rows", result.rows),
      result.images, result.images == 1 ? "" : "s", result.resamples, result.seed);
  if (result.pairs > 0)
    out += fmt::format("{}share of pairs whose {} caption scores {}\n", mark,
                       result.half_ties ? "better" : "preferred",
                       result.half_ties ? "higher; a tie counts half" : "strictly higher; a tie is wrong");
  if (result.category_pairs.size() > 1) out += fmt::format("{}pairs: {}\n", mark, pairs_by_category(result));
  if (has_many_columns(result))
    out += fmt::format("{}intervals and ties of every column are in --format json and csv\n", mark);
  for (const std::string& note : result.notes) out += fmt::format("{}{}\n", mark, note);
  std::vector<SignedScore> scores;
  for (const Agreement& agreement : result.metrics) {
    if (!agreement.signature.empty()) scores.push_back({agreement.metric, agreement.signature});
  }
  for (const std::string& line : signature_lines(scores, false)) out += fmt::format("{}{}\n", mark, line);
  return out;
}

// Of a metric's difference from another, seen from the metric.
struct Comparison {
  std::size_t other;
  const AgreementDifference& difference;
};

std::vector<Comparison> comparisons_of(const MetaResult& result, std::size_t metric) {
  std::vector<Comparison> comparisons;
  for (const AgreementDifference& difference : result.differences) {
    if (difference.first == metric) comparisons.push_back({difference.second, difference});
    if (difference.second == metric) comparisons.push_back({difference.first, difference});
  }
  return comparisons;
}

Table case_table(const MetaResult& result, std::size_t metric) {
  const bool pairs = result.pairs > 0;
  Table table{pairs ? std::vector<std::string>{"image", "rated higher", std::string(better_caption(result))}
                    : std::vector<std::string>{"rated", "image", "caption", "human"},
              {},
              3};
  for (const Agreement& agreement : result.metrics) table.columns.push_back(agreement.metric);
  for (const MetaCase& found : result.cases) {
    if (found.metric != metric) continue;
    auto& row = table.rows.emplace_back();
    if (pairs) {
      row = {{found.image}, {found.caption}, {found.other}};
    } else {
      row = {{found.too_high ? "too high" : "too low"},
             {found.image},
             {found.caption},
             {fmt::format("{:.2f}", found.human)}};
    }
    for (std::size_t k = 0; k < found.scores.size(); ++k) {
      row.push_back({pairs ? fmt::format("{:.3f} > {:.3f}", found.scores[k], found.other_scores[k])
                           : fmt::format("{:.3f}", found.scores[k])});
      if (pairs && !(found.scores[k] > found.other_scores[k]))
        row.back().text = fmt::format("{:.3f} | {:.3f}", found.scores[k], found.other_scores[k]);
    }
  }
  return table;
}

Json json_estimate(const Estimate& estimate) {
  return {{"value", json_number(estimate.value)},
          {"low", json_number(estimate.interval.low)},
          {"high", json_number(estimate.interval.high)}};
}

Json json_metric(const MetaResult& result, const Agreement& agreement) {
  Json entry = {{"metric", agreement.metric}};
  if (!agreement.signature.empty()) entry["signature"] = agreement.signature;
  if (result.pairs == 0) {
    for (std::size_t i = 0; i < result.measures.size(); ++i) {
      entry[result.measures[i]] = json_estimate(agreement.estimates[i]);
      entry[result.measures[i]]["p_rows"] = json_number(agreement.p_values[i]);
    }
    return entry;
  }
  Json accuracy = Json::object();
  Json ties = Json::object();
  for (std::size_t i = 0; i < result.measures.size(); ++i)
    accuracy[result.measures[i]] = json_estimate(agreement.estimates[i]);
  for (std::size_t i = 0; i < agreement.ties.size(); ++i) ties[result.measures[i]] = agreement.ties[i];
  entry["accuracy"] = std::move(accuracy);
  entry["ties"] = std::move(ties);
  return entry;
}

Json json_case(const MetaResult& result, const MetaCase& found) {
  const auto by_metric = [&](const std::vector<double>& scores) {
    Json named = Json::object();
    for (std::size_t k = 0; k < scores.size(); ++k) named[result.metrics[k].metric] = json_number(scores[k]);
    return named;
  };
  Json entry = {
      {"metric", result.metrics[found.metric].metric}, {"image", found.image}, {"caption", found.caption}};
  if (result.pairs > 0) {
    entry["preferred"] = found.other;
    entry["gap"] = json_number(found.score_place);
    entry["preferred_scores"] = by_metric(found.other_scores);
  } else {
    entry["rated"] = found.too_high ? "too high" : "too low";
    entry["human"] = json_number(found.human);
    entry["human_place"] = json_number(found.human_place);
    entry["score_place"] = json_number(found.score_place);
  }
  entry["scores"] = by_metric(found.scores);
  return entry;
}

Json json_published(const MetaResult& result) {
  Json all = Json::array();
  for (const PublishedRow& published : published_rows(result.benchmark)) {
    if (!has_value(published, result)) continue;
    Json entry = {{"metric", published.metric}, {"printed", published.printed}, {"source", published.source}};
    if (!published.note.empty()) entry["note"] = published.note;
    for (const std::string& measure : result.measures) {
      if (const auto value = published.value(measure)) entry[measure] = std::round(*value * 1e4) / 1e6;
    }
    all.push_back(std::move(entry));
  }
  return all;
}

Json json_differences(const MetaResult& result) {
  Json all = Json::array();
  for (const AgreementDifference& difference : result.differences) {
    Json entry = {{"metric", result.metrics[difference.first].metric},
                  {"against", result.metrics[difference.second].metric},
                  {"measure", result.measures[result.main_measure]},
                  {"difference", json_number(difference.value)},
                  {"low", json_number(difference.interval.low)},
                  {"high", json_number(difference.interval.high)},
                  {"p", json_number(difference.p)},
                  {"p_corrected", json_number(difference.p_corrected)},
                  {"real", json_verdict(difference.verdict)}};
    if (result.pairs == 0) entry["p_williams"] = json_number(difference.p_williams);
    all.push_back(std::move(entry));
  }
  return all;
}

std::string json_meta(const MetaResult& result, bool published) {
  Json whole = {{"capella", kVersion},
                {"benchmark", result.benchmark},
                {"version", result.version},
                {"rows", result.rows}};
  if (result.pairs > 0) whole["pairs"] = result.pairs;
  for (std::size_t i = 0; i < result.category_pairs.size(); ++i)
    whole["category_pairs"][result.measures[i]] = result.category_pairs[i];
  whole["images"] = result.images;
  whole["resamples"] = result.resamples;
  whole["seed"] = result.seed;
  whole["metrics"] = Json::array();
  for (const Agreement& agreement : result.metrics)
    whole["metrics"].push_back(json_metric(result, agreement));
  whole["differences"] = json_differences(result);
  whole["sentences"] = agreement_sentences(result);
  if (!result.undecided.empty()) whole["undecided"] = result.undecided;
  whole["notes"] = result.notes;
  if (published) {
    whole["published"] = json_published(result);
    whole["published_is_this_data"] = result.published;
  }
  if (!result.cases.empty()) {
    whole["cases"] = Json::array();
    for (const MetaCase& found : result.cases) whole["cases"].push_back(json_case(result, found));
  }
  return dump(whole, 2) + '\n';
}

// A case as lines of text: captions are too long for the columns of a terminal.
std::string case_text(const MetaResult& result, const MetaCase& found) {
  std::vector<std::string> scores;
  for (std::size_t k = 0; k < found.scores.size(); ++k) {
    const std::string other = result.pairs > 0 ? fmt::format(" : {:.3f}", found.other_scores[k]) : "";
    scores.push_back(fmt::format("{} {:.3f}{}", result.metrics[k].metric, found.scores[k], other));
  }
  if (result.pairs > 0) {
    return fmt::format("  {}\n    rated higher   {}\n    {:<13}  {}\n    {}\n", found.image, found.caption,
                       better_caption(result), found.other, fmt::join(scores, ", "));
  }
  return fmt::format("  {}  {}\n    {}\n    human {:.2f}; {}\n", found.too_high ? "too high" : "too low ",
                     found.image, found.caption, found.human, fmt::join(scores, ", "));
}

std::string format_cases(const MetaResult& result, Format format) {
  std::string out;
  for (std::size_t metric = 0; metric < result.metrics.size() && !result.cases.empty(); ++metric) {
    const Table table = case_table(result, metric);
    if (table.rows.empty()) continue;
    out += fmt::format("\nWhere {} {}:\n\n", result.metrics[metric].metric,
                       result.half_ties ? "is most wrong" : "and people are furthest apart");
    if (format != Format::table) {
      out += format_table(table, format);
      continue;
    }
    for (const MetaCase& found : result.cases) {
      if (found.metric == metric) out += case_text(result, found);
    }
  }
  return out;
}

}  // namespace

std::vector<std::string> agreement_sentences(const MetaResult& result) {
  std::vector<std::size_t> order;
  for (std::size_t metric = 0; metric < result.metrics.size(); ++metric) {
    if (!std::isnan(main_value(result, metric))) order.push_back(metric);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return main_value(result, a) > main_value(result, b);
  });
  std::vector<std::string> sentences;
  for (const std::size_t metric : order) {
    std::vector<std::string> better, equal, undefined;
    for (const Comparison& of : comparisons_of(result, metric)) {
      const std::string& other = result.metrics[of.other].metric;
      if (of.difference.verdict == Verdict::undecided) {
        undefined.push_back(other);
      } else if (of.difference.verdict == Verdict::not_real) {
        equal.push_back(other);
      } else if (main_value(result, metric) > main_value(result, of.other)) {
        better.push_back(other);
      }
    }
    if (better.empty() && equal.empty() && undefined.empty()) continue;
    std::vector<std::string> parts;
    if (!better.empty()) parts.push_back(fmt::format("is better than {}", fmt::join(better, ", ")));
    if (!equal.empty())
      parts.push_back(fmt::format("does not really differ from {}", fmt::join(equal, ", ")));
    if (!undefined.empty())
      parts.push_back(fmt::format("cannot be compared with {}", fmt::join(undefined, ", ")));
    sentences.push_back(fmt::format("{} ({}) {}.", result.metrics[metric].metric,
                                    percent(main_value(result, metric)), fmt::join(parts, "; it ")));
  }
  return sentences;
}

std::string format_meta(const MetaResult& result, Format format, bool published) {
  if (format == Format::json) return json_meta(result, published);
  if (format == Format::csv || format == Format::plain) return format_table(exact_table(result), format);
  const std::string_view mark = format == Format::latex ? "% " : format == Format::markdown ? "- " : "";
  std::string out = format_table(agreement_table(result, published), format) + '\n';
  out += footnotes(result, mark);
  if (published && !result.published)
    out += fmt::format("{}published values are for other data than this file\n", mark);
  if (published) out += published_notes(result, mark);
  if (const auto sentences = agreement_sentences(result); !sentences.empty()) {
    out += fmt::format("\n{}By {} (paired bootstrap, Holm's correction over {} pair{} of metrics):\n", mark,
                       measure_title(result.measures[result.main_measure]), result.differences.size(),
                       result.differences.size() == 1 ? "" : "s");
    for (const std::string& sentence : sentences) out += fmt::format("{}{}\n", mark, sentence);
    if (!result.undecided.empty()) out += fmt::format("{}undecided: {}\n", mark, result.undecided);
  }
  return out + format_cases(result, format);
}

}  // namespace capella::report
