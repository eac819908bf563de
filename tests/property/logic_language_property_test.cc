// Random networks: their text reads back to the same, and grounding them weighs every world as trying all
// substitutions does.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "capella/error.h"

#include "logic/ground/ground.h"
#include "logic/ground/normal_form.h"
#include "logic/language/language.h"
#include "reference/ground_reference.h"

namespace capella::test {
namespace {

using logic::ConstantId;
using logic::Expression;
using logic::Formula;
using logic::GroundFormula;
using logic::GroundNetwork;
using logic::kHard;
using logic::Literal;
using logic::Network;
using Kind = Expression::Kind;

// All numbers are as likely in the first tests as in the last.
int below(int bound) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, bound));
}

bool chance(int percent) {
  return below(100) < percent;
}

/// Two types of two constants each: eleven atoms at most.
const std::string kSmall = "a = {A, B}\nb = {C, D}\n";
/// Quantifiers over these take formulas beyond the tables of truth.
const std::string kWide = "a = {A, B, C, D, E}\nb = {F, G, H, I}\n";

Network vocabulary(const std::string& types = kSmall) {
  Network network = logic::read_network(types + "P(a)\nQ(a,b)\nR(b,b)\nZ()\n", "random.mln");
  for (logic::Predicate& predicate : network.predicates)
    for (std::size_t i = 0; i < predicate.types.size(); ++i)
      if (chance(20))
        predicate.domains[i].push_back(
            network.types[predicate.types[i]].constants[static_cast<std::size_t>(below(2))]);
  network.constants[0].label = "an \"A\" \\";
  network.predicates[1].label = "a\nq";
  return network;
}

/// Makes a formula whose variables are numbered as they occur, which is how they are read.
class FormulaMaker {
 public:
  FormulaMaker(const Network& network, bool closed) : network_(network), closed_(closed) {}

  Formula make() {
    formula_.expression = expression(3);
    if (!closed_) {
      const int kind = below(4);
      if (kind == 1) formula_.weight = kHard;
      if (kind > 1) formula_.weight = below(2000) / 37.0 - 20;
      if (chance(10)) formula_.statistics = {below(9) / 7.0, 3, -0.5, 1e300};
    }
    return std::move(formula_);
  }

 private:
  Expression expression(int depth) {
    Expression made;
    const int pick = depth == 0 ? below(3) : below(12);
    if (pick < 3) return pick == 2 && !scope_.empty() ? equation() : atom();
    if (pick < 5) return with_parts(Kind::negation, 1, depth);
    if (pick < 7) return with_parts(Kind::conjunction, 2 + below(2), depth);
    if (pick < 9) return with_parts(Kind::disjunction, 2 + below(2), depth);
    if (pick == 9) return with_parts(Kind::implication, 2, depth);
    if (pick == 10) return with_parts(Kind::equivalence, 2, depth);
    return quantified(depth);
  }

  Expression with_parts(Kind kind, int parts, int depth) {
    Expression made;
    made.kind = kind;
    for (int i = 0; i < parts; ++i) made.parts.push_back(expression(depth - 1));
    return made;
  }

  // The first part uses the variable, so that it has a type.
  Expression quantified(int depth) {
    Expression made;
    made.kind = chance(50) ? Kind::exists : Kind::for_all;
    const logic::PredicateId predicate = chance(50) ? 0 : 2;
    const std::uint32_t id = add_variable(network_.predicates[predicate].types[0]);
    made.terms = {{true, id}};
    Expression first;
    first.predicate = predicate;
    first.terms.assign(network_.predicates[predicate].types.size(), {true, id});
    Expression body;
    body.kind = chance(50) ? Kind::conjunction : Kind::disjunction;
    body.parts.push_back(std::move(first));
    body.parts.push_back(expression(depth - 1));
    made.parts.push_back(std::move(body));
    std::erase(scope_, id);
    return made;
  }

  Expression atom() {
    Expression made;
    made.predicate = static_cast<logic::PredicateId>(below(4));
    for (const logic::TypeId type : network_.predicates[made.predicate].types)
      made.terms.push_back(term(type));
    return made;
  }

