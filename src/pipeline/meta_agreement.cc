#include "pipeline/meta_agreement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "base/step_counter.h"
#include "pipeline/test_verdicts.h"
#include "stats/bootstrap.h"
#include "stats/correlation.h"
#include "stats/paired_tests.h"

namespace capella::pipeline {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kResampling = "resampling";

// Measures of every metric on every resample: [metric][measure][resample].
class Replicates {
 public:
  Replicates(std::size_t metrics, std::size_t measures, std::size_t resamples)
      : measures_(measures), values_(metrics * measures, std::vector<double>(resamples)) {}

  double& at(std::size_t metric, std::size_t measure, std::size_t resample) {
    return values_[metric * measures_ + measure][resample];
  }
  const std::vector<double>& of(std::size_t metric, std::size_t measure) const {
    return values_[metric * measures_ + measure];
  }

 private:
  std::size_t measures_;
  std::vector<std::vector<double>> values_;
};

// A resample may leave nothing to measure: a category was not drawn, or only equal ratings. Such resamples do
// not count, and a warning says how many they were.
std::vector<double> defined_only(std::vector<double> values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  return values;
}

Interval interval_of(double estimate, const std::vector<double>& replicates) {
  std::vector<double> defined = defined_only(replicates);
  if (std::isnan(estimate) || defined.empty()) return {kUndefined, kUndefined};
  return stats::percentile_interval(std::move(defined));
}

void warn_of_undefined_resamples(const Replicates& replicates, MetaResult& result) {
  for (std::size_t metric = 0; metric < result.metrics.size(); ++metric) {
    const Agreement& agreement = result.metrics[metric];
    std::size_t fewest = result.resamples;
    for (std::size_t measure = 0; measure < result.measures.size(); ++measure) {
      if (!std::isnan(agreement.estimates[measure].value))
        fewest = std::min(fewest, defined_only(replicates.of(metric, measure)).size());
    }
    if (fewest == result.resamples) continue;
    result.warnings.push_back(fmt::format(
        "{}: {} of {} resamples have nothing to measure and are left out: the data is small or one-sided",
        agreement.metric, result.resamples - fewest, result.resamples));
  }
}

void set_intervals(const Replicates& replicates, MetaResult& result) {
  warn_of_undefined_resamples(replicates, result);
  for (std::size_t metric = 0; metric < result.metrics.size(); ++metric) {
    auto& estimates = result.metrics[metric].estimates;
    for (std::size_t measure = 0; measure < estimates.size(); ++measure)
      estimates[measure].interval = interval_of(estimates[measure].value, replicates.of(metric, measure));
  }
}

// Every metric against every other, in the main measure, on the same resamples.
void add_differences(const Replicates& replicates, MetaResult& result) {
  const std::size_t main = result.main_measure;
  for (std::size_t first = 0; first < result.metrics.size(); ++first) {
    for (std::size_t second = first + 1; second < result.metrics.size(); ++second) {
      AgreementDifference& difference = result.differences.emplace_back();
      difference.first = first;
      difference.second = second;
      difference.value =
          result.metrics[first].estimates[main].value - result.metrics[second].estimates[main].value;
      std::vector<double> drawn = replicates.of(first, main);
      const std::vector<double>& others = replicates.of(second, main);
      for (std::size_t i = 0; i < drawn.size(); ++i) drawn[i] -= others[i];
      drawn = defined_only(std::move(drawn));
      difference.interval = interval_of(difference.value, drawn);
      difference.p = drawn.empty() ? kUndefined : stats::paired_bootstrap_p(difference.value, drawn);
      difference.p_williams = kUndefined;
    }
  }
  judge(result.differences, !result.undecided.empty());
}

void add_williams(const ScoredBenchmark& scored, std::size_t pearson, MetaResult& result) {
  for (AgreementDifference& difference : result.differences) {
    const double between =
        stats::pearson(scored.series[difference.first].values, scored.series[difference.second].values).value;
    difference.p_williams = stats::williams(result.metrics[difference.first].estimates[pearson].value,
                                            result.metrics[difference.second].estimates[pearson].value,
                                            between, scored.benchmark.rows())
                                .p;
  }
}

// Says which scores cannot be correlated, since a NaN in a table does not say why.
void warn_of_constant_scores(const ScoreSeries& series, std::vector<std::string>& warnings) {
  const bool constant = std::all_of(series.values.begin(), series.values.end(),
                                    [&](double value) { return value == series.values[0]; });
  if (constant) {
    warnings.push_back(fmt::format("{}: every row has the score {}, so its agreement is undefined",
                                   series.name, series.values[0]));
  }
}

// How often each category of pairs is decided as people did, image by image.
struct Decisions {
  std::vector<std::string> categories;
  std::vector<std::vector<double>> pairs;                 // [category][image]
  std::vector<std::vector<std::vector<double>>> correct;  // [metric][category][image]
  std::vector<std::vector<std::size_t>> ties;             // [metric][category]
  bool has_mean = true;                                   // of the categories; they are alike
};

void count_round(const ScoredBenchmark& round, Decisions& decisions) {
  const io::Benchmark& benchmark = round.benchmark;
  const std::size_t first = decisions.categories.size();
  const std::size_t images = benchmark.image_names.size();
  for (const std::string& name : benchmark.categories) {
    decisions.categories.push_back(round.label.empty() ? name : round.label);
    decisions.pairs.emplace_back(images);
    for (auto& correct : decisions.correct) correct.emplace_back(images);
    for (auto& ties : decisions.ties) ties.push_back(0);
  }
  for (std::size_t k = 0; k < benchmark.pairs.size(); ++k) {
    const auto [category, preferred] = benchmark.pairs[k];
    const std::size_t image = benchmark.images[2 * k];
    decisions.pairs[first + category][image] += 1;
    for (std::size_t metric = 0; metric < round.series.size(); ++metric) {
      const double right = round.series[metric].values[2 * k + preferred];
      const double wrong = round.series[metric].values[2 * k + 1 - preferred];
      if (right > wrong) decisions.correct[metric][first + category][image] += 1;
      if (right != wrong) continue;
      ++decisions.ties[metric][first + category];
      if (benchmark.half_ties) decisions.correct[metric][first + category][image] += .5;
    }
  }
}

// Accuracies of one metric per category, then their mean if it has one; an image counts as often as it was
// drawn.
template <class Counts>
std::vector<double> accuracies(const Decisions& decisions, std::size_t metric, const Counts& counts) {
  std::vector<double> values;
  double sum = 0;
  for (std::size_t category = 0; category < decisions.categories.size(); ++category) {
    double pairs = 0;
    double correct = 0;
    for (std::size_t image = 0; image < decisions.pairs[category].size(); ++image) {
      pairs += counts[image] * decisions.pairs[category][image];
      correct += counts[image] * decisions.correct[metric][category][image];
    }
    values.push_back(correct / pairs);
    sum += values.back();
  }
  if (decisions.has_mean) values.push_back(sum / static_cast<double>(decisions.categories.size()));
  return values;
}

std::vector<double> coefficients(const stats::Correlations& correlations) {
  return {correlations.kendall_b, correlations.kendall_c, correlations.pearson, correlations.spearman};
}

}  // namespace

