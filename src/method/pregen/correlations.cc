#include "method/pregen/correlations.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "capella/error.h"

#include "stats/correlation.h"
#include "stats/nan.h"
#include "stats/paired_tests.h"
#include "stats/spread.h"

namespace capella::method::pregen {
namespace {

using stats::kNan;
using Column = std::vector<double>;

constexpr std::size_t kLeastRows = 3;
constexpr std::size_t kLeastSystems = 2;  // one alone is drawn every time

Selection make_selection(const io::StratumTable& table, const std::string& name) {
  Selection selection{name, {}, {}, 0};
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> systems;
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    const io::StratumRow& row = table.rows[k];
    if (name != kAllRows && row.dataset != name) continue;
    const auto [system, is_new] =
        systems.emplace(std::tuple{row.dataset, row.architecture, row.run}, systems.size());
    selection.rows.push_back(k);
    selection.systems.push_back(system->second);
  }
  selection.system_count = systems.size();
  if (selection.rows.size() < kLeastRows)
    throw DataError(fmt::format("{}: {} rows of {}, expected {} or more to correlate; add strata or systems",
                                table.name, selection.rows.size(), name, kLeastRows));
  return selection;
}

Column selected(const Column& column, const Selection& selection) {
  Column values;
  for (const std::size_t row : selection.rows) values.push_back(column[row]);
  return values;
}

bool is_constant(std::span<const double> values) {
  const auto [low, high] = std::ranges::minmax(values);
  return high - low <= kConstant * std::max(std::abs(low), std::abs(high));
}

// Less its mean and by its deviation: coefficients stay the same, and sums of squares stay exact enough.
Column standardized(std::span<const double> values) {
  const stats::Spread spread = stats::spread_of(values);
  Column out(values.begin(), values.end());
  for (double& value : out) value = (value - spread.mean) / spread.deviation;
  return out;
}

// n, y, yy, then x, xx, xy of each x: the sums over each system's rows.
Column sums_of_systems(std::span<const double> y, std::span<const Column> xs,
                       std::span<const std::size_t> systems, std::size_t count) {
  const std::size_t width = 3 + 3 * xs.size();
  Column sums(count * width);
  for (std::size_t k = 0; k < y.size(); ++k) {
    double* to = sums.data() + systems[k] * width;
    to[0] += 1;
    to[1] += y[k];
    to[2] += y[k] * y[k];
    for (std::size_t i = 0; i < xs.size(); ++i) {
      const double x = xs[i][k];
      to[3 + 3 * i] += x;
      to[4 + 3 * i] += x * x;
      to[5 + 3 * i] += x * y[k];
    }
  }
  return sums;
}

// NaN where the rows that were drawn are constant.
double r_squared_of_sums(const double* shared, const double* own) {
  const double n = shared[0];
  const double yy = shared[2] - shared[1] * shared[1] / n;
  const double xx = own[1] - own[0] * own[0] / n;
  const double xy = own[2] - own[0] * shared[1] / n;
  const double least = kConstant * n;  // columns have the deviation 1; below is rounding
  if (!(xx > least) || !(yy > least)) return kNan;
  return std::min(1.0, xy * xy / xx / yy);
}

/// One post-gen score and the metrics that are not left out.
class Correlator {
 public:
  Correlator(const io::StratumTable& table, std::size_t post, const stats::Resampling& resampling,
             ThreadPool& pool)
      : table_(table), resampling_(resampling), pool_(pool), selections_(select_rows(table)) {
    if (table.pre.empty())
      throw DataError(
          fmt::format("{}: no pre-gen metrics, expected columns such as {}; make the file with the "
                      "generators' probabilities",
                      table.name, kPregenPerplexity));
    if (const std::string problem = post_problem(table, post); !problem.empty())
      throw DataError(problem + "; there is nothing to correlate");
    post_ = table.post_column(post);
    result_.post = table.post[post];
    result_.posts = table.post;
    result_.resamples = resampling.resamples;
    result_.seed = resampling.seed;
  }

  PregenCorrelations run() {
    choose_metrics();
    for (const Selection& selection : selections_) add_selection(selection);
    add_posts();
    return std::move(result_);
  }

 private:
  void choose_metrics() {
    for (std::size_t metric = 0; metric < table_.pre.size(); ++metric) {
      Column column = table_.pre_column(metric);
      const std::string& name = table_.pre[metric];
      if (!stats::all_finite(column)) {
        result_.infinite.push_back(name);
      } else if (std::ranges::any_of(selections_, [&](const Selection& selection) {
                   return is_constant(selected(column, selection));
                 })) {
        result_.constant.push_back(name);
      } else {
        result_.rows.push_back({name, {}});
        columns_.push_back(std::move(column));
      }
    }
  }