  Expression equation() {
    Expression made;
    made.kind = Kind::equal;
    const logic::TypeId type = formula_.variables[scope_.back()].type;
    made.terms = {{true, scope_.back()}, known_term(type)};
    if (!chance(50)) return made;
    Expression negation;
    negation.kind = Kind::negation;
    negation.parts.push_back(std::move(made));
    return negation;
  }

  logic::Term term(logic::TypeId type) {
    const bool fresh = !closed_ && formula_.variables.size() < 4 && chance(40);
    return fresh ? logic::Term{true, add_variable(type)} : known_term(type);
  }

  logic::Term known_term(logic::TypeId type) {
    std::vector<logic::Term> choices;
    for (const ConstantId id : network_.types[type].constants) choices.push_back({false, id});
    for (const std::uint32_t id : scope_)
      if (formula_.variables[id].type == type) choices.insert(choices.end(), 2, {true, id});
    return choices[static_cast<std::size_t>(below(static_cast<int>(choices.size())))];
  }

  std::uint32_t add_variable(logic::TypeId type) {
    const auto id = static_cast<std::uint32_t>(formula_.variables.size());
    formula_.variables.push_back({"x" + std::to_string(id), type, false});
    scope_.push_back(id);
    return id;
  }

  const Network& network_;
  bool closed_;
  Formula formula_;
  std::vector<std::uint32_t> scope_;
};

Network random_network(const std::string& types = kSmall) {
  Network network = vocabulary(types);
  for (int i = below(4); i >= 0; --i) network.formulas.push_back(FormulaMaker(network, false).make());
  return network;
}

bool holds(const GroundFormula& formula, const std::vector<bool>& world) {
  const auto true_in = [&](Literal literal) { return world[literal.atom()] == literal.positive(); };
  return formula.kind == GroundFormula::Kind::clause ? std::ranges::any_of(formula.literals, true_in)
                                                     : std::ranges::all_of(formula.literals, true_in);
}

double log_weight(const GroundNetwork& network, const std::vector<bool>& world) {
  double made = network.offset;
  for (std::size_t k = 0; k < network.size(); ++k) {
    const bool hard = network.formulas[network[k].formula].weight == kHard;
    if (hard && !holds(network[k], world)) return -std::numeric_limits<double>::infinity();
    if (!hard && holds(network[k], world)) made += network.weight(k);
  }
  return made;
}

/// Every atom gets a fair coin when it is first asked for.
class RandomWorld {
 public:
  reference::World world() {
    return [this](const std::string& atom) {
      if (!truth_.contains(atom)) truth_[atom] = chance(50);
      return truth_[atom];
    };
  }
  std::vector<bool> of(const GroundNetwork& network) {
    std::vector<bool> made;
    for (logic::AtomId atom = 0; atom < network.atoms(); ++atom) made.push_back(world()(network.name(atom)));
    return made;
  }

 private:
  std::map<std::string, bool> truth_;
};

void same(double ours, double theirs) {
  if (std::isinf(theirs)) {
    RC_ASSERT(ours == theirs);
  } else {
    RC_ASSERT(std::abs(ours - theirs) <= 1e-9 * (1 + std::abs(theirs)));
  }
}

void check_form(const GroundNetwork& network) {
  for (std::size_t k = 0; k < network.size(); ++k) {
    RC_ASSERT(!network[k].literals.empty());
    for (std::size_t i = 1; i < network[k].literals.size(); ++i)
      RC_ASSERT(network[k].literals[i - 1].atom() < network[k].literals[i].atom());
    const bool hard = network.formulas[network[k].formula].weight == kHard;
    RC_ASSERT(!hard || (network[k].kind == GroundFormula::Kind::clause && network[k].coefficient == 1));
  }
}

