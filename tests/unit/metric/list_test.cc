#include "metric/list.h"

#include <set>

#include <gtest/gtest.h>

namespace capella::metric {
namespace {

TEST(MetricList, EveryEntryMakesTheMetricItNames) {
  std::set<std::string> scores;
  std::set<std::string_view> names;
  for (const Entry& entry : all_metrics()) {
    const auto metric = entry.make(Settings(entry.name, entry.settings));
    EXPECT_EQ(metric->info().name, entry.name);
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name << " stands twice";
    EXPECT_FALSE(entry.summary.empty());
    EXPECT_GT(metric->info().row_width, 0u);
    ASSERT_FALSE(metric->info().scores.empty());
    for (const ScoreInfo& score : metric->info().scores)
      EXPECT_TRUE(scores.insert(score.name).second) << score.name;
  }
  EXPECT_TRUE(names.contains("bleu") && names.contains("rouge-l") && names.contains("cider-d"));
}

}  // namespace
}  // namespace capella::metric
