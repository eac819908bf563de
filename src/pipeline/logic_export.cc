// A network for other programs and for pictures: as a weighted counting problem, as a list of ground
// formulas, as a list of worlds.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "capella/error.h"
#include "capella/logic.h"

#include "logic/exact/wmc_export.h"
#include "logic/factor_graph.h"
#include "pipeline/logic_run.h"

namespace capella {
namespace pipeline {
namespace {

constexpr std::size_t kMostOpenAtoms = 16;  // of a network whose worlds are listed

// A comment ends with its line.
std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

// The network with the query as hard formulas.
void assert_query(const logic::Query& query, const std::string& text, logic::GroundNetwork& ground) {
  const auto formula = static_cast<std::uint32_t>(ground.formulas.size());
  ground.formulas.push_back({text, logic::kHard, 0});
  for (std::vector<logic::Literal> clause : query.clauses) {
    std::ranges::sort(clause);
    clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
    const auto same_atom = [](logic::Literal a, logic::Literal b) { return a.atom() == b.atom(); };
    if (std::ranges::adjacent_find(clause, same_atom) != clause.end()) continue;  // always true
    if (clause.empty())
      throw DataError(fmt::format("the query '{}' is false in every world; there is nothing to count", text));
    ground.add(logic::GroundFormula::Kind::clause, formula, 1, clause);
  }
}

// The log weight of a world of the graph's variables, given as bits.
double log_weight(const logic::FactorGraph& graph, std::uint32_t world) {
  double sum = graph.offset;
  for (std::size_t v = 0; v < graph.variables(); ++v) {
    if ((world >> v & 1) != 0) sum += graph.log_odds[v];
  }
  for (std::size_t k = 0; k < graph.factors(); ++k) {
    const bool holds = std::ranges::all_of(graph.factor(k), [&](logic::Literal literal) {
      return ((world >> literal.atom() & 1) != 0) == literal.positive();
    });
    if (holds) sum += graph.weights[k];
  }
  return sum;
}

// Of all worlds of `count` open atoms; 0 for impossible ones.
std::vector<double> world_probabilities(const logic::FactorGraph& graph, std::size_t count) {
  std::vector<double> p(std::size_t{1} << count);
  for (std::uint32_t world = 0; world < p.size(); ++world) p[world] = log_weight(graph, world);
  const double most = std::ranges::max(p);
  if (std::isinf(most)) throw DataError("hard formulas contradict each other: no world is possible");
  double sum = 0;
  for (double& world : p) sum += world = std::exp(world - most);
  for (double& world : p) world /= sum;
  return p;
}

// Numbers for the atoms that are open: the graph's variables, then those that nothing is said about.
std::vector<std::uint32_t> open_places(const logic::Simplified& open, std::uint32_t& count) {
  std::vector<std::uint32_t> places;
  count = static_cast<std::uint32_t>(open.graph.variables());
  for (const logic::AtomPlace place : open.places)
    places.push_back(place.variable == logic::AtomPlace::kFree ? count++ : place.variable);
  return places;
}

}  // namespace

std::string export_counting(const GroundedRun& read, const LogicRun& run) {
  logic::GroundNetwork ground = read.ground;
  std::string told = fmt::format("c the weighted count is Z of {}\n", one_line(run.network));
  if (read.query) {
    told = fmt::format("c the weighted count is Z of {} times the probability of the query\nc query {}\n",
                       one_line(run.network), one_line(run.query));
    assert_query(*read.query, run.query, ground);
  }
  std::string text = logic::write_wmc(ground);
  return text.insert(text.find('\n') + 1, told);  // the first line says what the problem is
}

std::vector<LogicWorld> list_worlds(const GroundedRun& read) {
  const logic::Simplified open = logic::simplify(read.ground);
  if (open.graph.impossible)
    throw DataError(fmt::format("{}: hard formulas and evidence contradict each other: no world is possible",
                                read.network.source));
  std::uint32_t count = 0;
  const std::vector<std::uint32_t> places = open_places(open, count);
  if (count > kMostOpenAtoms || read.ground.unmentioned_atoms > 0)
    throw DataError(fmt::format(
        "{}: {:.0f} atoms are open, too many to list all worlds, expected {} at most; tell more of "
        "them in a .db file",
        read.network.source, count + read.ground.unmentioned_atoms, kMostOpenAtoms));
  const std::vector<double> p = world_probabilities(open.graph, count);
  std::vector<LogicWorld> worlds;
  for (std::uint32_t world = 0; world < p.size(); ++world) {
    if (p[world] == 0) continue;
    LogicWorld& listed = worlds.emplace_back();
    listed.p = p[world];
    for (logic::AtomId atom = 0; atom < places.size(); ++atom) {
      const bool holds =
          places[atom] < count ? (world >> places[atom] & 1) != 0 : places[atom] == logic::AtomPlace::kTrue;
      if (holds) listed.true_atoms.push_back(read.ground.name(atom));
    }
  }
  std::ranges::stable_sort(worlds, std::ranges::greater(), &LogicWorld::p);
  return worlds;
}

GroundedLogic ground_logic(const GroundedRun& read) {
  const logic::GroundNetwork& ground = read.ground;
  GroundedLogic network;
  for (logic::AtomId atom = 0; atom < ground.atoms(); ++atom) {
    network.atoms.push_back(ground.name(atom));
    network.evidence.push_back(ground.probability(atom));
  }
  for (const logic::FormulaSource& formula : ground.formulas) network.formulas.push_back(formula.text);
  for (std::size_t k = 0; k < ground.size(); ++k) {
    const logic::GroundFormula grounding = ground[k];
    GroundedLogic::Factor& factor = network.factors.emplace_back();
    factor.conjunction = grounding.kind == logic::GroundFormula::Kind::conjunction;
    factor.weight = ground.weight(k);
    factor.formula = grounding.formula;
    for (const logic::Literal literal : grounding.literals) {
      factor.atoms.push_back(literal.atom());
      factor.positive.push_back(literal.positive());
    }
  }
  if (!read.query) return network;
  for (const std::vector<logic::Literal>& clause : read.query->clauses) {
    for (const logic::Literal literal : clause) network.query_atoms.push_back(literal.atom());
  }
  std::ranges::sort(network.query_atoms);
  network.query_atoms.erase(std::unique(network.query_atoms.begin(), network.query_atoms.end()),
                            network.query_atoms.end());
  return network;
}

}  // namespace pipeline

std::string export_counting(const LogicRun& run) {
  return pipeline::export_counting(pipeline::read_logic(run), run);
}

std::vector<LogicWorld> list_worlds(const LogicRun& run) {
  return pipeline::list_worlds(pipeline::read_logic(run));
}

GroundedLogic ground_logic(const LogicRun& run) {
  return pipeline::ground_logic(pipeline::read_logic(run));
}

}  // namespace capella
