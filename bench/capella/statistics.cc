// Statistics: correlations and bootstraps of numbers in a file, and paired tests of captions.
#include <algorithm>
#include <fstream>
#include <functional>
#include <utility>

#include "capella/pipeline.h"

#include "measure.h"
#include "pipeline/resampled_scores.h"
#include "pipeline/rows.h"
#include "stats/bootstrap.h"
#include "stats/correlation.h"
#include "stats/paired_tests.h"

namespace capella::bench {
namespace {

using Json = nlohmann::json;
using Numbers = std::vector<double>;

constexpr std::uint64_t kSeed = 12345;  // sacreBLEU's

Json read_json(const std::string& path) {
  std::ifstream file(path);
  return Json::parse(file);
}

// The rows of the first system and of the others.
aggregate::RowBlock rows_of(const Job& job, const Dataset& dataset) {
  ScoreOptions options;
  options.metrics = job.metrics;
  options.tokenizer = job.tokenizer;
  options.threads = job.threads;
  return pipeline::compute_rows(dataset, options, 0, dataset.size());
}

Dataset read_systems(const Job& job) {
  std::vector<std::string> systems = {job.captions};
  systems.insert(systems.end(), job.others.begin(), job.others.end());
  return read_dataset(job.references, systems, {});
}

Numbers differences(const pipeline::SampledScores& first, const pipeline::SampledScores& second) {
  Numbers out(first.values.size());
  std::transform(first.values.begin(), first.values.end(), second.values.begin(), out.begin(),
                 std::minus<>());
  return out;
}

// What sacreBLEU's paired tests say of the metric's only score.
Json test_pair(const aggregate::RowBlock& block, ThreadPool& pool) {
  const pipeline::Finisher finisher(block, false);
  Numbers scores(2);
  for (std::size_t system = 0; system < 2; ++system) {
    const Numbers sums = aggregate::sum_rows(block.rows_of(system, 0), finisher.row_width(0));
    finisher.finish(0, sums, std::span(scores).subspan(system, 1));
  }
  const double observed = scores[0] - scores[1];
  const auto resampled = pipeline::resample_scores(block, finisher, {1000, kSeed}, pool);
  const pipeline::SystemPair pair = {0, 1};
  const auto swapped = pipeline::swap_scores(block, finisher, {&pair, 1}, {10'000, kSeed}, pool);
  return {{"scores", {{"items", scores}}},
          {"p, bootstrap",
           {{"corpus", stats::sacrebleu_bootstrap_p(observed, differences(resampled[0], resampled[1]))}}},
          {"p, randomization",
           {{"corpus", stats::randomization_p(observed, differences(swapped.first[0], swapped.second[0]),
                                              swapped.exact)}}}};
}

}  // namespace

Json run_kendall(const Job& job) {
  const Json input = read_json(job.references);
  const Numbers x = input.at("x");
  const Numbers y = input.at("y");
  stats::KendallResult result;
  Json answer = measured(time_each(job.repetitions, [&](std::size_t) { result = stats::kendall(x, y); }));
  answer["values"] = {{"tau-b", {{"corpus", result.tau_b}}}, {"p", {{"corpus", result.p}}}};
  return answer;
}

Json run_correlations(const Job& job) {
  const Json input = read_json(job.references);
  const Numbers x = input.at("x");
  const Numbers y = input.at("y");
  ThreadPool pool(job.threads);
  const std::size_t resamples = input.at("resamples");
  Numbers tau(resamples);
  Numbers pearson(resamples);
  Numbers spearman(resamples);
  Json answer = measured(time_each(job.repetitions, [&](std::size_t) {
    const stats::ResampledCorrelation rows(x, y);
    stats::for_each_resample(x.size(), {resamples, kSeed}, pool,
                             [&](std::size_t resample, std::span<const std::uint32_t> counts) {
                               const stats::Correlations found = rows.of(counts);
                               tau[resample] = found.kendall_b;
                               pearson[resample] = found.pearson;
                               spearman[resample] = found.spearman;
                             });
  }));
  answer["values"] = {
      {"tau-b", {{"items", tau}}}, {"Pearson", {{"items", pearson}}}, {"Spearman", {{"items", spearman}}}};
  return answer;
}

// Means of all columns of a matrix [unit][column] on each resample.
Json run_means(const Job& job) {
  const Json input = read_json(job.references);
  const Numbers rows = input.at("rows");
  const std::size_t columns = input.at("columns");
  const std::size_t units = rows.size() / columns;
  const stats::RowsView view = {rows.data(), columns};
  ThreadPool pool(job.threads);
  Numbers means;
  Json answer = measured(time_each(job.repetitions, [&](std::size_t) {
    means = std::move(stats::resampled_sums({&view, 1}, units, {input.at("resamples"), kSeed}, pool).at(0));
    for (double& mean : means) mean /= static_cast<double>(units);
  }));
  answer["values"] = {{"means", {{"items", means}}}};
  return answer;
}

Json run_paired(const Job& job) {
  const Dataset dataset = read_systems(job);
  Json values;
  Json answer = measured(time_each(job.repetitions, [&](std::size_t) {
    ThreadPool pool(job.threads);
    values = test_pair(rows_of(job, dataset), pool);
  }));
  answer["values"] = std::move(values);
  return answer;
}

// Intervals of all scores of all systems from 10,000 resamples; the rows are there before.
Json run_intervals(const Job& job) {
  const aggregate::RowBlock block = rows_of(job, read_systems(job));
  const pipeline::Finisher finisher(block, false);
  ThreadPool pool(job.threads);
  Numbers bounds;
  Json answer = measured(time_each(job.repetitions, [&](std::size_t) {
    bounds.clear();
    for (const auto& sampled : pipeline::resample_scores(block, finisher, {10'000, kSeed}, pool)) {
      for (std::size_t column = 0; column < sampled.columns; ++column) {
        const Interval interval = stats::percentile_interval(sampled.column(column));
        bounds.insert(bounds.end(), {interval.low, interval.high});
      }
    }
  }));
  answer["values"] = {{"bounds", {{"items", bounds}}}};
  return answer;
}

}  // namespace capella::bench
