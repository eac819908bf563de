#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "method/capella_s/calibration_file.h"
#include "method/capella_s/capella_s_metric.h"
#include "method/capella_s/word_shares.h"
#include "support/message_of.h"
#include "support/metric_texts.h"
#include "support/small_sentence_encoder.h"
#include "support/temp_dir.h"

namespace capella::method::capella_s {
namespace {

using reference::Vector;

double cosine_of(const Vector& a, const Vector& b) {
  double product = 0, squares_a = 0, squares_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    product += a[i] * b[i];
    squares_a += a[i] * a[i];
    squares_b += b[i] * b[i];
  }
  return product / std::sqrt(squares_a * squares_b);
}

// The curve that halves distances from 1.
stats::Calibration curve() {
  return stats::Calibration({{-1, 0, .1}, {1, 1, .3}});
}

const std::vector<reference::Item> kItems = {
    {"a dog runs on grass", {"a red dog", "a cat runs", "dogs on grass"}},
    {"a cat", {"a cat"}},
    {"red cats !", {}},
};

class CapellaS : public ::testing::Test {
 protected:
  test::SmallSentenceEncoder small_;
  encoder::SentenceEncoder encoder_{small_.path()};
  test::MetricTexts texts_{kItems, text::Detail::captions};
  std::unique_ptr<metric::Metric> metric_ = make_capella_s({small_.path()}, [this] {
    return LearntCurve{curve(), encoder_.fingerprint(), "a test"};
  });
  metric::Resources resources_ = [this] {
    metric::Resources resources;
    resources.encoder = &encoder_;
    return resources;
  }();
};

TEST_F(CapellaS, IsTheCurveOfTheMeanOfNearestAndCentroid) {
  const std::vector<double> rows = texts_.rows(*metric_, resources_);
  for (std::size_t k = 0; k < 2; ++k) {
    const Vector caption = small_.sentence(kItems[k].caption);
    Vector centroid(caption.size());
    double nearest = -1;
    for (const std::string& reference : kItems[k].references) {
      const Vector one = small_.sentence(reference);
      const double length = std::sqrt(std::inner_product(one.begin(), one.end(), one.begin(), 0.0));
      for (std::size_t i = 0; i < one.size(); ++i) centroid[i] += one[i] / length;
      nearest = std::max(nearest, cosine_of(caption, one));
    }
    const double cosine = (nearest + cosine_of(caption, centroid)) / 2;
    EXPECT_NEAR(rows[4 * k], cosine, 1e-6);
    EXPECT_NEAR(rows[4 * k + 1], .1 + .2 * (cosine + 1) / 2, 1e-6);
    EXPECT_NEAR(rows[4 * k + 2], (cosine + 1) / 2, 1e-6);
    EXPECT_EQ(rows[4 * k + 3], 1);
  }
}

TEST_F(CapellaS, GivesTheLowestToACaptionWithoutReferences) {
  const std::vector<double> rows = texts_.rows(*metric_, resources_);
  EXPECT_EQ(rows[8], -1);
  EXPECT_EQ(rows[10], 0);
}

TEST_F(CapellaS, GivesTheLowestToACaptionWithoutAWord) {
  const std::vector<reference::Item> items = {
      {"", {"a dog"}}, {" \t", {""}}, {"\u00A0\u3000", {"a dog"}}, {"a dog", {"a dog"}}};
  const test::MetricTexts texts(items, text::Detail::captions);
  const std::vector<double> rows = texts.rows(*metric_, resources_);
  for (const std::size_t k : {0, 1, 2}) {
    EXPECT_EQ(rows[4 * k], -1);
    EXPECT_EQ(rows[4 * k + 2], 0);
  }
  EXPECT_NEAR(rows[14], 1, 1e-6);
}

TEST_F(CapellaS, MeansOfRowsAreTheCorpus) {
  std::vector<double> scores(3);
  metric_->finish(std::vector<double>{1.0, .5, 1.5, 2}, scores);
  EXPECT_EQ(scores, (std::vector<double>{.5, .25, .75}));
}

TEST_F(CapellaS, ExplainsByTheNearestReferenceAndItsWords) {
  ThreadPool pool(1);
  resources_.pool = &pool;
  const auto state = metric_->prepare(texts_.references(), resources_);
  const Explanation found = metric_->explain(texts_.batch(), state.get());
  ASSERT_EQ(found.tables.size(), 3u);
  ASSERT_EQ(found.tables[0].rows.size(), 3u);
  double shares = 0;
  for (const auto& row : found.tables[0].rows) shares += std::stod(row[2]);
  EXPECT_NEAR(shares, texts_.rows(*metric_, resources_)[0], 2e-4);  // told with four digits
  ASSERT_EQ(found.alignments.size(), 1u);
  EXPECT_EQ(found.alignments[0].upper, (std::vector<std::string>{"a", "dog", "runs", "on", "grass"}));
  for (const Explanation::Alignment::Link& link : found.alignments[0].links) {
    EXPECT_LT(link.upper_start, found.alignments[0].upper.size());
    EXPECT_LT(link.lower_start, found.alignments[0].lower.size());
  }
  EXPECT_NE(metric_->choices(state.get()).find("|ref:max+centroid|scale:#"), std::string::npos);
}

TEST_F(CapellaS, SaysThatWeightsHaveEightBits) {
  encoder::EncoderEngine engine;
  engine.precision = encoder::Precision::kInt8;
  const encoder::SentenceEncoder encoder(small_.path(), engine);
  const auto learnt = [&] { return LearntCurve{curve(), encoder_.fingerprint(), "a test"}; };
  const auto eight_bit = make_capella_s({small_.path(), {}, true}, learnt);
  EXPECT_TRUE(eight_bit->info().eight_bits);
  EXPECT_FALSE(metric_->info().eight_bits);
  ThreadPool pool(1);
  resources_.pool = &pool;
  const auto exact = metric_->prepare(texts_.references(), resources_);
  resources_.encoder = &encoder;
  const auto small = eight_bit->prepare(texts_.references(), resources_);
  EXPECT_NE(eight_bit->choices(small.get()).find("|precision:int8|"), std::string::npos);
  EXPECT_EQ(metric_->choices(exact.get()).find("precision"), std::string::npos);
}

TEST_F(CapellaS, RefusesACurveOfAnotherModel) {
  ThreadPool pool(1);
  resources_.pool = &pool;
  const auto other = make_capella_s({small_.path()}, [] {
    return LearntCurve{curve(), "another", "a test"};
  });
  EXPECT_NE(test::message_of<FileError>([&] {
              other->prepare(texts_.references(), resources_);
            }).find("calibrate --replace"),
            std::string::npos);
}

TEST_F(CapellaS, TellsNoSharesOfSentencesThatAreCutEarlier) {
  const std::vector<reference::Item> items = {
      {"a dog runs on grass a dog runs on grass", {"a red dog"}}};  // 12 tokens and more
  const test::MetricTexts texts(items, text::Detail::captions);
  ThreadPool pool(1);
  resources_.pool = &pool;
  const auto state = metric_->prepare(texts.references(), resources_);
  const Explanation found = metric_->explain(texts.batch(), state.get());
  EXPECT_EQ(found.tables.size(), 1u);
  EXPECT_TRUE(found.alignments.empty());
}

TEST_F(CapellaS, SharesOfWordsSumToTheCosine) {
  const std::string_view texts[] = {"a dog runs on grass", "red cats , a dog !"};
  const auto encoded = encoder_.encode(texts, {encoder_.layers()});
  const WordShares shares = word_shares((*encoded)[0], (*encoded)[1], encoder_);
  const double expected =
      cosine_of(small_.sentence(std::string(texts[0])), small_.sentence(std::string(texts[1])));
  EXPECT_NEAR(shares.cosine, expected, 1e-6);
  for (const std::vector<Word>* words : {&shares.caption, &shares.reference}) {
    double sum = 0;
    for (const Word& word : *words) sum += word.share;
    EXPECT_NEAR(sum, expected, 1e-6);
    EXPECT_TRUE(words->front().special && words->back().special);
  }
  EXPECT_EQ(shares.caption[3].text, "runs");  // of two pieces
}

// With weights of 8 bits tokens are those that sentences are made of, too.
TEST_F(CapellaS, SharesOfWordsSumToTheCosineWithEightBits) {
  const std::string_view texts[] = {"a dog runs on grass", "red cats , a dog !"};
  encoder::EncoderEngine engine;
  engine.precision = encoder::Precision::kInt8;
  const encoder::SentenceEncoder encoder(small_.path(), engine);
  const auto encoded = encoder.encode(texts, {encoder.layers()});
  const WordShares shares = word_shares((*encoded)[0], (*encoded)[1], encoder);
  const encoder::Features sentences = encoder.sentences(texts, encoder::Pooling::mean);
  const double expected = cosine_of({sentences.row(0).begin(), sentences.row(0).end()},
                                    {sentences.row(1).begin(), sentences.row(1).end()});
  EXPECT_NEAR(shares.cosine, expected, 1e-6);
  double sum = 0;
  for (const Word& word : shares.caption) sum += word.share;
  EXPECT_NEAR(sum, expected, 1e-6);
}

TEST_F(CapellaS, WordsFindThemselves) {
  const std::string_view texts[] = {"a dog on grass", "a dog on grass"};
  const auto encoded = encoder_.encode(texts, {encoder_.layers()});
  const WordShares shares = word_shares((*encoded)[0], (*encoded)[1], encoder_);
  for (std::size_t i = 1; i + 1 < shares.caption.size(); ++i) {
    EXPECT_EQ(shares.caption[i].nearest, i);
    EXPECT_NEAR(shares.caption[i].alike, 1, 1e-6);
  }
}

TEST(CalibrationFile, KeepsTheCurve) {
  const test::TempDir folder;
  folder.write("calibration.json", calibration_text({curve(), "1234", "a test"}));
  const LearntCurve learnt = read_calibration(folder.path().string());
  const stats::Calibration& found = learnt.curve;
  EXPECT_EQ(learnt.model, "1234");
  ASSERT_EQ(found.knots().size(), 2u);
  EXPECT_EQ(found.at(.3).rating, curve().at(.3).rating);
  EXPECT_EQ(found.at(.3).spread, curve().at(.3).spread);
}

TEST(CalibrationFile, RefusesWhatIsNone) {
  const test::TempDir folder;
  const auto refused = [&] {
    return test::message_of<FileError>([&] { read_calibration(folder.path().string()); });
  };
  EXPECT_NE(refused().find("nn calibrate"), std::string::npos);
  for (
      const char* text :
      {"", "[]", "{}", R"({"over": "max+centroid", "learnt_from": "x", "model": "y", "knots": 3})",
       R"({"over": "max+centroid", "learnt_from": "x", "model": "y", "knots": [{"score": 1, "rating": 1, "spread": 0}]})",
       R"({"over": "max+centroid", "learnt_from": "x", "model": "y", "knots": [{"score": 0, "rating": 1, "spread": 0},
                               {"score": 1, "rating": 0, "spread": 0}]})",
       R"({"over": "max+centroid", "learnt_from": "x", "model": "y", "knots": [], "more": 1})"}) {
    folder.write("calibration.json", text);
    EXPECT_NE(refused().find("calibration.json"), std::string::npos) << text;
  }
  for (const char* other : {R"({"learnt_from": "x", "model": "y", "knots": []})",
                            R"({"over": "centroid", "learnt_from": "x", "model": "y", "knots": []})"}) {
    folder.write("calibration.json", other);
    EXPECT_NE(refused().find("nn calibrate --replace"), std::string::npos) << other;  // of another score
  }
}

}  // namespace
}  // namespace capella::method::capella_s