void measure_ratings(const ScoredBenchmark& scored, ThreadPool& pool, const Progress& progress,
                     MetaResult& result) {
  const io::Benchmark& benchmark = scored.benchmark;
  result.measures = {"kendall_b", "kendall_c", "pearson", "spearman"};
  result.main_measure = benchmark.usual == "kendall_b" ? 0 : 1;
  std::vector<stats::ResampledCorrelation> correlations;
  for (std::size_t metric = 0; metric < scored.series.size(); ++metric) {
    const std::vector<double>& values = scored.series[metric].values;
    warn_of_constant_scores(scored.series[metric], result.warnings);
    const stats::KendallResult kendall = stats::kendall(values, benchmark.ratings);
    const stats::Coefficient pearson = stats::pearson(values, benchmark.ratings);
    const stats::Coefficient spearman = stats::spearman(values, benchmark.ratings);
    for (const double value : {kendall.tau_b, kendall.tau_c, pearson.value, spearman.value})
      result.metrics[metric].estimates.push_back({value, {}});
    result.metrics[metric].p_values = {kendall.p, kendall.p, pearson.p, spearman.p};
    const stats::Line line = stats::fit_line(benchmark.ratings, values);
    result.metrics[metric].slope = line.slope;
    result.metrics[metric].intercept = line.intercept;
    correlations.emplace_back(values, benchmark.ratings);
  }
  Replicates replicates(correlations.size(), result.measures.size(), result.resamples);
  StepCounter steps(progress, kResampling, result.resamples);
  stats::for_each_resample(result.images, {result.resamples, result.seed}, pool,
                           [&](std::size_t resample, std::span<const std::uint32_t> counts) {
                             std::vector<std::uint32_t> weights(benchmark.rows());
                             for (std::size_t row = 0; row < weights.size(); ++row)
                               weights[row] = counts[benchmark.images[row]];
                             for (std::size_t metric = 0; metric < correlations.size(); ++metric) {
                               const auto values = coefficients(correlations[metric].of(weights));
                               for (std::size_t i = 0; i < values.size(); ++i)
                                 replicates.at(metric, i, resample) = values[i];
                             }
                             steps.done();
                           });
  set_intervals(replicates, result);
  add_differences(replicates, result);
  add_williams(scored, 2, result);
}

void measure_pairs(std::span<const ScoredBenchmark> rounds, ThreadPool& pool, const Progress& progress,
                   MetaResult& result) {
  const std::size_t metrics = result.metrics.size();
  Decisions decisions;
  decisions.correct.resize(metrics);
  decisions.ties.resize(metrics);
  decisions.has_mean = rounds.size() == 1;  // one and many references are two questions
  for (const ScoredBenchmark& round : rounds) count_round(round, decisions);
  result.measures = decisions.categories;
  for (const std::vector<double>& by_image : decisions.pairs)
    result.category_pairs.push_back(
        static_cast<std::size_t>(std::accumulate(by_image.begin(), by_image.end(), 0.0)));
  if (decisions.has_mean) result.measures.push_back("mean");
  result.main_measure = result.measures.size() - 1;
  const std::vector<double> once(result.images, 1.0);
  for (std::size_t metric = 0; metric < metrics; ++metric) {
    for (const double value : accuracies(decisions, metric, once))
      result.metrics[metric].estimates.push_back({value, {}});
    result.metrics[metric].ties = decisions.ties[metric];
  }
  Replicates replicates(metrics, result.measures.size(), result.resamples);
  StepCounter steps(progress, kResampling, result.resamples);
  stats::for_each_resample(result.images, {result.resamples, result.seed}, pool,
                           [&](std::size_t resample, std::span<const std::uint32_t> counts) {
                             for (std::size_t metric = 0; metric < metrics; ++metric) {
                               const auto values = accuracies(decisions, metric, counts);
                               for (std::size_t i = 0; i < values.size(); ++i)
                                 replicates.at(metric, i, resample) = values[i];
                             }
                             steps.done();
                           });
  set_intervals(replicates, result);
  add_differences(replicates, result);
}

}  // namespace capella::pipeline