  void add_selection(const Selection& selection) {
    result_.selections.push_back(selection.name);
    result_.row_counts.push_back(selection.rows.size());
    result_.systems.push_back(selection.system_count);
    const Column y = selected(post_, selection);
    for (std::size_t metric = 0; metric < columns_.size(); ++metric) {
      const stats::Coefficient pearson = stats::pearson(y, selected(columns_[metric], selection));
      result_.rows[metric].in.push_back(
          {pearson.value * pearson.value, pearson.value, pearson.p, 0, {kNan, kNan}});
    }
    rank_last();
    if (resampling_.resamples == 0) return;
    if (selection.system_count >= kLeastSystems) add_intervals(selection, y);
    compare_last(selection, y);
  }

  // In the selection that was added last.
  void rank_last() {
    Column sorted;
    for (const PregenCorrelations::Row& row : result_.rows) sorted.push_back(row.in.back().r_squared);
    std::ranges::sort(sorted, std::greater<>());
    for (PregenCorrelations::Row& row : result_.rows) {
      const auto better = std::ranges::lower_bound(sorted, row.in.back().r_squared, std::greater<>());
      row.in.back().rank = static_cast<std::size_t>(better - sorted.begin()) + 1;
    }
  }

  std::vector<Column> replicates(const Selection& selection, const Column& y,
                                 std::span<const std::size_t> metrics) {
    std::vector<Column> xs;
    for (const std::size_t metric : metrics) xs.push_back(selected(columns_[metric], selection));
    return resampled_r_squared(y, xs, selection.systems, selection.system_count, resampling_, pool_);
  }

  // Some metrics at a time, as many as a moderate piece of memory holds; all see the same draws.
  void add_intervals(const Selection& selection, const Column& y) {
    constexpr std::size_t kNumbers = std::size_t{1} << 20;
    const std::size_t together = std::clamp<std::size_t>(kNumbers / resampling_.resamples, 1, 64);
    for (std::size_t first = 0; first < columns_.size(); first += together) {
      std::vector<std::size_t> metrics;
      for (std::size_t m = first; m < std::min(first + together, columns_.size()); ++m) metrics.push_back(m);
      std::vector<Column> drawn = replicates(selection, y, metrics);
      for (std::size_t i = 0; i < metrics.size(); ++i)
        result_.rows[metrics[i]].in.back().interval = stats::percentile_interval(std::move(drawn[i]));
    }
  }

  // The best metric but perplexity, and the one that was published as the best, against perplexity, in the
  // selection that was added last.
  void compare_last(const Selection& selection, const Column& y) {
    const std::size_t none = result_.rows.size();
    std::size_t best = none;
    for (std::size_t m = 0; m < none; ++m) {
      if (result_.rows[m].metric == kPregenPerplexity) continue;
      if (best == none || r_squared(m) > r_squared(best)) best = m;
    }
    const std::size_t baseline = row_of(kPregenPerplexity);
    const std::size_t published = row_of(kBestPregenMetric);
    if (baseline == none) return;
    if (best != none) result_.comparisons.push_back(compare(selection, y, best, baseline));
    if (published != none) result_.published.push_back(compare(selection, y, published, baseline));
  }

  // As many as there are if there is none.
  std::size_t row_of(std::string_view metric) const {
    const auto row = std::ranges::find(result_.rows, metric, &PregenCorrelations::Row::metric);
    return static_cast<std::size_t>(row - result_.rows.begin());
  }

  PregenComparison compare(const Selection& selection, const Column& y, std::size_t metric,
                           std::size_t baseline) {
    PregenComparison comparison{result_.rows[metric].metric,
                                kPregenPerplexity,
                                r_squared(metric) - r_squared(baseline),
                                {kNan, kNan},
                                kNan,
                                kNan};
    if (selection.system_count >= kLeastSystems) {
      const std::vector<Column> drawn = replicates(selection, y, std::vector{metric, baseline});
      Column differences;
      for (std::size_t i = 0; i < drawn[0].size(); ++i) differences.push_back(drawn[0][i] - drawn[1][i]);
      comparison.p = stats::paired_bootstrap_p(comparison.difference, differences);
      comparison.interval = stats::percentile_interval(std::move(differences));
    }
    return comparison;
  }

