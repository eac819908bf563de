// Counts pairs of rows for Kendall's tau, of many samples drawn from the same rows.
//
// Rows are sorted once by x and then y. A sample is a weight for each row; a row of weight w counts as w
// equal rows. Going through the rows in order, a pair is discordant if the earlier row has the greater y:
// among equal x the earlier row never has. How many rows so far lie above each class of y is kept in a small
// array if y has few classes, else in a Fenwick tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace capella::stats {

/// What all variants of Kendall's tau are made of; exact.
struct KendallCounts {
  std::int64_t rows = 0;
  std::int64_t pairs = 0;       ///< of rows
  std::int64_t x_ties = 0;      ///< pairs equal in x
  std::int64_t y_ties = 0;      ///< pairs equal in y
  std::int64_t both_ties = 0;   ///< pairs equal in both
  std::int64_t discordant = 0;  ///< pairs ordered one way in x and the other way in y
  std::int64_t x_classes = 0;   ///< distinct values of x
  std::int64_t y_classes = 0;

  std::int64_t surplus() const { return pairs - x_ties - y_ties + both_ties - 2 * discordant; }
};

/// Sums over the rows of products of their average ranks, each rank doubled and less its mean: whole numbers.
struct RankSums {
  double xx = 0;
  double yy = 0;
  double xy = 0;
};

/// Spearman's rho.
double rank_correlation(const RankSums& sums, std::int64_t rows);

struct SampleCounts {
  KendallCounts pairs;
  RankSums ranks;
};

class PairCounter {
 public:
  /// Nothing may be NaN. Fewer than 2^31 rows.
  PairCounter(std::span<const double> x, std::span<const double> y);

  /// Many threads may call it at once. One weight per row; their sum is below 2^31.
  SampleCounts of(std::span<const std::uint32_t> weights) const;

  /// How many rows each class has, in ascending order of the values.
  std::vector<std::int64_t> x_class_sizes() const;
  std::vector<std::int64_t> y_class_sizes() const { return y_class_sizes_; }

 private:
  // Rows with the same x and y.
  struct Cell {
    std::uint32_t end;  // in order_
    std::uint32_t y_class;
  };

  void add_x_class(std::size_t begin, std::size_t end, std::span<const std::uint32_t> y_ranks);

  template <class Above>
  SampleCounts count(std::span<const std::uint32_t> weights, Above& above) const;

  std::vector<std::uint32_t> order_;  // rows by x, then y
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> x_class_ends_;  // in cells_
  std::vector<std::int64_t> y_class_sizes_;
};

}  // namespace capella::stats
