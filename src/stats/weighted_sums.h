// Sums of weighted rows for many samples at once: a matrix of weights times a matrix of rows.
//
// Every column is added up in one order: units one after the other in tiles of 256, and the tiles' sums one
// after the other. So a sum has the same bits whatever else is computed beside it and wherever. What is not a
// number stays one even with weight 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stats/bootstrap.h"

namespace capella::stats {

class WeightedSums {
 public:
  /// The views are copied. Each has one row per unit.
  WeightedSums(std::span<const RowsView> views, std::size_t units);

  /// One matrix [sample][width] per view, all 0.
  std::vector<std::vector<double>> make_matrices(std::size_t samples) const;

  /// Fills the rows first_sample ... first_sample + samples - 1 of the matrices from the weights
  /// [sample][unit], each below 2^31. Many threads may call it at once for different samples.
  void fill(const std::uint32_t* weights, std::size_t first_sample, std::size_t samples,
            std::vector<std::vector<double>>& matrices) const;

 private:
  void fill_few(const std::uint32_t* weights, std::size_t first_sample, std::size_t samples,
                std::vector<std::vector<double>>& matrices) const;

  std::size_t units_;
  std::size_t panels_;
  std::vector<std::size_t> widths_;  // of the views
  std::vector<double> rows_;         // [panel][unit][column of the panel]
};

}  // namespace capella::stats
