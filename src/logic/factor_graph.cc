#include "logic/factor_graph.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "base/hash.h"

namespace capella::logic {

using std::numbers::ln2;

Simplified simplify(const GroundNetwork& network, std::span<const std::vector<Literal>> asserted) {
  Simplified result;
  Simplifier().run(network, asserted, result);
  return result;
}

void Simplifier::run(const GroundNetwork& network, std::span<const std::vector<Literal>> asserted,
                     Simplified& result, std::size_t first_ignored) {
  network_ = &network;
  first_ignored_ = first_ignored;
  result_ = &result;
  FactorGraph& graph = result.graph;
  graph.offset = network.offset + network.unmentioned_atoms * ln2;
  graph.log_odds.clear();
  graph.weights.clear();
  graph.starts.assign(1, 0);
  graph.literals.clear();
  result.places.assign(network.atoms(), {AtomPlace::kFree});
  result.culprit = network.size();
  values_.assign(network.atoms(), Value::open);
  take_asserted(asserted);
  graph.impossible = !carry_evidence_through();
  if (graph.impossible) return;

  log_odds_.assign(network.atoms(), 0);
  table_.assign(16, 0);
  for (std::size_t k = 0; k < network.size(); ++k) {
    const GroundFormula grounding = network[k];
    if (!hard(grounding.formula)) {
      collect(grounding, network.formulas[grounding.formula].weight * grounding.coefficient);
    } else if (k < first_ignored_) {
      collect(grounding, kHard);
    }
  }
  for (std::size_t k = 0; k < asserted_ends_.size(); ++k) {
    const std::size_t start = k == 0 ? 0 : asserted_ends_[k - 1];
    const auto literals = std::span(asserted_literals_).subspan(start, asserted_ends_[k] - start);
    collect({GroundFormula::Kind::clause, 0, 1, literals}, kHard);
  }
  add_soft_evidence();
  drop_empty_factors();
  number_variables();
}

Simplifier::Value Simplifier::value(Literal literal) const {
  const Value atom = values_[literal.atom()];
  if (atom == Value::open || literal.positive()) return atom;
  return atom == Value::yes ? Value::no : Value::yes;
}

// False if it is false already.
bool Simplifier::make_true(Literal literal) {
  const Value now = value(literal);
  if (now != Value::open) return now == Value::yes;
  values_[literal.atom()] = literal.positive() ? Value::yes : Value::no;
  queue_.push_back(literal);
  return true;
}

// Sorts their literals, drops repeated ones and clauses that are always true.
void Simplifier::take_asserted(std::span<const std::vector<Literal>> asserted) {
  asserted_literals_.clear();
  asserted_ends_.clear();
  for (const std::vector<Literal>& clause : asserted) {
    const auto start = static_cast<std::ptrdiff_t>(asserted_literals_.size());
    asserted_literals_.insert(asserted_literals_.end(), clause.begin(), clause.end());
    const auto begin = asserted_literals_.begin() + start;
    std::sort(begin, asserted_literals_.end());
    asserted_literals_.erase(std::unique(begin, asserted_literals_.end()), asserted_literals_.end());
    const auto same_atom = [](Literal a, Literal b) { return a.atom() == b.atom(); };
    if (std::adjacent_find(begin, asserted_literals_.end(), same_atom) != asserted_literals_.end()) {
      asserted_literals_.resize(static_cast<std::size_t>(start));
    } else {
      asserted_ends_.push_back(asserted_literals_.size());
    }
  }
}

bool Simplifier::carry_evidence_through() {
  queue_.clear();
  for (AtomId atom = 0; atom < network_->atoms(); ++atom) {
    const double p = network_->probability(atom);
    if (p == 0 || p == 1) make_true(Literal(atom, p == 1));
  }
  list_hard_clauses();
  return hard_clauses_.empty() || propagate_hard_clauses();
}

void Simplifier::list_hard_clauses() {
  hard_clauses_.clear();
  const std::size_t end = std::min(network_->size(), first_ignored_);
  for (std::size_t k = 0; k < end; ++k) {
    const GroundFormula grounding = (*network_)[k];
    if (!hard(grounding.formula)) continue;
    assert(grounding.kind == GroundFormula::Kind::clause);
    hard_clauses_.push_back({grounding.literals, static_cast<std::uint32_t>(grounding.literals.size()), k});
  }
  for (std::size_t k = 0, start = 0; k < asserted_ends_.size(); start = asserted_ends_[k++]) {
    const auto size = static_cast<std::uint32_t>(asserted_ends_[k] - start);
    hard_clauses_.push_back({std::span(asserted_literals_).subspan(start, size), size, network_->size()});
  }
}

void Simplifier::list_occurrences() {
  occurrence_starts_.assign(2 * network_->atoms() + 1, 0);
  for (const HardClause& clause : hard_clauses_) {
    for (const Literal literal : clause.literals) ++occurrence_starts_[literal.code() + 1];
  }
  for (std::size_t k = 1; k < occurrence_starts_.size(); ++k)
    occurrence_starts_[k] += occurrence_starts_[k - 1];
  occurrences_.resize(occurrence_starts_.back());
  for (std::uint32_t k = 0; k < hard_clauses_.size(); ++k) {
    for (const Literal literal : hard_clauses_[k].literals)
      occurrences_[occurrence_starts_[literal.code()]++] = k;
  }
  for (std::size_t k = occurrence_starts_.size() - 1; k > 0; --k)
    occurrence_starts_[k] = occurrence_starts_[k - 1];
  occurrence_starts_[0] = 0;
}

bool Simplifier::propagate_hard_clauses() {
  list_occurrences();
  for (const HardClause& clause : hard_clauses_) {
    if (clause.literals.size() > 1) continue;
    if (!clause.literals.empty() && make_true(clause.literals[0])) continue;
    result_->culprit = clause.grounding;
    return false;
  }
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    if (!propagate(!queue_[next])) return false;
  }
  return true;
}

