#include "stats/pair_counter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <boost/sort/pdqsort/pdqsort.hpp>

namespace capella::stats {
namespace {

// How many pairs of rows lie within groups, given the squares of the groups' sizes and the number of rows.
std::int64_t pairs_within(std::int64_t squares, std::int64_t rows) {
  return (squares - rows) / 2;
}

// Rows so far above each class, for few classes: looking is one step, adding a few vector operations.
class SmallAbove {
 public:
  static constexpr std::size_t kMostClasses = 16;

  std::uint32_t operator[](std::size_t y_class) const { return above_[y_class]; }

  void add(std::size_t y_class, std::uint32_t weight) {
    for (std::size_t i = 0; i < kMostClasses; i += 4) {
      Four sums;
      Four mask;
      std::memcpy(&sums, &above_[i], sizeof sums);
      std::memcpy(&mask, &kBelow[y_class][i], sizeof mask);
      sums += mask & weight;
      std::memcpy(&above_[i], &sums, sizeof sums);
    }
  }

 private:
  typedef std::uint32_t Four __attribute__((vector_size(16)));
  using PerClass = std::array<std::uint32_t, kMostClasses>;

  // All bits set where the column is below the row.
  static constexpr std::array<PerClass, kMostClasses> kBelow = [] {
    std::array<PerClass, kMostClasses> masks = {};
    for (std::size_t row = 0; row < kMostClasses; ++row) {
      for (std::size_t column = 0; column < row; ++column) masks[row][column] = ~std::uint32_t{0};
    }
    return masks;
  }();

  PerClass above_ = {};
};

// The same for any number of classes: a Fenwick tree, counted from the highest class down.
class TreeAbove {
 public:
  explicit TreeAbove(std::size_t classes) : tree_(classes + 1) {}

  std::uint32_t operator[](std::size_t y_class) const {
    std::uint32_t sum = 0;
    for (std::size_t i = tree_.size() - 2 - y_class; i > 0; i &= i - 1) sum += tree_[i];
    return sum;
  }

  void add(std::size_t y_class, std::uint32_t weight) {
    for (std::size_t i = tree_.size() - 1 - y_class; i < tree_.size(); i += i & -i) tree_[i] += weight;
  }

 private:
  std::vector<std::uint32_t> tree_;
};

struct Place {
  double value;
  std::uint32_t row;
};

// Rows in ascending order of their values.
std::vector<Place> sorted_places(std::span<const double> values) {
  std::vector<Place> places;
  places.reserve(values.size());
  for (const double value : values) places.push_back({value, static_cast<std::uint32_t>(places.size())});
  boost::sort::pdqsort_branchless(places.begin(), places.end(),
                                  [](const Place& a, const Place& b) { return a.value < b.value; });
  return places;
}

// For each row the number of distinct values that are smaller than its own.
std::vector<std::uint32_t> dense_ranks(std::span<const Place> sorted) {
  std::vector<std::uint32_t> ranks(sorted.size());
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i > 0 && sorted[i].value != sorted[i - 1].value) ++rank;
    ranks[sorted[i].row] = rank;
  }
  return ranks;
}

struct YClass {
  std::int64_t rows = 0;
  std::int64_t x_ranks = 0;  // the sum of these rows' ranks in x, as RankSums has them
};

void add_y_classes(std::span<const YClass> classes, SampleCounts& counts) {
  std::int64_t squares = 0;
  std::int64_t before = 0;
  for (const YClass& one : classes) {
    const auto rank = static_cast<double>(2 * before + one.rows - counts.pairs.rows);
    squares += one.rows * one.rows;
    counts.pairs.y_classes += one.rows > 0;
    counts.ranks.yy += static_cast<double>(one.rows) * rank * rank;
    counts.ranks.xy += static_cast<double>(one.x_ranks) * rank;
    before += one.rows;
  }
  counts.pairs.y_ties = pairs_within(squares, counts.pairs.rows);
}

}  // namespace

// The steps are numpy's, for the last bit: covariances first, then one deviation after the other.
double rank_correlation(const RankSums& sums, std::int64_t rows) {
  const double per_row = 1 / (4 * static_cast<double>(rows - 1));
  return std::clamp(sums.xy * per_row / std::sqrt(sums.yy * per_row) / std::sqrt(sums.xx * per_row), -1.0,
                    1.0);
}

