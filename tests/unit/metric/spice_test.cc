#include "metric/spice.h"

#include <cmath>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "aggregate/row_block.h"
#include "support/known_facts.h"
#include "support/small_meteor_data.h"
#include "support/spice_rows.h"

namespace capella::metric {
namespace {

using reference::Item;
using scene::Fact;
using test::attribute;
using test::object;
using test::relation;
using Texts = test::SpiceTexts;

// Texts and what they say; the small English of the tests knows that dogs are hounds, and big is large.
const std::map<std::string, std::vector<Fact>> kSaid = {
    {"nothing", {}},
    {"dog", {object("dog")}},
    {"hound", {object("hound")}},
    {"glass", {object("glass")}},
    {"man rides dog", {relation("man", "ride", "dog"), object("man"), object("dog")}},
    {"person rides hound", {relation("person", "ride", "hound"), object("person"), object("hound")}},
    {"big red dog", {attribute("dog", "big"), attribute("dog", "red"), object("dog")}},
    {"red dog", {attribute("dog", "red"), object("dog")}},
    {"blue dog", {attribute("dog", "blue"), object("dog")}},
    {"two dogs", {attribute("dog", "two"), object("dog")}},
    {"dog and hound", {object("dog"), object("hound")}},
};

class SpiceTest : public ::testing::Test {
 protected:
  std::unique_ptr<const State> prepare(const Texts& texts) {
    return test::prepare_spice(*metric_, texts, data_.get(), facts_.get());
  }

  std::vector<double> rows(const std::vector<Item>& items) {
    return test::spice_rows(*metric_, items, data_.get(), facts_.get());
  }

  std::map<std::string, double> scores(const std::vector<Item>& items) {
    const auto row = aggregate::sum_rows(rows(items), metric_->info().row_width);
    std::vector<double> values(metric_->info().scores.size());
    metric_->finish(row, values);
    std::map<std::string, double> named;
    for (std::size_t i = 0; i < values.size(); ++i) named[metric_->info().scores[i].name] = values[i];
    return named;
  }
  double score(const std::string& caption, const std::vector<std::string>& references) {
    return scores({{caption, references}})["SPICE"];
  }

