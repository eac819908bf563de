#include <cmath>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "method/pregen/correlations.h"
#include "support/message_of.h"

namespace capella::method::pregen {
namespace {

using test::message_of;

constexpr const char* kBest = "mean_max_normcount_prefix0";

// Two data sets of some systems of three strata each. kBest goes up with the score, exactly; perplexity goes
// down with it, but for a swerve that differs from system to system.
io::StratumTable study(std::size_t systems) {
  io::StratumTable table;
  table.name = "study.txt";
  table.post = {"CIDEr", "WMD"};
  table.pre = {kPregenPerplexity, kBest};
  for (const char* dataset : {"first", "second"}) {
    for (std::size_t system = 0; system < systems; ++system) {
      for (std::size_t stratum = 0; stratum < 3; ++stratum) {
        const double score = static_cast<double>(stratum) + 0.1 * static_cast<double>(system);
        const double swerve = (stratum == 1 ? 0.3 : -0.2) * (1 + 0.1 * static_cast<double>(system % 3));
        table.rows.push_back({dataset,
                              "init",
                              std::to_string(system),
                              3,
                              stratum,
                              {score, -2 * score},
                              {-score + swerve, 0.5 * score + 7}});
      }
    }
  }
  return table;
}

PregenCorrelations correlate_study(const io::StratumTable& table, std::size_t resamples) {
  ThreadPool pool(2);
  return correlate(table, 0, {resamples, 1}, pool);
}

TEST(PregenCorrelations, OfALineAreOne) {
  const PregenCorrelations found = correlate_study(study(4), 0);
  EXPECT_EQ(found.post, "CIDEr");
  EXPECT_EQ(found.selections, (std::vector<std::string>{"second", "first", "all"}));
  EXPECT_EQ(found.row_counts, (std::vector<std::size_t>{12, 12, 24}));
  EXPECT_EQ(found.systems, (std::vector<std::size_t>{4, 4, 8}));
  ASSERT_EQ(found.rows.size(), 2u);
  for (const PregenCorrelation& one : found.rows[1].in) {
    EXPECT_NEAR(one.r, 1, 1e-14);
    EXPECT_LT(one.p, 1e-60);
    EXPECT_EQ(one.rank, 1u);
    EXPECT_TRUE(std::isnan(one.interval.low));
  }
  EXPECT_LT(found.rows[0].in[2].r, -.8);
  EXPECT_EQ(found.rows[0].in[2].rank, 2u);
  EXPECT_TRUE(found.comparisons.empty());
  ASSERT_EQ(found.between_posts.size(), 4u);
  EXPECT_NEAR(found.between_posts[1], 1, 1e-14);
}

TEST(PregenCorrelations, IntervalsHoldTheValueAndTestsTellTheBetter) {
  const PregenCorrelations found = correlate_study(study(12), 500);
  for (std::size_t s = 0; s < 3; ++s) {
    const PregenCorrelation& perplexity = found.rows[0].in[s];
    EXPECT_LT(perplexity.interval.low, perplexity.r_squared);
    EXPECT_GT(perplexity.interval.high, perplexity.r_squared);
    EXPECT_NEAR(found.rows[1].in[s].interval.low, 1, 1e-9);
    const PregenComparison& comparison = found.comparisons.at(s);
    EXPECT_EQ(comparison.metric, kBest);
    EXPECT_EQ(comparison.baseline, kPregenPerplexity);
    EXPECT_NEAR(comparison.difference, 1 - perplexity.r_squared, 1e-12);
    EXPECT_NEAR(comparison.p, 1.0 / 501, 1e-12);
    EXPECT_GT(comparison.interval.low, 0);
  }
}

TEST(PregenCorrelations, OneSystemHasNoInterval) {
  io::StratumTable table = study(1);
  const PregenCorrelations found = correlate_study(table, 100);
  EXPECT_TRUE(std::isnan(found.rows[0].in[0].interval.low));
  EXPECT_FALSE(std::isnan(found.rows[0].in[2].interval.low));  // two, of two data sets
  EXPECT_TRUE(std::isnan(found.comparisons.at(0).p));
}

TEST(PregenCorrelations, LeavesOutWhatIsNotFiniteOrConstantAnywhere) {
  io::StratumTable table = study(2);
  table.pre.insert(table.pre.end(),
                   {"sum_sum_pplx_filter0", "sum_sum_prob_none", "max_max_prob_none", "min_min_prob_none"});
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    const double wave = static_cast<double>(k * k % 7);
    const bool first = table.rows[k].dataset == "first";
    table.rows[k].pre.insert(table.rows[k].pre.end(), {k == 3 ? HUGE_VAL : wave, k == 8 ? NAN : wave,
                                                       first ? 3.0 : wave, first ? 3 + 1e-13 * wave : wave});
  }
  const PregenCorrelations found = correlate_study(table, 0);
  EXPECT_EQ(found.rows.size(), 2u);
  EXPECT_EQ(found.infinite, (std::vector<std::string>{"sum_sum_pplx_filter0", "sum_sum_prob_none"}));
  EXPECT_EQ(found.constant, (std::vector<std::string>{"max_max_prob_none", "min_min_prob_none"}));
}

TEST(PregenCorrelations, SaysWhatCannotBeCorrelated) {
  const auto problem = [](const io::StratumTable& table) {
    return message_of<DataError>([&] { correlate_study(table, 0); });
  };
  io::StratumTable table = study(2);
  table.rows[1].post[0] = NAN;
  EXPECT_EQ(problem(table),
            "study.txt: CIDEr of first init 0, stratum 1 of 3, is nan, expected a finite number; there is "
            "nothing to correlate");
  table = study(2);
  for (std::size_t k = 0; k < 6; ++k) table.rows[k].post[0] = 1;
  EXPECT_NE(problem(table).find("CIDEr is the same in all rows of first"), std::string::npos);
  table = study(2);
  table.rows.resize(8);
  EXPECT_NE(problem(table).find("2 rows of second, expected 3 or more"), std::string::npos);
  table = study(2);
  table.pre.clear();
  EXPECT_NE(problem(table).find("no pre-gen metrics"), std::string::npos);
  table = study(2);
  for (io::StratumRow& row : table.rows) row.dataset = "all";
  EXPECT_NE(problem(table).find("named 'all'"), std::string::npos);
}

TEST(PregenCorrelations, ScattersHaveALinePerSelection) {
  io::StratumTable table = study(2);
  const PregenCorrelations found = correlate_study(table, 0);
  const PregenScatter points = scatter(table, 0, 1, found);
  EXPECT_EQ(points.metric, kBest);
  ASSERT_EQ(points.points.size(), 12u);
  EXPECT_EQ(points.points[5].run, "1");
  EXPECT_EQ(points.points[5].stratum, 2u);
  EXPECT_DOUBLE_EQ(points.points[5].post, 2.1);
  ASSERT_EQ(points.lines.size(), 3u);
  for (const PregenScatter::Line& line : points.lines) {
    EXPECT_NEAR(line.slope, 2, 1e-12);
    EXPECT_NEAR(line.intercept, -14, 1e-11);
    EXPECT_NEAR(line.r_squared, 1, 1e-12);
  }
}

}  // namespace
}  // namespace capella::method::pregen