void check_worlds(const Network& network, const logic::GroundOptions& options) {
  GroundNetwork ground;
  bool contradiction = false;
  try {
    ground = logic::ground(network, nullptr, options);
  } catch (const DataError& error) {
    const std::string what = error.what();
    if (what.find("//@domain leaves none") != std::string::npos) return;
    if (what.find("too many different atoms") != std::string::npos) return RC_TAG("too large");
    RC_ASSERT(what.find("contradicts itself") != std::string::npos);
    contradiction = true;
  }
  check_form(ground);
  for (int i = 0; i < 10; ++i) {
    RandomWorld world;
    const std::vector<bool> truth = world.of(ground);
    const double theirs = reference::log_weight(network, world.world(), options.constants);
    if (contradiction) {
      RC_ASSERT(std::isinf(theirs));
    } else {
      same(log_weight(ground, truth), theirs);
    }
  }
}

TEST(LogicLanguageProperty, TextReadsBackToTheSame) {
  EXPECT_TRUE(rc::check("the same network", [] {
    const Network network = random_network();
    const std::string text = logic::write_network(network);
    const Network again = logic::read_network(text, "again.mln");
    RC_ASSERT(logic::write_network(again) == text);
    RC_ASSERT(again.formulas.size() == network.formulas.size());
    for (std::size_t i = 0; i < network.formulas.size(); ++i) {
      RC_ASSERT(again.formulas[i].expression == network.formulas[i].expression);
      RC_ASSERT(again.formulas[i].variables == network.formulas[i].variables);
      RC_ASSERT(again.formulas[i].weight == network.formulas[i].weight);
      RC_ASSERT(again.formulas[i].statistics == network.formulas[i].statistics);
    }
    for (std::size_t i = 0; i < network.predicates.size(); ++i) {
      RC_ASSERT(again.predicates[i].label == network.predicates[i].label);
      RC_ASSERT(again.predicates[i].domains == network.predicates[i].domains);
    }
    for (std::size_t i = 0; i < network.constants.size(); ++i)
      RC_ASSERT(again.constants[i].label == network.constants[i].label);
  }));
}

TEST(LogicLanguageProperty, GroundingWeighsWorldsAsAllSubstitutionsDo) {
  EXPECT_TRUE(rc::check("all constants", [] { check_worlds(random_network(), {}); }));
  EXPECT_TRUE(rc::check("more constants", [] { check_worlds(random_network(kWide), {}); }));
  EXPECT_TRUE(rc::check("without listing", [] {
    logic::GroundOptions options;
    options.list_all_atoms = false;
    check_worlds(random_network(), options);
  }));
}

TEST(LogicLanguageProperty, GroundingWithSomeConstantsLeavesOutTheOthers) {
  EXPECT_TRUE(rc::check("some constants", [] {
    const Network network = random_network();
    logic::GroundOptions options;
    options.list_all_atoms = chance(50);
    options.constants.emplace();
    for (ConstantId id = 0; id < network.constants.size(); ++id)
      if (chance(60)) options.constants->push_back(id);
    check_worlds(network, options);
  }));
}

TEST(LogicLanguageProperty, PlusChangesNoWeightOfAWorld) {
  EXPECT_TRUE(rc::check("+x", [] {
    Network network = random_network();
    for (Formula& formula : network.formulas)
      for (logic::Variable& variable : formula.variables) variable.per_constant = true;
    // Bound variables cannot have a +: the text says which are.
    for (Formula& formula : network.formulas) {
      const std::function<void(const Expression&)> visit = [&](const Expression& e) {
        if (e.kind == Kind::for_all || e.kind == Kind::exists)
          for (const logic::Term& term : e.terms) formula.variables[term.id].per_constant = false;
        for (const Expression& part : e.parts) visit(part);
      };
      visit(formula.expression);
    }
    check_worlds(logic::read_network(logic::write_network(network), "plus.mln"), {});
  }));
}

