#include "world/truth.h"

#include <nlohmann/json.hpp>

#include "world/errors.h"
#include "world/facts.h"
#include "world/features.h"
#include "world/grammar.h"

namespace capella::world {
namespace {

using Json = nlohmann::ordered_json;

Json names_of(std::span<const Class> classes) {
  Json out = Json::array();
  for (const Class id : classes) out.push_back(name(id));
  return out;
}

Json by_setting(const std::array<double, kSettings>& weights) {
  Json out = Json::object();
  for (std::size_t i = 0; i < kSettings; ++i)
    out[std::string(info(static_cast<Setting>(i)).label)] = weights[i];
  return out;
}

Json classes_json() {
  Json out = Json::array();
  for (std::size_t i = 0; i < kClasses; ++i) {
    const ClassInfo& about = info(static_cast<Class>(i));
    Json nouns = Json::array(), colours = Json::array();
    for (std::size_t n = 0; n < about.noun_count(); ++n)
      nouns.push_back({about.nouns[n].singular, about.nouns[n].plural});
    for (std::size_t c = 0; c < kColours; ++c) {
      if (about.palette >> c & 1) colours.push_back(name(static_cast<Colour>(c)));
    }
    out.push_back({{"class", name(about.id)},
                   {"kind", name(about.kind)},
                   {"nouns", nouns},
                   {"colours", colours},
                   {"sized", about.sized},
                   {"patterned", about.patterned}});
  }
  return out;
}

Json predicates_json() {
  Json out = Json::array();
  for (std::size_t i = 0; i < kPredicates; ++i) {
    const PredicateInfo& about = info(static_cast<Predicate>(i));
    Json wordings = Json::array(), wrong = Json::array();
    for (std::size_t w = 0; w < about.wording_count(); ++w) wordings.push_back(about.wordings[w].gerund);
    for (const Predicate rival : rivals(about.id)) {
      if (rival != about.id) wrong.push_back(info(rival).label);
    }
    Json row = {{"predicate", about.label},
                {"action", about.action},
                {"concept", about.concept_name},
                {"wordings", wordings},
                {"rivals", wrong}};
    if (const auto other = inverse(about.id)) row["inverse"] = info(*other).label;
    out.push_back(row);
  }
  return out;
}

Json events_json() {
  Json out = Json::array();
  for (const EventRule& rule : event_rules()) {
    constexpr std::string_view kSharing[] = {"one agent, one theme", "agents share one theme",
                                             "each agent has a theme"};
    out.push_back({{"predicate", info(rule.predicate).label},
                   {"agents", names_of(rule.agents)},
                   {"themes", names_of(rule.themes)},
                   {"weights", by_setting(rule.weights)},
                   {"sharing", kSharing[static_cast<std::size_t>(rule.sharing)]},
                   {"most_agents", rule.most}});
  }
  return out;
}

Json extras_json() {
  Json out = Json::array();
  for (const ExtraRule& rule : extra_rules()) {
    out.push_back({{"class", name(rule.id)},
                   {"weights", by_setting(rule.weights)},
                   {"behind", rule.behind},
                   {"most", rule.most}});
  }
  return out;
}

Json rules_json(const RuleCounts& counts) {
  Json out = Json::array();
  for (std::size_t i = 0; i < kRules; ++i) {
    out.push_back({{"rule", rules()[i].text},
                   {"probability", rules()[i].probability},
                   {"body_true", counts[i].body},
                   {"both_true", counts[i].both}});
  }
  return out;
}

Json workers_json(const std::vector<Worker>& workers) {
  Json out = Json::array();
  for (const Worker& worker : workers) {
    out.push_back({{"worker", worker.name},
                   {"habit", kHabitNames[static_cast<std::size_t>(worker.habit)]},
                   {"bias", worker.bias},
                   {"usual_seconds", worker.pace}});
  }
  return out;
}

Json judges_json(const WorldOptions& options, const std::vector<Worker>& workers) {
  return {
      {"rating", "round(1 + 4 * quality + bias + noise), kept in 1..5"},
      {"quality", "0.7 * precision^2 + 0.3 * recall; times 0.3 if the words are shuffled"},
      {"precision",
       "weight of true claims / weight of claims; things and relations weigh 1, attributes, numbers and "
       "the setting 0.5"},
      {"recall",
       "told share of the main event's two things and relation (1 each) and the other things (0.25 each)"},
      {"noise_deviation", options.noise},
      {"bias_deviation", kBias},
      {"careless_share", kCarelessShare},
      {"ratings_per_caption", kRatingsPerCaption},
      {"label_noise", kLabelNoise},
      {"rank_noise_deviation", kRankNoise},
      {"workers", workers_json(workers)}};
}

}  // namespace

std::string truth_text(const WorldOptions& options, const std::vector<Worker>& workers,
                       const RuleCounts& counts) {
  const Json truth = {
      {"generated", true},
      {"seed", options.seed},
      {"images", options.images},
      {"rules", rules_json(counts)},
      {"grammar",
       {{"settings", by_setting(kSettingWeights)},
        {"agents_1_2_3", kCountWeights},
        {"extras_0_1_2", kExtraWeights},
        {"second_event", kSecondEvent},
        {"medium_small_large", kSizeWeights},
        {"plain_striped_spotted", kPatternWeights},
        {"hat_of_riders", kHatOfRider},
        {"hat_of_others", kHat},
        {"neighbours_next_to", kSideBySide},
        {"events", events_json()},
        {"extras", extras_json()}}},
      {"classes", classes_json()},
      {"predicates", predicates_json()},
      {"features",
       {{"object_width", kObjectWidth},
        {"object_geometry",
         "the last 8: x1 y1 x2 y2 width height area log2(width/height), the picture being 1 x 1"},
        {"object_noise_deviation", kObjectNoise},
        {"image_width", kImageWidth},
        {"image_noise_deviation", kImageNoise}}},
      {"errors", {{"kinds", kErrorNames}, {"rates", kErrorRates}}},
      {"judges", judges_json(options, workers)}};
  return truth.dump(1) + "\n";
}

}  // namespace capella::world
