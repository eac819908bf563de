// A factor graph as the Gibbs kernels walk it: for every variable what its neighbours add to its log odds.
//
// Any fixed order of the variables is a right scan. Here neighbours have different colours and a colour's
// variables stand together: they do not wait for each other, so the processor works on many at a time. Inside
// a colour those with equally many factors stand together, so that loops over factors need no surprises.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "logic/factor_graph.h"

namespace capella::logic {

constexpr std::size_t kGibbsLanes = 16;  ///< chains of a group

/// A literal of a place in the scan: 2 x place, + 1 if negated.
using PlaceLiteral = std::uint32_t;

/// A factor of two literals, seen from one of them: added to the log odds where the other holds.
struct PairFactor {
  PlaceLiteral other;
  float weight;
};

/// A factor of three literals, seen from one of them.
struct TripleFactor {
  PlaceLiteral first;
  PlaceLiteral second;
  float weight;
};

/// Places begin ... end - 1, each with so many factors of each size; a run with long factors has one place.
struct GibbsRun {
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t pairs;    ///< of each place
  std::uint32_t triples;  ///< of each place
  std::uint32_t longs;
  std::size_t pair_at;  ///< where those of the first place begin
  std::size_t triple_at;
  std::size_t long_at;
};

/// Weights and log odds are in units of log 2, so that the kernels' powers are powers of two.
class GibbsGraph {
 public:
  /// Forbidden conjunctions have this weight, negative: large against all others, and no infinity, so that
  /// nothing becomes not a number.
  static constexpr float kForbidden = 1e30f;
  static constexpr double kMostLogOdds = 1e15;  ///< finite weights are brought into +- this

  /// `temperature` divides the weights, but not the forbidden ones.
  explicit GibbsGraph(const FactorGraph& graph, double temperature = 1);

  std::vector<std::uint32_t> order;   ///< the variable at each place
  std::vector<std::uint32_t> places;  ///< of each variable
  std::vector<float> log_odds;        ///< by place
  std::vector<PairFactor> pairs;
  std::vector<TripleFactor> triples;
  /// Longer factors: how many other literals, the weight's bits, the literals.
  std::vector<std::uint32_t> longs;
  std::vector<GibbsRun> runs;
  std::vector<std::uint32_t> run_of;  ///< by place

  std::size_t size() const { return order.size(); }
  PlaceLiteral literal(Literal literal) const {
    return 2 * places[literal.atom()] + (literal.positive() ? 0u : 1u);
  }
  GibbsRun single(std::uint32_t place) const;  ///< the run of one place

 private:
  void add_place(const FactorGraph& graph, std::uint32_t place, std::span<const std::uint32_t> factors,
                 double scale);
};

/// The factors of each variable, ascending.
class FactorsOfVariables {
 public:
  explicit FactorsOfVariables(const FactorGraph& graph);
  std::span<const std::uint32_t> operator[](std::size_t variable) const {
    return std::span(factors_).subspan(starts_[variable], starts_[variable + 1] - starts_[variable]);
  }

 private:
  std::vector<std::size_t> starts_;
  std::vector<std::uint32_t> factors_;
};

}  // namespace capella::logic
