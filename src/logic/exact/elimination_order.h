// In which order to sum variables out, so that tables stay small: the greedy rule of least fill.
//
// Eliminating a variable joins all its neighbours with each other; the pairs that were not yet joined are its
// fill. Of variables of equal fill, one in few factors goes first, so that those which hold a network
// together come last. Connected components are ordered one after the other. Components of up to 64 variables,
// which is what images give, are kept as bit masks; for larger ones the fill of all variables is kept up to
// date, and the least number of entries is estimated before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "logic/disjoint_sets.h"
#include "logic/exact/elimination_order_large.h"
#include "logic/factor_graph.h"

namespace capella::logic {

class EliminationOrder {
 public:
  /// False if tables would have more than `most_entries` together: then the order ends where that was found
  /// (variables that were not reached have no place), and `entries` says how many are needed at least, or is
  /// infinite if no order could be found in the time that is allowed. `partial`: that part of an order is
  /// wanted; else graphs that are obviously too wide are not ordered at all.
  bool find(const FactorGraph& graph, double most_entries, bool partial = false);

  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  const std::vector<std::uint32_t>& order() const { return order_; }        ///< variables
  const std::vector<std::uint32_t>& position() const { return position_; }  ///< of variables, or kNone
  /// Where each component ends in the order.
  const std::vector<std::uint32_t>& component_ends() const { return component_ends_; }
  /// Positions of those that the variable at a position is joined with when it is eliminated; ascending.
  std::span<const std::uint32_t> later(std::size_t position) const {
    return std::span(later_).subspan(later_starts_[position],
                                     later_starts_[position + 1] - later_starts_[position]);
  }
  double entries() const { return entries_; }  ///< of all tables: sum of 2^(later + 1)
  unsigned width() const { return width_; }    ///< the most variables that one is joined with

 private:
  void split(const FactorGraph& graph);
  void list_members();
  void sort_members(const FactorGraph& graph);
  void join_neighbours(const FactorGraph& graph);
  bool order_small(std::span<const std::uint32_t> members);
  std::uint32_t pick_small(std::uint64_t open, std::span<const std::uint32_t> members) const;
  Neighbours list_neighbours(const FactorGraph& graph, std::span<const std::uint32_t> members) const;
  bool order_large(const FactorGraph& graph, std::span<const std::uint32_t> members);
  void append(std::uint32_t variable);
  bool count(std::size_t neighbours);
  void sort_later();

  double most_entries_ = 0;
  bool partial_ = false;
  double entries_ = 0;
  unsigned width_ = 0;
  std::vector<std::uint32_t> order_, position_, component_ends_;
  std::vector<std::uint32_t> later_starts_, later_;  // variables until all have their position
  DisjointSets sets_;                                // of variables: components
  std::vector<std::uint32_t> members_, member_ends_, local_;
  std::vector<std::uint32_t> sizes_;                       // of components, at their roots
  std::vector<std::uint32_t> degrees_;                     // in how many factors a variable is
  std::vector<std::uint64_t> masks_;                       // neighbours in small components
  std::vector<std::uint32_t> first_factor_, next_factor_;  // of large components, at their roots; kNone ends
};

}  // namespace capella::logic
