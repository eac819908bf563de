// Rows of statistics from captions, and scores from rows.
#pragma once

#include <cstddef>

#include "capella/pipeline.h"

#include "aggregate/row_block.h"
#include "base/thread_pool.h"
#include "pipeline/prepared_run.h"

namespace capella::pipeline {

/// The rows of items first ... first + count - 1 of every system.
aggregate::RowBlock compute_rows(const Dataset& dataset, const ScoreOptions& options, std::size_t first,
                                 std::size_t count);

/// The same of a run that is prepared already.
aggregate::RowBlock compute_rows(const PreparedRun& run, std::size_t first, std::size_t count,
                                 ThreadPool& pool, const Progress& progress);

/// The scores of a whole run; `options` are taken for `detail`, `intervals` and `threads`.
Result finish_rows(const aggregate::RowBlock& block, const ScoreOptions& options);

}  // namespace capella::pipeline
