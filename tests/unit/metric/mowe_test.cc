#include "metric/mowe.h"

#include <cmath>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"
#include "support/metric_texts.h"
#include "support/small_word_vectors.h"

namespace capella::metric {
namespace {

using reference::Item;
using test::MetricTexts;

const test::SmallWordVectors& vectors() {
  static const test::SmallWordVectors kVectors({{"dog", {1, 0, 0}},
                                                {"cat", {0, 1, 0}},
                                                {"horse", {3, 4, 0}},
                                                {"east", {0, 0, 2}},
                                                {"west", {0, 0, -2}},
                                                {"zero", {0, 0, 0}},
                                                {"the", {9, 9, 9}}});
  return kVectors;
}

std::unique_ptr<Metric> make() {
  return make_mowe(Settings("mowe", kMoweSettings));
}

std::unique_ptr<const State> prepare(const Metric& metric, const MetricTexts& texts) {
  Resources resources;
  resources.vectors = &vectors().get();
  return metric.prepare(texts.references(), resources);
}

double mowe(const std::string& caption, const std::vector<std::string>& references) {
  const auto metric = make();
  const std::vector<Item> items = {{caption, references}};
  const MetricTexts texts(items, text::Detail::words);
  const auto state = prepare(*metric, texts);
  const auto row = texts.rows(*metric, state.get());
  EXPECT_EQ(row[1], 1.0);
  return row[0];
}

TEST(Mowe, IsTheCosineOfMeans) {
  EXPECT_EQ(mowe("dog", {"cat"}), 0.0);
  EXPECT_DOUBLE_EQ(mowe("dog", {"horse"}), 3.0 / 5.0);
  // (1, 1, 0) / 2 and (3, 4, 0): (3 + 4) / (sqrt 2 * 5).
  EXPECT_DOUBLE_EQ(mowe("dog cat", {"horse"}), 7.0 / (std::sqrt(2.0) * 5.0));
  EXPECT_EQ(mowe("east", {"west"}), -1.0);
}

TEST(Mowe, LongVectorsWeighMore) {
  // (1 + 3, 4, 0): vectors are not made equally long before they are added.
  EXPECT_DOUBLE_EQ(mowe("dog horse", {"dog"}), 4.0 / std::sqrt(32.0));
}

TEST(Mowe, ATextWithItselfIsOne) {
  EXPECT_EQ(mowe("horse dog dog cat east", {"horse dog dog cat east"}), 1.0);
  EXPECT_EQ(mowe("horse dog cat", {"cat horse dog"}), 1.0);
}

TEST(Mowe, AWordCountsAsOftenAsItStands) {
  EXPECT_DOUBLE_EQ(mowe("dog dog cat", {"dog"}), 2.0 / std::sqrt(5.0));
}

TEST(Mowe, StopWordsAndWordsWithoutVectorAreLeftOut) {
  EXPECT_EQ(mowe("the dog", {"dog"}), 1.0);
  EXPECT_EQ(mowe("dog", {"the dog unheard"}), 1.0);
  EXPECT_EQ(mowe("Dog", {"dog"}), -1.0);  // a word of its own, without a vector
}

TEST(Mowe, TheBestReferenceCounts) {
  EXPECT_DOUBLE_EQ(mowe("dog", {"cat", "horse", "", "west"}), 3.0 / 5.0);
}

TEST(Mowe, IsMinusOneWhereItIsUndefined) {
  EXPECT_EQ(mowe("", {"dog"}), -1.0);
  EXPECT_EQ(mowe("dog", {""}), -1.0);
  EXPECT_EQ(mowe("", {""}), -1.0);
  EXPECT_EQ(mowe("the a of", {"dog"}), -1.0);
  EXPECT_EQ(mowe(". ,", {"dog"}), -1.0);
  EXPECT_EQ(mowe("dog", {"the", "unheard", "zero"}), -1.0);
  EXPECT_EQ(mowe("east west", {"dog"}), -1.0);  // they cancel out
  EXPECT_EQ(mowe("dog", {"the", "cat"}), 0.0);  // one of them is defined
}

TEST(Mowe, TheCorpusIsTheMeanOfItsCaptions) {
  const auto metric = make();
  double score[1];
  metric->finish(std::vector<double>{1.0 - 1.0 + 0.6, 3.0}, score);
  EXPECT_DOUBLE_EQ(score[0], 0.2);
}

TEST(Mowe, ACallMayBringItsOwnReferences) {
  const auto metric = make();
  const std::vector<Item> first = {{"", {"cat east dog"}}};
  const std::vector<Item> second = {{"horse", {"dog", "cat"}}};
  const MetricTexts prepared(first, text::Detail::words);
  const MetricTexts own(second, text::Detail::words);
  const auto state = prepare(*metric, prepared);
  EXPECT_DOUBLE_EQ(own.rows(*metric, state.get())[0], 4.0 / 5.0);
}

TEST(Mowe, TheEmptyWordIsNotLookedUp) {
  const test::SmallWordVectors with_empty({{"", {0, 1, 0}}, {"dog", {1, 0, 0}}});
  const auto metric = make();
  const std::vector<Item> items = {{"dog  dog", {"dog"}}};
  const MetricTexts texts(items, text::Detail::words);
  Resources resources;
  resources.vectors = &with_empty.get();
  EXPECT_EQ(texts.rows(*metric, resources)[0], 1.0);
}

TEST(Mowe, ManyMissingVectorsAreTold) {
  const auto warnings = [](const std::string& reference) {
    const auto metric = make();
    const std::vector<Item> items = {{"dog", {reference}}};
    const MetricTexts texts(items, text::Detail::words);
    return metric->warnings(prepare(*metric, texts).get());
  };
  EXPECT_TRUE(warnings("the dog  east of the cat").empty());
  EXPECT_EQ(warnings("the zebra dog zebra quagga cat"),
            std::vector{"mowe: 3 of the references' 5 words, stop words aside, have no vector in " +
                        vectors().get().description() + " and do not count: zebra, quagga"});
}

TEST(Mowe, RefusesAnEmptyNameOfVectors) {
  Settings settings("mowe", kMoweSettings);
  settings.set("vectors", "");
  EXPECT_EQ(test::message_of<UsageError>([&] { make_mowe(settings); }),
            "mowe.vectors: found '', expected captions or the path of a file");
}

TEST(Mowe, NamesVectorsAndStopWords) {
  const auto metric = make();
  EXPECT_EQ(metric->info().vectors, "captions");
  const std::vector<Item> items = {{"dog", {"dog"}}};
  const MetricTexts texts(items, text::Detail::words);
  const auto state = prepare(*metric, texts);
  EXPECT_EQ(metric->choices(state.get()), "vec:" + vectors().get().description() + "|stop:nltk153");
  Settings settings("mowe", kMoweSettings);
  settings.set("vectors", "some.vec");
  EXPECT_EQ(make_mowe(settings)->info().vectors, "some.vec");
}

TEST(Mowe, ExplainsWhichWordsCount) {
  const auto metric = make();
  const std::vector<Item> items = {{"the dog unheard", {"a horse", "the"}}};
  const MetricTexts texts(items, text::Detail::words);
  const auto state = prepare(*metric, texts);
  const Explanation why = metric->explain(texts.batch(), state.get());
  ASSERT_EQ(why.tables.size(), 1u);
  EXPECT_EQ(why.tables[0].rows,
            (std::vector<std::vector<std::string>>{{"a horse", "horse", "0.6000"}, {"the", "", "-"}}));
  EXPECT_EQ(why.summary,
            (std::vector<std::string>{"words that count: dog",
                                      "left out, as stop words or words without a vector: the unheard"}));
}

}  // namespace
}  // namespace capella::metric
