// Turns rows of statistics into the scores that are shown: of one caption, of a system, of a resample.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "capella/result.h"

#include "aggregate/row_block.h"
#include "metric/metric.h"

namespace capella::pipeline {

class Finisher {
 public:
  /// For the rows of `block`, which must outlive this. `detail`: scores that are shown on request too.
  /// Throws DataError if this version cannot make the metrics that filled the rows.
  Finisher(const aggregate::RowBlock& block, bool detail);

  const std::vector<ScoreColumn>& columns() const { return columns_; }
  std::size_t metrics() const { return metrics_.size(); }
  std::size_t row_width(std::size_t metric) const { return metrics_[metric].metric->info().row_width; }

  /// The columns of one metric from a row or a sum of rows; `out` begins at the metric's first column.
  void finish(std::size_t metric, std::span<const double> row, std::span<double> out) const;

  /// Where the columns of a metric stand among all columns.
  std::size_t first_column(std::size_t metric) const { return metrics_[metric].first_column; }
  std::size_t column_count(std::size_t metric) const { return metrics_[metric].shown.size(); }

 private:
  struct Entry {
    std::unique_ptr<metric::Metric> metric;
    std::vector<std::size_t> shown;  // places of the scores that are shown
    std::size_t first_column;
  };
  std::vector<Entry> metrics_;
  std::vector<ScoreColumn> columns_;
};

}  // namespace capella::pipeline
