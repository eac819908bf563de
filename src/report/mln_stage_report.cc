#include "report/mln_stage_report.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "report/json_value.h"
#include "report/number_text.h"

namespace capella::report {
namespace {

using Facts = std::vector<std::pair<std::string, std::size_t>>;

// Counts, one per row; in JSON an object.
std::string format_facts(const Facts& facts, Format format, const Json& further = Json::object()) {
  if (format == Format::json) {
    Json json = Json::object();
    for (const auto& [name, value] : facts) json[name] = value;
    json.update(further);
    return dump(json, 1) + "\n";
  }
  Table table{{"", "count"}, {}, 1};
  for (const auto& [name, value] : facts) table.rows.push_back({{name}, {fmt::to_string(value)}});
  return format_table(table, format);
}

double share(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

template <class Value>
std::string ranked(const std::vector<std::pair<std::string, Value>>& list, const std::string& name,
                   const std::string& counted, Format format) {
  Table table{{name, counted}, {}, 1};
  for (const auto& [text, count] : list)
    table.rows.push_back({{text}, {fmt::format("{}", static_cast<std::size_t>(count))}});
  return list.empty() ? "" : "\n" + format_table(table, format);
}

template <class Value>
Json ranked_json(const std::vector<std::pair<std::string, Value>>& list) {
  Json json = Json::object();
  for (const auto& [text, count] : list) json[text] = count;
  return json;
}

bool has_both(const MilSummary& summary) {
  return !std::isnan(summary.other_mean_auc);
}

std::string other_attention(const MilSummary& summary) {
  return summary.attention == "gated" ? "plain" : "gated";
}

Json mil_json(const MilSummary& summary) {
  const bool both = has_both(summary);
  const std::string other = other_attention(summary);
  Json list = Json::array();
  for (const MilPredicate& row : summary.predicates) {
    Json json = {{"predicate", row.predicate},
                 {"bags", row.training_bags},
                 {"held_out", row.held_out_atoms},
                 {"told", row.held_out_told},
                 {"auc", json_number(row.auc)},
                 {"log_loss", json_number(row.log_loss)},
                 {"log_loss_uncalibrated", json_number(row.log_loss_uncalibrated)},
                 {"brier", json_number(row.brier)},
                 {"ece", json_number(row.calibration_error)}};
    if (both) json["auc_" + other] = json_number(row.other_auc);
    list.push_back(std::move(json));
  }
  Json json = {
      {"attention", summary.attention}, {"mean_auc", json_number(summary.mean_auc)}, {"predicates", list}};
  if (both) json["mean_auc_" + other] = json_number(summary.other_mean_auc);
  return json;
}

Table mil_table(const MilSummary& summary) {
  const bool both = has_both(summary);
  Table table{{"predicate", "bags", "held out", "told", "AUC " + summary.attention}, {}, 1};
  if (both) table.columns.push_back("AUC " + other_attention(summary));
  table.columns.insert(table.columns.end(), {"log loss", "uncalibrated", "Brier", "ECE"});
  for (const MilPredicate& row : summary.predicates) {
    auto& cells = table.rows.emplace_back();
    cells = {{row.predicate},
             {fmt::to_string(row.training_bags)},
             {fmt::to_string(row.held_out_atoms)},
             {fmt::to_string(row.held_out_told)},
             {fixed(row.auc, 3)}};
    if (both) cells.push_back({fixed(row.other_auc, 3)});
    for (const double value : {row.log_loss, row.log_loss_uncalibrated, row.brier, row.calibration_error})
      cells.push_back({fixed(value, 3)});
  }
  auto& mean = table.rows.emplace_back();
  mean = {{"mean"}, {""}, {""}, {""}, {fixed(summary.mean_auc, 3)}};
  if (both) mean.push_back({fixed(summary.other_mean_auc, 3)});
  mean.resize(table.columns.size());
  return table;
}

}  // namespace

std::string format_triplets(const TripletSummary& summary, Format format) {
  const Facts facts = {{"images", summary.images},     {"images left out", summary.excluded_images},
                       {"captions", summary.captions}, {"captions without a triplet", summary.without},
                       {"triplets", summary.triplets}, {"predicates", summary.predicates}};
  std::string text = format_facts(facts, format, {{"common", ranked_json(summary.common)}});
  if (for_people(format)) text += ranked(summary.common, "predicate", "triplets", format);
  return text;
}

std::string format_structure(const StructureSummary& summary, Format format) {
  Facts facts = {{"images", summary.images},
                 {"triplets", summary.triplets},
                 {"triplets of rarer predicates, left out", summary.dropped_triplets},
                 {"predicates", summary.predicates},
                 {"constants", summary.constants},
                 {"candidate formulas", summary.candidates},
                 {"formulas kept", summary.formulas},
                 {"dropped for an empty domain", summary.empty_domains},
                 {"images with more chains than allowed", summary.capped_images}};
  for (std::size_t k = 0; k < summary.by_length.size(); ++k)
    facts.emplace_back(fmt::format("kept, of {} literal{}", k + 1, k == 0 ? "" : "s"), summary.by_length[k]);
  std::string text = format_facts(facts, format, {{"best", ranked_json(summary.best)}});
  if (for_people(format)) text += ranked(summary.best, "formula", "images", format);
  return text;
}

std::string format_mil(const MilSummary& summary, Format format) {
  return format == Format::json ? dump(mil_json(summary), 1) + "\n"
                                : format_table(mil_table(summary), format);
}

std::string format_ground(const GroundSummary& summary, Format format) {
  return format_facts({{"images", summary.images},
                       {"images without a network", summary.empty},
                       {"atoms", summary.atoms},
                       {"atoms of the largest network", summary.most_atoms},
                       {"ground formulas", summary.factors},
                       {"atoms whose predicate has no attention network", summary.without_model},
                       {"atoms whose things are not two boxes", summary.empty_bags}},
                      format);
}

std::string format_nli(const NliSummary& summary, Format format) {
  Facts facts = {{"captions", summary.captions},
                 {"captions of images without a network, left out", summary.without_image},
                 {"questions", summary.questions},
                 {"entailed", summary.entailed},
                 {"contradicted", summary.contradicted},
                 {"neutral", summary.questions - summary.entailed - summary.contradicted},
                 {"claims about undetected things", summary.unseen}};
  if (summary.judge.empty()) return format_facts(facts, format);
  facts.emplace_back("questions that differ", summary.distinct);
  facts.emplace_back("questions longer than the model reads", summary.cut);
  std::string text = format_facts(facts, format, {{"judge", summary.judge}});
  if (for_people(format)) text += fmt::format("\nJudged by {}.\n", summary.judge);
  return text;
}

std::string format_nli_accuracy(const NliAccuracy& accuracy, Format format) {
  constexpr std::array<const char*, 3> kLabels = {"contradiction", "neutral", "entailment"};
  if (format == Format::json) {
    Json confusion = Json::object();
    for (std::size_t t = 0; t < 3; ++t)
      for (std::size_t j = 0; j < 3; ++j) confusion[kLabels[t]][kLabels[j]] = accuracy.confusion[t][j];
    Json json = {{"pairs", accuracy.pairs},
                 {"accuracy", accuracy.accuracy},
                 {"low", json_number(accuracy.interval.low)},
                 {"high", json_number(accuracy.interval.high)},
                 {"confusion", confusion}};
    if (!accuracy.judge.empty()) json["judge"] = accuracy.judge;
    return dump(json, 1) + "\n";
  }
  Table table{{"truth", "contradiction", "neutral", "entailment", "right"}, {}, 1};
  for (std::size_t t = 0; t < 3; ++t) {
    auto& row = table.rows.emplace_back();
    row.push_back({kLabels[t]});
    std::size_t all = 0;
    for (const std::size_t count : accuracy.confusion[t]) all += count;
    for (const std::size_t count : accuracy.confusion[t]) row.push_back({fmt::to_string(count)});
    row.push_back({fmt::format("{:.1f} %", 100 * share(accuracy.confusion[t][t], all))});
  }
  std::string text = format_table(table, format);
  if (for_people(format))
    text += fmt::format("\n{} pairs, accuracy {:.1f} % [{:.1f}, {:.1f}], judged by {}\n", accuracy.pairs,
                        100 * accuracy.accuracy, 100 * accuracy.interval.low, 100 * accuracy.interval.high,
                        accuracy.judge.empty() ? "the built-in rules" : accuracy.judge);
  return text;
}

}  // namespace capella::report
