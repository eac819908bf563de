// Exact inference against its slow twin: random small networks with weights of both signs, hard formulas,
// soft and hard evidence; and laws that probabilities obey.
#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "capella/error.h"

#include "logic/exact/counting.h"
#include "logic/exact/elimination.h"
#include "logic/exact/elimination_order_large.h"
#include "logic/exact/wmc_export.h"
#include "logic/solver.h"
#include "reference/logic_reference.h"

namespace capella::test {
namespace {

using logic::AtomId;
using logic::GroundNetwork;
using logic::Literal;
using logic::Method;
using logic::Query;
using LogicExactKind = logic::GroundFormula::Kind;

double any_weight(double largest) {
  return *rc::gen::inRange(-1'000'000, 1'000'001) * 1e-6 * largest;
}

std::vector<Literal> any_literals(std::size_t atoms, std::size_t most) {
  const std::size_t size = *rc::gen::inRange<std::size_t>(1, std::min(atoms, most) + 1);
  std::map<AtomId, bool> chosen;
  while (chosen.size() < size)
    chosen.emplace(*rc::gen::inRange<AtomId>(0, static_cast<AtomId>(atoms)), *rc::gen::arbitrary<bool>());
  std::vector<Literal> literals;
  for (const auto& [atom, positive] : chosen) literals.emplace_back(atom, positive);
  return literals;
}

void add_any_formula(GroundNetwork& network, double largest, bool with_hard) {
  const bool hard = with_hard && *rc::gen::inRange(0, 5) == 0;
  const LogicExactKind kind =
      hard || *rc::gen::arbitrary<bool>() ? LogicExactKind::clause : LogicExactKind::conjunction;
  const auto number = static_cast<std::uint32_t>(network.formulas.size());
  network.formulas.push_back({"formula", hard ? logic::kHard : any_weight(largest), number});
  const auto times = *rc::gen::inRange<std::size_t>(1, 3);
  for (std::size_t k = 0; k < times; ++k)
    network.add(kind, number, hard ? 1 : *rc::gen::element(1.0, 1.0, 2.0, -0.5),
                any_literals(network.atoms(), 4));
}

GroundNetwork any_network(std::size_t most_atoms, double largest, bool with_hard = true) {
  GroundNetwork network;
  network.source = "any.mln";
  const auto atoms = *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::size_t>(1, most_atoms + 1));
  for (std::size_t atom = 0; atom < atoms; ++atom) network.add_atom("A" + std::to_string(atom));
  const auto formulas = *rc::gen::inRange<std::size_t>(0, atoms * 3 / 2 + 2);
  for (std::size_t k = 0; k < formulas; ++k) add_any_formula(network, largest, with_hard);
  for (AtomId atom = 0; atom < atoms; ++atom) {
    const int said = *rc::gen::inRange(0, 10);
    if (said < 3) network.set_probability(atom, *rc::gen::inRange(1, 1000) * 1e-3);
    if (said == 3 && with_hard) network.set_probability(atom, *rc::gen::element(0.0, 1.0));
    if (said == 4) network.set_probability(atom, *rc::gen::element(1e-9, 1 - 1e-9, 0.5));
  }
  network.offset = any_weight(3);
  network.unmentioned_atoms = *rc::gen::inRange(0, 3);
  return network;
}

Query any_query(std::size_t atoms, bool conjunction) {
  Query query;
  const auto size = *rc::gen::inRange<std::size_t>(1, 5);
  for (std::size_t k = 0; k < size; ++k) query.clauses.push_back(any_literals(atoms, conjunction ? 1 : 3));
  return query;
}

void logic_exact_expect_near(double found, double expected, double scale = 1) {
  if (std::isinf(expected)) {
    RC_ASSERT(found == expected);
  } else {
    RC_ASSERT(std::abs(found - expected) <= 1e-12 * (1 + std::abs(expected)) * scale);
  }
}

// Relative, for both an atom and its negation.
void expect_same_probability(double found, double expected, double scale = 1) {
  RC_ASSERT(std::abs(found - expected) <= 1e-12 * scale * std::max(expected, 1e-290));
}

void expect_right(const GroundNetwork& network, Method method, const Query& query, double scale) {
  const reference::LogicAnswer expected = reference::enumerate(network, query);
  logic::SolverOptions options;
  options.method = method;
  if (std::isinf(expected.log_z)) {
    RC_ASSERT_THROWS_AS(logic::Solver(network, options), DataError);
    return;
  }
  logic::Solver solver(network, options);
  RC_ASSERT(solver.method() == method);
  logic_exact_expect_near(solver.log_z(), expected.log_z, scale);
  for (std::size_t atom = 0; atom < network.atoms(); ++atom)
    expect_same_probability(solver.marginals()[atom], expected.marginals[atom], scale);
  logic_exact_expect_near(solver.ask(query).log_p, expected.query_log_p, scale);
  const logic::MostProbable best = solver.most_probable();
  logic_exact_expect_near(best.log_weight, expected.best_log_weight, scale);
  logic_exact_expect_near(static_cast<double>(reference::log_weight(network, best.world)),
                          expected.best_log_weight, scale);
}

TEST(LogicExactProperty, EnumerationEliminationAndCountingAgree) {
  EXPECT_TRUE(rc::check("small weights", [] {
    const GroundNetwork network = any_network(*rc::gen::element(3, 8, 8, 13), 3);
    const Query query = any_query(network.atoms(), *rc::gen::arbitrary<bool>());
    for (const Method method : {Method::exact, Method::ptp}) expect_right(network, method, query, 1);
  }));
}

// Sums of weights reach some thousands, whose last digits are worth more.
TEST(LogicExactProperty, LargeWeightsKeepTheirDigits) {
  EXPECT_TRUE(rc::check("large weights", [] {
    const GroundNetwork network = any_network(9, 400);
    const Query query = any_query(network.atoms(), *rc::gen::arbitrary<bool>());
    for (const Method method : {Method::exact, Method::ptp}) expect_right(network, method, query, 20);
  }));
}

TEST(LogicExactProperty, EnginesAgreeBeyondEnumeration) {
  EXPECT_TRUE(rc::check("engines", [] {
    const GroundNetwork network = any_network(90, 2, false);
    const logic::FactorGraph graph = logic::simplify(network).graph;
    logic::Elimination elimination;
    if (!elimination.compile(graph, 1 << 18)) RC_DISCARD("too wide");
    logic::CountingCircuit circuit;
    logic::CountingStatistics statistics;
    const logic::CountingLimits limits{100'000, *rc::gen::element<std::size_t>(0, 2'000, 1 << 20)};
    if (!logic::count(graph, limits, circuit, statistics)) RC_DISCARD("too long");
    std::vector<double> first, second;
    const double log_z = elimination.solve(first);
    logic_exact_expect_near(circuit.solve(second), log_z, 10);
    for (std::size_t v = 0; v < first.size(); ++v) expect_same_probability(second[v], first[v], 20);
    std::vector<char> world;
    const double best = elimination.most_probable(world);
    logic_exact_expect_near(circuit.most_probable(world), best, 10);
  }));
}

