// Rows of statistics from captions, and scores from rows.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "capella/pipeline.h"

#include "aggregate/row_block.h"

namespace capella::pipeline {

/// The rows of items first ... first + count - 1 of every system.
aggregate::RowBlock compute_rows(const Dataset& dataset, const ScoreOptions& options, std::size_t first,
                                 std::size_t count);

/// The scores of a whole run; `options` are taken for `detail`, `intervals` and `threads`.
Result finish_rows(const aggregate::RowBlock& block, const ScoreOptions& options);

/// With how many resamples so many tests can find a difference that survives Holm's correction, with some to
/// spare; and the warning that these are too few.
std::size_t enough_resamples(std::size_t tests);
void warn_of_few_resamples(std::size_t tests, std::size_t resamples, std::vector<std::string>& warnings);

/// Resampling a handful of items says little.
void warn_of_few_items(std::size_t items, std::vector<std::string>& warnings);

}  // namespace capella::pipeline
