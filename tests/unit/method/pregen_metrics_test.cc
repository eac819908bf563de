#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "capella/error.h"
#include "capella/pregen.h"

#include "method/pregen/metrics.h"

namespace capella::method::pregen {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct PregenMetricsWords {
  std::vector<double> probabilities;
  std::vector<std::size_t> wrong;  // places of those that are not the most probable
};
using Images = std::vector<std::vector<PregenMetricsWords>>;

io::TokenProbabilities table_of(const Images& images) {
  io::TokenProbabilities table;
  for (const auto& image : images) {
    for (const PregenMetricsWords& caption : image) {
      for (std::size_t i = 0; i < caption.probabilities.size(); ++i) {
        const bool wrong = std::ranges::find(caption.wrong, i) != caption.wrong.end();
        table.probabilities.push_back(caption.probabilities[i]);
        table.ranks.push_back(wrong ? 7 : 0);
      }
      table.words.push_back(table.probabilities.size());
    }
    table.captions.push_back(table.caption_count());
  }
  return table;
}

double value(const std::vector<double>& metrics, std::string_view name) {
  const auto& names = metric_names();
  const auto found = std::ranges::find(names, name);
  EXPECT_NE(found, names.end()) << name;
  return metrics.at(static_cast<std::size_t>(found - names.begin()));
}

double value(const Images& images, std::string_view name, Filter0 filter0 = Filter0::code) {
  return value(CaptionScores(table_of(images), filter0).metrics(), name);
}

// Figures 1 and 2 of the paper: two images with two captions each.
const Images kExample = {{{{.711, .507, .380, .563, .577, .352, .557, .574, .268, .615}, {5, 8}},
                          {{.711, .507, .369, .561, .605, .384, .520}, {2}}},
                         {{{.714, .438, .364, .580, .454, .739, .743}, {1}},
                          {{.714, .438, .340, .592, .536, .454, .739, .743}, {1, 2}}}};

TEST(PregenMetrics, TheirNamesAreInThePublishedOrder) {
  const auto& names = metric_names();
  ASSERT_EQ(names.size(), kMetricCount);
  EXPECT_EQ(names[0], "sum_sum_prob_none");
  EXPECT_EQ(names[1], "sum_sum_prob_filter0");
  EXPECT_EQ(names[3], "sum_sum_pplx_none");
  EXPECT_EQ(names[12], "sum_mean_prob_none");
  EXPECT_EQ(names[84], "mean_sum_prob_none");
  EXPECT_EQ(names[503], "min_join_normcount_prefix0");
  EXPECT_NE(std::ranges::find(names, kPregenPerplexity), names.end());
}

// The figure counts two words of the second image's captions, though its own numbers say that the second word
// is not the most probable one; so it has .393 where .321 is right.
TEST(PregenMetrics, ThePapersExample) {
  const std::vector<double> found = CaptionScores(table_of(kExample)).metrics();
  EXPECT_DOUBLE_EQ(value(found, "mean_max_normcount_prefix0"), (5. / 10 + 1. / 7) / 2);
  EXPECT_DOUBLE_EQ(value(found, "mean_max_count_prefix0"), (5. + 1) / 2);
  EXPECT_DOUBLE_EQ(value(found, "sum_join_count_prefix0"), 5 + 2 + 1 + 1);
  EXPECT_DOUBLE_EQ(value(found, "median_join_count_prefix0"), 1.5);
  EXPECT_DOUBLE_EQ(value(found, "min_min_normcount_prefix0"), 1. / 8);
  EXPECT_DOUBLE_EQ(value(found, "sum_join_count_none"), 10 + 7 + 7 + 8);
  EXPECT_DOUBLE_EQ(value(found, "sum_sum_count_filter0"), 2 + 1 + 1 + 2);
  EXPECT_DOUBLE_EQ(value(found, "mean_mean_normcount_none"), 1);
  EXPECT_DOUBLE_EQ(value(found, "max_max_prob_prefix0"), .714);
  EXPECT_DOUBLE_EQ(value(found, "min_join_prob_filter0"), .352 * .268);
  EXPECT_DOUBLE_EQ(value(found, "max_join_pplx_prefix0"),
                   std::pow(.711 * .507 * .380 * .563 * .577, -1. / 5));
  EXPECT_DOUBLE_EQ(value(found, "median_min_pplx_prefix0"), (1 / std::sqrt(.711 * .507) + 1 / .714) / 2);
  EXPECT_DOUBLE_EQ(value(found, "min_join_pplx_filter0"), 1 / .438);
  EXPECT_DOUBLE_EQ(value(found, "geomean_max_count_prefix0"), std::sqrt(5. * 1));
}

TEST(PregenMetrics, Filter0AsThePaperWordsIt) {
  EXPECT_DOUBLE_EQ(value(kExample, "sum_sum_count_filter0", Filter0::paper), 32 - 6);
  EXPECT_DOUBLE_EQ(value(kExample, "sum_sum_count_none", Filter0::paper), 32);
  EXPECT_DOUBLE_EQ(value(kExample, "sum_sum_count_prefix0", Filter0::paper), 9);
}

TEST(PregenMetrics, CaptionsOfWhichNothingIsKept) {
  const Images images = {{{{.5, .25}, {0, 1}}, {{.5, .25}, {}}}, {{{.25}, {}}}};
  EXPECT_EQ(value(images, "min_join_prob_prefix0"), 0);
  EXPECT_EQ(value(images, "max_join_pplx_prefix0"), kInfinity);
  EXPECT_EQ(value(images, "geomean_join_pplx_prefix0"), kInfinity);
  EXPECT_EQ(value(images, "mean_mean_pplx_prefix0"), kInfinity);
  EXPECT_EQ(value(images, "geomean_join_count_prefix0"), 0);
  EXPECT_EQ(value(images, "min_min_pplx_prefix0"), std::sqrt(8.));
  EXPECT_EQ(value(images, "median_join_pplx_prefix0"), 4);
}

TEST(PregenMetrics, AnImpossibleWord) {
  const Images images = {{{{.5, 0, .5}, {1}}}, {{{.5}, {}}}};
  EXPECT_EQ(value(images, "min_sum_prob_none"), 0);
  EXPECT_EQ(value(images, "max_sum_pplx_none"), kInfinity);
  EXPECT_EQ(value(images, "geomean_join_prob_none"), 0);
  EXPECT_EQ(value(images, "geomean_join_pplx_none"), kInfinity);
  EXPECT_EQ(value(images, "max_join_pplx_prefix0"), 2);
}

// The product of a caption's probabilities may be too small for a number; the perplexity is not.
TEST(PregenMetrics, LongCaptions) {
  const Images images = {{{std::vector<double>(5000, .25), {}}, {std::vector<double>(3, 1e-200), {}}}};
  EXPECT_EQ(value(images, "max_join_prob_none"), 0);
  EXPECT_EQ(value(images, "min_join_pplx_none"), 4);
  EXPECT_NEAR(value(images, "max_join_pplx_none") / 1e200, 1, 1e-12);
  EXPECT_NEAR(value(images, "geomean_join_pplx_none") / 2e100, 1, 1e-12);
}

TEST(PregenMetrics, OfSomeImages) {
  const CaptionScores scores(table_of(kExample));
  const std::vector<std::size_t> second = {1};
  EXPECT_DOUBLE_EQ(value(scores.metrics(second), "mean_max_normcount_prefix0"), 1. / 7);
  EXPECT_THROW(scores.metrics({}), DataError);
}

}  // namespace
}  // namespace capella::method::pregen