TEST(LogicLanguageProperty, QueriesHoldWhereTheirFormulaDoes) {
  EXPECT_TRUE(rc::check("clauses", [] {
    Network network = vocabulary();
    for (logic::Predicate& predicate : network.predicates)
      for (auto& domain : predicate.domains) domain.clear();
    const Formula formula = FormulaMaker(network, true).make();
    const GroundNetwork ground = logic::ground(network);
    const logic::Query query = logic::read_query(logic::format_formula(formula, network), network, ground);
    for (int i = 0; i < 10; ++i) {
      RandomWorld world;
      const std::vector<bool> truth = world.of(ground);
      const bool all = std::ranges::all_of(query.clauses, [&](const std::vector<Literal>& clause) {
        return std::ranges::any_of(clause, [&](Literal l) { return truth[l.atom()] == l.positive(); });
      });
      RC_ASSERT(all == reference::holds(formula, network, world.world()));
    }
  }));
}

using logic::GroundTree;

/// Over 16 atoms: beyond the tables of truth.
GroundTree random_tree(int depth) {
  if (depth == 0) return logic::leaf(Literal(static_cast<logic::AtomId>(below(16)), chance(50)));
  const int pick = below(3);
  const auto kind = pick == 0   ? GroundTree::Kind::same
                    : pick == 1 ? GroundTree::Kind::all
                                : GroundTree::Kind::any;
  std::vector<GroundTree> parts;
  for (int i = pick == 0 ? 2 : 3 + below(6); i > 0; --i)
    parts.push_back(random_tree(chance(50) ? 0 : depth - 1));
  return logic::join(kind, std::move(parts));
}

bool is_true(const GroundTree& tree, const std::vector<bool>& world) {
  const auto part = [&](const GroundTree& below_it) { return is_true(below_it, world); };
  switch (tree.kind) {
    case GroundTree::Kind::no:
    case GroundTree::Kind::yes:
      return tree.kind == GroundTree::Kind::yes;
    case GroundTree::Kind::literal:
      return world[tree.literal.atom()] == tree.literal.positive();
    case GroundTree::Kind::all:
      return std::ranges::all_of(tree.parts, part);
    case GroundTree::Kind::any:
      return std::ranges::any_of(tree.parts, part);
    case GroundTree::Kind::same:
      break;
  }
  return part(tree.parts[0]) == part(tree.parts[1]);
}

TEST(LogicLanguageProperty, TreesOfManyAtomsAreTakenApartExactly) {
  EXPECT_TRUE(rc::check("sums and clauses", [] {
    const GroundTree tree = random_tree(3);
    logic::SoftParts soft;
    std::vector<std::vector<Literal>> clauses;
    try {
      soft = logic::soft_parts(tree);
      clauses = logic::hard_clauses(tree);
    } catch (const DataError&) {
      return RC_TAG("too large");
    }
    for (int i = 0; i < 20; ++i) {
      std::vector<bool> world;
      for (int atom = 0; atom < 16; ++atom) world.push_back(chance(50));
      double sum = soft.constant;
      for (const logic::GroundPart& part : soft.parts)
        if (holds(GroundFormula{part.kind, 0, part.coefficient, part.literals}, world))
          sum += part.coefficient;
      RC_ASSERT(sum == (is_true(tree, world) ? 1 : 0));
      const bool all = std::ranges::all_of(clauses, [&](const std::vector<Literal>& clause) {
        return holds(GroundFormula{GroundFormula::Kind::clause, 0, 1, clause}, world);
      });
      RC_ASSERT(all == is_true(tree, world));
    }
  }));
}

TEST(LogicLanguageProperty, DatabasesReadBackToTheSame) {
  EXPECT_TRUE(rc::check("facts", [] {
    Network network = vocabulary();
    logic::Database facts;
    for (ConstantId a = 0; a < 2; ++a)
      for (ConstantId b = 2; b < 4; ++b)
        if (chance(70)) facts.facts.push_back({1, {a, b}, below(11) / 10.0, 0});
    const std::string text = logic::write_database(facts, network);
    const logic::Database again = logic::read_database(text, "again.db", network);
    RC_ASSERT(again.facts.size() == facts.facts.size());
    for (std::size_t i = 0; i < facts.facts.size(); ++i) {
      RC_ASSERT(again.facts[i].arguments == facts.facts[i].arguments);
      RC_ASSERT(again.facts[i].probability == facts.facts[i].probability);
    }
  }));
}

}  // namespace
}  // namespace capella::test