TEST(LogicExactProperty, HeldVariablesAreAsIfAsserted) {
  EXPECT_TRUE(rc::check("fixed", [] {
    const GroundNetwork network = any_network(9, 3, false);
    const logic::FactorGraph graph = logic::simplify(network).graph;
    if (graph.variables() == 0) RC_DISCARD("nothing left");
    const std::vector<Literal> fixed = any_literals(graph.variables(), 3);
    logic::Elimination elimination;
    RC_ASSERT(elimination.compile(graph));
    logic::CountingCircuit circuit;
    logic::CountingStatistics statistics;
    RC_ASSERT(logic::count(graph, {}, circuit, statistics));
    std::vector<double> first, second, again;
    const double log_z = elimination.log_z();
    const double held = elimination.solve(first, fixed);
    logic_exact_expect_near(circuit.solve(second, fixed), held);
    for (std::size_t v = 0; v < first.size(); ++v) expect_same_probability(second[v], first[v], 2);
    for (const Literal literal : fixed) RC_ASSERT(first[literal.atom()] == (literal.positive() ? 1 : 0));
    logic_exact_expect_near(elimination.log_probability(fixed), held - log_z, 4);
    RC_ASSERT(elimination.log_z() == log_z);  // nothing stays held
  }));
}

logic::Neighbours any_neighbours(std::size_t most_nodes) {
  const auto nodes = *rc::gen::inRange<std::uint32_t>(1, static_cast<std::uint32_t>(most_nodes) + 1);
  const int density = *rc::gen::inRange(1, 10);
  logic::Neighbours neighbours(nodes);
  for (std::uint32_t a = 0; a < nodes; ++a) {
    for (std::uint32_t b = a + 1; b < nodes; ++b) {
      if (*rc::gen::inRange(0, 10) >= density) continue;
      neighbours[a].push_back(b);
      neighbours[b].push_back(a);
    }
  }
  return neighbours;
}

