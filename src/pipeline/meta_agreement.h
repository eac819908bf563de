// From scores and judgements to agreement: coefficients or accuracies with intervals, and tests between
// metrics. Rows of one image are drawn together, since they are not independent.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "capella/meta.h"

#include "base/thread_pool.h"
#include "io/benchmark.h"
#include "pipeline/meta_scores.h"

namespace capella::pipeline {

/// A benchmark and its scores. FOIL is scored twice, with one reference and with all; `label` tells which.
struct ScoredBenchmark {
  std::string label;  ///< replaces the name of the only category if not empty
  io::Benchmark benchmark;
  std::vector<ScoreSeries> series;  ///< the same names in every round
};

/// Fills measures, metrics and differences of `result`, whose metrics have their names already.
void measure_ratings(const ScoredBenchmark& scored, ThreadPool& pool, const Progress& progress,
                     MetaResult& result);
void measure_pairs(std::span<const ScoredBenchmark> rounds, ThreadPool& pool, const Progress& progress,
                   MetaResult& result);

/// The captions that each metric rates highest above and lowest below people, `count` of each.
std::vector<MetaCase> find_cases(const ScoredBenchmark& scored, std::size_t count);

}  // namespace capella::pipeline
