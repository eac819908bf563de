#include "report/ratings_report.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace capella::report {
namespace {

PreparationReport sample() {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  PreparationReport report{};
  report.before = {0.5, 0.25, 0.125, kNone, 3, 4, 40};
  report.after = {0.75, 0.5, 0.25, kNone, 1, 2, 20};
  report.dropped = {{"w1", 12, "quick: median time 1 s, below 2 s"},
                    {"w2", 8, "constant: every rating is 3"}};
  report.usual_seconds = 8;
  report.quick_limit = 2;
  report.images = 5;
  report.captions_lost = 1;
  report.distribution = {{1, 5}, {2, 15}};
  report.entropy = 0.8;
  report.balance = 0.8;
  report.captions_per_image = {1, 1.5, 2};
  report.judgements_per_caption = {2, 2.5, 4};
  return report;
}

TEST(RatingsReport, Json) {
  const auto json = nlohmann::json::parse(preparation_json(sample()));
  EXPECT_EQ(json["agreement"]["before"]["workers"], 4);
  EXPECT_EQ(json["agreement"]["after"]["alpha_interval"], 0.75);
  EXPECT_EQ(json["agreement"]["after"]["kendall_b"], "nan");
  EXPECT_EQ(json["dropped"][1]["worker"], "w2");
  EXPECT_EQ(json["ratings"][1]["count"], 15);
  EXPECT_EQ(json["captions_per_image"]["most"], 2);
  EXPECT_EQ(json["captions_lost"], 1);
}

TEST(RatingsReport, Text) {
  const std::string text = preparation_text(sample());
  for (const char* part :
       {"alpha (interval)", "0.750", "left out: worker w1, 12 judgements; quick", "1: 5  2: 15",
        "balance 0.80", "5 images, 1.5 (1 to 2) captions each", "1 captions are left out"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
  }
}

TEST(RatingsReport, Benchmark) {
  const PreparedRatings ratings{{{"i", "a \"dog\"", {"r"}, 0.5, 3}}, {}};
  EXPECT_EQ(format_prepared(ratings, "jsonl"),
            "{\"imgid\":\"i\",\"mt\":\"a \\\"dog\\\"\",\"refs\":[\"r\"],\"score\":0.5,\"judgements\":3}\n");
}

}  // namespace
}  // namespace capella::report
