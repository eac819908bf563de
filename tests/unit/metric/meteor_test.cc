#include "metric/meteor.h"

#include <cmath>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "aggregate/row_block.h"
#include "metric/meteor_comparison.h"
#include "support/message_of.h"
#include "support/meteor_rows.h"
#include "support/small_meteor_data.h"

namespace capella::metric {
namespace {

using reference::Item;

/// The small English of the tests; "a", "the" and "on" are function words in it.
class MeteorTest : public ::testing::Test {
 protected:
  std::vector<double> rows(const std::vector<Item>& items) const {
    return test::meteor_rows(*meteor_, items, data_.get());
  }
  double score(const std::string& caption, const std::vector<std::string>& references) const {
    return test::finish_meteor(*meteor_, rows({{caption, references}}));
  }
  double score_without_paraphrases(const std::string& caption, const std::string& reference) const {
    const auto meteor = test::make_meteor(false);
    return test::finish_meteor(*meteor, test::meteor_rows(*meteor, {{caption, {reference}}}, data_.get()));
  }
  double corpus_score(const std::vector<Item>& items) const {
    return test::finish_meteor(*meteor_, aggregate::sum_rows(rows(items), meteor_->info().row_width));
  }
  MeteorComparison compare(const std::string& caption, const std::string& reference) const {
    const std::vector<std::string_view> references = {reference};
    return compare_by_meteor(caption, references, data_.get(), true).at(0);
  }

