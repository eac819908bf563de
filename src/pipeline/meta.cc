// Reads a benchmark of human judgement, scores it and measures how metrics agree with people.
#include "capella/meta.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "base/thread_pool.h"
#include "io/benchmark.h"
#include "pipeline/meta_agreement.h"
#include "pipeline/meta_data.h"
#include "pipeline/meta_scores.h"
#include "pipeline/test_verdicts.h"

namespace capella {
namespace {

using pipeline::read_data;
using pipeline::ScoredBenchmark;

// Which benchmarks are scored, under which labels: FOIL with one reference and with all.
std::vector<ScoredBenchmark> read_rounds(const MetaOptions& options) {
  std::vector<ScoredBenchmark> rounds;
  io::Benchmark benchmark = read_data(options);
  const bool twice = options.benchmark == "foil";
  if (twice) {
    rounds.push_back({"1-ref", benchmark, {}});
    rounds.back().benchmark.dataset = io::with_first_references(benchmark.dataset, 1);
  }
  rounds.push_back({twice ? "4-ref" : "", std::move(benchmark), {}});
  return rounds;
}

// What can be said at all needs a few rows, and people who do not always say the same.
void check_benchmark(const io::Benchmark& benchmark, const std::string& path) {
  constexpr std::size_t kLeast = 3;
  const std::size_t found = benchmark.pairwise() ? benchmark.pairs.size() : benchmark.rows();
  if (found < kLeast) {
    throw DataError(fmt::format("{}: {} {}, expected at least {}: too few to measure agreement", path, found,
                                benchmark.pairwise() ? "pairs" : "rows", kLeast));
  }
  const std::vector<double>& ratings = benchmark.ratings;
  if (!benchmark.pairwise() &&
      std::all_of(ratings.begin(), ratings.end(), [&](double rating) { return rating == ratings[0]; })) {
    throw DataError(fmt::format("{}: every rating is {}: agreement with it is undefined", path, ratings[0]));
  }
}

MetaResult describe(const ScoredBenchmark& scored, const MetaOptions& options) {
  const io::Benchmark& benchmark = scored.benchmark;
  MetaResult result;
  result.benchmark = benchmark.name;
  result.title = benchmark.title;
  result.version = benchmark.version;
  result.published = benchmark.published;
  result.rows = benchmark.rows();
  result.pairs = benchmark.pairs.size();
  result.half_ties = benchmark.half_ties;
  result.images = benchmark.image_names.size();
  result.seed = options.seed;
  result.notes = benchmark.notes;
  result.ratings = benchmark.ratings;
  return result;
}

void choose_resamples(const MetaOptions& options, MetaResult& result) {
  constexpr std::size_t kUsual = 1000;
  const std::size_t tests = result.metrics.size() * (result.metrics.size() - 1) / 2;
  result.resamples = options.resamples.value_or(std::max(kUsual, pipeline::enough_resamples(tests)));
  if (tests > 0 && result.images < pipeline::kFewUnits) {
    result.undecided = fmt::format("the bootstrap cannot be trusted with {} image{}", result.images,
                                   result.images == 1 ? "" : "s");
  } else {
    result.undecided = pipeline::why_undecided(tests, result.resamples);
  }
  if (!result.undecided.empty()) result.warnings.push_back(result.undecided);
}

void take_series(const ScoredBenchmark& scored, MetaResult& result) {
  for (const pipeline::ScoreSeries& series : scored.series) {
    Agreement& agreement = result.metrics.emplace_back();
    agreement.metric = series.name;
    agreement.signature = series.signature;
    agreement.milliseconds = series.milliseconds;
    result.values.push_back(series.values);
  }
}

}  // namespace

std::vector<std::string> benchmark_list() {
  const auto names = io::benchmark_names();
  return {names.begin(), names.end()};
}

Dataset benchmark_dataset(const MetaOptions& options) {
  const io::Benchmark benchmark = pipeline::read_data(options);
  check_benchmark(benchmark, options.path);
  return benchmark.dataset;
}

void check_benchmark_name(std::string_view name) {
  const auto names = io::benchmark_names();
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw UsageError(unknown_name_message("benchmark", name, names));
}

void check_options(const MetaOptions& options) {
  check_benchmark_name(options.benchmark);
  if (options.resamples) pipeline::check_resamples(*options.resamples);
  if (options.score.metrics.empty() && options.scores.empty() && options.given.empty())
    throw UsageError("no metric was named; `capella metrics` lists them");
}

MetaResult evaluate_metrics(const MetaOptions& options) {
  check_options(options);
  std::vector<ScoredBenchmark> rounds = read_rounds(options);
  const ScoredBenchmark& all_references = rounds.back();
  check_benchmark(all_references.benchmark, options.path);
  MetaResult result = describe(all_references, options);
  for (ScoredBenchmark& round : rounds)
    round.series = pipeline::score_benchmark(round.benchmark, options, result.warnings);
  take_series(all_references, result);
  choose_resamples(options, result);
  pipeline::warn_of_few_units(result.images, "image", result.warnings);
  ThreadPool pool(options.score.threads);
  if (all_references.benchmark.pairwise()) {
    pipeline::measure_pairs(rounds, pool, options.score.progress, result);
  } else {
    pipeline::measure_ratings(all_references, pool, options.score.progress, result);
  }
  if (options.cases > 0) result.cases = pipeline::find_cases(all_references, options.cases);
  return result;
}

}  // namespace capella
