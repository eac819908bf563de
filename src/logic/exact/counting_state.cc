#include "logic/exact/counting_state.h"

#include <limits>

namespace capella::logic {

CountingState::CountingState(const FactorGraph& graph) : graph_(graph) {
  list_occurrences();
  values_.assign(graph.variables(), Value::open);
  counts_.reserve(graph.factors());
  for (std::size_t k = 0; k < graph.factors(); ++k)
    counts_.push_back({static_cast<std::uint32_t>(graph.factor(k).size()), 0});
}

void CountingState::list_occurrences() {
  occurrence_starts_.assign(graph_.variables() + 1, 0);
  for (const Literal literal : graph_.literals) ++occurrence_starts_[literal.atom()];
  std::uint32_t end = 0;
  for (std::uint32_t& start : occurrence_starts_) start = end += start;
  occurrences_.resize(graph_.literals.size());
  for (auto k = static_cast<std::uint32_t>(graph_.factors()); k-- > 0;) {
    for (const Literal literal : graph_.factor(k))
      occurrences_[--occurrence_starts_[literal.atom()]] = {k, literal.positive()};
  }
}

bool CountingState::decide(Literal literal) {
  std::size_t next = trail_.size();
  trail_.push_back(literal);
  values_[literal.atom()] = literal.positive() ? Value::yes : Value::no;
  completed_ = 0;
  bool possible = true;
  for (; next < trail_.size(); ++next) possible = assign(trail_[next]) && possible;
  return possible;
}

// Always carried out for all factors, so that taking it back is the same in reverse.
bool CountingState::assign(Literal literal) {
  bool possible = true;
  const std::uint32_t v = literal.atom();
  steps_ += 1 + occurrence_starts_[v + 1] - occurrence_starts_[v];
  for (std::uint32_t k = occurrence_starts_[v]; k < occurrence_starts_[v + 1]; ++k) {
    const Occurrence& occurrence = occurrences_[k];
    const std::uint32_t factor = occurrence.factor;
    Counts& counts = counts_[factor];
    --counts.open;
    if (occurrence.positive != literal.positive()) ++counts.no;
    if (counts.no > 0 || counts.open > 1) continue;
    const bool hard = graph_.weights[factor] == kNever;
    if (counts.open == 0) {
      possible = possible && !hard;
      if (!hard) completed_ += graph_.weights[factor];
    } else if (hard) {
      possible = forbid_last_open(factor) && possible;
    }
  }
  return possible;
}

// The factor's other literals hold, so its last one must not. That one may have been decided already, and
// wait in the trail.
bool CountingState::forbid_last_open(std::uint32_t factor) {
  bool broken = false;
  for (const Literal literal : graph_.factor(factor)) {
    if (open(literal.atom())) {
      values_[literal.atom()] = literal.positive() ? Value::no : Value::yes;
      trail_.push_back(!literal);
      return true;
    }
    broken = broken || (values_[literal.atom()] == Value::yes) != literal.positive();
  }
  return broken;
}

void CountingState::take_back(std::size_t trail_size) {
  while (trail_.size() > trail_size) {
    const Literal literal = trail_.back();
    const std::uint32_t v = literal.atom();
    trail_.pop_back();
    values_[v] = Value::open;
    for (std::uint32_t k = occurrence_starts_[v]; k < occurrence_starts_[v + 1]; ++k) {
      Counts& counts = counts_[occurrences_[k].factor];
      ++counts.open;
      if (occurrences_[k].positive != literal.positive()) --counts.no;
    }
  }
}

}  // namespace capella::logic