  test::SmallMeteorData data_{std::string("0.5\nzzz\nbig dog\n")};
  std::unique_ptr<Metric> meteor_ = test::make_meteor(true);
};

TEST_F(MeteorTest, TheSignatureNamesTheTableOfParaphrases) {
  EXPECT_EQ(test::make_meteor(true)->choices(nullptr), "para:en-1.5|syn:wn3.0|stem:porter2");
  EXPECT_EQ(test::make_meteor(false)->choices(nullptr), "para:none|syn:wn3.0|stem:porter2");
  Settings settings("meteor", kMeteorSettings);
  settings.set("paraphrases", "en-1.5");
  EXPECT_EQ(make_meteor(settings)->choices(nullptr), "para:en-1.5|syn:wn3.0|stem:porter2");
}

TEST_F(MeteorTest, OtherTablesAreRefused) {
  Settings settings("meteor", kMeteorSettings);
  settings.set("paraphrases", "wrong");
  EXPECT_EQ(test::message_of<UsageError>([&] { make_meteor(settings); }),
            "meteor.paraphrases: found 'wrong', expected one of en-1.5, none");
}

TEST_F(MeteorTest, NeedsItsData) {
  EXPECT_EQ(meteor_->info().data, "meteor");
}

TEST_F(MeteorTest, IdenticalTextsScoreOne) {
  for (const char* text : {"dog", "the", "zzz", ".", "a dog runs on the big dog"})
    EXPECT_EQ(score(text, {text}), 1.0) << text;
  EXPECT_EQ(score("Dog", {"dOG"}), 1.0);
}

TEST_F(MeteorTest, PrecisionRecallAndPenaltyAreWeighted) {
  // "the" and "runs" are equal, "large" and "big", "hound" and "dog" are synonyms; "today" is left over.
  const MeteorValue value =
      meteor_value(compare("the large hound runs", "the big dog runs today").statistics);
  const double matched = 0.75 * (1.0 + 0.8 * 2) + 0.25;
  EXPECT_DOUBLE_EQ(value.precision, matched / (0.75 * 3 + 0.25));
  EXPECT_DOUBLE_EQ(value.recall, matched / (0.75 * 4 + 0.25));
  const double f_mean = 1.0 / (0.15 / value.precision + 0.85 / value.recall);
  EXPECT_DOUBLE_EQ(value.f_mean, f_mean);
  EXPECT_DOUBLE_EQ(value.penalty, 0.6 * std::pow(1.0 / 4.0, 0.2));
  EXPECT_DOUBLE_EQ(value.score, f_mean * (1.0 - value.penalty));
  EXPECT_EQ(score("the large hound runs", {"the big dog runs today"}), value.score);
}

TEST_F(MeteorTest, EveryChunkCosts) {
  EXPECT_DOUBLE_EQ(score("dog the", {"the dog"}), 1.0 - 0.6);
  EXPECT_DOUBLE_EQ(score("the dog runs on", {"on the dog runs"}), 1.0 - 0.6 * std::pow(2.0 / 4.0, 0.2));
}

TEST_F(MeteorTest, KindsOfMatchesHaveTheirWeights) {
  EXPECT_DOUBLE_EQ(score("connect", {"connection"}), 0.6);
  EXPECT_DOUBLE_EQ(score("car", {"automobile"}), 0.8);
  EXPECT_DOUBLE_EQ(score("zzz", {"big dog"}), 0.6);
  EXPECT_DOUBLE_EQ(score("big dog", {"zzz"}), 0.6);
  EXPECT_EQ(score_without_paraphrases("zzz", "big dog"), 0.0);
  EXPECT_DOUBLE_EQ(score_without_paraphrases("connect", "connection"), 0.6);
}

TEST_F(MeteorTest, MatchesAreNamed) {
  const std::vector<MeteorMatch> expected = {{0, 2, 0, 1, MeteorModule::paraphrase},
                                             {2, 1, 2, 1, MeteorModule::exact},
                                             {3, 1, 1, 1, MeteorModule::synonym}};
  const MeteorComparison comparison = compare("zzz kids on", "big dog on children");
  EXPECT_EQ(comparison.matches, expected);
  EXPECT_EQ(comparison.statistics[kChunks], 3);
  EXPECT_EQ(comparison.statistics[kCaptionMatched], 3);
  EXPECT_EQ(comparison.statistics[kReferenceMatched], 4);
}

TEST_F(MeteorTest, TheFirstOfTheBestReferencesCounts) {
  const auto row = rows({{"dog", {"car", "a dog", "dog zzz", "the dog"}}});
  EXPECT_EQ(row[kReferenceWords], 2);
  EXPECT_EQ(row[kReferenceFunction], 1);
  EXPECT_EQ(score("dog", {"car", "a dog", "dog"}), 1.0);
}

TEST_F(MeteorTest, BarsAreTakenOutOfCaptionsButNotOfReferences) {
  EXPECT_EQ(score("the ||| dog", {"the dog"}), 1.0);
  EXPECT_EQ(score("the|||dog", {"thedog"}), 1.0);
  EXPECT_EQ(score("|||", {"dog"}), 0.0);
  EXPECT_EQ(rows({{"|||", {"dog"}}})[kCaptionWords], 0);
  EXPECT_EQ(rows({{"the || dog", {"dog"}}})[kCaptionWords], 4);
  EXPECT_EQ(rows({{"dog", {"the ||| dog"}}})[kReferenceWords], 5);
}

TEST_F(MeteorTest, BreaksInTextsAreSpaces) {
  for (const char* text : {"the\ndog", "the\rdog", "the\r\ndog", "the\tdog", "\nthe dog\n"}) {
    EXPECT_EQ(score(text, {"the dog"}), 1.0);
    EXPECT_EQ(score("the dog", {text}), 1.0);
    EXPECT_EQ(rows({{text, {"a"}}})[kCaptionWords], 2);
  }
}

TEST_F(MeteorTest, AnEmptyCaptionHasTheLengthsOfTheFirstReference) {
  std::vector<double> expected(meteor_->info().row_width);
  expected[kReferenceWords] = 3;
  expected[kReferenceFunction] = 1;
  EXPECT_EQ(rows({{"", {"the big dog", "dog", ""}}}), expected);
  EXPECT_EQ(rows({{" \t", {"the big dog", "dog"}}}), expected);
  EXPECT_EQ(score("", {"the big dog"}), 0.0);
}

TEST_F(MeteorTest, ReferencesMayHaveNoWords) {
  EXPECT_EQ(score("dog", {""}), 0.0);
  EXPECT_EQ(score("", {""}), 0.0);
  EXPECT_EQ(score("dog", {"", "dog", ""}), 1.0);
  const auto row = rows({{"the dog", {""}}});
  EXPECT_EQ(row[kCaptionWords], 2);
  EXPECT_EQ(row[kReferenceWords], 0);
}

TEST_F(MeteorTest, TheCorpusIsTheScoreOfTheSums) {
  // Four words on each side, all equal; two chunks for four words, as the perfect caption's does not count.
  EXPECT_DOUBLE_EQ(corpus_score({{"the dog", {"the dog"}}, {"dog the", {"the dog"}}}),
                   1.0 - 0.6 * std::pow(2.0 / 4.0, 0.2));
  EXPECT_EQ(corpus_score({{"dog", {"dog"}}, {"the car", {"the car"}}}), 1.0);
  // One of three content words of the references is found, and all of the captions are right.
  EXPECT_DOUBLE_EQ(corpus_score({{"dog", {"dog"}}, {"", {"big dog"}}}),
                   1.0 / (0.15 / 1.0 + 0.85 / (1.0 / 3)));
}

TEST_F(MeteorTest, CaptionsWhoseWordsAllMatchInOneChunkArePerfectToo) {
  // A stem's 0.6 and the 1 of an equal word, without a penalty.
  const double share = (0.6 + 1.0) / 2;
  EXPECT_DOUBLE_EQ(score("connect dog", {"connection dog"}), share);
  EXPECT_DOUBLE_EQ(corpus_score({{"connect dog", {"connection dog"}}, {"connect dog", {"connection dog"}}}),
                   share);
}

TEST_F(MeteorTest, NothingInCommonIsZero) {
  EXPECT_EQ(score("dog", {"car"}), 0.0);
  EXPECT_EQ(corpus_score({{"dog", {"car"}}, {"", {""}}}), 0.0);
}

TEST_F(MeteorTest, WordsOfAnyLengthAndScript) {
  const std::string letters(100'000, 'o');
  EXPECT_EQ(score(letters, {letters}), 1.0);
  EXPECT_DOUBLE_EQ(score(letters, {letters + "s"}), 0.6);
  EXPECT_EQ(score("犬 🐶 café", {"犬 🐶 CAFÉ"}), 1.0);
  EXPECT_EQ(rows({{"犬が 🐶", {"a"}}})[kCaptionWords], 3);  // every such character is a word
  EXPECT_DOUBLE_EQ(score("cafés", {"café"}), 0.6);
}

}  // namespace
}  // namespace capella::metric
