#include "logic/learn/likelihood.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/thread_pool.h"
#include "logic/disjoint_sets.h"
#include "logic/exact/elimination.h"
#include "logic/factor_graph.h"
#include "logic/learn/learn_weights.h"

namespace capella::logic {
namespace {

constexpr double kMostEntries = 4'194'304;
constexpr double kDifference = 1e-5;

bool holds(const GroundFormula& grounding, const std::vector<bool>& truth) {
  const auto is_true = [&](Literal literal) { return truth[literal.atom()] == literal.positive(); };
  return grounding.kind == GroundFormula::Kind::conjunction
             ? std::ranges::all_of(grounding.literals, is_true)
             : std::ranges::any_of(grounding.literals, is_true);
}

// The probability that all literals hold.
double probability(const std::vector<AtomPlace>& places, std::span<const Literal> literals, bool negated,
                   Elimination& elimination) {
  std::vector<Literal> open;
  double factor = 1;
  for (Literal literal : literals) {
    if (negated) literal = !literal;
    const AtomPlace place = places[literal.atom()];
    if (place.is_variable()) {
      open.emplace_back(place.variable, literal.positive());
    } else if (place.variable == AtomPlace::kFree) {
      factor /= 2;
    } else if ((place.variable == AtomPlace::kTrue) != literal.positive()) {
      return 0;
    }
  }
  return open.empty() ? factor : factor * std::exp(elimination.log_probability(open));
}

void compile(Elimination& elimination, const FactorGraph& graph, const std::string& source) {
  if (!graph.impossible && elimination.compile(graph, kMostEntries)) return;
  throw DataError(fmt::format(
      "{}: the exact likelihood needs tables of more than {:.0f} entries for one world's network; learn "
      "by the pseudo-likelihood instead",
      source, kMostEntries));
}

// A component while it is taken from its world: atoms get numbers in the order in which they are met.
struct Draft {
  GroundNetwork network;
  std::vector<std::uint32_t> formulas;
  std::vector<std::uint64_t> key;  // equal for equal components
};

std::uint32_t local_formula(std::uint32_t formula, std::uint32_t hard, Draft& draft) {
  const auto found = std::ranges::find(draft.formulas, formula);
  const auto place = static_cast<std::uint32_t>(found - draft.formulas.begin());
  if (found == draft.formulas.end()) {
    draft.formulas.push_back(formula);
    // Weights are set for each evaluation; until then none may be 0, or simplifying would drop the formula.
    draft.network.formulas.push_back({{}, formula == hard ? kHard : 1., 0});
  }
  return place;
}

void add_to_draft(const GroundFormula& grounding, std::uint32_t formula, std::uint32_t hard,
                  std::vector<AtomId>& numbers, Draft& draft) {
  constexpr AtomId kNew = 0xFFFFFFFF;
  std::vector<Literal> literals;
  for (const Literal literal : grounding.literals) {
    AtomId& number = numbers[literal.atom()];
    if (number == kNew) number = draft.network.add_atom({});
    literals.emplace_back(number, literal.positive());
  }
  std::ranges::sort(literals);
  draft.network.add(grounding.kind, local_formula(formula, hard, draft), grounding.coefficient, literals);
  draft.key.push_back(2 * formula + (grounding.kind == GroundFormula::Kind::clause ? 1 : 0));
  draft.key.push_back(std::bit_cast<std::uint64_t>(grounding.coefficient));
  draft.key.push_back(literals.size());
  for (const Literal literal : literals) draft.key.push_back(literal.code());
}

}  // namespace

Likelihood::Likelihood(std::span<const TrainingWorld> worlds, ThreadPool& pool) : pool_(pool) {
  source_ = worlds[0].network->source_name();
  choose_active(worlds);
  std::vector<std::vector<std::uint64_t>> keys;
  std::map<std::vector<std::uint64_t>, std::size_t> known;
  for (const TrainingWorld& world : worlds) {
    const std::size_t before = components_.size();
    keys.clear();
    split(world, keys);
    std::size_t kept = before;
    for (std::size_t k = before; k < components_.size(); ++k) {
      const auto [found, is_new] = known.emplace(std::move(keys[k - before]), kept);
      if (!is_new) {
        components_[found->second].count += 1;
        continue;
      }
      if (kept != k) components_[kept] = std::move(components_[k]);
      components_[kept++].count = 1;
    }
    components_.resize(kept);
  }
  for (const Component& component : components_) {
    Elimination elimination;
    const Simplified simplified = simplify(component.network);
    compile(elimination, simplified.graph, source_);
  }
}

void Likelihood::choose_active(std::span<const TrainingWorld> worlds) {
  const FormulaList& formulas = worlds[0].network->formulas;
  std::vector<double> observed(formulas.size());
  std::vector<bool> seen(formulas.size());
  for (const TrainingWorld& world : worlds) {
    for (std::size_t k = 0; k < world.network->size(); ++k) {
      const GroundFormula grounding = (*world.network)[k];
      if (formulas[grounding.formula].weight == kHard) continue;
      seen[grounding.formula] = true;
      if (holds(grounding, world.truth)) observed[grounding.formula] += grounding.coefficient;
    }
  }
  places_.resize(formulas.size());
  for (std::uint32_t i = 0; i < formulas.size(); ++i) {
    if (!seen[i]) continue;
    places_[i] = static_cast<std::uint32_t>(active_.size());
    active_.push_back(i);
    observed_.push_back(observed[i]);
  }
  for (std::uint32_t i = 0; i < formulas.size(); ++i) {
    if (!seen[i]) places_[i] = static_cast<std::uint32_t>(active_.size());  // the hard one
  }
}

void Likelihood::split(const TrainingWorld& world, std::vector<std::vector<std::uint64_t>>& keys) {
  const GroundNetwork& network = *world.network;
  DisjointSets sets(network.atoms());
  for (std::size_t k = 0; k < network.size(); ++k) {
    const GroundFormula grounding = network[k];
    for (const Literal literal : grounding.literals) sets.join(grounding.literals[0].atom(), literal.atom());
  }
  std::vector<AtomId> numbers(network.atoms(), 0xFFFFFFFF);
  std::map<std::uint32_t, std::size_t> drafts_by_root;
  std::vector<Draft> drafts;
  for (std::size_t k = 0; k < network.size(); ++k) {
    const GroundFormula grounding = network[k];
    const auto [found, is_new] =
        drafts_by_root.emplace(sets.root(grounding.literals[0].atom()), drafts.size());
    if (is_new) drafts.emplace_back();
    add_to_draft(grounding, places_[grounding.formula], static_cast<std::uint32_t>(active_.size()), numbers,
                 drafts[found->second]);
  }
  free_atoms_ += static_cast<double>(std::ranges::count(numbers, 0xFFFFFFFF)) + network.unmentioned_atoms;
  for (Draft& draft : drafts) {
    components_.push_back({std::move(draft.network), std::move(draft.formulas), 0});
    keys.push_back(std::move(draft.key));
  }
}

Likelihood::Expectation Likelihood::expect(const Component& component,
                                           std::span<const double> weights) const {
  GroundNetwork network = component.network;
  for (std::size_t i = 0; i < component.formulas.size(); ++i) {
    const std::uint32_t place = component.formulas[i];
    if (place < weights.size()) network.formulas.change(i).weight = weights[place];
  }
  const Simplified simplified = simplify(network);
  Elimination elimination;
  compile(elimination, simplified.graph, source_);
  Expectation out;
  std::vector<double> ignored;
  out.log_z = elimination.solve(ignored);
  out.counts.resize(component.formulas.size());
  out.variances.resize(component.formulas.size());
  for (std::size_t k = 0; k < network.size(); ++k) {
    const GroundFormula grounding = network[k];
    if (component.formulas[grounding.formula] == weights.size()) continue;
    const bool clause = grounding.kind == GroundFormula::Kind::clause;
    const double p = probability(simplified.places, grounding.literals, clause, elimination);
    out.counts[grounding.formula] += grounding.coefficient * (clause ? 1 - p : p);
    out.variances[grounding.formula] += grounding.coefficient * grounding.coefficient * p * (1 - p);
  }
  return out;
}

std::vector<Likelihood::Expectation> Likelihood::expect_all(std::span<const double> weights) const {
  std::vector<Expectation> expectations(components_.size());
  pool_.parallel_for(components_.size(),
                     [&](std::size_t k) { expectations[k] = expect(components_[k], weights); });
  return expectations;
}

std::vector<double> Likelihood::rough_curvature(std::span<const double> weights) const {
  const std::vector<Expectation> expectations = expect_all(weights);
  std::vector<double> out(size());
  for (std::size_t k = 0; k < components_.size(); ++k) {
    for (std::size_t i = 0; i < components_[k].formulas.size(); ++i) {
      const std::uint32_t place = components_[k].formulas[i];
      if (place < size()) out[place] += components_[k].count * expectations[k].variances[i];
    }
  }
  return out;
}

double Likelihood::constant() const {
  return -free_atoms_ * std::numbers::ln2;
}

double Likelihood::evaluate(std::span<const double> weights, std::span<double> gradient) const {
  const std::vector<Expectation> expectations = expect_all(weights);
  double value = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    value += weights[i] * observed_[i];
    gradient[i] = observed_[i];
  }
  for (std::size_t k = 0; k < components_.size(); ++k) {
    value -= components_[k].count * expectations[k].log_z;
    for (std::size_t i = 0; i < components_[k].formulas.size(); ++i) {
      const std::uint32_t place = components_[k].formulas[i];
      if (place < weights.size()) gradient[place] -= components_[k].count * expectations[k].counts[i];
    }
  }
  return value;
}

