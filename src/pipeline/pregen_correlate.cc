// Pre-gen metrics held against post-gen scores.
#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "capella/error.h"
#include "capella/pregen.h"

#include "base/names.h"
#include "base/suggestion.h"
#include "base/thread_pool.h"
#include "io/stratum_table.h"
#include "method/pregen/correlations.h"
#include "pipeline/test_verdicts.h"

namespace capella {
namespace {

std::size_t place_of(std::string_view what, const std::string& name, const std::vector<std::string>& names) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::vector<std::string_view> views(names.begin(), names.end());
  if (views.size() <= kListed) throw UsageError(unknown_name_message(what, name, views));
  throw UsageError(fmt::format("unknown {} '{}'{}; the files have {}", what, excerpt(name),
                               did_you_mean(name, views), list_names(views)));
}

// The columns to correlate. A score that was not named and cannot be correlated is left out with a warning,
// as long as there are others.
std::vector<std::size_t> columns_of(const io::StratumTable& table, const std::vector<std::string>& posts,
                                    std::vector<std::string>& warnings) {
  std::vector<std::size_t> columns;
  for (const std::string& post : posts) columns.push_back(place_of("post-gen score", post, table.post));
  if (!posts.empty()) return columns;
  for (std::size_t post = 0; post < table.post.size(); ++post) {
    const std::string problem = method::pregen::post_problem(table, post);
    if (problem.empty())
      columns.push_back(post);
    else
      warnings.push_back(problem + "; the score is left out");
  }
  if (columns.empty()) columns.push_back(0);  // which says what is wrong with it
  return columns;
}

// One data set and all rows are the same rows: one test, not two.
void judge_comparisons(std::vector<PregenComparison>& comparisons, bool undecided) {
  if (comparisons.size() != 2) {
    pipeline::judge(comparisons, undecided);
    return;
  }
  std::vector<PregenComparison> one = {comparisons.back()};
  pipeline::judge(one, undecided);
  comparisons = {one[0], one[0]};
}

// The bootstrap finds too much in few systems; only comparisons with enough of them get a verdict.
void judge(PregenCorrelations& result) {
  const std::string undecided = pipeline::why_undecided(result.comparisons.size(), result.resamples);
  if (!undecided.empty()) result.warnings.push_back(undecided);
  for (auto* comparisons : {&result.comparisons, &result.published}) {
    judge_comparisons(*comparisons, !undecided.empty());
    for (std::size_t s = 0; s < comparisons->size(); ++s) {
      if (result.systems[s] < pipeline::kFewUnits) (*comparisons)[s].verdict = Verdict::undecided;
    }
  }
  if (result.resamples > 0) pipeline::warn_of_few_units(result.systems.back(), "system", result.warnings);
}

std::string best_metric(const PregenCorrelations& result) {
  const auto best = std::ranges::min_element(
      result.rows, {}, [](const PregenCorrelations::Row& row) { return row.in.back().rank; });
  return best == result.rows.end() ? "" : best->metric;
}

void add_scatters(const io::StratumTable& table, std::size_t post, const std::vector<std::string>& wanted,
                  PregenCorrelations& result) {
  std::vector<std::string> metrics = wanted;
  if (metrics.empty()) metrics.push_back(best_metric(result));
  metrics.push_back(kPregenPerplexity);
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const bool again = std::find(metrics.begin(), metrics.begin() + static_cast<std::ptrdiff_t>(i),
                                 metrics[i]) != metrics.begin() + static_cast<std::ptrdiff_t>(i);
    const auto column = std::ranges::find(table.pre, metrics[i]);
    if (again || column == table.pre.end()) continue;
    result.scatters.push_back(
        method::pregen::scatter(table, post, static_cast<std::size_t>(column - table.pre.begin()), result));
  }
}

}  // namespace

std::vector<PregenCorrelations> correlate_pregen_scores(const std::vector<std::string>& data_files,
                                                        const std::vector<std::string>& posts,
                                                        const PregenCorrelationOptions& options) {
  if (options.resamples > 0) pipeline::check_resamples(options.resamples);
  const io::StratumTable table = io::read_strata(data_files);
  if (table.post.empty())
    throw DataError(
        fmt::format("{}: no post-gen scores, expected columns such as CIDEr; make the file with "
                    "`capella pregen strata`",
                    table.name));
  for (const std::string& metric : options.metrics) place_of("pre-gen metric", metric, table.pre);
  std::vector<std::string> left_out;
  const std::vector<std::size_t> columns = columns_of(table, posts, left_out);
  ThreadPool pool(options.threads);
  std::vector<PregenCorrelations> results;
  for (const std::size_t post : columns) {
    PregenCorrelations& result =
        results.emplace_back(method::pregen::correlate(table, post, {options.resamples, options.seed}, pool));
    result.warnings = left_out;
    judge(result);
    if (options.scatters) add_scatters(table, post, options.metrics, result);
  }
  return results;
}

PregenCorrelations correlate_pregen(const std::vector<std::string>& data_files, const std::string& post,
                                    const PregenCorrelationOptions& options) {
  return std::move(correlate_pregen_scores(data_files, {post}, options)[0]);
}

}  // namespace capella
