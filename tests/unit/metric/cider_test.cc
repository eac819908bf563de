// The CIDEr family: cider_weights, cider_d, cider_plain, cider_r.
#include <cmath>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "metric/cider_d.h"
#include "support/message_of.h"
#include "support/score_items.h"
#include "support/temp_dir.h"

namespace capella::metric {
namespace {

using test::Item;
using test::score_items;

constexpr double kPrecision = 1e-12;

// "dog" stands in one of the two images; the caption says it twice, the reference once. Weights: 2 log 2 and
// log 2.
const std::vector<Item> kRepeats = {{"dog dog", {"dog"}}, {"cat", {"cat"}}};

TEST(CiderD, ClipsWeightsAndPunishesLength) {
  const double similarity = 1.0 / 2.0;  // min(2, 1) * 1 / (2 * 1)
  const double length = std::exp(-1.0 / 72.0);
  EXPECT_NEAR(score_items(kRepeats, "cider-d").item_value(0, 0, 0), 10 * similarity * length / 4, kPrecision);
}

TEST(CiderD, SigmaCanBeSet) {
  const double expected = 10 * 0.5 * std::exp(-1.0 / 2.0) / 4;
  EXPECT_NEAR(score_items(kRepeats, "cider-d", {"cider-d.sigma=1"}).item_value(0, 0, 0), expected,
              kPrecision);
}

TEST(CiderPlain, NeitherClipsNorPunishesLength) {
  EXPECT_NEAR(score_items(kRepeats, "cider-plain").item_value(0, 0, 0), 10 * 1.0 / 4, kPrecision);
}

TEST(CiderR, PunishesRepetitionAndRelativeLength) {
  const double repetition = std::pow(1.0 / 2.0, 0.8);  // once too often
  const double length = std::exp(-0.2);                // 2 words where 1 is expected: exp(-1)^0.2
  EXPECT_NEAR(score_items(kRepeats, "cider-r").item_value(0, 0, 0), 10 * 0.5 * repetition * length / 4,
              kPrecision);
}

TEST(CiderR, ACaptionWithoutWordsScoresZero) {
  const Result result = score_items({{"", {"a b"}}, {"c d", {"c d"}}}, "cider-r");
  EXPECT_EQ(result.item_value(0, 0, 0), 0.0);
  EXPECT_FALSE(std::isnan(result.systems[0].values[0]));
}

class EveryCider : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryCider, EqualCaptionsScoreTen) {
  const Result result = score_items({{"a b c d", {"a b c d"}}, {"e f g h", {"e f g h"}}}, GetParam());
  EXPECT_NEAR(result.item_value(0, 0, 0), 10.0, kPrecision);
  EXPECT_NEAR(result.systems[0].values[0], 10.0, kPrecision);
}

TEST_P(EveryCider, EqualOneWordCaptionsScoreAQuarter) {
  EXPECT_NEAR(score_items({{"dog", {"dog"}}, {"cat", {"cat"}}}, GetParam()).item_value(0, 0, 0), 2.5,
              kPrecision);
}

TEST_P(EveryCider, NgramsOfAllImagesWeighNothing) {
  EXPECT_EQ(score_items({{"a", {"a"}}, {"a", {"a"}}}, GetParam()).systems[0].values[0], 0.0);
}

TEST_P(EveryCider, ASingleImageScoresZeroWithAWarning) {
  const Result result = score_items({{"a b c d", {"a b c d"}}}, GetParam());
  EXPECT_EQ(result.systems[0].values[0], 0.0);
  ASSERT_EQ(result.warnings.size(), 1u);
  EXPECT_NE(result.warnings[0].find("single image"), std::string::npos) << result.warnings[0];
  EXPECT_NE(result.warnings[0].find("--df"), std::string::npos);
}

TEST_P(EveryCider, TheScoreIsTheMeanOverReferences) {
  const Result result = score_items({{"dog", {"dog", "cow"}}, {"cat", {"cat"}}}, GetParam());
  EXPECT_NEAR(result.item_value(0, 0, 0), 2.5 / 2, kPrecision);
}

TEST_P(EveryCider, AnImageIsCountedOnceForAllItsReferences) {
  // df("dog") = 1 of 3 images although it stands in two references of the first.
  const std::vector<Item> items = {{"dog cow", {"dog", "dog"}}, {"cow", {"cow"}}, {"cow", {"cow"}}};
  const double dog = std::log(3.0);
  const double cow = std::log(3.0) - std::log(2.0);
  const double cosine = dog / std::sqrt(dog * dog + cow * cow);
  const double length = GetParam() == "cider-d"   ? std::exp(-1.0 / 72.0)
                        : GetParam() == "cider-r" ? std::exp(-0.2)
                                                  : 1.0;
  EXPECT_NEAR(score_items(items, GetParam()).item_value(0, 0, 0), 10 * cosine * length / 4, kPrecision);
}

TEST_P(EveryCider, FrequenciesOfItsOwnGoBeforeTheRuns) {
  const std::vector<Item> counted = {{"", {"dog"}}, {"", {"dog"}}, {"", {"cow"}}, {"", {"bee"}}};
  const std::vector<Item> items = {{"dog cow", {"dog"}}, {"cat", {"cat"}}};
  const test::TempDir folder;
  const std::string table = (folder.path() / "counted.df").string();
  write_document_frequencies(test::make_dataset(counted), "none", table);
  ScoreOptions by_run = test::one_metric(GetParam());
  by_run.df = table;
  const Result expected = score(test::make_dataset(items), by_run);
  const Result own = score_items(items, GetParam(), {GetParam() + ".df=" + table});
  EXPECT_EQ(own.item_value(0, 0, 0), expected.item_value(0, 0, 0));
  EXPECT_EQ(own.columns[0].signature, expected.columns[0].signature);
  EXPECT_NE(own.columns[0].signature.find("|df:counted(4,#"), std::string::npos) << own.columns[0].signature;
  EXPECT_NE(own.item_value(0, 0, 0), score_items(items, GetParam()).item_value(0, 0, 0));
  by_run.settings = {GetParam() + ".df=refs"};
  EXPECT_EQ(score(test::make_dataset(items), by_run).item_value(0, 0, 0),
            score_items(items, GetParam()).item_value(0, 0, 0));
}

TEST_P(EveryCider, AnEmptyNameOfFrequenciesIsRefused) {
  EXPECT_EQ(test::message_of<UsageError>([] { score_items(kRepeats, GetParam(), {GetParam() + ".df="}); }),
            GetParam() + ".df: found '', expected run, refs, coco-val or the path of a file");
}

INSTANTIATE_TEST_SUITE_P(Family, EveryCider, ::testing::Values("cider-d", "cider-plain", "cider-r"));

}  // namespace
}  // namespace capella::metric
