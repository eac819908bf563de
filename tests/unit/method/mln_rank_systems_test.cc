// Systems by metrics and by log-probability.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "capella/error.h"
#include "capella/mln.h"

#include "support/message_of.h"

namespace capella {
namespace {

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-13) << k;
}

// The expected numbers were made from the paper's table, typed in again, with scipy 1: the mean over metrics
// of stats.rankdata(column), then stats.pearsonr, spearmanr and kendalltau of that mean with -Log-Prob.
TEST(RankSystems, PublishedValidationImages) {
  const RankedSystems ranking = published_ranking(false);
  ASSERT_EQ(ranking.systems.size(), 8u);
  EXPECT_EQ(ranking.systems[0], "SGAE-mle");
  EXPECT_EQ(ranking.systems[7], "Gated-rl");
  EXPECT_EQ(ranking.metrics,
            (std::vector<std::string>{"BLEU-1", "BLEU-4", "METEOR", "ROUGE-L", "CIDEr-D", "SPICE"}));
  expect_near(ranking.ranks[1], {1.5, 4.5, 3, 7, 1.5, 7, 7, 4.5});  // BLEU-4 has ties of two and of three
  expect_near(ranking.average_rank, {1.0833333333333333, 3.75, 3.0833333333333335, 4.333333333333333,
                                     3.3333333333333335, 7.25, 7.333333333333333, 5.833333333333333});
  EXPECT_NEAR(ranking.pearson, -0.7676606640489909, 1e-12);
  EXPECT_NEAR(ranking.spearman, -0.7380952380952381, 1e-12);
  EXPECT_NEAR(ranking.kendall, -0.6428571428571428, 1e-12);
  expect_near(ranking.variance, {.094, .088, .092, .090, .091, .085, .090, .087});
}

TEST(RankSystems, PublishedTestImages) {
  const RankedSystems ranking = published_ranking(true);
  expect_near(ranking.ranks[1], {1.5, 5, 3, 7.5, 1.5, 4, 7.5, 6});
  expect_near(ranking.average_rank, {1.25, 3.9166666666666665, 3.25, 3.6666666666666665, 3.5833333333333335,
                                     6.75, 7.416666666666667, 6.166666666666667});
  EXPECT_NEAR(ranking.pearson, -0.5233154305494112, 1e-12);
  EXPECT_NEAR(ranking.spearman, -0.7065994945288228, 1e-12);
  EXPECT_NEAR(ranking.kendall, -0.6910233190806424, 1e-12);
  EXPECT_EQ(ranking.log_prob[3], -.252);
  EXPECT_EQ(ranking.variance[7], .0858);
}

TEST(RankSystems, TheBestHasTheHighestRank) {
  const RankedSystems ranking =
      rank_systems({"a", "b", "c"}, {"m", "n"}, {{1, 2, 3}, {5, 5, 9}}, {-3, -2, -1}, {1, 1, 1});
  expect_near(ranking.average_rank, {1.25, 1.75, 3});
  EXPECT_EQ(ranking.spearman, -1);  // the more probable, the less uncertain
  EXPECT_EQ(ranking.kendall, -1);
}

TEST(RankSystems, WithoutAVerdictThereIsNoCorrelation) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const RankedSystems ranking =
      rank_systems({"a", "b", "c"}, {"m"}, {{1, 2, 3}}, {-3, none, -1}, {1, none, 1});
  expect_near(ranking.average_rank, {1, 2, 3});
  EXPECT_TRUE(std::isnan(ranking.pearson));
  EXPECT_TRUE(std::isnan(ranking.spearman));
  EXPECT_TRUE(std::isnan(ranking.kendall));
  EXPECT_TRUE(std::isnan(rank_systems({"a"}, {"m"}, {{1}}, {-1}, {0}).pearson));
}

TEST(RankSystems, ListsMustFit) {
  const auto wrong = [](const std::vector<std::string>& metrics,
                        const std::vector<std::vector<double>>& values, const std::vector<double>& log_prob,
                        const std::vector<double>& variance) {
    return test::message_of<UsageError>([&] {
      rank_systems({"a", "b"}, metrics, values, log_prob, variance);
    });
  };
  EXPECT_EQ(wrong({}, {}, {-1, -2}, {1, 1}), "systems can only be ranked by one metric or more");
  const std::string expected =
      "expected a value of every metric, a log-probability and a variance for each system";
  EXPECT_EQ(wrong({"m"}, {}, {-1, -2}, {1, 1}), expected);
  EXPECT_EQ(wrong({"m"}, {{1}}, {-1, -2}, {1, 1}), expected);
  EXPECT_EQ(wrong({"m"}, {{1, 2}}, {-1}, {1, 1}), expected);
  EXPECT_EQ(wrong({"m"}, {{1, 2}}, {-1, -2}, {1}), expected);
}

}  // namespace
}  // namespace capella
