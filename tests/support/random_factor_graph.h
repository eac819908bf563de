// Random factor graphs for tests of samplers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "logic/factor_graph.h"

namespace capella::test {

/// Adds a conjunction; its literals may be in any order.
inline void add_factor(logic::FactorGraph& graph, std::vector<logic::Literal> literals, double weight) {
  std::sort(literals.begin(), literals.end());
  graph.literals.insert(graph.literals.end(), literals.begin(), literals.end());
  graph.starts.push_back(static_cast<std::uint32_t>(graph.literals.size()));
  graph.weights.push_back(weight);
}

class RandomGraphs {
 public:
  explicit RandomGraphs(std::uint64_t seed) : random_(seed) {}

  double between(double low, double high) { return low + (high - low) * unit(); }
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }

  /// Log odds and weights in +- `strength`; factors of 2 ... `largest` literals.
  logic::FactorGraph graph(std::size_t variables, std::size_t factors, std::size_t largest, double strength) {
    logic::FactorGraph result;
    for (std::size_t v = 0; v < variables; ++v) result.log_odds.push_back(between(-strength, strength));
    for (std::size_t k = 0; k < factors && variables > 1; ++k) {
      const std::size_t size = 2 + below(std::min(largest, variables) - 1);
      add_factor(result, literals(variables, size), between(-strength, strength));
    }
    return result;
  }

  /// Forbids conjunctions that do not hold where all variables are as `legal` says.
  void forbid(logic::FactorGraph& graph, std::size_t count, const std::vector<bool>& legal) {
    while (count > 0) {
      const std::vector<logic::Literal> some = literals(graph.variables(), 2 + below(2));
      const bool holds = std::all_of(some.begin(), some.end(), [&](logic::Literal literal) {
        return legal[literal.atom()] == literal.positive();
      });
      if (holds) continue;
      add_factor(graph, some, -std::numeric_limits<double>::infinity());
      --count;
    }
  }

 private:
  double unit() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  std::vector<logic::Literal> literals(std::size_t variables, std::size_t count) {
    std::vector<logic::Literal> result;
    while (result.size() < count) {
      const auto atom = static_cast<logic::AtomId>(below(variables));
      const bool known = std::any_of(result.begin(), result.end(),
                                     [&](logic::Literal literal) { return literal.atom() == atom; });
      if (!known) result.emplace_back(atom, below(2) == 0);
    }
    return result;
  }

  std::mt19937_64 random_;
};

}  // namespace capella::test
