// Statistics agree with their slow twins on any numbers: many ties, constants, no rows at all.
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/random.h"
#include "reference/stats_reference.h"
#include "stats/bootstrap.h"
#include "stats/correlation.h"
#include "stats/paired_tests.h"
#include "support/swap_sides.h"

namespace capella::stats {
namespace {

using Numbers = std::vector<double>;

struct Rows {
  Numbers x;
  Numbers y;
  std::vector<std::uint32_t> weights;
};

// Values from few classes or from many, so that ties are everywhere or hardly anywhere; sometimes far from 0.
Numbers draw_values(std::size_t count) {
  const int classes = *rc::gen::element(1, 2, 3, 5, 16, 17, 40, 100'000);
  const double offset = *rc::gen::element(0.0, -7.5, 1e4);
  const auto whole = *rc::gen::container<std::vector<int>>(count, rc::gen::inRange(0, classes));
  Numbers values;
  for (const int value : whole) values.push_back(offset + value / 8.0);
  return values;
}

Rows draw_rows(std::size_t most) {
  const std::size_t count = *rc::gen::inRange<std::size_t>(0, most + 1);
  const auto weights = rc::gen::inRange<std::uint32_t>(0, 4);
  return {draw_values(count), draw_values(count),
          *rc::gen::container<std::vector<std::uint32_t>>(count, weights)};
}

void expect_near(double found, double expected, double tolerance) {
  RC_LOG() << "found " << found << ", expected " << expected << '\n';
  RC_ASSERT(std::isnan(found) == std::isnan(expected));
  if (!std::isnan(expected)) RC_ASSERT(std::abs(found - expected) <= tolerance);
}

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

TEST(StatsProperty, KendallCountsEveryPair) {
  EXPECT_TRUE(rc::check("kendall", [] {
    const Rows rows = draw_rows(60);
    const KendallResult found = kendall(rows.x, rows.y);
    const reference::PairCounts expected = reference::count_pairs(rows.x, rows.y);
    RC_ASSERT(found.counts.pairs == expected.pairs);
    RC_ASSERT(found.counts.discordant == expected.discordant);
    RC_ASSERT(found.counts.x_ties == expected.x_ties);
    RC_ASSERT(found.counts.y_ties == expected.y_ties);
    RC_ASSERT(found.counts.both_ties == expected.both_ties);
    RC_ASSERT(found.counts.surplus() == expected.concordant - expected.discordant);
    RC_ASSERT(found.counts.x_classes == static_cast<std::int64_t>(reference::distinct(rows.x)));
    RC_ASSERT(found.counts.y_classes == static_cast<std::int64_t>(reference::distinct(rows.y)));
    expect_near(found.tau_b, reference::tau_b(rows.x, rows.y), 1e-14);
    expect_near(found.tau_c, reference::tau_c(rows.x, rows.y), 1e-14);
  }));
}

TEST(StatsProperty, PearsonAndSpearman) {
  EXPECT_TRUE(rc::check("pearson, spearman", [] {
    const Rows rows = draw_rows(60);
    expect_near(pearson(rows.x, rows.y).value, reference::pearson(rows.x, rows.y), 1e-11);
    expect_near(spearman(rows.x, rows.y).value, reference::spearman(rows.x, rows.y), 1e-13);
    RC_ASSERT(average_ranks(rows.x) == reference::average_ranks(rows.x));
  }));
}

TEST(StatsProperty, ExactPIsTheShareOfAllOrders) {
  EXPECT_TRUE(rc::check("permutations", [] {
    const int count = *rc::gen::inRange(2, 8);
    Numbers x;
    for (int i = 0; i < count; ++i) x.push_back(i);
    Numbers y = x;
    Random random(*rc::gen::arbitrary<std::uint32_t>());
    for (std::size_t i = y.size(); i > 1; --i)
      std::swap(y[i - 1], y[random.below(static_cast<std::uint32_t>(i))]);
    expect_near(kendall(x, y).p, reference::permutation_p(x, y), 1e-14);
  }));
}

TEST(StatsProperty, WeightsAreRowsWrittenOut) {
  EXPECT_TRUE(rc::check("weights", [] {
    const Rows rows = draw_rows(60);
    const Numbers x = reference::written_out(rows.x, rows.weights);
    const Numbers y = reference::written_out(rows.y, rows.weights);
    const Correlations found = ResampledCorrelation(rows.x, rows.y).of(rows.weights);
    const KendallResult expected = kendall(x, y);
    RC_ASSERT(same(found.kendall_b, expected.tau_b));
    RC_ASSERT(same(found.kendall_c, expected.tau_c));
    RC_ASSERT(same(found.spearman, spearman(x, y).value));
    expect_near(found.pearson, reference::pearson(x, y), 1e-11);
  }));
}

Numbers draw_matrix(std::size_t units, std::size_t width) {
  Random random(*rc::gen::arbitrary<std::uint32_t>());
  Numbers rows(units * width);
  for (double& value : rows) value = random.normal();
  return rows;
}

void expect_row(const Numbers& matrix, std::size_t row, const Numbers& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    expect_near(matrix[row * expected.size() + i], expected[i], 1e-11);
}

TEST(StatsProperty, ResampledSumsAddTheDrawnRows) {
  EXPECT_TRUE(rc::check("resampled sums", [] {
    const std::size_t units = *rc::gen::inRange<std::size_t>(0, 600);
    const Numbers narrow = draw_matrix(units, 1);
    const std::size_t width = *rc::gen::inRange<std::size_t>(1, 10);
    const Numbers wide = draw_matrix(units, width);
    const Resampling resampling = {*rc::gen::inRange<std::size_t>(0, 80),
                                   *rc::gen::arbitrary<std::uint32_t>()};
    ThreadPool pool(*rc::gen::inRange<std::size_t>(1, 4));
    const std::vector<RowsView> views = {{wide.data(), width}, {narrow.data(), 1}};
    const auto found = resampled_sums(views, units, resampling, pool);
    const auto draws = reference::draws(units, resampling.resamples, resampling.seed);
    for (std::size_t i = 0; i < draws.size(); ++i) {
      expect_row(found[0], i, reference::sum_rows(wide, width, draws[i]));
      expect_row(found[1], i, reference::sum_rows(narrow, 1, draws[i]));
    }
  }));
}

TEST(StatsProperty, SwappedSumsAddTheRowsOfEachSide) {
  EXPECT_TRUE(rc::check("swapped sums", [] {
    const std::size_t units = *rc::gen::inRange<std::size_t>(8, 300);
    const std::size_t width = *rc::gen::inRange<std::size_t>(1, 6);
    const Numbers first = draw_matrix(units, width);
    const Numbers second = draw_matrix(units, width);
    const Resampling resampling = {*rc::gen::inRange<std::size_t>(0, 80),
                                   *rc::gen::arbitrary<std::uint32_t>()};
    ThreadPool pool(*rc::gen::inRange<std::size_t>(1, 4));
    const test::Sides found =
        test::swap_sides({first.data(), width}, {second.data(), width}, units, resampling, pool);
    const auto trials = reference::side_changes(units, resampling.resamples, resampling.seed);
    for (std::size_t trial = 0; trial < trials.size(); ++trial) {
      Numbers one = first;
      Numbers other = second;
      std::vector<std::size_t> all;
      for (std::size_t unit = 0; unit < units; ++unit) {
        all.push_back(unit);
        if (!trials[trial][unit]) continue;
        for (std::size_t i = unit * width; i < (unit + 1) * width; ++i) std::swap(one[i], other[i]);
      }
      expect_row(found.first, trial, reference::sum_rows(one, width, all));
      expect_row(found.second, trial, reference::sum_rows(other, width, all));
    }
  }));
}

TEST(StatsProperty, ExactRandomizationTriesAllSigns) {
  EXPECT_TRUE(rc::check("sign flips", [] {
    const std::size_t units = *rc::gen::inRange<std::size_t>(1, 10);
    const Numbers first = draw_values(units);
    const Numbers second = draw_values(units);
    ThreadPool pool(1);
    const test::Sides sums = test::swap_sides({first.data(), 1}, {second.data(), 1}, units, {1024, 1}, pool);
    RC_ASSERT(sums.exact);
    Numbers differences;
    for (std::size_t i = 0; i < sums.trials; ++i) differences.push_back(sums.first[i] - sums.second[i]);
    Numbers single;
    for (std::size_t i = 0; i < units; ++i) single.push_back(first[i] - second[i]);
    RC_ASSERT(randomization_p(differences[0], differences, true) == reference::sign_flip_p(single));
  }));
}

TEST(StatsProperty, JackknifeSums) {
  EXPECT_TRUE(rc::check("jackknife", [] {
    const std::size_t units = *rc::gen::inRange<std::size_t>(0, 60);
    const std::size_t width = *rc::gen::inRange<std::size_t>(1, 6);
    const Numbers rows = draw_matrix(units, width);
    const RowsView view = {rows.data(), width};
    const Numbers found = jackknife_sums({&view, 1}, units).at(0);
    for (std::size_t unit = 0; unit < units; ++unit) {
      std::vector<std::size_t> others;
      for (std::size_t i = 0; i < units; ++i) {
        if (i != unit) others.push_back(i);
      }
      expect_row(found, unit, reference::sum_rows(rows, width, others));
    }
  }));
}

TEST(StatsProperty, Holm) {
  EXPECT_TRUE(rc::check("holm", [] {
    Numbers p_values;
    for (const int value : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 40)))
      p_values.push_back(value == 39 ? std::nan("") : value / 200.0);
    const Numbers found = holm(p_values);
    const Numbers expected = reference::holm(p_values);
    RC_ASSERT(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) RC_ASSERT(same(found[i], expected[i]));
  }));
}

}  // namespace
}  // namespace capella::stats