// By its definition: the largest k such that something is left when all nodes with fewer neighbours are gone.
std::size_t slow_degeneracy(const logic::Neighbours& neighbours) {
  for (std::size_t k = 1;; ++k) {
    std::vector<char> left(neighbours.size(), 1);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t node = 0; node < neighbours.size(); ++node) {
        const auto degree = std::ranges::count_if(neighbours[node], [&](auto other) { return left[other]; });
        if (!left[node] || static_cast<std::size_t>(degree) >= k) continue;
        left[node] = 0;
        changed = true;
      }
    }
    if (std::ranges::find(left, 1) == left.end()) return k - 1;
  }
}

TEST(LogicExactProperty, OrdersOfAnyPatienceEliminateTheGraph) {
  EXPECT_TRUE(rc::check("orders", [] {
    const logic::Neighbours neighbours = any_neighbours(14);
    const std::size_t nodes = neighbours.size(), least = slow_degeneracy(neighbours);
    RC_ASSERT(logic::degeneracy(neighbours) == least);
    logic::LeastFill order(neighbours, *rc::gen::element<std::size_t>(0, 30, 100, 300, 1'000'000));
    std::vector<std::vector<char>> joined(nodes, std::vector<char>(nodes, 0));
    for (std::size_t a = 0; a < nodes; ++a) {
      for (const std::uint32_t b : neighbours[a]) joined[a][b] = 1;
    }
    std::size_t width = 0;
    for (std::size_t left = nodes; left > 0; --left) {
      const std::uint32_t node = order.next();
      const auto around = order.eliminate(node);
      RC_ASSERT(static_cast<std::size_t>(std::ranges::count(joined[node], 1)) == around.size());
      width = std::max(width, around.size());
      for (const std::uint32_t a : around) {
        RC_ASSERT(joined[node][a] == 1);
        for (const std::uint32_t b : around) joined[a][b] = a != b;
        joined[a][node] = 0;
      }
    }
    RC_ASSERT(width >= least);
  }));
}

logic::Solver exact_solver(const GroundNetwork& network) {
  logic::SolverOptions options;
  options.method = *rc::gen::element(Method::exact, Method::ptp);
  return logic::Solver(network, options);
}

