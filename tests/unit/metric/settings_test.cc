#include "metric/settings.h"

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"

namespace capella::metric {
namespace {

using test::message_of;

constexpr SettingInfo kKnown[] = {
    {"sigma", "6", "width"}, {"smooth", "exp", "how"}, {"effective", "no", "yes or no"}};
constexpr std::string_view kChoices[] = {"exp", "floor"};

Settings with(std::string_view key, std::string_view value) {
  Settings settings("metric", kKnown);
  settings.set(key, value);
  return settings;
}

TEST(Settings, HaveDefaults) {
  const Settings settings("metric", kKnown);
  EXPECT_EQ(settings.number("sigma", 0, 10), 6.0);
  EXPECT_EQ(settings.integer("sigma", 0, 10), 6);
  EXPECT_EQ(settings.choice("smooth", kChoices), 0u);
  EXPECT_FALSE(settings.flag("effective"));
}

TEST(Settings, CanBeSet) {
  EXPECT_EQ(with("sigma", "2.5e-1").number("sigma", 0, 10), 0.25);
  EXPECT_EQ(with("smooth", "floor").choice("smooth", kChoices), 1u);
  EXPECT_TRUE(with("effective", "yes").flag("effective"));
  EXPECT_TRUE(with("effective", "true").flag("effective"));
  EXPECT_FALSE(with("effective", "false").flag("effective"));
}

TEST(Settings, UnknownKeysAreErrorsThatOfferTheNearest) {
  EXPECT_EQ(message_of<UsageError>([] { with("sigmaa", "1"); }),
            "unknown setting of metric 'sigmaa'; did you mean 'sigma'? Valid: effective, sigma, smooth");
  EXPECT_EQ(message_of<UsageError>([] { Settings("bleu", {}).set("n", "4"); }),
            "bleu has no settings, so bleu.n cannot be set");
}

TEST(Settings, NumbersMustBeNumbersInRange) {
  for (const std::string_view value : {"", "six", "6x", " 6", "nan", "11", "-1", "0x6", "1e999"}) {
    EXPECT_THROW(with("sigma", value).number("sigma", 0, 10), UsageError) << value;
  }
  EXPECT_EQ(message_of<UsageError>([] { with("sigma", "11").number("sigma", 0, 10); }),
            "metric.sigma: found '11', expected a number from 0 to 10");
  EXPECT_EQ(message_of<UsageError>([] { with("sigma", "2.5").integer("sigma", 0, 10); }),
            "metric.sigma: found '2.5', expected a whole number from 0 to 10");
}

TEST(Settings, ChoicesMustBeListed) {
  EXPECT_EQ(message_of<UsageError>([] { with("smooth", "bumpy").choice("smooth", kChoices); }),
            "metric.smooth: found 'bumpy', expected one of exp, floor");
  EXPECT_THROW(with("effective", "perhaps").flag("effective"), UsageError);
}

}  // namespace
}  // namespace capella::metric
