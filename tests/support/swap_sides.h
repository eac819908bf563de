// Both sides' sums in every trial of a randomization test of two systems.
#pragma once

#include <span>
#include <vector>

#include "stats/bootstrap.h"

namespace capella::test {

struct Sides {
  bool exact;
  std::size_t trials;
  std::vector<double> first;  ///< [trial][width]
  std::vector<double> second;
};

inline Sides swap_sides(const stats::RowsView& first, const stats::RowsView& second, std::size_t units,
                        const stats::Resampling& resampling, ThreadPool& pool) {
  const std::vector<stats::RowsView> views = {first, second};
  const stats::SwappedSums sums(views, units, resampling, pool);
  const std::size_t width = first.width;
  Sides sides{sums.exact(), sums.trials(), {}, {}};
  sides.first.resize(sums.trials() * width);
  sides.second.resize(sums.trials() * width);
  for (std::size_t trial = 0; trial < sums.trials(); ++trial) {
    sums.sides(0, 1, trial, std::span(sides.first).subspan(trial * width, width),
               std::span(sides.second).subspan(trial * width, width));
  }
  return sides;
}

}  // namespace capella::test
