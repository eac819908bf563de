#include "world/truth.h"

#include <algorithm>

#include <fmt/format.h>
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
    for (const Colour colour : palette_of(about.id)) colours.push_back(name(colour));
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
  const auto careless = std::count_if(workers.begin(), workers.end(), [](const Worker& worker) {
    return worker.habit != Worker::Habit::careful;
  });
  return {
      {"rating", "round(1 + 4 * quality + bias + noise), kept in 1..5"},
      {"quality", fmt::format("{} * precision^2 + {:.2g} * recall; times {} if the words are shuffled",
                              kPrecision, 1 - kPrecision, kShuffled)},
      {"precision",
       fmt::format("weight of true claims / weight of claims; things weigh {}, relations {}, attributes {}, "
                   "numbers {}, the setting {}",
                   weight_of(Fact::Kind::object), weight_of(Fact::Kind::relation),
                   weight_of(Fact::Kind::attribute), weight_of(Fact::Kind::count),
                   weight_of(Fact::Kind::setting))},
      {"recall", fmt::format("told share of the main event's two things and relation (1 each) and the other "
                             "things that nobody wears ({} each)",
                             kMinor)},
      {"noise_deviation", options.noise},
      {"bias_deviation", kBias},
      {"careless_share", kCarelessShare},
      {"careless_at_least", kLeastCareless},
      {"careless", careless},
      {"judges", workers.size()},
      {"ratings_per_caption", kRatingsPerCaption},
      {"label_noise", kLabelNoise},
      {"rank_noise_deviation", kRankNoise},
      {"false_atoms_with_a_wrong_thing", kWrongArgument},
      {"workers", workers_json(workers)}};
}

Json share_json(double stated, const Share& share) {
  return {{"stated", stated}, {"could_be", share.all}, {"was", share.hits}};
}

// Counts of the world at hand, beside what was stated.
Json realised_json(const Counts& counts) {
  Json settings = Json::object();
  for (std::size_t i = 0; i < kSettings; ++i)
    settings[std::string(info(static_cast<Setting>(i)).label)] = counts.settings[i];
  return {{"settings", settings},
          {"agents_1_2_3", counts.agents},
          {"extras_0_1_2", counts.extras},
          {"medium_small_large", counts.sizes},
          {"plain_striped_spotted", counts.patterns},
          {"second_event", share_json(kSecondEvent, counts.second_event)},
          {"hat_of_riders", share_json(kHatOfRider, counts.hat_of_riders)},
          {"hat_of_others", share_json(kHat, counts.hat_of_others)},
          {"neighbours_close", share_json(kSideBySide, counts.close)}};
}

constexpr std::string_view kNotes[] = {
    "agents_1_2_3: drawn so, then at most most_agents of the event",
    "medium_small_large: of classes that have sizes; always medium where things must fit into each other "
    "(in, "
    "on, under, sit on, stand on) and for who eats",
    "neighbours_close: that two clusters beside each other are put close together; 'next to' is then read "
    "off "
    "the boxes, and also asks for one level",
    "a second event is drawn again, up to 50 times, until its classes are new to the scene; things that are "
    "not part of an event likewise never repeat a class"};

Json grammar_json() {
  return {{"settings", by_setting(kSettingWeights)},
          {"agents_1_2_3", kCountWeights},
          {"extras_0_1_2", kExtraWeights},
          {"second_event", kSecondEvent},
          {"medium_small_large", kSizeWeights},
          {"plain_striped_spotted", kPatternWeights},
          {"hat_of_riders", kHatOfRider},
          {"hat_of_others", kHat},
          {"neighbours_close", kSideBySide},
          {"notes", kNotes},
          {"events", events_json()},
          {"extras", extras_json()}};
}

Json errors_json(const Tally& tally) {
  Json hits = Json::object(), by_text = Json::object();
  for (std::size_t kind = 0; kind < kErrorNames.size(); ++kind)
    hits[std::string(kErrorNames[kind])] = tally.counts().errors[kind];
  for (std::size_t kind = 0; kind < kWrongNames.size(); ++kind) {
    const Share share = tally.told_by_text(kind);
    by_text[std::string(kWrongNames[kind])] = {{"captions", share.all}, {"told_by_text", share.hits}};
  }
  return {{"kinds", kErrorNames},
          {"rates", kErrorRates},
          {"captions_with_the_error", hits},
          {"told_by_text_means",
           "the wrong caption claims a triplet or a colour of a class that is true of no "
           "image of this world"},
          {"told_by_text", by_text}};
}

}  // namespace

std::string truth_text(const WorldOptions& options, const std::vector<Worker>& workers, const Tally& tally) {
  const Json truth = {
      {"generated", true},
      {"seed", options.seed},
      {"images", options.images},
      {"rules", rules_json(tally.counts().rules)},
      {"grammar", grammar_json()},
      {"realised", realised_json(tally.counts())},
      {"classes", classes_json()},
      {"predicates", predicates_json()},
      {"features",
       {{"object_width", kObjectWidth},
        {"object_geometry",
         "the last 8: x1 y1 x2 y2 width height area log2(width/height), the picture being 1 x 1"},
        {"object_noise_deviation", kObjectNoise},
        {"image_width", kImageWidth},
        {"image_noise_deviation", kImageNoise}}},
      {"errors", errors_json(tally)},
      {"judges", judges_json(options, workers)}};
  return truth.dump(1) + "\n";
}

}  // namespace capella::world
