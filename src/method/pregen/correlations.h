// How well pre-gen metrics foretell a post-gen score: Pearson's R over the strata of generators, for each
// data set and for all rows.
//
// Intervals and tests draw systems (a generator of one data set, architecture and run) and take all strata of
// a system that is drawn: strata of one system share images and captions and are not independent. Sums of
// each system's rows are all that a resample needs.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "capella/pregen.h"

#include "base/thread_pool.h"
#include "io/stratum_table.h"
#include "stats/bootstrap.h"

namespace capella::method::pregen {

/// The name of the selection that has all rows.
inline constexpr const char* kAllRows = "all";

/// A column whose values differ by less than this share of the largest is constant: what differs is rounding.
inline constexpr double kConstant = 1e-12;

/// Rows that are correlated together.
struct Selection {
  std::string name;
  std::vector<std::size_t> rows;     ///< of the table
  std::vector<std::size_t> systems;  ///< of each of them the system, from 0
  std::size_t system_count = 0;
};

/// The data sets, the last first, as the published files have them; then all rows. Throws DataError for a
/// data set named "all", or with fewer than three rows.
std::vector<Selection> select_rows(const io::StratumTable& table);

/// Why column `post` of the table's post-gen scores cannot be correlated: it is not finite somewhere, or the
/// same in all rows of a selection. Empty if it can.
std::string post_problem(const io::StratumTable& table, std::size_t post);

/// Correlates column `post` of the table's post-gen scores with every pre-gen metric. Comparisons have no
/// verdict yet. Without resamples there are neither intervals nor comparisons. Throws DataError if the score
/// has a post_problem(), or if the table has no pre-gen metrics.
PregenCorrelations correlate(const io::StratumTable& table, std::size_t post,
                             const stats::Resampling& resampling, ThreadPool& pool);

/// Column `metric` against column `post`; `correlations` is what correlate() gave for `post`.
PregenScatter scatter(const io::StratumTable& table, std::size_t post, std::size_t metric,
                      const PregenCorrelations& correlations);

/// The square of Pearson's R between y and each x in every resample of systems: [x][resample]. `systems` has
/// the system of each row, of `count` ones.
std::vector<std::vector<double>> resampled_r_squared(std::span<const double> y,
                                                     std::span<const std::vector<double>> xs,
                                                     std::span<const std::size_t> systems, std::size_t count,
                                                     const stats::Resampling& resampling, ThreadPool& pool);

}  // namespace capella::method::pregen
