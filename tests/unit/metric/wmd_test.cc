#include "metric/wmd.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"
#include "support/small_word_vectors.h"
#include "support/wmd_texts.h"

namespace capella::metric {
namespace {

using reference::Item;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Points of a plane, so that distances can be seen. Stop words have vectors too.
class WmdTest : public ::testing::Test {
 protected:
  double distance(const std::string& caption, const std::string& reference, VectorNorm norm = VectorNorm::raw,
                  WmdSolver solver = WmdSolver::exact) const {
    return test::wmd_distances({{caption, {reference}}}, vectors_.get(), norm, solver)[0][0];
  }
  double score(const std::string& caption, const std::vector<std::string>& references) const {
    return test::wmd_scores(*raw_, {{caption, references}}, vectors_.get())[0];
  }
  Resources resources() const {
    Resources resources;
    resources.vectors = &vectors_.get();
    return resources;
  }
  Explanation explain(const Metric& metric, const Item& item) const {
    const std::vector<Item> items = {item};
    const test::MetricTexts texts(items, metric.info().reads);
    return metric.explain(texts.batch(), metric.prepare(texts.references(), resources()).get());
  }

  test::SmallWordVectors vectors_{{{"man", {0, 0}},
                                   {"boy", {1, 0}},
                                   {"rides", {0, 3}},
                                   {"riding", {.5, 3}},
                                   {"horse", {4, 0}},
                                   {"pony", {4, 1}},
                                   {"bike", {6, 2}},
                                   {"steed", {4, 0}},
                                   {"the", {9, 9}}}};
  std::unique_ptr<Metric> raw_ = test::make_wmd({{"norm", "raw"}});
};

TEST_F(WmdTest, TheWorkedExamples) {
  EXPECT_DOUBLE_EQ(distance("man rides horse", "boy riding pony"), 2.5 / 3);
  EXPECT_DOUBLE_EQ(score("man rides horse", {"boy riding pony"}), 0.43459820850707825);
  EXPECT_NEAR(distance("man rides horse", "man bike"), 2.456602796631766, 1e-15);
  EXPECT_DOUBLE_EQ(score("man rides horse", {"man bike"}), 0.08572568443125114);
  EXPECT_DOUBLE_EQ(distance("man", "boy pony"), (1 + std::sqrt(17)) / 2);
}

TEST_F(WmdTest, CountsAreWeights) {
  EXPECT_DOUBLE_EQ(distance("man man horse", "man horse horse"), 4.0 / 3);
  EXPECT_EQ(distance("man horse", "man man horse horse"), 0.0);
  EXPECT_GT(distance("man horse", "man man horse"), 0.0);
}

TEST_F(WmdTest, ACaptionIsNothingFromItself) {
  EXPECT_EQ(distance("horse", "horse"), 0.0);
  EXPECT_EQ(distance("the man riding bike", "bike man riding"), 0.0);
  EXPECT_EQ(score("the man riding bike", {"man", "riding the bike man"}), 1.0);
}

TEST_F(WmdTest, StopWordsAndUnknownWordsDoNotCount) {
  EXPECT_EQ(distance("the man", "boy zebra on"), distance("man", "boy"));
  EXPECT_EQ(distance("Man boy", "boy"), 0.0) << "words are compared letter by letter";
  EXPECT_EQ(distance("man  boy", "boy man"), 0.0) << "the empty word between two spaces has no vector";
}

TEST_F(WmdTest, WithoutWordsTheDistanceIsInfinite) {
  for (const char* text : {"", "the of", "zebra"}) {
    for (const WmdSolver solver : {WmdSolver::exact, WmdSolver::gensim3}) {
      EXPECT_EQ(distance(text, "man", VectorNorm::raw, solver), kInfinite) << text;
      EXPECT_EQ(distance("man", text, VectorNorm::raw, solver), kInfinite) << text;
    }
    EXPECT_EQ(score(text, {"man"}), 0.0) << text;
    EXPECT_EQ(score("man", {text, "man"}), 1.0) << text;
  }
}

TEST_F(WmdTest, DifferentWordsWithEqualVectors) {
  EXPECT_EQ(distance("horse", "steed"), 0.0);
  EXPECT_EQ(score("horse", {"steed"}), 1.0);
  EXPECT_EQ(distance("horse", "steed", VectorNorm::raw, WmdSolver::gensim3), kInfinite) << "gensim's quirk";
  EXPECT_EQ(distance("horse", "horse", VectorNorm::raw, WmdSolver::gensim3), 0.0);
}

TEST_F(WmdTest, UnitVectorsHaveLengthOne) {
  EXPECT_NEAR(distance("bike", "rides", VectorNorm::unit),
              std::hypot(6 / std::sqrt(40), 2 / std::sqrt(40) - 1), 1e-7);
  EXPECT_EQ(distance("man", "horse", VectorNorm::unit), 1.0) << "a vector of zeros stays";
}

TEST_F(WmdTest, TheNearestReferenceCounts) {
  const double nearest = distance("man rides horse", "boy riding pony");
  for (const auto& references :
       {std::vector<std::string>{"bike", "boy riding pony", "man"}, {"boy riding pony", "", "zebra"}})
    EXPECT_EQ(score("man rides horse", references), std::exp(-nearest));
}

TEST_F(WmdTest, TheCorpusScoreIsTheMean) {
  const double row[] = {1.5, 3.0};
  double found = 0;
  raw_->finish(row, {&found, 1});
  EXPECT_EQ(found, 0.5);
}

TEST_F(WmdTest, ReferencesThatWereNotPreparedAreScoredTheSame) {
  const std::vector<Item> prepared = {{"man", {"horse"}}};
  const std::vector<Item> others = {{"boy pony", {"man bike", "riding horse"}}, {"bike", {"the pony"}}};
  const test::MetricTexts known(prepared, raw_->info().reads), brought(others, raw_->info().reads);
  const auto state = raw_->prepare(known.references(), resources());
  EXPECT_EQ(brought.rows(*raw_, state.get()), brought.rows(*raw_, resources()));
}

// Their vocabulary extends the prepared one, and captions have words of both.
TEST_F(WmdTest, ReferencesThatExtendThePreparedOnesAreScoredTheSame) {
  const std::vector<Item> prepared = {{"man", {"horse rides", "steed\u00A0the riding"}}};
  const test::MetricTexts known(prepared, raw_->info().reads);
  const auto state = raw_->prepare(known.references(), resources());
  const std::vector<std::string> references = {"man bike", "boy riding horse", "the pony"};
  const std::vector<std::string> captions = {"steed boy pony", "horse zebra"};
  const auto set = [](const std::vector<std::string>& texts, const text::TextSet& base) {
    text::StringColumn column;
    for (const std::string& text : texts) column.push_back(text);
    return std::make_unique<text::TextSet>(std::move(column), &base);
  };
  const auto own = set(references, known.references().tokens);
  const auto tokens = set(captions, *own);
  const std::vector<std::string_view> raw(references.begin(), references.end());
  const std::vector<std::string_view> raw_captions(captions.begin(), captions.end());
  const std::vector<std::size_t> ends = {2, 3};
  const std::vector<std::uint32_t> items = {0, 1};
  double rows[4];
  const References brought{raw, ends, *own};
  raw_->rows({brought, items, raw_captions, *tokens}, state.get(), rows);
  EXPECT_EQ(rows[0], score("steed boy pony", {"man bike", "boy riding horse"}));
  EXPECT_EQ(rows[2], score("horse zebra", {"the pony"}));
  EXPECT_GT(rows[2], 0.0);
}

TEST_F(WmdTest, OnlyTheWantedItemsArePrepared) {
  const std::vector<Item> items = {{"man", {"horse"}}, {"boy", {"bike", "pony"}}, {"pony", {"man"}}};
  const test::MetricTexts texts(items, raw_->info().reads);
  const std::vector<double> all = texts.rows(*raw_, resources());
  Resources some = resources();
  some.items = {1, 2};
  const std::vector<double> found = texts.rows(*raw_, some);
  EXPECT_EQ(found[0], 0.0) << "no caption should have come for this item";
  EXPECT_EQ(found[2], all[2]);
}

TEST_F(WmdTest, TheSignatureNamesEveryChoice) {
  const std::vector<Item> items = {{"man", {"horse"}}};
  const test::MetricTexts texts(items, text::Detail::words);
  const auto choices = [&](const std::map<std::string, std::string>& settings) {
    const auto metric = test::make_wmd(settings);
    return metric->choices(metric->prepare(texts.references(), resources()).get());
  };
  const std::string vectors = "vec:" + vectors_.get().description();
  EXPECT_EQ(choices({}), vectors + "|norm:unit|stop:nltk153|solver:exact|ref:max");
  EXPECT_EQ(choices({{"norm", "raw"}, {"solver", "gensim3"}}),
            vectors + "|norm:raw|stop:nltk153|solver:gensim3|ref:max");
}

TEST_F(WmdTest, SettingsAreChecked) {
  EXPECT_EQ(test::make_wmd()->info().vectors, "captions");
  EXPECT_EQ(test::make_wmd({{"vectors", "glove.txt"}})->info().vectors, "glove.txt");
  EXPECT_EQ(test::message_of<UsageError>([] {
              test::make_wmd({{"norm", "l1"}});
            }),
            "wmd.norm: found 'l1', expected one of unit, raw");
  EXPECT_EQ(test::message_of<UsageError>([] {
              test::make_wmd({{"vectors", ""}});
            }),
            "wmd.vectors: found '', expected captions or the path of a file");
  EXPECT_EQ(test::message_of<UsageError>([] {
              test::make_wmd({{"solver", "pot"}});
            }),
            "wmd.solver: found 'pot', expected one of exact, gensim3");
}

TEST_F(WmdTest, ManyMissingVectorsAreTold) {
  const auto warnings = [&](const std::string& reference) {
    const std::vector<Item> items = {{"man", {reference}}};
    const test::MetricTexts texts(items, text::Detail::words);
    return raw_->warnings(raw_->prepare(texts.references(), resources()).get());
  };
  EXPECT_TRUE(warnings("the man  rides the horse").empty());
  EXPECT_TRUE(warnings("man boy rides riding horse pony bike steed man zebra").empty()) << "one of ten";
  EXPECT_EQ(warnings("the zebra man zebra quagga rides"),
            std::vector{"wmd: 3 of the references' 5 words, stop words aside, have no vector in " +
                        vectors_.get().description() + " and do not count: zebra, quagga"});
}

TEST_F(WmdTest, ExplainsWhatMoves) {
  using Row = std::vector<std::string>;
  const Explanation found = explain(*raw_, {"the man rides horse", {"bike", "boy man zebra pony riding"}});
  EXPECT_EQ(found.metric, "wmd");
  // Thirds against quarters, in twelfths: (1 + 3 x 0.5 + 3 x 1 + sqrt(10) + 3) / 12.
  EXPECT_EQ(found.summary.at(0),
            "distance 0.9719 to the nearest of 2 references, score exp(-0.9719) = 0.3784");
  ASSERT_EQ(found.tables.size(), 3u);
  EXPECT_EQ(found.tables[0].rows.at(1), (Row{"boy man zebra pony riding", "0.9719", "0.3784"}));
  EXPECT_EQ(found.tables[1].rows, (std::vector<Row>{{"rides", "boy", "0.0833", "3.1623", "0.2635"},
                                                    {"horse", "boy", "0.0833", "3.0000", "0.2500"},
                                                    {"horse", "pony", "0.2500", "1.0000", "0.2500"},
                                                    {"rides", "riding", "0.2500", "0.5000", "0.1250"},
                                                    {"man", "boy", "0.0833", "1.0000", "0.0833"},
                                                    {"man", "man", "0.2500", "0.0000", "0.0000"}}));
  EXPECT_EQ(found.tables[2].rows,
            (std::vector<Row>{{"caption", "the", "stop word"}, {"nearest reference", "zebra", "no vector"}}));
}

TEST_F(WmdTest, ExplainsAnInfiniteDistance) {
  const Explanation found = explain(*raw_, {"zebra", {"man"}});
  EXPECT_EQ(found.tables[0].rows, (std::vector<std::vector<std::string>>{{"man", "infinite", "0.0000"}}));
  EXPECT_EQ(found.tables.size(), 2u) << "nothing moves";
  EXPECT_EQ(found.summary, std::vector<std::string>{
                               "the distance is infinite and the score 0: the caption or every reference "
                               "has no word that counts"});
}

TEST_F(WmdTest, ExplainsTheQuirkOfGensim) {
  const auto gensim3 = test::make_wmd({{"norm", "raw"}, {"solver", "gensim3"}});
  const Explanation found = explain(*gensim3, {"the horse", {"zebra", "steed"}});
  EXPECT_EQ(found.summary, std::vector<std::string>{
                               "the distance is infinite and the score 0: all words that count have the "
                               "same vector, which gensim 1 to 3 takes for a failure; with "
                               "wmd.solver=exact the distance is 0"});
}

}  // namespace
}  // namespace capella::metric
