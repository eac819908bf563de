#include "report/json_value.h"

#include <limits>

#include <gtest/gtest.h>

namespace capella::report {
namespace {

TEST(JsonNumber, WritesWhatJsonCannotAsStrings) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(json_number(std::nan("")).dump(), "\"nan\"");
  EXPECT_EQ(json_number(kInfinity).dump(), "\"inf\"");
  EXPECT_EQ(json_number(-kInfinity).dump(), "\"-inf\"");
}

TEST(JsonNumber, KeepsEveryDigit) {
  for (const double value : {0.1, 1.0 / 3.0, 0.5997905185184199, 5e-324, 1e300, 0.0}) {
    EXPECT_EQ(Json::parse(json_number(value).dump()).get<double>(), value);
  }
}

}  // namespace
}  // namespace capella::report
