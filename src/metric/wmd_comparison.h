// Word Mover's Distance between a caption and the references of its item.
//
// Amounts are integers: a word that comes c times in a text of n words, compared with one of m words, weighs
// c * m, and what is moved is divided by n * m in the end. Words that both texts have stay where they are as
// far as they go, which is never dearer since distances obey the triangle inequality; so a text is exactly 0
// from itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "metric/transport.h"
#include "metric/wmd_bags.h"

namespace capella::metric {

/// What one side would pay if the other side had as much of each word as is wanted: neither is more than the
/// distance.
struct RelaxedDistance {
  double from_caption;
  double from_reference;
};

/// Amounts and costs as for Transport; both results are totals, not yet divided.
RelaxedDistance relaxed_costs(std::span<const Amount> supply, std::span<const Amount> demand,
                              const double* costs);

/// Mass that goes from a word of the caption to a word of the reference.
struct WmdMove {
  std::uint32_t from;  ///< index into caption()
  std::uint32_t to;    ///< place among the item's words
  double mass;         ///< of 1
  double distance;
};

/// A workspace for many captions, one after the other.
class WmdComparer {
 public:
  static constexpr double kInfinite = std::numeric_limits<double>::infinity();

  explicit WmdComparer(const VectorWords& known) : known_(known) {}

  /// `reference_words`: the words that bags are made of (WmdReferences::words).
  void set_caption(std::span<const text::WordId> caption, std::span<const text::WordId> reference_words);

  WmdBag caption() const { return {caption_, length_}; }

  /// Infinite if caption or reference has no word that counts.
  double distance(const WmdBag& reference);
  /// What moves where in the last distance(), which was finite.
  std::vector<WmdMove> moves(const WmdBag& reference) const;

  /// The least of the distances to references first, ..., first + count - 1: the same bits as if each were
  /// taken, but those that are too far by their bounds are not.
  double nearest(const WmdReferences& references, std::size_t first, std::size_t count);

 private:
  // What is left to move between the caption and one reference. The numbers are in the vectors below.
  struct Problem {
    std::size_t first_source, sources;
    std::size_t first_sink, sinks;
    std::size_t first_cost;
    double units;  // amounts of each side in all
    double bound;  // of the distance
  };

  void clear_problems();
  Problem make_problem(const WmdBag& reference);
  void match_common_words(const WmdBag& reference);
  double solve(const Problem& problem);

  const VectorWords& known_;
  std::vector<WmdWord> caption_;
  std::uint32_t length_ = 0;
  std::vector<double> costs_;  // caption's words x item's words
  std::size_t item_words_ = 0;
  std::vector<std::uint32_t> place_;      // of the caption's words among the item's, kNowhere if not there
  std::vector<Amount> at_place_;          // how much the caption has of the item's words
  std::vector<const float*> vectors_[2];  // of the caption's and the item's words

  std::vector<Problem> problems_;
  std::vector<std::uint32_t> sources_;
  std::vector<std::uint32_t> sinks_;
  std::vector<Amount> supply_;
  std::vector<Amount> demand_;
  std::vector<double> problem_costs_;
  Transport<double> transport_;
};

}  // namespace capella::metric
