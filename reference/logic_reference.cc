#include "reference/logic_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace capella::reference {
namespace {

using logic::GroundFormula;
using logic::Literal;
using World = std::vector<bool>;

constexpr long double kNever = -std::numeric_limits<long double>::infinity();

bool holds(Literal literal, const World& world) {
  return world[literal.atom()] == literal.positive();
}

bool holds(const GroundFormula& formula, const World& world) {
  const auto true_here = [&](Literal literal) { return holds(literal, world); };
  return formula.kind == GroundFormula::Kind::conjunction ? std::ranges::all_of(formula.literals, true_here)
                                                          : std::ranges::any_of(formula.literals, true_here);
}

bool holds(const logic::Query& query, const World& world) {
  return std::ranges::all_of(query.clauses, [&](const auto& clause) {
    return std::ranges::any_of(clause, [&](Literal literal) { return holds(literal, world); });
  });
}

long double log_evidence(double p, bool truth) {
  if (std::isnan(p)) return 0;
  if (p == 0 || p == 1) return truth == (p == 1) ? 0 : kNever;
  const long double kept = std::clamp(p, 1e-6, 1 - 1e-6);
  return std::log(truth ? kept : 1 - kept);
}

World world_of(std::size_t number, std::size_t atoms) {
  World world(atoms);
  for (std::size_t atom = 0; atom < atoms; ++atom) world[atom] = (number >> atom & 1) != 0;
  return world;
}

}  // namespace

long double log_weight(const logic::GroundNetwork& network, const World& world) {
  long double sum = network.offset;
  for (std::size_t k = 0; k < network.size(); ++k) {
    const GroundFormula formula = network[k];
    const long double weight = network.formulas[formula.formula].weight;
    const bool hard = std::isinf(weight);
    if (holds(formula, world)) {
      if (!hard) sum += weight * formula.coefficient;
    } else if (hard) {
      return kNever;
    }
  }
  for (logic::AtomId atom = 0; atom < network.atoms(); ++atom)
    sum += log_evidence(network.probability(atom), world[atom]);
  return sum;
}

LogicAnswer enumerate(const logic::GroundNetwork& network, const logic::Query& query) {
  const std::size_t worlds = std::size_t{1} << network.atoms();
  std::vector<long double> log_weights(worlds);
  for (std::size_t k = 0; k < worlds; ++k) log_weights[k] = log_weight(network, world_of(k, network.atoms()));
  const auto best = std::ranges::max_element(log_weights);
  LogicAnswer answer;
  answer.best = world_of(static_cast<std::size_t>(best - log_weights.begin()), network.atoms());
  answer.best_log_weight = static_cast<double>(*best);
  long double z = 0, asked = 0;
  std::vector<long double> sums(network.atoms(), 0);
  for (std::size_t k = 0; k<worlds&& * best> kNever; ++k) {
    const World world = world_of(k, network.atoms());
    const long double weight = std::exp(log_weights[k] - *best);
    z += weight;
    if (holds(query, world)) asked += weight;
    for (std::size_t atom = 0; atom < sums.size(); ++atom) {
      if (world[atom]) sums[atom] += weight;
    }
  }
  const long double doublings = network.unmentioned_atoms * std::log(2.0L);
  answer.log_z = static_cast<double>(*best + std::log(z) + doublings);
  answer.query_log_p = static_cast<double>(std::log(asked / z));
  for (const long double sum : sums) answer.marginals.push_back(static_cast<double>(sum / z));
  return answer;
}

}  // namespace capella::reference
