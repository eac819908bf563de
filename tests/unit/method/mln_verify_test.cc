// Verdicts on captions and their reasons, against numbers worked out by hand; random networks are judged in
// tests/property.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "method/mln/verify.h"
#include "support/small_networks.h"

namespace capella::method::mln {
namespace {

using logic::Literal;
using test::NetworkBuilder;
using test::no;
using test::yes;

constexpr double kMlnVerifyInfinity = std::numeric_limits<double>::infinity();

Claim atom_claim(std::size_t k) {
  return {"thing" + std::to_string(k), "near", "wall"};
}

ImageNetwork image_of(logic::GroundNetwork network) {
  ImageNetwork image;
  image.image = "7";
  for (std::size_t k = 0; k < network.atoms(); ++k) image.atoms.push_back(atom_claim(k));
  image.network = std::move(network);
  return image;
}

// The worked example: its numbers were computed with 50 digits.
const Claim kOn1{"man", "on", "bike"}, kRide1{"man", "ride", "bike"}, kOn2{"woman", "on", "bike"},
    kRide2{"woman", "ride", "bike"};
constexpr double kPOn1 = 0.939312407912, kPRide1 = 0.749541822667, kPOn2 = 0.427710208941,
                 kPRide2 = 0.140394491860;
constexpr double kLogQuery = -0.416734741260;  // of ride(man, bike) and not ride(woman, bike)

ImageNetwork riding_image() {
  ImageNetwork image = image_of(test::riding_network());
  image.atoms = {kOn1, kRide1, kOn2, kRide2};
  const std::vector<double> boxes = {.9, .7, .4, .2};
  for (logic::AtomId atom = 0; atom < 4; ++atom) image.network.set_probability(atom, boxes[atom]);
  return image;
}

constexpr io::EntailmentOdds kEntailed = {0, 0, 1}, kContradicted = {1, 0, 0}, kNeutral = {0, 1, 0};

using AnswerList = std::vector<std::pair<Claim, io::EntailmentOdds>>;

// A caption of which a model said this.
class Answers {
 public:
  explicit Answers(const AnswerList& answers) {
    for (const auto& [claim, odds] : answers) rows_.push_back({"s", "7", claim, odds, "", ""});
    for (const io::EntailmentRow& row : rows_) caption_.rows.push_back(&row);
  }
  const CaptionEntailments& caption() const { return caption_; }