PairCounter::PairCounter(std::span<const double> x, std::span<const double> y) {
  const std::vector<std::uint32_t> y_ranks = dense_ranks(sorted_places(y));
  for (const std::uint32_t rank : y_ranks) {
    if (y_class_sizes_.size() <= rank) y_class_sizes_.resize(rank + 1);
    ++y_class_sizes_[rank];
  }
  const std::vector<Place> by_x = sorted_places(x);
  for (const Place& place : by_x) order_.push_back(place.row);
  for (std::size_t begin = 0, end = 0; begin < by_x.size(); begin = end) {
    while (end < by_x.size() && by_x[end].value == by_x[begin].value) ++end;
    add_x_class(begin, end, y_ranks);
  }
}

void PairCounter::add_x_class(std::size_t begin, std::size_t end, std::span<const std::uint32_t> y_ranks) {
  const auto rows = std::span(order_).subspan(begin, end - begin);
  boost::sort::pdqsort_branchless(rows.begin(), rows.end(),
                                  [&](std::uint32_t a, std::uint32_t b) { return y_ranks[a] < y_ranks[b]; });
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint32_t rank = y_ranks[order_[i]];
    const bool last = i + 1 == end || y_ranks[order_[i + 1]] != rank;
    if (last) cells_.push_back({static_cast<std::uint32_t>(i + 1), rank});
  }
  x_class_ends_.push_back(static_cast<std::uint32_t>(cells_.size()));
}

std::vector<std::int64_t> PairCounter::x_class_sizes() const {
  std::vector<std::int64_t> sizes;
  std::int64_t before = 0;
  for (const std::uint32_t end : x_class_ends_) {
    sizes.push_back(cells_[end - 1].end - before);
    before = cells_[end - 1].end;
  }
  return sizes;
}

SampleCounts PairCounter::of(std::span<const std::uint32_t> weights) const {
  if (y_class_sizes_.size() <= SmallAbove::kMostClasses) {
    SmallAbove above;
    return count(weights, above);
  }
  TreeAbove above(y_class_sizes_.size());
  return count(weights, above);
}

template <class Above>
SampleCounts PairCounter::count(std::span<const std::uint32_t> weights, Above& above) const {
  std::vector<std::uint32_t> before(order_.size() + 1);  // rows of the sample before each place of order_
  for (std::size_t i = 0; i < order_.size(); ++i) before[i + 1] = before[i] + weights[order_[i]];
  SampleCounts counts;
  counts.pairs.rows = before.back();
  std::vector<YClass> y_classes(y_class_sizes_.size());
  std::int64_t x_squares = 0;
  std::int64_t cell_squares = 0;
  std::size_t cell = 0;
  std::int64_t begin = 0;
  for (const std::uint32_t last_cell : x_class_ends_) {
    const std::int64_t end = before[cells_[last_cell - 1].end];
    const std::int64_t rank = begin + end - counts.pairs.rows;
    const std::int64_t x_size = end - begin;
    x_squares += x_size * x_size;
    counts.pairs.x_classes += x_size > 0;
    counts.ranks.xx += static_cast<double>(x_size) * static_cast<double>(rank) * static_cast<double>(rank);
    for (; cell < last_cell; ++cell) {
      const std::size_t y_class = cells_[cell].y_class;
      const std::int64_t size = before[cells_[cell].end] - begin;
      begin += size;
      cell_squares += size * size;
      counts.pairs.discordant += size * above[y_class];
      above.add(y_class, static_cast<std::uint32_t>(size));
      y_classes[y_class].rows += size;
      y_classes[y_class].x_ranks += size * rank;
    }
  }
  counts.pairs.pairs = pairs_within(counts.pairs.rows * counts.pairs.rows, counts.pairs.rows);
  counts.pairs.x_ties = pairs_within(x_squares, counts.pairs.rows);
  counts.pairs.both_ties = pairs_within(cell_squares, counts.pairs.rows);
  add_y_classes(y_classes, counts);
  return counts;
}

}  // namespace capella::stats
