#include "report/mln_report.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/names.h"
#include "report/json_value.h"
#include "report/number_text.h"
#include "report/verdict.h"

namespace capella::report {
namespace {

Json interval_json(const Interval& interval) {
  return {json_number(interval.low), json_number(interval.high)};
}

Json system_json(const JudgedSystem& system, bool unseen) {
  Json json = {{"system", system.system},
               {"n_scored", system.scored},
               {"captions", system.captions},
               {"n_skipped", {{"no_network", system.no_network}, {"empty_query", system.empty_query}}},
               {"n_impossible", system.impossible},
               {"per_atom_mean", json_number(system.log_prob)},
               {"ci95", interval_json(system.interval)},
               {"logp_var", json_number(system.variance)},
               {"logp_sd", json_number(system.deviation)},
               {"logp_mean", json_number(system.log_p)},
               {"claims", system.claims},
               {"contradicted", system.contradicted},
               {"unseen", system.unseen},
               {"without_rule", system.without_rule}};
  if (unseen) {
    json["per_atom_mean_unseen"] = json_number(system.log_prob_unseen);
    json["unseen_ci95"] = interval_json(system.unseen_interval);
  }
  return json;
}

Json pair_json(const JudgedPair& pair) {
  return {{"first", pair.first},
          {"second", pair.second},
          {"images", pair.images},
          {"difference", json_number(pair.difference)},
          {"ci95", interval_json(pair.interval)},
          {"p", json_number(pair.p)},
          {"p_corrected", json_number(pair.p_corrected)},
          {"real", json_verdict(pair.verdict)}};
}

Table system_table(const Verification& verification) {
  const bool unseen = verification.unseen_p > 0;
  Table table{{"system", "scored", "Log-Prob", "95 %", "Var", "joint"}, {}, 1};
  if (unseen) table.columns.insert(table.columns.end(), {"with unseen", "95 %"});
  table.columns.insert(table.columns.end(), {"claims", "contradicted", "unseen"});
  std::vector<const JudgedSystem*> order;
  for (const JudgedSystem& system : verification.systems) order.push_back(&system);
  std::ranges::stable_sort(order, std::greater<>(), [&](const JudgedSystem* system) {
    const double value = unseen ? system->log_prob_unseen : system->log_prob;
    return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
  });
  for (const JudgedSystem* system : order) {
    auto& row = table.rows.emplace_back();
    row = {{system->system},
           {fmt::format("{} of {}", system->scored, system->captions)},
           {fixed(system->log_prob, 4)},
           {between(system->interval, 4)},
           {fixed(system->variance, 3)},
           {fixed(system->log_p, 3)}};
    if (unseen) {
      row.push_back({fixed(system->log_prob_unseen, 4)});
      row.push_back({between(system->unseen_interval, 4)});
    }
    row.push_back({fmt::to_string(system->claims)});
    row.push_back({fmt::to_string(system->contradicted)});
    row.push_back({fmt::to_string(system->unseen)});
  }
  return table;
}

// What a test says of the first system.
std::string pair_words(const JudgedPair& pair) {
  if (pair.verdict == Verdict::undecided) return "undecided";
  if (pair.verdict == Verdict::not_real) return "no real difference";
  return pair.difference > 0 ? "better" : "worse";
}

Table pair_table(const Verification& verification) {
  Table table{{"system", "beside", "images", "difference", "95 %", "p", "p (Holm)", "verdict"}, {}, 2};
  for (const JudgedPair& pair : verification.pairs)
    table.rows.push_back({{pair.first},
                          {pair.second},
                          {fmt::to_string(pair.images)},
                          {fixed(pair.difference, 4)},
                          {between(pair.interval, 4)},
                          {fixed(pair.p, 4)},
                          {fixed(pair.p_corrected, 4)},
                          {pair_words(pair)}});
  return table;
}

std::string notes_of(const Verification& verification) {
  std::string text =
      "\nLog-Prob: mean over captions of the mean ln P of their claims; Var: its variance; joint: mean ln P "
      "of all claims of a caption together.\n";
  if (verification.unseen_p > 0)
    text += fmt::format(
        "With unseen: a claim about an undetected thing is as probable as the caption's others, times "
        "{:.4g}: that the thing was missed.\n",
        verification.unseen_p);
  std::size_t no_network = 0, empty_query = 0, impossible = 0, without_rule = 0;
  for (const JudgedSystem& system : verification.systems) {
    no_network += system.no_network;
    empty_query += system.empty_query;
    impossible += system.impossible;
    without_rule += system.without_rule;
  }
  if (impossible > 0)
    text += fmt::format(
        "{} scored captions say what is impossible by hard rules: the mean of the joint leaves them out.\n",
        impossible);
  if (without_rule > 0)
    text +=
        fmt::format("{} claims about detected things that no rule is about do not count.\n", without_rule);
  text += fmt::format(
      "Without a verdict: {} captions of images that no rule is about, {} that say nothing the rules know.\n",
      no_network, empty_query);
  std::string methods;
  for (const auto& [method, captions] : verification.methods)
    methods += fmt::format("{}{} {}", methods.empty() ? "" : ", ", method, captions);
  if (!methods.empty()) text += fmt::format("Captions by method of inference: {}.\n", methods);
  if (!verification.judges.empty())
    text += fmt::format("Entailment was judged by {}.\n", fmt::join(verification.judges, ", "));
  for (const std::string& note : verification.notes) text += note + "\n";
  return text;
}

}  // namespace

std::string format_verification(const Verification& verification, Format format) {
  if (format == Format::json) {
    Json systems = Json::array(), pairs = Json::array(), methods = Json::object();
    for (const JudgedSystem& system : verification.systems)
      systems.push_back(system_json(system, verification.unseen_p > 0));
    for (const JudgedPair& pair : verification.pairs) pairs.push_back(pair_json(pair));
    for (const auto& [method, captions] : verification.methods) methods[method] = captions;
    Json json = {{"systems", systems},
                 {"pairs", pairs},
                 {"methods", methods},
                 {"unseen_p", verification.unseen_p},
                 {"notes", verification.notes}};
    if (!verification.judges.empty()) json["judges"] = verification.judges;
    return dump(json, 1) + "\n";
  }
  std::string text = format_table(system_table(verification), format);
  if (!for_people(format)) return text;
  if (!verification.pairs.empty()) text += "\n" + format_table(pair_table(verification), format);
  return text + notes_of(verification);
}

std::string format_ranking(const RankedSystems& ranking, Format format) {
  if (format == Format::json) {
    Json systems = Json::array();
    for (std::size_t k = 0; k < ranking.systems.size(); ++k) {
      Json json = {{"system", ranking.systems[k]}};
      for (std::size_t m = 0; m < ranking.metrics.size(); ++m)
        json["scores"][ranking.metrics[m]] = ranking.values[m][k];
      json["average_rank"] = ranking.average_rank[k];
      json["log_prob"] = json_number(ranking.log_prob[k]);
      json["variance"] = json_number(ranking.variance[k]);
      systems.push_back(std::move(json));
    }
    return dump({{"systems", systems},
                 {"pearson", json_number(ranking.pearson)},
                 {"spearman", json_number(ranking.spearman)},
                 {"kendall", json_number(ranking.kendall)}},
                1) +
           "\n";
  }
  Table table{{"system"}, {}, 1};
  for (const std::string& metric : ranking.metrics) table.columns.push_back(metric);
  table.columns.insert(table.columns.end(), {"average rank", "Log-Prob", "Var"});
  for (std::size_t k = 0; k < ranking.systems.size(); ++k) {
    auto& row = table.rows.emplace_back();
    row.push_back({ranking.systems[k]});
    for (std::size_t m = 0; m < ranking.metrics.size(); ++m)
      row.push_back({fixed(ranking.values[m][k], ranking.values[m][k] < 10 ? 4 : 1)});
    row.push_back({fixed(ranking.average_rank[k], 3)});
    row.push_back({fixed(ranking.log_prob[k], 4)});
    row.push_back({fixed(ranking.variance[k], 3)});
  }
  std::string text = format_table(table, format);
  if (for_people(format))
    text += fmt::format(
        "\nAverage rank (the best has the highest) with -Log-Prob: Pearson {}, Spearman {}, Kendall {}.\n",
        fixed(ranking.pearson, 3), fixed(ranking.spearman, 3), fixed(ranking.kendall, 3));
  return text;
}

std::string format_concepts(const ConceptUncertainty& concepts, Format format) {
  if (format == Format::json) {
    Json rows = Json::array();
    for (const ConceptUncertainty::Row& row : concepts.rows)
      rows.push_back({{"concept", row.concept_name},
                      {"system", row.system},
                      {"images", row.images},
                      {"uncertainty", json_number(row.uncertainty)},
                      {"ci95", interval_json(row.interval)},
                      {"few", row.few}});
    return dump({{"rows", rows}, {"ties", concepts.ties}, {"labelled", concepts.labelled}}, 1) + "\n";
  }
  Table table{{"concept", "system", "images", "-Log-Prob", "95 %", ""}, {}, 2};
  for (const ConceptUncertainty::Row& row : concepts.rows)
    table.rows.push_back({{row.concept_name},
                          {row.system},
                          {fmt::to_string(row.images)},
                          {fixed(row.uncertainty, 4)},
                          {between(row.interval, 4)},
                          {row.few ? "few images" : ""}});
  std::string text = format_table(table, format);
  if (!for_people(format)) return text;
  text +=
      fmt::format("\n{} images have a majority label, {} a tie.\n", concepts.labelled, concepts.ties.size());
  std::vector<std::string_view> ties(concepts.ties.begin(), concepts.ties.end());
  if (!ties.empty()) text += fmt::format("Without a majority: {}.\n", list_names(ties));
  return text;
}

std::string format_human_ranking(const HumanRanking& ranking, Format format) {
  if (format == Format::json) {
    Json images = Json::array();
    for (const HumanRanking::Image& image : ranking.images)
      images.push_back(
          {{"image_id", image.image}, {"correlation", image.correlation}, {"claims", image.claims}});
    return dump({{"mean", json_number(ranking.mean)},
                 {"ci95", interval_json(ranking.interval)},
                 {"share_positive", ranking.share_positive},
                 {"constant", ranking.constant},
                 {"few_claims", ranking.few_claims},
                 {"without_network", ranking.without_network},
                 {"histogram", ranking.histogram},
                 {"images", images}},
                1) +
           "\n";
  }
  Table table{{"correlation", "images"}, {}, 1};
  for (std::size_t k = 0; k < ranking.histogram.size(); ++k) {
    const double low = -1 + 2 * static_cast<double>(k) / static_cast<double>(ranking.histogram.size());
    const double width = 2 / static_cast<double>(ranking.histogram.size());
    table.rows.push_back(
        {{fmt::format("{:+.1f} to {:+.1f}", low, low + width)}, {fmt::to_string(ranking.histogram[k])}});
  }
  std::string text = format_table(table, format);
  if (for_people(format))
    text += fmt::format(
        "\n{} images: mean correlation of people's ranks with P {} {}, above 0 in {:.0f} %. Left out: {} "
        "where one side is the same for all claims, {} whose network knows less than two of the claims, {} "
        "that have no network here (other images than those tested, or nothing detected).\n",
        ranking.images.size(), fixed(ranking.mean, 3), between(ranking.interval, 3),
        100 * ranking.share_positive, ranking.constant, ranking.few_claims, ranking.without_network);
  return text;
}

}  // namespace capella::report
