#include <algorithm>

#include <gtest/gtest.h>

#include "capella/error.h"
#include "capella/pipeline.h"

#include "support/message_of.h"
#include "support/score_items.h"

namespace capella {
namespace {

using test::make_dataset;
using test::one_metric;
using Row = std::vector<std::string>;

const std::vector<test::Item> kItems = {{"a dog runs", {"a dog sleeps", "a cat runs"}},
                                        {"two cats", {"two cats"}}};

Explanation explain_first(const std::string& metric) {
  ScoreOptions options = one_metric(metric);
  options.tokenizer = "ptb-iso";  // which composite metrics want
  return explain(make_dataset(kItems), "0", options).by_metric.at(0);
}

bool has_row(const Explanation::Table& table, const Row& row) {
  return std::find(table.rows.begin(), table.rows.end(), row) != table.rows.end();
}

TEST(Explain, BleuListsNgramsAndWhetherTheyCounted) {
  const Explanation explanation = explain_first("bleu");
  EXPECT_EQ(explanation.metric, "bleu");
  const Explanation::Table& table = explanation.tables.at(0);
  EXPECT_EQ(table.rows.size(), 6u);
  EXPECT_TRUE(has_row(table, {"1", "runs", "1", "1"}));
  EXPECT_TRUE(has_row(table, {"2", "a dog", "1", "1"}));
  EXPECT_TRUE(has_row(table, {"2", "dog runs", "1", "0"}));
  EXPECT_TRUE(has_row(table, {"3", "a dog runs", "1", "0"}));
  EXPECT_EQ(explanation.summary.at(0), "caption: a dog runs");
  EXPECT_TRUE(explanation.summary.at(1).starts_with("BLEU-1 = 1")) << explanation.summary[1];
  EXPECT_NE(std::find(explanation.summary.begin(), explanation.summary.end(),
                      "1 of 2 2-grams stand in a reference"),
            explanation.summary.end());
}

TEST(Explain, RougeLComparesWithEachReference) {
  const Explanation::Table table = explain_first("rouge-l").tables.at(0);
  EXPECT_TRUE(has_row(table, {"a dog sleeps", "2", "0.6667", "0.6667"}));
  EXPECT_TRUE(has_row(table, {"a cat runs", "2", "0.6667", "0.6667"}));
}

TEST(Explain, CiderWeighsNgrams) {
  const Explanation explanation = explain_first("cider-d");
  const auto table = std::find_if(explanation.tables.begin(), explanation.tables.end(),
                                  [](const auto& t) { return t.columns[0] == "n-gram"; });
  ASSERT_NE(table, explanation.tables.end());
  EXPECT_TRUE(has_row(*table, {"a dog", "0.6931", "1"}));  // log 2, in one of two references
  EXPECT_TRUE(has_row(*table, {"a", "0.6931", "2"}));
  EXPECT_TRUE(has_row(*table, {"dog runs", "0.6931", "0"}));
}

TEST(Explain, ChrfComparesOrders) {
  const Explanation::Table table = explain_first("chrf").tables.at(0);
  EXPECT_EQ(table.rows.size(), 6u);
  EXPECT_EQ(table.rows[0][0], "character 1");
  EXPECT_EQ(table.rows[0][1], "8");  // characters of "a dog runs" without spaces
}

TEST(Explain, EveryMetricSaysItsScore) {
  const std::vector<std::string> without_model = every_metric();  // the others: clip_run_test.cc
  for (const MetricDescription& metric : list_metrics()) {
    if (std::ranges::find(without_model, metric.name) == without_model.end()) continue;
    const Explanation explanation = explain_first(metric.name);
    ASSERT_GE(explanation.summary.size(), 2u);
    EXPECT_TRUE(explanation.summary[1].starts_with(metric.scores[0].name + " = ")) << explanation.summary[1];
    EXPECT_FALSE(explanation.tables.empty());
  }
}

TEST(Explain, WarnsAsScoreDoes) {
  const Dataset one = make_dataset({kItems[0]});
  const std::vector<std::string> warnings = score(one, one_metric("cider-d")).warnings;
  EXPECT_FALSE(warnings.empty());
  EXPECT_EQ(explain(one, "0", one_metric("cider-d")).warnings, warnings);
}

TEST(Explain, UnknownIdsAreErrorsThatOfferTheNearest) {
  const auto ask = [](std::string_view id) {
    return test::message_of<DataError>([&] { explain(make_dataset(kItems), id, one_metric("bleu")); });
  };
  EXPECT_EQ(ask("00"), "no item has the id '00'; did you mean '0'?");
  EXPECT_EQ(ask("COCO_val2014"), "no item has the id 'COCO_val2014'");
}

}  // namespace
}  // namespace capella
