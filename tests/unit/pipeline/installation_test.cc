// What the program says about itself: metrics, shipped values, the installation.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "capella/error.h"
#include "capella/pipeline.h"
#include "capella/version.h"

namespace capella {
namespace {

TEST(ListMetrics, HasTheDefaultsAndTheirSettings) {
  std::set<std::string> names;
  for (const MetricDescription& metric : list_metrics()) names.insert(metric.name);
  for (const std::string& name : default_metrics()) EXPECT_TRUE(names.contains(name)) << name;
}

TEST(ListMetrics, EverySettingTakesItsOwnDefaultAndNoNonsense) {
  for (const MetricDescription& metric : list_metrics()) {
    // What needs a model has tests of its own.
    if (std::ranges::any_of(metric.settings, &MetricDescription::Setting::required)) continue;
    for (const auto& setting : metric.settings) {
      const std::string key = metric.name + "." + setting.key;
      ScoreOptions options;
      options.metrics = {metric.name};
      options.settings = {key + "=" + setting.default_value};
      EXPECT_NO_THROW(check_options(options)) << key;
      options.settings = {key + "=nonsense"};
      EXPECT_THROW(check_options(options), Error) << key;  // a FileError where a file may be named
    }
  }
}

TEST(Verify, EveryShippedValueIsExact) {
  std::size_t computed = 0;
  for (const VerifiedMetric& metric : verify(2)) {
    if (!metric.missing.empty()) continue;
    for (const VerifiedValue& value : metric.values) {
      EXPECT_TRUE(value.exact) << metric.metric << ' ' << value.item << ' ' << value.score << ": "
                               << value.found << " != " << value.expected;
      ++computed;
    }
  }
  EXPECT_GE(computed, 1000u);
}

TEST(ExamineInstallation, FindsVersionAndArithmetic) {
  const std::vector<Finding> findings = examine_installation();
  EXPECT_EQ(findings.at(0).found, std::string(kVersion));
  const auto arithmetic = std::find_if(findings.begin(), findings.end(),
                                       [](const Finding& finding) { return finding.what == "arithmetic"; });
  ASSERT_NE(arithmetic, findings.end());
  EXPECT_TRUE(arithmetic->ok) << arithmetic->found;
}

TEST(Tokenize, GivesOneStringPerCaption) {
  const std::vector<std::string_view> captions = {"A dog, running.", ""};
  EXPECT_EQ(tokenize(captions, "ptb"), (std::vector<std::string>{"a dog running", ""}));
  EXPECT_EQ(tokenize(captions, "none"), (std::vector<std::string>{"A dog, running.", ""}));
}

}  // namespace
}  // namespace capella
