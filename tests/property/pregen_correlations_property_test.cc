// Correlations of pre-gen metrics agree with their definition on any small study: each selection written out,
// each resample written out row by row.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/random.h"
#include "method/pregen/correlations.h"
#include "reference/stats_reference.h"

namespace capella::method::pregen {
namespace {

using Numbers = std::vector<double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void pregen_correlations_expect_near(double found, double expected, double tolerance) {
  RC_LOG() << "found " << found << ", expected " << expected << '\n';
  RC_ASSERT(std::isnan(found) == std::isnan(expected));
  if (!std::isnan(expected)) RC_ASSERT(std::abs(found - expected) <= tolerance);
}

// A metric that goes with the score, one that does not, a constant one, one that is constant but for
// rounding, one that is infinite now and then.
Numbers draw_metrics(Random& random, double score) {
  return {2 * score + random.normal(), 1e6 + random.normal(), 5, 5 + (random.below(2) == 0 ? 0 : 1e-15),
          random.below(40) == 0 ? kInfinity : random.normal()};
}

io::StratumTable draw_study() {
  io::StratumTable table;
  table.name = "study";
  table.post = {"A", "B"};
  table.pre = {"mean_max_normcount_prefix0", "geomean_join_pplx_none", "max_max_prob_none",
               "min_min_prob_none", "sum_sum_pplx_filter0"};
  Random random(*rc::gen::arbitrary<std::uint32_t>());
  const std::uint32_t systems = *rc::gen::inRange<std::uint32_t>(2, 6);
  for (const char* dataset : {"one", "two"}) {
    for (std::uint32_t system = 0; system < systems; ++system) {
      const std::size_t strata = 2 + random.below(3);
      for (std::size_t stratum = 0; stratum < strata; ++stratum) {
        const double score = random.normal();
        table.rows.push_back({dataset,
                              "init",
                              std::to_string(system),
                              strata,
                              stratum,
                              {score, random.normal()},
                              draw_metrics(random, score)});
      }
    }
  }
  return table;
}

bool is_left_out(const io::StratumTable& table, std::size_t metric) {
  for (const std::string dataset : {"one", "two", "all"}) {
    double low = kInfinity;
    double high = -kInfinity;
    for (const io::StratumRow& row : table.rows) {
      if (dataset != "all" && row.dataset != dataset) continue;
      if (!std::isfinite(row.pre[metric])) return true;
      low = std::min(low, row.pre[metric]);
      high = std::max(high, row.pre[metric]);
    }
    if (high - low < 1e-12 * std::abs(high)) return true;
  }
  return false;
}

void expect_selection(const io::StratumTable& table, const PregenCorrelations& found, std::size_t s,
                      std::size_t post) {
  Numbers y;
  for (const io::StratumRow& row : table.rows) {
    if (s == 2 || row.dataset == found.selections[s]) y.push_back(row.post[post]);
  }
  RC_ASSERT(found.row_counts[s] == y.size());
  std::size_t place = 0;
  for (std::size_t metric = 0; metric < table.pre.size(); ++metric) {
    if (is_left_out(table, metric)) continue;
    Numbers x;
    for (const io::StratumRow& row : table.rows) {
      if (s == 2 || row.dataset == found.selections[s]) x.push_back(row.pre[metric]);
    }
    const PregenCorrelations::Row& row = found.rows.at(place++);
    RC_ASSERT(row.metric == table.pre[metric]);
    const double r = reference::pearson(x, y);
    pregen_correlations_expect_near(row.in[s].r, r, 1e-9);
    pregen_correlations_expect_near(row.in[s].r_squared, r * r, 1e-9);
    std::size_t better = 0;
    for (const PregenCorrelations::Row& other : found.rows)
      better += other.in[s].r_squared > row.in[s].r_squared ? 1 : 0;
    RC_ASSERT(row.in[s].rank == better + 1);
  }
  RC_ASSERT(place == found.rows.size());
}

TEST(PregenCorrelationsProperty, EverySelectionByItself) {
  EXPECT_TRUE(rc::check("selections", [] {
    const io::StratumTable table = draw_study();
    ThreadPool pool(2);
    for (std::size_t post = 0; post < 2; ++post) {
      const PregenCorrelations found = correlate(table, post, {0, 0}, pool);
      RC_ASSERT(found.selections == (std::vector<std::string>{"two", "one", "all"}));
      for (std::size_t s = 0; s < 3; ++s) expect_selection(table, found, s, post);
      RC_ASSERT(found.rows.size() + found.infinite.size() + found.constant.size() == table.pre.size());
      const double between = reference::pearson(table.post_column(0), table.post_column(1));
      pregen_correlations_expect_near(found.between_posts[1], between * between, 1e-12);
      pregen_correlations_expect_near(found.between_posts[3], 1, 1e-12);
    }
  }));
}

TEST(PregenCorrelationsProperty, AResampleIsItsSystemsWrittenOut) {
  EXPECT_TRUE(rc::check("resamples", [] {
    Random random(*rc::gen::arbitrary<std::uint32_t>());
    const std::size_t count = *rc::gen::inRange<std::size_t>(2, 7);
    const double offset = *rc::gen::element(0.0, -3.0, 1e5);
    std::vector<std::size_t> systems;
    Numbers y;
    std::vector<Numbers> xs(2);
    for (std::size_t k = 0; k < 5 * count; ++k) {
      systems.push_back(k < count ? k : random.below(static_cast<std::uint32_t>(count)));
      y.push_back(random.normal());
      xs[0].push_back(offset + random.normal());
      xs[1].push_back(y.back() * 1e-4 + 1e-5 * random.normal());
    }
    const stats::Resampling resampling{20, *rc::gen::arbitrary<std::uint32_t>()};
    ThreadPool pool(*rc::gen::inRange<std::size_t>(1, 4));
    const auto found = resampled_r_squared(y, xs, systems, count, resampling, pool);
    const auto draws = reference::draws(count, resampling.resamples, resampling.seed);
    for (std::size_t sample = 0; sample < resampling.resamples; ++sample) {
      for (std::size_t i = 0; i < xs.size(); ++i) {
        Numbers x_drawn;
        Numbers y_drawn;
        for (const std::size_t system : draws[sample]) {
          for (std::size_t k = 0; k < y.size(); ++k) {
            if (systems[k] != system) continue;
            x_drawn.push_back(xs[i][k]);
            y_drawn.push_back(y[k]);
          }
        }
        const double r = reference::pearson(x_drawn, y_drawn);
        pregen_correlations_expect_near(found[i][sample], r * r, 1e-8);
      }
    }
  }));
}

// Products of many probabilities are as small as that, and squares of them are 0.
TEST(PregenCorrelationsProperty, AColumnsScaleChangesNothing) {
  EXPECT_TRUE(rc::check("scales", [] {
    const io::StratumTable table = draw_study();
    io::StratumTable scaled = table;
    const double scale = *rc::gen::element(1e-200, 1e-300, 1e200);
    const std::size_t metric = *rc::gen::inRange<std::size_t>(0, 2);
    for (io::StratumRow& row : scaled.rows) row.pre[metric] *= scale;
    ThreadPool pool(2);
    const PregenCorrelations expected = correlate(table, 0, {50, 1}, pool);
    const PregenCorrelations found = correlate(scaled, 0, {50, 1}, pool);
    RC_ASSERT(found.rows.size() == expected.rows.size());
    for (std::size_t s = 0; s < expected.selections.size(); ++s) {
      const PregenCorrelation& one = found.rows[metric].in[s];
      const PregenCorrelation& other = expected.rows[metric].in[s];
      pregen_correlations_expect_near(one.r, other.r, 1e-8);
      pregen_correlations_expect_near(one.interval.low, other.interval.low, 1e-7);
      pregen_correlations_expect_near(one.interval.high, other.interval.high, 1e-7);
      RC_ASSERT(std::isnan(found.comparisons[s].p) == std::isnan(expected.comparisons[s].p));
      const PregenScatter::Line line = scatter(scaled, 0, metric, found).lines[s];
      const double slope = scatter(table, 0, metric, expected).lines[s].slope;
      pregen_correlations_expect_near(line.slope * scale, slope, 1e-6 * (1 + std::abs(slope)));
    }
  }));
}

}  // namespace
}  // namespace capella::method::pregen