  test::SmallMeteorData data_{std::string("0.5\nzzz\nbig dog\n")};
  test::KnownFacts facts_{kSaid};
  std::unique_ptr<Metric> metric_ = test::make_spice("yes");
};

TEST_F(SpiceTest, EqualScenesScoreOne) {
  for (const char* text : {"dog", "man rides dog", "big red dog"})
    EXPECT_EQ(score(text, {text}), 1.0) << text;
  EXPECT_EQ(score("dog", {"glass"}), 0.0);
}

TEST_F(SpiceTest, CountsTuples) {
  // The references say dog, big, red; the caption dog, red.
  const auto named = scores({{"red dog", {"big red dog"}}});
  EXPECT_EQ(named.at("SPICE-tp"), 2.0);
  EXPECT_EQ(named.at("SPICE-fp"), 0.0);
  EXPECT_EQ(named.at("SPICE-fn"), 1.0);
  EXPECT_EQ(named.at("SPICE-precision"), 1.0);
  EXPECT_EQ(named.at("SPICE-recall"), 2.0 / 3.0);
  EXPECT_EQ(named.at("SPICE"), 2 * 1.0 * (2.0 / 3.0) / (1.0 + 2.0 / 3.0));
  EXPECT_EQ(named.at("SPICE-Object"), 1.0);
  EXPECT_EQ(named.at("SPICE-Attribute"), 2 * 1.0 * 0.5 / (1.0 + 0.5));
  EXPECT_EQ(named.at("SPICE-Color"), 1.0);
  EXPECT_EQ(named.at("SPICE-Size"), 0.0);
  EXPECT_TRUE(std::isnan(named.at("SPICE-Relation")));
  EXPECT_TRUE(std::isnan(named.at("SPICE-Cardinality-precision")));
}

TEST_F(SpiceTest, AllReferencesMakeOneScene) {
  EXPECT_EQ(score("big red dog", {"red dog", "big red dog", "dog"}), 1.0);
  const auto named = scores({{"man rides dog", {"dog", "red dog", "blue dog"}}});
  EXPECT_EQ(named.at("SPICE-tp"), 1.0);
  EXPECT_EQ(named.at("SPICE-fn"), 2.0);
}

TEST_F(SpiceTest, WordsOfOneSynsetAreOne) {
  EXPECT_EQ(score("hound", {"dog"}), 1.0);
  EXPECT_EQ(score("person rides hound", {"man rides dog"}), 1.0);
  EXPECT_EQ(scores({{"dog", {"dog and hound"}}})["SPICE-fn"], 0.0);
  metric_ = test::make_spice("no");
  EXPECT_EQ(score("hound", {"dog"}), 0.0);
  EXPECT_EQ(score("dog", {"dog"}), 1.0);
  EXPECT_EQ(scores({{"dog", {"dog and hound"}}})["SPICE-fn"], 1.0);
}

TEST_F(SpiceTest, EmptyScenesScoreZero) {
  EXPECT_EQ(score("nothing", {"dog"}), 0.0);
  EXPECT_EQ(score("dog", {"nothing"}), 0.0);
  EXPECT_EQ(score("nothing", {"nothing", "nothing"}), 0.0);
}

TEST_F(SpiceTest, CategoriesAreMeansOverTheCaptionsThatHaveThem) {
  const std::vector<Item> items = {
      {"red dog", {"red dog"}}, {"red dog", {"blue dog"}}, {"dog", {"dog"}}, {"two dogs", {"two dogs"}}};
  const auto named = scores(items);
  EXPECT_EQ(named.at("SPICE-Color"), (1.0 + 0.0) / 2);
  EXPECT_EQ(named.at("SPICE-Cardinality"), 1.0);
  EXPECT_TRUE(std::isnan(named.at("SPICE-Size")));
  EXPECT_EQ(named.at("SPICE"), (1.0 + 0.5 + 1.0 + 1.0) / 4);
}

TEST_F(SpiceTest, ACallMayBringItsOwnReferences) {
  const std::vector<Item> items = {{"red dog", {"big red dog"}}, {"hound", {"dog"}}};
  const Texts prepared(std::vector<Item>{{"", {"glass"}}});
  const Texts own(items);
  const auto state = prepare(prepared);
  std::vector<double> out(items.size() * metric_->info().row_width);
  metric_->rows(own.batch(), state.get(), out.data());
  EXPECT_EQ(out, rows(items));
}

TEST_F(SpiceTest, ManyImagesAreScoredAsFewAre) {
  std::vector<Item> items;
  for (int i = 0; i < 700; ++i)
    items.push_back({i % 2 == 0 ? "red dog" : "hound", {i % 3 == 0 ? "big red dog" : "dog", "two dogs"}});
  const std::vector<double> all = rows(items);
  const std::size_t width = metric_->info().row_width;
  for (const std::size_t i : {0u, 1u, 255u, 256u, 257u, 511u, 512u, 699u}) {
    const auto own = std::vector(all.begin() + static_cast<std::ptrdiff_t>(i * width),
                                 all.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
    EXPECT_EQ(own, rows({items[i]})) << i;
  }
}

TEST_F(SpiceTest, TheSignatureNamesParserAndSynsets) {
  const Texts texts(std::vector<Item>{{"dog", {"dog"}}});
  const auto choices = [&] {
    const auto state = prepare(texts);
    return metric_->choices(state.get());
  };
  EXPECT_TRUE(choices().starts_with("parser:#")) << choices();
  EXPECT_TRUE(choices().ends_with("|syn:wn3.0")) << choices();
  metric_ = test::make_spice("no");
  EXPECT_TRUE(choices().ends_with("|syn:none")) << choices();
  EXPECT_THROW(test::make_spice("maybe"), UsageError);
}

TEST_F(SpiceTest, OnlyOneOfItsScoresIsAlwaysShown) {
  EXPECT_EQ(metric_->info().scores[main_score(metric_->info())].name, "SPICE");
  std::size_t always = 0;
  for (const ScoreInfo& score : metric_->info().scores) always += score.shown == Shown::always;
  EXPECT_EQ(always, 1u);
}

TEST_F(SpiceTest, ExplainsWhatMatchedAndWhatDidNot) {
  const Texts texts(std::vector<Item>{{"person rides hound", {"man rides dog", "red dog"}}});
  const auto state = prepare(texts);
  const Explanation why = metric_->explain(texts.batch(), state.get());
  EXPECT_EQ(why.metric, "spice");
  ASSERT_EQ(why.tables.size(), 4u);
  using Rows = std::vector<std::vector<std::string>>;
  EXPECT_EQ(why.tables[0].rows[0],
            (std::vector<std::string>{"All", "3", "0", "1", "1.0000", "0.7500", "0.8571"}));
  EXPECT_EQ(why.tables[1].rows,
            (Rows{{"hound", "dog"}, {"person", "man"}, {"person - ride - hound", "man - ride - dog"}}));
  EXPECT_EQ(why.tables[2].rows, Rows());
  EXPECT_EQ(why.tables[3].rows, (Rows{{"dog - red"}}));
}

}  // namespace
}  // namespace capella::metric