  double r_squared(std::size_t metric) const { return result_.rows[metric].in.back().r_squared; }

  // NaN where another score is not finite or constant.
  void add_posts() {
    const std::size_t count = table_.post.size();
    std::vector<Column> columns;
    for (std::size_t i = 0; i < count; ++i) columns.push_back(table_.post_column(i));
    for (const Column& a : columns) {
      for (const Column& b : columns) {
        const bool usable = stats::all_finite(a) && stats::all_finite(b);
        const double r = usable ? stats::pearson(a, b).value : kNan;
        result_.between_posts.push_back(r * r);
      }
    }
  }

  const io::StratumTable& table_;
  const stats::Resampling& resampling_;
  ThreadPool& pool_;
  std::vector<Selection> selections_;
  Column post_;
  std::vector<Column> columns_;  // of result_.rows
  PregenCorrelations result_;
};

}  // namespace

std::vector<Selection> select_rows(const io::StratumTable& table) {
  std::vector<std::string> names = table.datasets();
  if (std::ranges::find(names, kAllRows) != names.end())
    throw DataError(
        fmt::format("{}: a data set is named '{}', which stands for all rows; give it another name",
                    table.name, kAllRows));
  std::ranges::reverse(names);
  names.push_back(kAllRows);
  std::vector<Selection> selections;
  for (const std::string& name : names) selections.push_back(make_selection(table, name));
  return selections;
}

std::string post_problem(const io::StratumTable& table, std::size_t post) {
  const std::string& name = table.post[post];
  const Column column = table.post_column(post);
  for (std::size_t k = 0; k < column.size(); ++k) {
    const io::StratumRow& row = table.rows[k];
    if (!std::isfinite(column[k]))
      return fmt::format("{}: {} of {} {} {}, stratum {} of {}, is {}, expected a finite number", table.name,
                         name, row.dataset, row.architecture, row.run, row.stratum, row.strata, column[k]);
  }
  for (const Selection& selection : select_rows(table)) {
    if (is_constant(selected(column, selection)))
      return fmt::format("{}: {} is the same in all rows of {}", table.name, name, selection.name);
  }
  return "";
}

std::vector<std::vector<double>> resampled_r_squared(std::span<const double> y,
                                                     std::span<const std::vector<double>> xs,
                                                     std::span<const std::size_t> systems, std::size_t count,
                                                     const stats::Resampling& resampling, ThreadPool& pool) {
  assert(systems.size() == y.size());
  std::vector<Column> columns;
  for (const Column& x : xs) columns.push_back(standardized(x));
  const Column rows = sums_of_systems(standardized(y), columns, systems, count);
  const std::size_t width = 3 + 3 * xs.size();
  const stats::RowsView view{rows.data(), width};
  const Column sums = std::move(stats::resampled_sums(std::span(&view, 1), count, resampling, pool)[0]);
  std::vector<Column> drawn(xs.size(), Column(resampling.resamples));
  for (std::size_t sample = 0; sample < resampling.resamples; ++sample) {
    const double* shared = sums.data() + sample * width;
    for (std::size_t i = 0; i < xs.size(); ++i)
      drawn[i][sample] = r_squared_of_sums(shared, shared + 3 + 3 * i);
  }
  return drawn;
}

PregenCorrelations correlate(const io::StratumTable& table, std::size_t post,
                             const stats::Resampling& resampling, ThreadPool& pool) {
  return Correlator(table, post, resampling, pool).run();
}

PregenScatter scatter(const io::StratumTable& table, std::size_t post, std::size_t metric,
                      const PregenCorrelations& correlations) {
  PregenScatter out;
  out.metric = table.pre[metric];
  const Column x = table.pre_column(metric);
  const Column y = table.post_column(post);
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    const io::StratumRow& row = table.rows[k];
    out.points.push_back({row.dataset, row.architecture, row.run, row.strata, row.stratum, x[k], y[k]});
  }
  const auto own = std::ranges::find(correlations.rows, out.metric, &PregenCorrelations::Row::metric);
  const std::vector<Selection> selections = select_rows(table);
  for (std::size_t s = 0; s < selections.size(); ++s) {
    if (own == correlations.rows.end()) {
      out.lines.push_back({kNan, kNan, kNan});
      continue;
    }
    const stats::Line line = stats::fit_line(selected(x, selections[s]), selected(y, selections[s]));
    out.lines.push_back({line.slope, line.intercept, own->in[s].r_squared});
  }
  return out;
}

}  // namespace capella::method::pregen
