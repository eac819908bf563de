// Images cut into strata, by hand.
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "method/pregen/strata.h"
#include "support/message_of.h"

namespace capella::method::pregen {
namespace {

using test::message_of;
using Places = std::vector<std::size_t>;

TEST(PregenStrata, CutsFromTheWorstAndLeavesTheBestOver) {
  const std::vector<double> scores = {.9, .1, .5, .3, .7, .2, .8};  // in order: 1 5 3 2 4 6 0
  const std::vector<Stratum> strata = cut_strata(scores, 3);
  ASSERT_EQ(strata.size(), 6u);
  const std::vector<Places> images = {{0, 1, 2, 3, 4, 5, 6}, {1, 3, 5}, {2, 4, 6}, {1, 5}, {2, 3}, {4, 6}};
  const std::vector<std::pair<std::size_t, std::size_t>> names = {{1, 0}, {2, 0}, {2, 1},
                                                                  {3, 0}, {3, 1}, {3, 2}};
  for (std::size_t i = 0; i < strata.size(); ++i) {
    EXPECT_EQ(strata[i].images, images[i]) << i;
    EXPECT_EQ(std::pair(strata[i].strata, strata[i].stratum), names[i]) << i;
  }
}

TEST(PregenStrata, FifteenUnlessToldOtherwise) {
  EXPECT_EQ(cut_strata(std::vector<double>(11)).size(), 15u);
}

TEST(PregenStrata, EqualScoresKeepTheirOrder) {
  const std::vector<double> scores = {1, 0, 1, 0, 1, 0};
  const std::vector<Stratum> strata = cut_strata(scores, 2);
  EXPECT_EQ(strata[1].images, (Places{1, 3, 5}));
  EXPECT_EQ(cut_strata(std::vector<double>(4, .5), 2)[1].images, (Places{0, 1}));
}

TEST(PregenStrata, AsManyImagesAsStrataAtLeast) {
  const std::vector<double> scores = {.3, .1, .2};
  EXPECT_EQ(cut_strata(scores, 3).back().images, (Places{0}));
  EXPECT_EQ(message_of<UsageError>([&] { cut_strata(scores, 4); }),
            "3 images cannot be cut into 4 strata; ask for fewer strata");
  EXPECT_EQ(message_of<UsageError>([&] { cut_strata(scores, 0); }), "found 0 strata, expected 1 or more");
}

TEST(PregenStrata, ScoresMustBeNumbers) {
  const std::vector<double> scores = {.3, std::numeric_limits<double>::quiet_NaN(), .2};
  EXPECT_EQ(message_of<DataError>([&] { cut_strata(scores, 2); }),
            "the score of image 2 is not a number, so the images have no order");
  EXPECT_EQ(cut_strata(std::vector{std::numeric_limits<double>::infinity(), 0.}, 2)[2].images, (Places{0}));
}

}  // namespace
}  // namespace capella::method::pregen
