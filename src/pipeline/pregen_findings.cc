#include "pipeline/pregen_findings.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/verdict.h"

namespace capella::pipeline {
namespace {

/// Pairs of generators of one architecture that learnt from different amounts of images.
struct Steps {
  std::size_t right = 0;  ///< in how many the one that learnt from more has the better value
  std::size_t all = 0;
};

template <class Value>
Steps count_steps(const PregenStudyResult& result, bool higher_is_better, Value value) {
  Steps steps;
  for (const StudiedGenerator& less : result.generators) {
    for (const StudiedGenerator& more : result.generators) {
      if (less.architecture != more.architecture || less.share >= more.share) continue;
      ++steps.all;
      const double gain = value(more) - value(less);
      if (higher_is_better ? gain > 0 : gain < 0) ++steps.right;
    }
  }
  return steps;
}

std::string better_generators(const PregenStudyResult& result) {
  std::vector<std::string> parts;
  std::size_t all = 0;
  for (std::size_t i = 0; i < result.posts.size(); ++i) {
    const Steps steps = count_steps(result, true, [i](const StudiedGenerator& g) { return g.post[i]; });
    parts.push_back(fmt::format("{} rises in {}", result.posts[i], steps.right));
    all = steps.all;
  }
  const Steps perplexity = count_steps(result, false, [](const StudiedGenerator& g) { return g.perplexity; });
  const Steps best = count_steps(result, true, [](const StudiedGenerator& g) { return g.best_metric; });
  parts.push_back(fmt::format("{} rises in {}", kBestPregenMetric, best.right));
  parts.push_back(fmt::format("perplexity falls in {}", perplexity.right));
  return fmt::format("Of {} pairs of generators of one architecture where one learnt from more images: {}.",
                     all, fmt::join(parts, ", "));
}

const PregenCorrelation* correlation_of(const PregenCorrelations& correlations, std::string_view metric) {
  const auto row = std::ranges::find(correlations.rows, metric, &PregenCorrelations::Row::metric);
  return row == correlations.rows.end() ? nullptr : &row->in.back();
}

std::string with_interval(const PregenCorrelation& correlation) {
  if (std::isnan(correlation.interval.low))
    return fmt::format("R² {:.3f} (no interval: some draws are constant)", correlation.r_squared);
  return fmt::format("R² {:.3f} [{:.3f}, {:.3f}]", correlation.r_squared, correlation.interval.low,
                     correlation.interval.high);
}

std::string against_perplexity(const PregenComparison& comparison) {
  if (std::isnan(comparison.p)) return fmt::format("{:+.3f} against perplexity", comparison.difference);
  return fmt::format("{:+.3f} [{:+.3f}, {:+.3f}] against perplexity, p = {:.3g}: {}", comparison.difference,
                     comparison.interval.low, comparison.interval.high, comparison.p,
                     report::verdict_words(comparison.verdict));
}

std::string foretelling(const PregenCorrelations& correlations) {
  std::string out = fmt::format("{}: ", correlations.post);
  if (const PregenCorrelation* perplexity = correlation_of(correlations, kPregenPerplexity))
    out += fmt::format("perplexity has {}, rank {} of {}; ", with_interval(*perplexity), perplexity->rank,
                       correlations.rows.size());
  if (const PregenCorrelation* paper = correlation_of(correlations, kBestPregenMetric))
    out += fmt::format("the paper's best, {}, has {}, rank {}", kBestPregenMetric, with_interval(*paper),
                       paper->rank);
  else
    out += fmt::format("{} was left out", kBestPregenMetric);
  if (!correlations.published.empty())
    out += fmt::format(" ({})", against_perplexity(correlations.published.back()));
  if (!correlations.comparisons.empty()) {
    const PregenComparison& best = correlations.comparisons.back();
    if (const PregenCorrelation* found = correlation_of(correlations, best.metric))
      out += fmt::format("; the best in these rows, {}, has {} ({})", best.metric, with_interval(*found),
                         against_perplexity(best));
  }
  return out + ".";
}

}  // namespace

std::vector<std::string> study_findings(const PregenStudyResult& result) {
  std::vector<std::string> findings;
  if (std::ranges::any_of(result.generators, [&](const StudiedGenerator& generator) {
        return generator.share != result.generators[0].share;
      }))
    findings.push_back(better_generators(result));
  for (const PregenCorrelations& correlations : result.correlations)
    findings.push_back(foretelling(correlations));
  return findings;
}

}  // namespace capella::pipeline
