// Verdicts and their reasons against full enumeration of random networks.
#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "method/mln/verify.h"
#include "reference/logic_reference.h"

namespace capella::test {
namespace {

using logic::AtomId;
using logic::Literal;
using method::mln::CaptionEntailments;
using method::mln::ImageNetwork;
using MlnVerifyKind = logic::GroundFormula::Kind;

std::vector<Literal> any_literals(std::size_t atoms) {
  const auto size = *rc::gen::inRange<std::size_t>(1, std::min<std::size_t>(atoms, 3) + 1);
  std::map<AtomId, bool> chosen;
  while (chosen.size() < size)
    chosen.emplace(*rc::gen::inRange<AtomId>(0, static_cast<AtomId>(atoms)), *rc::gen::arbitrary<bool>());
  std::vector<Literal> literals;
  for (const auto& [atom, positive] : chosen) literals.emplace_back(atom, positive);
  return literals;
}

// Soft formulas of both kinds, and what boxes say of some atoms.
ImageNetwork any_image() {
  ImageNetwork image;
  image.image = "7";
  const auto atoms = *rc::gen::inRange<std::size_t>(1, 9);
  for (std::size_t k = 0; k < atoms; ++k) {
    image.atoms.push_back({"thing" + std::to_string(k), "near", "wall"});
    image.network.add_atom(claim_text(image.atoms.back()));
    if (*rc::gen::arbitrary<bool>())
      image.network.set_probability(static_cast<AtomId>(k), *rc::gen::inRange(1, 100) * .01);
  }
  const auto formulas = *rc::gen::inRange<std::size_t>(0, 2 * atoms);
  for (std::uint32_t k = 0; k < formulas; ++k) {
    image.network.formulas.push_back(
        {"formula " + std::to_string(k), *rc::gen::inRange(-3000, 3001) * .001, 0});
    image.network.add(*rc::gen::element(MlnVerifyKind::clause, MlnVerifyKind::conjunction), k,
                      *rc::gen::element(1., 2.), any_literals(atoms));
  }
  return image;
}

// Some atoms are entailed, some contradicted.
std::vector<io::EntailmentRow> any_answers(const ImageNetwork& image) {
  constexpr io::EntailmentOdds kAnswers[] = {{0, 0, 1}, {.6, .3, .1}, {.2, .5, .3}, {.1, .8, .1}};
  std::vector<io::EntailmentRow> rows;
  for (const Claim& atom : image.atoms) {
    const io::EntailmentOdds p = kAnswers[*rc::gen::inRange<std::size_t>(0, 4)];
    rows.push_back({"s", image.image, atom, p, "", ""});
  }
  return rows;
}

logic::Query query_of(const std::vector<Literal>& literals) {
  logic::Query query;
  for (const Literal literal : literals) query.clauses.push_back({literal});
  return query;
}

double log_p(const ImageNetwork& image, const std::vector<Literal>& literals) {
  return literals.empty() ? 0 : reference::enumerate(image.network, query_of(literals)).query_log_p;
}

void expect_near(double found, double expected) {
  EXPECT_NEAR(found, expected, 1e-9 * std::max(1., std::abs(expected)));
}

// The part of a claim's expected log odds that a formula brings: by how much the formula's weight is more
// where the claim holds than where it does not, all else being as it is, on average over the worlds.
double expected_contribution(const ImageNetwork& image, std::size_t grounding, Literal claim) {
  const logic::GroundFormula formula = image.network[grounding];
  const auto holds = [&](std::vector<bool>& world, bool value) {
    world[claim.atom()] = value;
    const auto is_true = [&](Literal literal) { return world[literal.atom()] == literal.positive(); };
    return formula.kind == MlnVerifyKind::clause ? std::ranges::any_of(formula.literals, is_true)
                                                 : std::ranges::all_of(formula.literals, is_true);
  };
  const double log_z = reference::enumerate(image.network).log_z;
  double sum = 0;
  for (std::size_t code = 0; code < std::size_t{1} << image.atoms.size(); ++code) {
    std::vector<bool> world(image.atoms.size());
    for (std::size_t k = 0; k < world.size(); ++k) world[k] = (code >> k & 1) != 0;
    const auto p = std::exp(static_cast<double>(reference::log_weight(image.network, world)) - log_z);
    sum += p * (holds(world, claim.positive()) - holds(world, !claim.positive()));
  }
  return image.network.weight(grounding) * sum;
}

void check_reasons(const ImageNetwork& image, const ExplainedClaim& claim, Literal literal) {
  std::map<std::string, double> expected;
  for (std::size_t k = 0; k < image.network.size(); ++k) {
    const logic::GroundFormula formula = image.network[k];
    if (std::ranges::find(formula.literals, literal.atom(), &Literal::atom) == formula.literals.end())
      continue;
    expected[image.network.formulas[formula.formula].text] = expected_contribution(image, k, literal);
  }
  ASSERT_EQ(claim.reasons.size(), expected.size());
  for (std::size_t k = 0; k < claim.reasons.size(); ++k) {
    expect_near(claim.reasons[k].contribution, expected.at(claim.reasons[k].formula));
    if (k > 0) {
      EXPECT_LE(std::abs(claim.reasons[k].contribution), std::abs(claim.reasons[k - 1].contribution));
    }
  }
}

TEST(VerifyProperty, IsWhatEnumerationSays) {
  EXPECT_TRUE(rc::check("verdict and explanation", [] {
    const ImageNetwork image = any_image();
    const std::vector<io::EntailmentRow> rows = any_answers(image);
    CaptionEntailments caption{"s", image.image, {}};
    std::vector<Literal> literals;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      caption.rows.push_back(&rows[k]);
      if (rows[k].p[1] < .5) literals.emplace_back(static_cast<AtomId>(k), rows[k].p[2] > rows[k].p[0]);
    }
    const MlnExplanation found = method::mln::ImageVerifier(image, {}).explain(caption, {});
    RC_ASSERT(found.caption.claims.size() == literals.size());
    RC_ASSERT(found.claims.size() == literals.size());
    RC_ASSERT(found.caption.skipped == (literals.empty() ? "empty_query" : ""));
    if (literals.empty()) return;
    const double expected = log_p(image, literals);
    expect_near(found.caption.log_p, expected);
    const std::vector<double> marginals = reference::enumerate(image.network).marginals;
    double sum = 0;
    const JudgedCaption judged = method::mln::ImageVerifier(image, {}).judge(caption, {});
    for (std::size_t k = 0; k < literals.size(); ++k) {
      const double p = marginals[literals[k].atom()];
      expect_near(judged.claims[k].p, literals[k].positive() ? p : 1 - p);
      sum += std::log(literals[k].positive() ? p : 1 - p);
    }
    expect_near(found.caption.log_prob, sum / static_cast<double>(literals.size()));
    const auto p_of = [](const JudgedClaim& claim) { return claim.p; };
    RC_ASSERT(p_of(found.caption.claims[found.caption.dominant]) ==
              std::ranges::max(found.caption.claims, {}, p_of).p);
    RC_ASSERT(found.claims[found.caption.dominant].judged.claim ==
              found.caption.claims[found.caption.dominant].claim);
    for (const ExplainedClaim& claim : found.claims) {
      const auto own = std::ranges::find_if(
          literals, [&](Literal literal) { return image.atoms[literal.atom()] == claim.judged.claim; });
      RC_ASSERT(own != literals.end());
      std::vector<Literal> rest = literals;
      std::erase(rest, *own);
      expect_near(claim.without, log_p(image, rest) - expected);
      check_reasons(image, claim, *own);
    }
    RC_ASSERT(!::testing::Test::HasFailure());
  }));
}

}  // namespace
}  // namespace capella::test