 private:
  std::vector<io::EntailmentRow> rows_;
  CaptionEntailments caption_{"s", "7", {}};
};

JudgedCaption judge(const ImageNetwork& image, const AnswerList& answers, const VerifyOptions& options = {}) {
  return ImageVerifier(image, {}).judge(Answers(answers).caption(), options);
}

MlnExplanation explain(const ImageNetwork& image, const AnswerList& answers) {
  return ImageVerifier(image, {}).explain(Answers(answers).caption(), {});
}

TEST(Verify, WorkedExample) {
  const JudgedCaption caption =
      judge(riding_image(), {{kRide2, kContradicted}, {kOn1, kNeutral}, {kRide1, kEntailed}});
  EXPECT_EQ(caption.system, "s");
  EXPECT_EQ(caption.image, "7");
  EXPECT_EQ(caption.skipped, "");
  EXPECT_EQ(caption.method, "exact");
  EXPECT_EQ(caption.mcse, 0);
  EXPECT_NEAR(caption.log_p, kLogQuery, 1e-11);
  ASSERT_EQ(caption.claims.size(), 2u);
  EXPECT_EQ(caption.claims[0].claim, kRide1);
  EXPECT_TRUE(caption.claims[0].entailed);
  EXPECT_NEAR(caption.claims[0].p, kPRide1, 1e-11);
  EXPECT_EQ(caption.claims[0].from_objects, .7);
  EXPECT_EQ(caption.claims[1].claim, kRide2);
  EXPECT_FALSE(caption.claims[1].entailed);
  EXPECT_NEAR(caption.claims[1].p, 1 - kPRide2, 1e-11);
  EXPECT_EQ(caption.claims[1].from_objects, .2);
  EXPECT_NEAR(caption.log_prob, (std::log(kPRide1) + std::log(1 - kPRide2)) / 2, 1e-11);
  EXPECT_EQ(caption.dominant, 1u);
  EXPECT_TRUE(caption.unseen.empty());
}

TEST(Verify, ReasonsOfTheWorkedExample) {
  const MlnExplanation explanation = explain(riding_image(), {{kRide1, kEntailed}, {kRide2, kContradicted}});
  EXPECT_TRUE(std::isnan(explanation.median));  // one image alone
  EXPECT_NEAR(explanation.caption.log_p, kLogQuery, 1e-11);
  ASSERT_EQ(explanation.claims.size(), 2u);
  const ExplainedClaim& ride = explanation.claims[0];  // the less probable one
  EXPECT_EQ(ride.judged.claim, kRide1);
  EXPECT_NEAR(ride.object_log_odds, std::log(.7 / .3), 1e-12);
  EXPECT_NEAR(ride.without, std::log(1 - kPRide2) - kLogQuery, 1e-11);
  ASSERT_EQ(ride.reasons.size(), 3u);
  EXPECT_EQ(ride.reasons[0].formula, "On(x,y) ^ Ride(x,y)");
  EXPECT_EQ(ride.reasons[0].grounding, "on(man, bike) and ride(man, bike)");
  EXPECT_EQ(ride.reasons[0].weight, .8);
  EXPECT_NEAR(ride.reasons[0].holds, kPOn1, 1e-11);
  EXPECT_NEAR(ride.reasons[0].contribution, .8 * kPOn1, 1e-11);
  EXPECT_EQ(ride.reasons[1].formula, "Ride(x,y)");
  EXPECT_EQ(ride.reasons[1].holds, 1);
  EXPECT_NEAR(ride.reasons[1].contribution, -.4, 1e-12);
  EXPECT_NEAR(ride.reasons[2].weight, -.6, 1e-12);  // two equal groundings
  EXPECT_NEAR(ride.reasons[2].contribution, -.6 * kPRide2, 1e-11);

  const ExplainedClaim& denied = explanation.claims[1];
  EXPECT_NEAR(denied.object_log_odds, -std::log(.2 / .8), 1e-12);
  EXPECT_NEAR(denied.without, std::log(kPRide1) - kLogQuery, 1e-11);
  ASSERT_EQ(denied.reasons.size(), 3u);
  EXPECT_NEAR(denied.reasons[0].contribution, .6 * kPRide1, 1e-11);
  EXPECT_NEAR(denied.reasons[1].contribution, .4, 1e-12);
  EXPECT_NEAR(denied.reasons[2].contribution, -.8 * kPOn2, 1e-11);
}

TEST(Verify, TheOnlyClaimsCounterfactualIsItsOwnLogProbability) {
  const MlnExplanation explanation = explain(riding_image(), {{kOn2, kEntailed}});
  ASSERT_EQ(explanation.claims.size(), 1u);
  EXPECT_NEAR(explanation.claims[0].without, -std::log(kPOn2), 1e-11);
}

// !a v b v c with weight w: all of the 8 worlds weigh e^w but the one with a alone, which weighs 1.
TEST(Verify, ReasonsOfAClause) {
  constexpr double kWeight = 1.5;
  NetworkBuilder builder;
  const auto a = builder.atom("a"), b = builder.atom("b"), c = builder.atom("c");
  builder.clause(kWeight, {no(a), yes(b), yes(c)}, "A(x) => B(x) v C(x)");
  const ImageNetwork image = image_of(std::move(builder.network));
  const double heavy = std::exp(kWeight), z = 7 * heavy + 1;
  const auto reason = [&](std::size_t atom, const io::EntailmentOdds& odds) {
    const MlnExplanation explanation = explain(image, {{atom_claim(atom), odds}});
    EXPECT_EQ(explanation.claims.at(0).reasons.size(), 1u);
    return explanation.claims.at(0).reasons.at(0);
  };
  const double both_false = (heavy + 1) / z;  // b and c
  EXPECT_NEAR(reason(a, kEntailed).holds, both_false, 1e-12);
  EXPECT_NEAR(reason(a, kEntailed).contribution, -kWeight * both_false, 1e-12);
  EXPECT_NEAR(reason(a, kContradicted).contribution, kWeight * both_false, 1e-12);
  const double others_false = (heavy + 1) / z;  // a is true and c is not
  EXPECT_NEAR(reason(b, kEntailed).contribution, kWeight * others_false, 1e-12);
  EXPECT_NEAR(reason(b, kContradicted).contribution, -kWeight * others_false, 1e-12);
  EXPECT_EQ(reason(c, kEntailed).grounding,
            "not near(thing0, wall) or near(thing1, wall) or near(thing2, wall)");
  EXPECT_EQ(reason(c, kEntailed).formula, "A(x) => B(x) v C(x)");
}

// a ^ !b with weight w: the worlds weigh 1, 1, e^w (a alone), 1.
TEST(Verify, ReasonsOfAConjunctionWithANegation) {
  constexpr double kWeight = -2;
  NetworkBuilder builder;
  const auto a = builder.atom("a"), b = builder.atom("b");
  builder.conjunction(kWeight, {yes(a), no(b)});
  const ImageNetwork image = image_of(std::move(builder.network));
  const double light = std::exp(kWeight), z = 3 + light;
  const auto contribution = [&](std::size_t atom, const io::EntailmentOdds& odds) {
    return explain(image, {{atom_claim(atom), odds}}).claims.at(0).reasons.at(0).contribution;
  };
  EXPECT_NEAR(contribution(a, kEntailed), kWeight * (1 + light) / z, 1e-12);  // where b is false
  EXPECT_NEAR(contribution(a, kContradicted), -kWeight * (1 + light) / z, 1e-12);
  EXPECT_NEAR(contribution(b, kEntailed), -kWeight * (1 + light) / z, 1e-12);  // where a is true
  EXPECT_NEAR(contribution(b, kContradicted), kWeight * (1 + light) / z, 1e-12);
}

// !a v !b, hard: of the worlds 00, 10, 01 a third has b, and only where it has not may a hold. So the odds of
// a lose a factor of 2/3 given what is known of b.
TEST(Verify, AHardRuleThatLeavesAChoiceChangesTheOddsByAFiniteAmount) {
  NetworkBuilder builder;
  const auto a = builder.atom("a"), b = builder.atom("b"), c = builder.atom("c");
  builder.clause(logic::kHard, {no(a), no(b)});
  builder.conjunction(1, {yes(a), yes(c)});
  ImageNetwork image = image_of(std::move(builder.network));
  image.network.set_probability(c, 0);  // so that the soft rule says nothing
  const auto reasons = [&](std::size_t atom, const io::EntailmentOdds& odds) {
    return explain(image, {{atom_claim(atom), odds}}).claims.at(0).reasons;
  };
  const ClaimReason against = reasons(a, kEntailed).at(0);
  EXPECT_TRUE(against.hard);
  EXPECT_EQ(against.literals, 2u);
  EXPECT_EQ(against.weight, kMlnVerifyInfinity);
  EXPECT_NEAR(against.holds, 1. / 3, 1e-12);
  EXPECT_NEAR(against.contribution, std::log(2. / 3), 1e-12);
  EXPECT_NEAR(reasons(a, kContradicted).at(0).contribution, -std::log(2. / 3), 1e-12);
  EXPECT_FALSE(reasons(a, kEntailed).at(1).hard);
  EXPECT_EQ(reasons(a, kEntailed).at(1).contribution, 0);
  image.network.set_probability(b, 1);  // now the rule decides a
  EXPECT_EQ(reasons(a, kEntailed).at(0).contribution, -kMlnVerifyInfinity);
  EXPECT_EQ(reasons(a, kContradicted).at(0).contribution, kMlnVerifyInfinity);
  image.network.set_probability(b, 0);  // and now it says nothing
  EXPECT_EQ(reasons(a, kEntailed).at(0).contribution, 0);
}

TEST(Verify, AHardRuleOfOneLiteralDecides) {
  NetworkBuilder builder;
  const auto a = builder.atom("a");
  builder.clause(logic::kHard, {no(a)});
  const ImageNetwork image = image_of(std::move(builder.network));
  const MlnExplanation said = explain(image, {{atom_claim(a), kEntailed}});
  EXPECT_EQ(said.claims.at(0).reasons.at(0).contribution, -kMlnVerifyInfinity);
  EXPECT_EQ(said.claims.at(0).reasons.at(0).literals, 1u);
  EXPECT_NEAR(said.caption.log_prob, std::log(1e-12), 1e-12);  // it counts, at the least
  EXPECT_EQ(explain(image, {{atom_claim(a), kContradicted}}).claims.at(0).reasons.at(0).contribution,
            kMlnVerifyInfinity);
}

// P is .94 and .43: the surest comes first in the query and last in the explanation.
TEST(Verify, TheSurestClaimIsNamedByItsPlaceInTheExplanation) {
  const AnswerList answers = {{kOn1, kEntailed}, {kOn2, kEntailed}};
  EXPECT_EQ(judge(riding_image(), answers).dominant, 0u);
  const MlnExplanation explanation = explain(riding_image(), answers);
  EXPECT_EQ(explanation.caption.dominant, 1u);
  EXPECT_EQ(explanation.claims.at(1).judged.claim, kOn1);
  EXPECT_EQ(explanation.caption.claims.at(1).claim, kOn1);
}

TEST(Verify, FormulasOfOtherAtomsAreNoReasons) {
  NetworkBuilder builder;
  const auto a = builder.atom("a"), b = builder.atom("b");
  builder.conjunction(1, {yes(a)});
  builder.conjunction(2, {yes(b)});
  const MlnExplanation explanation =
      explain(image_of(std::move(builder.network)), {{atom_claim(b), kEntailed}});
  ASSERT_EQ(explanation.claims.at(0).reasons.size(), 1u);
  EXPECT_EQ(explanation.claims[0].reasons[0].contribution, 2);
  EXPECT_EQ(explanation.claims[0].object_log_odds, 0);  // no boxes spoke
  EXPECT_EQ(explanation.claims[0].judged.from_objects, .5);
}

// Claim by claim it is judged as any other caption is; only all together are impossible.
TEST(Verify, WhatBreaksHardRulesHasAVerdictClaimByClaim) {
  NetworkBuilder builder;
  const auto a = builder.atom("a"), b = builder.atom("b"), c = builder.atom("c");
  builder.clause(logic::kHard, {no(a), no(b)});
  const ImageNetwork image = image_of(std::move(builder.network));
  const AnswerList answers = {
      {atom_claim(a), kEntailed}, {atom_claim(b), kEntailed}, {atom_claim(c), kEntailed}};
  const MlnExplanation explanation = explain(image, answers);
  EXPECT_EQ(explanation.caption.skipped, "");
  EXPECT_EQ(explanation.caption.log_p, -kMlnVerifyInfinity);
  EXPECT_NEAR(explanation.caption.log_prob, (2 * std::log(1. / 3) + std::log(.5)) / 3, 1e-12);
  ASSERT_EQ(explanation.claims.size(), 3u);
  EXPECT_EQ(explanation.claims[0].judged.claim, atom_claim(a));
  EXPECT_NEAR(explanation.claims[0].judged.p, 1. / 3, 1e-12);
  EXPECT_EQ(explanation.claims[0].without, kMlnVerifyInfinity);
  EXPECT_TRUE(std::isnan(explanation.claims[2].without));  // it stays impossible
}

TEST(Verify, ContradictoryAnswersAreImpossible) {
  const JudgedCaption caption = judge(riding_image(), {{kRide1, kEntailed}, {kRide1, kContradicted}});
  EXPECT_EQ(caption.skipped, "");
  EXPECT_EQ(caption.log_p, -kMlnVerifyInfinity);
  EXPECT_EQ(caption.claims.size(), 2u);
}

TEST(Verify, NothingThatTheNetworkKnows) {
  EXPECT_EQ(judge(riding_image(), {{kRide1, kNeutral}}).skipped, kEmptyQuery);
  EXPECT_EQ(judge(riding_image(), {}).skipped, kEmptyQuery);
  const JudgedCaption none = judge(image_of({}), {{kRide1, kEntailed}});
  EXPECT_EQ(none.skipped, kNoNetwork);
  EXPECT_EQ(none.unseen, (std::vector<Claim>{kRide1}));
  EXPECT_EQ(none.method, "");
}

// The man and the bike were detected, but no rule is about holding: that is not the detector's miss.
TEST(Verify, OnlyClaimsAboutUndetectedThingsAreUnseen) {
  ImageNetwork image = riding_image();
  image.things = {"bike", "helmet", "man"};
  const Claim hold{"man", "hold", "bike"}, wear{"man", "wear", "helmet"}, dog{"dog", "on", "bike"},
      ghost{"man", "see", "ghost"}, aunt{"woman", "hold", "bike"};
  const JudgedCaption caption = judge(image, {{kRide1, kEntailed},
                                              {hold, kEntailed},
                                              {dog, kEntailed},
                                              {wear, kEntailed},
                                              {ghost, kEntailed},
                                              {aunt, kEntailed},  // another word for a thing: in atoms
                                              {hold, kEntailed}});
  EXPECT_EQ(caption.unseen, (std::vector<Claim>{dog, ghost}));
  EXPECT_EQ(caption.without_rule, (std::vector<Claim>{hold, wear, aunt}));
  EXPECT_EQ(caption.claims.size(), 1u);
  JudgedCaption only = judge(image, {{hold, kEntailed}});
  EXPECT_EQ(only.skipped, kEmptyQuery);
  EXPECT_TRUE(only.unseen.empty());
  count_unseen(only, .25, -9);
  EXPECT_EQ(only.log_prob_unseen, 0);  // no penalty
}

TEST(Verify, ClaimsWithoutAnAtomAreUnseen) {
  const Claim dog{"dog", "on", "bike"}, cat{"cat", "on", "bike"};
  const AnswerList answers = {{kRide1, kEntailed}, {dog, kEntailed}, {cat, kContradicted}, {dog, kEntailed}};
  JudgedCaption caption = judge(riding_image(), answers);
  EXPECT_EQ(caption.unseen, (std::vector<Claim>{dog}));  // once, and nothing that is denied
  EXPECT_NEAR(caption.log_prob, std::log(kPRide1), 1e-11);
  EXPECT_EQ(caption.log_prob_unseen, 0);  // not counted yet
  JudgedCaption only = judge(riding_image(), {{dog, kEntailed}});
  EXPECT_EQ(only.skipped, kEmptyQuery);
  EXPECT_EQ(only.unseen.size(), 1u);
}

// Each unseen claim is as probable as the others are on average, times that the thing was missed: with n
// claims of which u are unseen the mean of ln p is lower by u / n ln(1 / missed).
TEST(Verify, AnUnseenClaimCountsAsTheOthersAndThatItsThingWasMissed) {
  JudgedCaption caption;
  caption.claims.resize(3);
  caption.log_prob = -.5;
  count_unseen(caption, .25, -9);
  EXPECT_EQ(caption.log_prob_unseen, -.5);  // nothing is unseen
  caption.unseen.resize(1);
  count_unseen(caption, .25, -9);
  EXPECT_NEAR(caption.log_prob_unseen, -.5 + std::log(.25) / 4, 1e-15);
  caption.claims.clear();
  count_unseen(caption, .25, -1.5);
  EXPECT_NEAR(caption.log_prob_unseen, -1.5 + std::log(.25),
              1e-15);  // all it has are such: the typical level
  caption.unseen.clear();
  count_unseen(caption, .25, -1.5);
  EXPECT_EQ(caption.log_prob_unseen, 0);
}

TEST(Verify, TheMarginIsByHowMuchAnAnswerMustLead) {
  const auto claims = [](const io::EntailmentOdds& odds, double margin) {
    return judge(riding_image(), {{kRide1, odds}}, {margin}).claims;
  };
  constexpr io::EntailmentOdds kRather = {.125, .375, .5}, kRatherNot = {.5, .375, .125};
  EXPECT_EQ(claims(kRather, 0).size(), 1u);
  EXPECT_EQ(claims(kRather, .124).size(), 1u);
  EXPECT_EQ(claims(kRather, .125).size(), 0u);
  ASSERT_EQ(claims(kRatherNot, .124).size(), 1u);
  EXPECT_FALSE(claims(kRatherNot, .124)[0].entailed);
  EXPECT_EQ(claims(kRatherNot, .125).size(), 0u);
  EXPECT_EQ(claims({.5, 0, .5}, 0).size(), 0u);
  EXPECT_EQ(claims({0, .5, .5}, 0).size(), 0u);
}

TEST(Verify, EqualAnswersCountOnce) {
  const JudgedCaption caption = judge(riding_image(), {{kRide1, kEntailed}, {kRide1, {.1, .2, .7}}});
  EXPECT_EQ(caption.claims.size(), 1u);
  EXPECT_NEAR(caption.log_p, std::log(kPRide1), 1e-11);
}

// By sampling, claim after claim given those before it; the numbers are the worked example's.
TEST(Verify, SampledVerdictsAreWithinTheirError) {
  logic::SolverOptions options;
  options.method = logic::Method::gibbs;
  const ImageNetwork image = riding_image();
  const AnswerList answers = {{kRide1, kEntailed}, {kRide2, kContradicted}};
  const MlnExplanation found = ImageVerifier(image, options).explain(Answers(answers).caption(), {});
  EXPECT_EQ(found.caption.method, "gibbs");
  EXPECT_GT(found.caption.mcse, 0);
  EXPECT_LT(found.caption.mcse, .05);
  EXPECT_NEAR(found.caption.log_p, kLogQuery, 5 * found.caption.mcse);
  const JudgedCaption one = ImageVerifier(image, options).judge(Answers({{kRide1, kEntailed}}).caption(), {});
  EXPECT_EQ(one.log_p, one.log_prob);  // one claim alone is the conjunction
  EXPECT_NEAR(found.claims.at(0).without, std::log(1 - kPRide2) - kLogQuery, .1);
}

TEST(Verify, SamplingKnowsWhatIsImpossible) {
  NetworkBuilder builder;
  const auto a = builder.atom("a"), b = builder.atom("b"), c = builder.atom("c");
  builder.clause(logic::kHard, {no(a), no(b)});
  builder.conjunction(.5, {yes(b), yes(c)});
  const ImageNetwork image = image_of(std::move(builder.network));
  logic::SolverOptions options;
  options.method = logic::Method::gibbs;
  const AnswerList answers = {
      {atom_claim(a), kEntailed}, {atom_claim(b), kEntailed}, {atom_claim(c), kEntailed}};
  const MlnExplanation found = ImageVerifier(image, options).explain(Answers(answers).caption(), {});
  EXPECT_EQ(found.caption.log_p, -kMlnVerifyInfinity);
}

// a holds but in one of e^20 worlds, which a sampler's floats take for certain; no hard rule says so.
class AlmostCertain : public ::testing::Test {
 protected:
  AlmostCertain() {
    NetworkBuilder builder;
    const auto a = builder.atom("a"), b = builder.atom("b"), c = builder.atom("c");
    builder.conjunction(20, {yes(a)});
    builder.conjunction(.5, {yes(b), yes(c)});
    image_ = image_of(std::move(builder.network));
  }
  JudgedCaption judge_by(const logic::SolverOptions& options) {
    return ImageVerifier(image_, options).judge(Answers(answers_).caption(), {});
  }

