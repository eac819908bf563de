#include "pipeline/resampled_scores.h"

#include <algorithm>
#include <utility>

namespace capella::pipeline {
namespace {

using Sums = std::vector<std::vector<double>>;

// The rows of all systems one after the other, one view per metric.
std::vector<stats::RowsView> views_of_all(const aggregate::RowBlock& block) {
  std::vector<stats::RowsView> views;
  for (std::size_t system = 0; system < block.systems.size(); ++system) {
    for (std::size_t m = 0; m < block.metrics.size(); ++m)
      views.push_back({block.rows_of(system, m).data(), block.metrics[m].row_width});
  }
  return views;
}

SampledScores make_scores(const Finisher& finisher, std::size_t samples) {
  SampledScores sampled;
  sampled.columns = finisher.columns().size();
  sampled.samples = samples;
  sampled.values.resize(sampled.samples * sampled.columns);
  return sampled;
}

// Turns the sums of one metric's rows into its scores of one sample.
void finish_sample(const Finisher& finisher, std::size_t metric, std::span<const double> sums,
                   SampledScores& sampled, std::size_t sample) {
  const std::size_t at = sample * sampled.columns + finisher.first_column(metric);
  finisher.finish(metric, sums, std::span(sampled.values).subspan(at, finisher.column_count(metric)));
}

// Calls work(sample) for each, from many threads.
template <class Work>
void for_each_sample(std::size_t samples, ThreadPool& pool, Work work) {
  constexpr std::size_t kPiece = 512;
  pool.parallel_for((samples + kPiece - 1) / kPiece, [&](std::size_t piece) {
    const std::size_t end = std::min(samples, (piece + 1) * kPiece);
    for (std::size_t sample = piece * kPiece; sample < end; ++sample) work(sample);
  });
}

// Scores from sums of rows, `sums[m]` holding those of metric m sample by sample.
SampledScores finish_sums(std::span<const std::vector<double>> sums, const Finisher& finisher,
                          ThreadPool& pool) {
  SampledScores sampled = make_scores(finisher, sums.empty() ? 0 : sums[0].size() / finisher.row_width(0));
  for_each_sample(sampled.samples, pool, [&](std::size_t sample) {
    for (std::size_t m = 0; m < finisher.metrics(); ++m) {
      const std::size_t width = finisher.row_width(m);
      finish_sample(finisher, m, std::span(sums[m]).subspan(sample * width, width), sampled, sample);
    }
  });
  return sampled;
}

// The sums of all systems one after the other: one SampledScores for each.
std::vector<SampledScores> finish_systems(const Sums& sums, const Finisher& finisher, ThreadPool& pool) {
  std::vector<SampledScores> all;
  const std::size_t metrics = finisher.metrics();
  for (std::size_t at = 0; at < sums.size(); at += metrics)
    all.push_back(finish_sums(std::span(sums).subspan(at, metrics), finisher, pool));
  return all;
}

}  // namespace

std::vector<double> SampledScores::column(std::size_t column) const {
  std::vector<double> out(samples);
  for (std::size_t sample = 0; sample < samples; ++sample) out[sample] = values[sample * columns + column];
  return out;
}

std::vector<SampledScores> resample_scores(const aggregate::RowBlock& block, const Finisher& finisher,
                                           const stats::Resampling& resampling, ThreadPool& pool) {
  return finish_systems(stats::resampled_sums(views_of_all(block), block.ids.size(), resampling, pool),
                        finisher, pool);
}

std::vector<SampledScores> jackknife_scores(const aggregate::RowBlock& block, const Finisher& finisher,
                                            ThreadPool& pool) {
  return finish_systems(stats::jackknife_sums(views_of_all(block), block.ids.size()), finisher, pool);
}

SwappedScores swap_scores(const aggregate::RowBlock& block, const Finisher& finisher,
                          std::span<const SystemPair> pairs, const stats::Resampling& resampling,
                          ThreadPool& pool) {
  const stats::SwappedSums sums(views_of_all(block), block.ids.size(), resampling, pool);
  const std::size_t metrics = finisher.metrics();
  SwappedScores swapped{sums.exact(), {}, {}};
  for (const SystemPair& pair : pairs) {
    SampledScores& first = swapped.first.emplace_back(make_scores(finisher, sums.trials()));
    SampledScores& second = swapped.second.emplace_back(make_scores(finisher, sums.trials()));
    for_each_sample(sums.trials(), pool, [&](std::size_t trial) {
      std::vector<double> rows;
      for (std::size_t m = 0; m < metrics; ++m) {
        const std::size_t width = finisher.row_width(m);
        rows.resize(2 * width);
        const std::span one = std::span(rows).first(width);
        const std::span other = std::span(rows).last(width);
        sums.sides(pair.first * metrics + m, pair.second * metrics + m, trial, one, other);
        finish_sample(finisher, m, one, first, trial);
        finish_sample(finisher, m, other, second, trial);
      }
    });
  }
  return swapped;
}

void add_intervals(Result& result, const aggregate::RowBlock& block, const Finisher& finisher,
                   std::span<const SampledScores> resampled, const IntervalOptions& options,
                   ThreadPool& pool) {
  const bool bca = options.method == IntervalMethod::bca;
  const auto jackknife = bca ? jackknife_scores(block, finisher, pool) : std::vector<SampledScores>();
  for (std::size_t k = 0; k < result.systems.size(); ++k) {
    SystemResult& system = result.systems[k];
    for (std::size_t column = 0; column < result.columns.size(); ++column) {
      std::vector<double> values = resampled[k].column(column);
      system.intervals.push_back(
          bca ? stats::bca_interval(system.values[column], std::move(values), jackknife[k].column(column))
              : stats::percentile_interval(std::move(values)));
    }
  }
  result.intervals = options;
}

}  // namespace capella::pipeline
