#include "pipeline/resampled_scores.h"

#include <algorithm>
#include <utility>

namespace capella::pipeline {
namespace {

using Sums = std::vector<std::vector<double>>;

// The rows of one system, one view per metric.
std::vector<stats::RowsView> views_of(const aggregate::RowBlock& block, std::size_t system) {
  std::vector<stats::RowsView> views;
  for (std::size_t m = 0; m < block.metrics.size(); ++m)
    views.push_back({block.rows_of(system, m).data(), block.metrics[m].row_width});
  return views;
}

std::vector<stats::RowsView> views_of_all(const aggregate::RowBlock& block) {
  std::vector<stats::RowsView> views;
  for (std::size_t system = 0; system < block.systems.size(); ++system) {
    for (const stats::RowsView& view : views_of(block, system)) views.push_back(view);
  }
  return views;
}

// Scores from sums of rows, `sums[m]` holding those of metric m sample by sample.
SampledScores finish_sums(std::span<const std::vector<double>> sums, const Finisher& finisher,
                          ThreadPool& pool) {
  SampledScores sampled;
  sampled.columns = finisher.columns().size();
  sampled.samples = sums.empty() ? 0 : sums[0].size() / finisher.row_width(0);
  sampled.values.resize(sampled.samples * sampled.columns);
  constexpr std::size_t kPiece = 512;
  pool.parallel_for((sampled.samples + kPiece - 1) / kPiece, [&](std::size_t piece) {
    const std::size_t end = std::min(sampled.samples, (piece + 1) * kPiece);
    for (std::size_t sample = piece * kPiece; sample < end; ++sample) {
      const std::span values = std::span(sampled.values).subspan(sample * sampled.columns, sampled.columns);
      for (std::size_t m = 0; m < finisher.metrics(); ++m) {
        const std::size_t width = finisher.row_width(m);
        finisher.finish(m, std::span(sums[m]).subspan(sample * width, width),
                        values.subspan(finisher.first_column(m), finisher.column_count(m)));
      }
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
  std::vector<stats::RowsPair> rows;
  for (const SystemPair& pair : pairs) {
    const auto first = views_of(block, pair.first);
    const auto second = views_of(block, pair.second);
    for (std::size_t m = 0; m < first.size(); ++m) rows.push_back({first[m], second[m]});
  }
  const stats::SwappedSums sums = stats::swapped_sums(rows, block.ids.size(), resampling, pool);
  return {sums.exact, finish_systems(sums.first, finisher, pool),
          finish_systems(sums.second, finisher, pool)};
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