  ImageNetwork image_;
  const AnswerList answers_ = {{atom_claim(0), kContradicted}, {atom_claim(1), kEntailed}};
  const double log_not_a_ = -std::log1p(std::exp(20));
  const double log_b_ = std::log((1 + std::exp(.5)) / (3 + std::exp(.5)));
};

TEST_F(AlmostCertain, IsNotImpossibleWhenSampled) {
  const JudgedCaption exact = judge_by({});
  EXPECT_NEAR(exact.log_prob, (log_not_a_ + log_b_) / 2, 1e-7);
  logic::SolverOptions options;
  options.method = logic::Method::gibbs;
  const JudgedCaption sampled = judge_by(options);
  EXPECT_EQ(sampled.method, "gibbs");
  EXPECT_EQ(sampled.skipped, "");
  EXPECT_NEAR(sampled.log_prob, (log_not_a_ + log_b_) / 2, .02);  // the first is computed where it can be
  EXPECT_NEAR(sampled.log_p, log_not_a_ + log_b_, .04);
}

TEST_F(AlmostCertain, HasTheLeastProbabilityWhereNothingElseCanBeKnown) {
  logic::SolverOptions options;
  options.most_entries = 1;
  options.most_nodes = 0;
  const JudgedCaption sampled = judge_by(options);
  EXPECT_EQ(sampled.method, "gibbs");
  EXPECT_NEAR(sampled.log_p, std::log(1e-12) + log_b_, .04);
  EXPECT_NEAR(sampled.claims.at(0).p, 1e-12, 1e-24);
}

// a is impossible, but only all four rules together say so.
TEST(Verify, SamplingKnowsWhatSeveralHardRulesForbidTogether) {
  NetworkBuilder builder;
  const auto a = builder.atom("a"), b = builder.atom("b"), c = builder.atom("c"), d = builder.atom("d");
  for (const bool x : {false, true}) {
    for (const bool y : {false, true}) builder.clause(logic::kHard, {no(a), Literal(b, x), Literal(c, y)});
  }
  builder.conjunction(.5, {yes(c), yes(d)});
  const ImageNetwork image = image_of(std::move(builder.network));
  const AnswerList answers = {{atom_claim(a), kEntailed}, {atom_claim(d), kEntailed}};
  logic::SolverOptions options;
  options.method = logic::Method::gibbs;
  const JudgedCaption asked = ImageVerifier(image, options).judge(Answers(answers).caption(), {});
  EXPECT_EQ(asked.log_p, -kMlnVerifyInfinity);
  EXPECT_NEAR(asked.log_prob, (std::log(1e-12) + std::log((1 + std::exp(.5)) / (3 + std::exp(.5)))) / 2, .02);
  options.method = logic::Method::automatic;
  options.most_entries = 1;
  options.most_nodes = 0;
  const JudgedCaption chosen = ImageVerifier(image, options).judge(Answers(answers).caption(), {});
  EXPECT_EQ(chosen.method, "gibbs");
  EXPECT_EQ(chosen.log_p, -kMlnVerifyInfinity);
}

TEST(Verify, SamplersOfImagesAreIndependent) {
  logic::SolverOptions options;
  options.method = logic::Method::gibbs;
  ImageNetwork image = riding_image();
  const double first = ImageVerifier(image, options).marginal(0);
  EXPECT_EQ(ImageVerifier(image, options).marginal(0), first);
  image.image = "8";
  EXPECT_NE(ImageVerifier(image, options).marginal(0), first);
}

TEST(Verify, TellsWhereASamplerWasStopped) {
  logic::SolverOptions options;
  options.method = logic::Method::gibbs;
  const ImageNetwork image = riding_image();
  const AnswerList answers = {{kRide1, kEntailed}};
  EXPECT_TRUE(ImageVerifier(image, options).judge(Answers(answers).caption(), {}).converged);
  options.gibbs.most_sweeps = 100;
  EXPECT_FALSE(ImageVerifier(image, options).judge(Answers(answers).caption(), {}).converged);
  EXPECT_TRUE(judge(image, answers).converged);  // exact
}

TEST(Verify, ThePublishedConditionalIsNamed) {
  logic::SolverOptions options;
  options.method = logic::Method::gibbs;
  options.gibbs.sum_exp = true;
  const ImageNetwork image = riding_image();
  EXPECT_EQ(ImageVerifier(image, options).judge(Answers({{kRide1, kEntailed}}).caption(), {}).method,
            kSumExp);
}

// One impossible claim among many would decide all, so none is held for less than 1e-12.
TEST(Verify, AClaimHasALeastProbability) {
  NetworkBuilder builder;
  const auto a = builder.atom("a");
  builder.conjunction(-60, {yes(a)});
  const JudgedCaption caption = judge(image_of(std::move(builder.network)), {{atom_claim(a), kEntailed}});
  EXPECT_NEAR(caption.log_p, -60, 1e-9);
  EXPECT_NEAR(caption.log_prob, std::log(1e-12), 1e-9);
}

TEST(Verify, OfClaimsAsProbableTheBoxesThenTheNameDecide) {
  NetworkBuilder builder;
  for (const char* name : {"a", "b", "c"}) builder.clause(logic::kHard, {yes(builder.atom(name))});
  ImageNetwork image = image_of(std::move(builder.network));
  const AnswerList answers = {{Claim{"z", "near", "wall"}, kEntailed},
                              {Claim{"m", "near", "wall"}, kEntailed},
                              {Claim{"a", "near", "wall"}, kEntailed}};
  image.atoms = {{"z", "near", "wall"}, {"m", "near", "wall"}, {"a", "near", "wall"}};
  EXPECT_EQ(judge(image, answers).dominant, 2u);
  image.network.set_probability(1, .7);
  image.network.set_probability(2, .6);
  EXPECT_EQ(judge(image, answers).dominant, 1u);
}

}  // namespace
}  // namespace capella::method::mln