std::vector<double> Likelihood::information(std::span<const double> weights) const {
  std::vector<double> out(size() * size());
  std::vector<double> moved(weights.begin(), weights.end());
  std::vector<double> up(size());
  std::vector<double> down(size());
  for (std::size_t i = 0; i < size(); ++i) {
    moved[i] = weights[i] + kDifference;
    evaluate(moved, up);
    moved[i] = weights[i] - kDifference;
    evaluate(moved, down);
    moved[i] = weights[i];
    for (std::size_t j = i; j < size(); ++j) out[j * size() + i] = (down[j] - up[j]) / (2 * kDifference);
  }
  return out;
}

std::vector<double> Likelihood::information_diagonal(std::span<const double> weights) const {
  std::vector<double> out(size());
  std::vector<double> moved(weights.begin(), weights.end());
  std::vector<double> up(size());
  std::vector<double> down(size());
  for (std::size_t i = 0; i < size(); ++i) {
    moved[i] = weights[i] + kDifference;
    evaluate(moved, up);
    moved[i] = weights[i] - kDifference;
    evaluate(moved, down);
    moved[i] = weights[i];
    out[i] = (down[i] - up[i]) / (2 * kDifference);
  }
  return out;
}

// A number of true groundings that lies in a range of width g has a variance of at most g^2 / 4.
double Likelihood::curvature_bound() const {
  double sum = 0;
  for (const Component& component : components_) {
    std::vector<double> ranges(component.formulas.size());
    for (std::size_t k = 0; k < component.network.size(); ++k)
      ranges[component.network[k].formula] += std::fabs(component.network[k].coefficient);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      if (component.formulas[i] < size()) sum += component.count * ranges[i] * ranges[i] / 4;
    }
  }
  return sum;
}

}  // namespace capella::logic
