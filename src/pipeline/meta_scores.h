// The rows of a benchmark scored by metrics of ours and by other programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "capella/meta.h"

#include "io/benchmark.h"

namespace capella::pipeline {

/// One score of every row.
struct ScoreSeries {
  std::string name;
  std::string signature;  ///< empty for scores of another program
  std::vector<double> values;
  std::optional<double> milliseconds;  ///< per row
};

/// Metrics in the order asked for, scores that the benchmark's file carries, scores of other programs.
/// Metrics run one after the other, so that each can be timed.
std::vector<ScoreSeries> score_benchmark(const io::Benchmark& benchmark, const MetaOptions& options,
                                         std::vector<std::string>& warnings);

}  // namespace capella::pipeline
