// Verdicts as JSON and back.
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "method/mln/verification_file.h"
#include "support/message_of.h"

namespace capella::method::mln {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Verification some_verification() {
  Verification made;
  JudgedSystem system{"a \"b\"",     7,          4,    2,        1,   7,         3, 5, -.1 / 3, .2,
                      std::sqrt(.2), {-.5, -.1}, -2.5, {-3, -2}, -.9, {-1, -.8}, 2, 6};
  made.systems = {system};
  system.system = "none";
  system.log_prob = system.variance = kNone;
  system.interval = {kNone, kNone};
  made.systems.push_back(system);
  JudgedCaption caption;
  caption.system = "a \"b\"";
  caption.image = "7";
  caption.method = "exact";
  caption.log_p = -kInfinity;
  caption.log_prob = -1. / 3;
  caption.log_prob_unseen = -.7;
  caption.mcse = .001;
  caption.claims = {{{"man", "sit on", "chair"}, true, .9, .5}, {{"man", "ride", "bike"}, false, 1e-9, .2}};
  caption.unseen = {{"dog", "on", "mat"}};
  caption.dominant = 1;
  caption.without_rule = {{"man", "hold", "bike"}};
  caption.converged = false;
  made.captions = {caption, {}};
  made.captions[1].system = "none";
  made.captions[1].skipped = "no_network";
  made.pairs = {{"a \"b\"", "none", 3, kNone, {kNone, kInfinity}, .01, .02, Verdict::real}};
  made.pairs.push_back(made.pairs[0]);
  made.pairs[1].verdict = Verdict::not_real;
  made.pairs.push_back(made.pairs[0]);
  made.pairs[2].verdict = Verdict::undecided;
  made.methods = {{"exact", 3}, {"gibbs", 1}};
  made.unseen_p = .125;
  made.notes = {"a note"};
  return made;
}

void expect_same(double found, double expected) {
  EXPECT_TRUE(found == expected || (std::isnan(found) && std::isnan(expected))) << found << " " << expected;
}

void expect_same(const Interval& found, const Interval& expected) {
  expect_same(found.low, expected.low);
  expect_same(found.high, expected.high);
}

void expect_same(const JudgedSystem& found, const JudgedSystem& expected) {
  EXPECT_EQ(found.system, expected.system);
  EXPECT_EQ(found.captions, expected.captions);
  EXPECT_EQ(found.scored, expected.scored);
  EXPECT_EQ(found.no_network, expected.no_network);
  EXPECT_EQ(found.empty_query, expected.empty_query);
  EXPECT_EQ(found.claims, expected.claims);
  EXPECT_EQ(found.contradicted, expected.contradicted);
  EXPECT_EQ(found.unseen, expected.unseen);
  expect_same(found.log_prob, expected.log_prob);
  expect_same(found.variance, expected.variance);
  expect_same(found.deviation, expected.deviation);
  expect_same(found.interval, expected.interval);
  expect_same(found.log_p, expected.log_p);
  expect_same(found.log_p_interval, expected.log_p_interval);
  expect_same(found.log_prob_unseen, expected.log_prob_unseen);
  expect_same(found.unseen_interval, expected.unseen_interval);
  EXPECT_EQ(found.impossible, expected.impossible);
  EXPECT_EQ(found.without_rule, expected.without_rule);
}

void expect_same(const JudgedCaption& found, const JudgedCaption& expected) {
  EXPECT_EQ(found.system, expected.system);
  EXPECT_EQ(found.image, expected.image);
  EXPECT_EQ(found.skipped, expected.skipped);
  EXPECT_EQ(found.method, expected.method);
  expect_same(found.log_p, expected.log_p);
  expect_same(found.log_prob, expected.log_prob);
  expect_same(found.log_prob_unseen, expected.log_prob_unseen);
  expect_same(found.mcse, expected.mcse);
  ASSERT_EQ(found.claims.size(), expected.claims.size());
  for (std::size_t k = 0; k < found.claims.size(); ++k) {
    EXPECT_EQ(found.claims[k].claim, expected.claims[k].claim);
    EXPECT_EQ(found.claims[k].entailed, expected.claims[k].entailed);
    expect_same(found.claims[k].p, expected.claims[k].p);
    expect_same(found.claims[k].from_objects, expected.claims[k].from_objects);
  }
  EXPECT_EQ(found.unseen, expected.unseen);
  EXPECT_EQ(found.dominant, expected.dominant);
  EXPECT_EQ(found.without_rule, expected.without_rule);
  EXPECT_EQ(found.converged, expected.converged);
}

TEST(VerificationFile, ComesBackAsItWas) {
  const Verification was = some_verification();
  const Verification is = parse_verification(write_verification(was), "r.json");
  ASSERT_EQ(is.systems.size(), was.systems.size());
  for (std::size_t k = 0; k < is.systems.size(); ++k) expect_same(is.systems[k], was.systems[k]);
  ASSERT_EQ(is.captions.size(), was.captions.size());
  for (std::size_t k = 0; k < is.captions.size(); ++k) expect_same(is.captions[k], was.captions[k]);
  ASSERT_EQ(is.pairs.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(is.pairs[k].verdict, was.pairs[k].verdict);
  EXPECT_EQ(is.pairs[0].first, was.pairs[0].first);
  EXPECT_EQ(is.pairs[0].second, was.pairs[0].second);
  EXPECT_EQ(is.pairs[0].images, 3u);
  expect_same(is.pairs[0].difference, kNone);
  expect_same(is.pairs[0].interval, was.pairs[0].interval);
  EXPECT_EQ(is.pairs[0].p, .01);
  EXPECT_EQ(is.pairs[0].p_corrected, .02);
  EXPECT_EQ(is.methods, was.methods);
  EXPECT_EQ(is.unseen_p, .125);
  EXPECT_EQ(is.notes, was.notes);
  EXPECT_EQ(write_verification(is), write_verification(was));
}

TEST(VerificationFile, IsJsonForOtherPrograms) {
  const auto json = nlohmann::json::parse(write_verification(some_verification()));
  EXPECT_EQ(json["systems"][0]["n_scored"], 4);
  EXPECT_EQ(json["systems"][0]["n_skipped"], (nlohmann::json{{"no_network", 2}, {"empty_query", 1}}));
  EXPECT_EQ(json["systems"][0]["n_impossible"], 2);
  EXPECT_EQ(json["pairs"][0]["real"], true);
  EXPECT_TRUE(json["pairs"][2]["real"].is_null());
  EXPECT_EQ(json["captions"][0]["converged"], false);
  EXPECT_EQ(json["systems"][1]["per_atom_mean"], "nan");
  EXPECT_EQ(json["captions"][0]["lnP"], "-inf");
  EXPECT_EQ(json["captions"][0]["query"][1]["atom"], (nlohmann::json{"man", "ride", "bike"}));
  EXPECT_EQ(json["captions"][0]["query"][1]["entailed"], false);
  EXPECT_FALSE(json["captions"][0].contains("skipped"));
  EXPECT_EQ(json["captions"][1]["skipped"], "no_network");
}

void mln_verification_file_expect_problem(const std::function<void(nlohmann::json&)>& damage,
                                          const std::string& part) {
  auto json = nlohmann::json::parse(write_verification(some_verification()));
  damage(json);
  const std::string message =
      test::message_of<DataError>([&] { parse_verification(json.dump(), "dir/r.json"); });
  EXPECT_TRUE(message.starts_with("dir/r.json: ")) << message;
  EXPECT_NE(message.find("expected a file that capella mln infer wrote"), std::string::npos) << message;
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(VerificationFile, NamesWhatIsWrong) {
  using Json = nlohmann::json;
  mln_verification_file_expect_problem([](Json& json) { json = Json::array(); }, "is not a JSON object");
  mln_verification_file_expect_problem([](Json& json) { json.erase("systems"); }, "has no 'systems'");
  mln_verification_file_expect_problem([](Json& json) { json["systems"][0].erase("n_scored"); },
                                       "a system has no 'n_scored'");
  mln_verification_file_expect_problem([](Json& json) { json["systems"][0]["captions"] = 6; },
                                       "a system has 6 captions, but 4 are scored and 3 left out");
  mln_verification_file_expect_problem([](Json& json) { json["systems"][0]["n_impossible"] = 5; },
                                       "a system has 5 impossible captions, but only 4 are scored");
  mln_verification_file_expect_problem([](Json& json) { json["pairs"][0]["real"] = "yes"; },
                                       "'real' is neither true nor false");
  mln_verification_file_expect_problem([](Json& json) { json["systems"][0]["ci95"] = {1}; },
                                       "an interval is not [low, high]");
  mln_verification_file_expect_problem([](Json& json) { json["captions"][0]["lnP"] = "much"; },
                                       "found a value that is no number");
  mln_verification_file_expect_problem(
      [](Json& json) {
        json["captions"][0]["query"][0]["atom"] = {"a", "b"};
      },
      "an atom is not [subject, predicate, object]");
  mln_verification_file_expect_problem([](Json& json) { json["captions"][0]["dominant"] = 2; }, "'dominant'");
  mln_verification_file_expect_problem([](Json& json) { json["methods"]["exact"] = "many"; }, "");
  mln_verification_file_expect_problem([](Json& json) { json["notes"] = {1}; }, "");
  const auto cut = [] { parse_verification("{\"unseen_p\": 0, \"met", "r.json"); };
  EXPECT_TRUE(test::message_of<DataError>(cut).starts_with("r.json: "));
}

}  // namespace
}  // namespace capella::method::mln
