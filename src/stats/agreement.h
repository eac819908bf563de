// How well judges agree with each other.
//
// Judges rate units (captions); not every judge rates every unit. Krippendorff's alpha compares how far
// ratings of one unit are apart with how far any two ratings are: 1 is full agreement, 0 is chance
// (K. Krippendorff, Computing Krippendorff's alpha-reliability, 2011).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace capella::stats {

struct JudgedUnit {
  std::uint32_t judge;
  std::uint32_t unit;
  double rating;
};

/// What the distance of two ratings is: how many ratings lie between them; their difference.
enum class RatingLevel { ordinal, interval };

/// Units with one rating do not count. NaN if there are none with more, or if all their ratings are equal.
double krippendorff_alpha(std::span<const JudgedUnit> ratings, RatingLevel level);

/// The mean correlation of two judges over the units that both rated.
struct PairwiseAgreement {
  double pearson;
  double kendall_b;
  std::size_t pairs;  ///< how many pairs of judges the means are over
};

/// Pairs with fewer units in common than `least`, or whose correlation is not defined because one of them
/// gave the same rating to all, do not count. NaN if no pair is left.
PairwiseAgreement pairwise_agreement(std::span<const JudgedUnit> ratings, std::size_t least = 3);

}  // namespace capella::stats