TEST(LogicExactProperty, SignPatternsSumToOne) {
  EXPECT_TRUE(rc::check("sum", [] {
    const GroundNetwork network = any_network(8, 3, false);
    logic::Solver solver = exact_solver(network);
    const std::vector<Literal> asked = any_literals(network.atoms(), 4);
    double sum = 0;
    for (std::size_t signs = 0; signs < std::size_t{1} << asked.size(); ++signs) {
      Query query;
      for (std::size_t k = 0; k < asked.size(); ++k)
        query.clauses.push_back({Literal(asked[k].atom(), (signs >> k & 1) != 0)});
      sum += solver.ask(query).p;
    }
    RC_ASSERT(std::abs(sum - 1) <= 1e-12);
    const Query any = any_query(network.atoms(), false);
    Query clause{{any.clauses[0]}}, opposite;
    for (const Literal literal : any.clauses[0]) opposite.clauses.push_back({!literal});
    RC_ASSERT(std::abs(solver.ask(clause).p + solver.ask(opposite).p - 1) <= 1e-12);
  }));
}

TEST(LogicExactProperty, MarginalsDoNotDependOnNamesConstantsOrStrangers) {
  EXPECT_TRUE(rc::check("invariants", [] {
    const GroundNetwork network = any_network(8, 3, false);
    const auto atoms = static_cast<AtomId>(network.atoms());
    GroundNetwork other;  // atoms in reverse order, one more, and a constant
    other.formulas = network.formulas;
    for (AtomId atom = 0; atom <= atoms; ++atom) other.add_atom("B" + std::to_string(atom));
    for (std::size_t k = 0; k < network.size(); ++k) {
      std::vector<Literal> literals;
      for (const Literal literal : network[k].literals)
        literals.emplace_back(atoms - 1 - literal.atom(), literal.positive());
      std::ranges::sort(literals);
      other.add(network[k].kind, network[k].formula, network[k].coefficient, literals);
    }
    for (AtomId atom = 0; atom < atoms; ++atom)
      other.set_probability(atoms - 1 - atom, network.probability(atom));
    other.offset = network.offset + 7;
    logic::Solver first = exact_solver(network), second = exact_solver(other);
    logic_exact_expect_near(second.log_z() - (1 - network.unmentioned_atoms) * std::log(2.0) - 7,
                            first.log_z(), 10);
    for (AtomId atom = 0; atom < atoms; ++atom)
      expect_same_probability(second.marginals()[atoms - 1 - atom], first.marginals()[atom], 2);
    RC_ASSERT(second.marginals()[atoms] == 0.5);
  }));
}

// The weighted count of a DIMACS text, by looking at every assignment.
double count_models(const std::string& text) {
  std::istringstream lines(text);
  std::vector<std::vector<int>> clauses;
  std::map<int, double> weights;
  int variables = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first, second, third;
    if (line.starts_with("p cnf ")) {
      words >> first >> second >> variables;
    } else if (line.starts_with("c p weight ")) {
      int literal = 0;
      words >> first >> second >> third >> literal;
      words >> weights[literal];
    } else if (!line.starts_with("c")) {
      clauses.emplace_back();
      for (int literal = 0; words >> literal && literal != 0;) clauses.back().push_back(literal);
    }
  }
  double sum = 0;
  for (std::uint32_t world = 0; world < std::uint32_t{1} << variables; ++world) {
    const auto holds = [&](int literal) { return (world >> (std::abs(literal) - 1) & 1) == (literal > 0); };
    if (!std::ranges::all_of(clauses, [&](const auto& clause) { return std::ranges::any_of(clause, holds); }))
      continue;
    double weight = 1;
    for (int v = 1; v <= variables; ++v) weight *= weights.at(holds(v) ? v : -v);
    sum += weight;
  }
  return sum;
}

TEST(LogicExactProperty, ExportedModelsCountToZ) {
  EXPECT_TRUE(rc::check("export", [] {
    GroundNetwork network = any_network(5, 3);
    const std::string text = logic::write_wmc(network);
    std::istringstream header(text.substr(text.find("p cnf") + 6));
    int variables = 0;
    header >> variables;
    if (variables > 16) RC_DISCARD("too many variables for this counter");
    logic_exact_expect_near(std::log(count_models(text)), reference::enumerate(network).log_z, 10);
  }));
}

}  // namespace
}  // namespace capella::test