// A clause all of whose literals but one are false makes that one true.
bool Simplifier::propagate(Literal now_false) {
  for (std::uint32_t k = occurrence_starts_[now_false.code()]; k < occurrence_starts_[now_false.code() + 1];
       ++k) {
    HardClause& clause = hard_clauses_[occurrences_[k]];
    --clause.not_false;
    if (clause.not_false > 1) continue;
    bool holds = false;
    for (const Literal literal : clause.literals) {
      if (value(literal) != Value::no) holds = make_true(literal);
    }
    if (holds) continue;
    result_->culprit = clause.grounding;
    return false;
  }
  return true;
}

void Simplifier::collect(const GroundFormula& grounding, double weight) {
  if (weight == 0) return;
  const bool clause = grounding.kind == GroundFormula::Kind::clause;
  open_.clear();
  bool broken = false;  // the conjunction, or that of the clause's opposite literals
  for (const Literal literal : grounding.literals) {
    const Literal wanted = clause ? !literal : literal;
    const Value now = value(wanted);
    if (now == Value::open) open_.push_back(wanted);
    if (now != Value::no) continue;
    broken = true;
    break;
  }
  const bool constant = clause && weight != kHard && (broken || !open_.empty());
  if (constant) result_->graph.offset += weight;
  if (broken) return;
  if (!open_.empty()) {
    add_conjunction(clause ? -weight : weight);
  } else if (!clause) {
    result_->graph.offset += weight;
  }
}

void Simplifier::add_conjunction(double weight) {
  if (open_.size() > 1) return add_factor(weight);
  const Literal literal = open_[0];
  assert(std::isfinite(weight));  // else it would have been propagated
  if (!literal.positive()) result_->graph.offset += weight;
  log_odds_[literal.atom()] += literal.positive() ? weight : -weight;
}

void Simplifier::add_factor(double weight) {
  FactorGraph& graph = result_->graph;
  if (2 * graph.factors() >= table_.size()) grow_table();
  const std::uint64_t mask = table_.size() - 1;
  std::uint64_t slot =
      hash_bytes({reinterpret_cast<const char*>(open_.data()), open_.size() * sizeof(Literal)}) & mask;
  for (; table_[slot] != 0; slot = (slot + 1) & mask) {
    const std::size_t k = table_[slot] - 1;
    if (!std::ranges::equal(graph.factor(k), open_)) continue;
    graph.weights[k] += weight;
    return;
  }
  graph.weights.push_back(weight);
  graph.literals.insert(graph.literals.end(), open_.begin(), open_.end());
  graph.starts.push_back(static_cast<std::uint32_t>(graph.literals.size()));
  table_[slot] = static_cast<std::uint32_t>(graph.factors());
}

void Simplifier::grow_table() {
  const FactorGraph& graph = result_->graph;
  table_.assign(4 * table_.size(), 0);
  const std::uint64_t mask = table_.size() - 1;
  for (std::size_t k = 0; k < graph.factors(); ++k) {
    const auto literals = graph.factor(k);
    std::uint64_t slot =
        hash_bytes({reinterpret_cast<const char*>(literals.data()), literals.size_bytes()}) & mask;
    while (table_[slot] != 0) slot = (slot + 1) & mask;
    table_[slot] = static_cast<std::uint32_t>(k + 1);
  }
}

void Simplifier::add_soft_evidence() {
  for (AtomId atom = 0; atom < network_->atoms(); ++atom) {
    double p = network_->probability(atom);
    if (std::isnan(p) || p == 0 || p == 1) continue;
    p = std::clamp(p, kLeastProbability, 1 - kLeastProbability);
    const Value now = values_[atom];
    result_->graph.offset += now == Value::yes ? std::log(p) : std::log1p(-p);
    if (now == Value::open) log_odds_[atom] += std::log(p) - std::log1p(-p);
  }
}

// Weights of equal conjunctions may have cancelled each other.
void Simplifier::drop_empty_factors() {
  FactorGraph& graph = result_->graph;
  if (std::ranges::find(graph.weights, 0.0) == graph.weights.end()) return;
  std::size_t kept = 0;
  std::uint32_t end = 0;
  for (std::size_t k = 0; k < graph.factors(); ++k) {
    const std::uint32_t start = graph.starts[k], stop = graph.starts[k + 1];
    if (graph.weights[k] == 0) continue;
    graph.weights[kept] = graph.weights[k];
    for (std::uint32_t at = start; at < stop; ++at) graph.literals[end++] = graph.literals[at];
    graph.starts[++kept] = end;
  }
  graph.weights.resize(kept);
  graph.starts.resize(kept + 1);
  graph.literals.resize(end);
}

void Simplifier::number_variables() {
  FactorGraph& graph = result_->graph;
  in_factor_.assign(network_->atoms(), 0);
  for (const Literal literal : graph.literals) in_factor_[literal.atom()] = 1;
  double free = 0;
  for (AtomId atom = 0; atom < network_->atoms(); ++atom) {
    std::uint32_t& place = result_->places[atom].variable;
    if (values_[atom] != Value::open) {
      place = values_[atom] == Value::yes ? AtomPlace::kTrue : AtomPlace::kFalse;
    } else if (in_factor_[atom] || log_odds_[atom] != 0) {
      place = static_cast<std::uint32_t>(graph.variables());
      graph.log_odds.push_back(log_odds_[atom]);
    } else {
      ++free;
    }
  }
  graph.offset += free * ln2;
  for (Literal& literal : graph.literals)
    literal = Literal(result_->places[literal.atom()].variable, literal.positive());
}

}  // namespace capella::logic
