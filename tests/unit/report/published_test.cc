#include "report/published.h"

#include <cmath>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace capella::report {
namespace {

constexpr std::string_view kBenchmarks[] = {
    "foil", "composite", "flickr8k-expert", "flickr8k-cf", "nebula", "pascal50s", "speed"};

double value(std::string_view benchmark, std::string_view printed, std::string_view what,
             std::string_view source = "DENEB") {
  for (const PublishedRow& row : published_rows(benchmark)) {
    if (row.printed == printed && row.source.starts_with(source)) return row.value(what).value_or(-1);
  }
  return -2;
}

TEST(Published, HasEveryRowOfTheSources) {
  EXPECT_EQ(published_rows("foil").size(), 23u);
  EXPECT_EQ(published_rows("speed").size(), 23u);
  EXPECT_EQ(published_rows("composite").size(), 23u + 5u + 12u);
  EXPECT_EQ(published_rows("flickr8k-expert").size(), 23u + 5u);
  EXPECT_EQ(published_rows("flickr8k-cf").size(), 23u + 5u);
  EXPECT_EQ(published_rows("nebula").size(), 23u + 5u);
  EXPECT_EQ(published_rows("pascal50s").size(), 22u + 3u + 12u);
  EXPECT_TRUE(published_rows("polaris").empty());
  EXPECT_TRUE(published_rows("").empty());
}

TEST(Published, ListsItsBenchmarks) {
  for (const std::string_view name : kBenchmarks) EXPECT_FALSE(published_rows(name).empty());
}

TEST(Published, KeepsTheNumbersAsPrinted) {
  EXPECT_EQ(value("foil", "CIDEr", "1-ref"), 82.5);
  EXPECT_EQ(value("foil", "CIDEr", "4-ref"), 90.6);
  EXPECT_EQ(value("composite", "SPICE", "kendall_c"), 40.3);
  EXPECT_EQ(value("flickr8k-cf", "METEOR", "kendall_b"), 22.2);
  EXPECT_EQ(value("nebula", "DENEB ViT-L/14", "kendall_c"), 54.3);
  EXPECT_EQ(value("speed", "CLAIR", "ms"), 1600);
  EXPECT_EQ(value("pascal50s", "Polos", "HC"), 70.0);
  EXPECT_EQ(value("pascal50s", "RefFLEUR", "mean"), 85.5);
  EXPECT_EQ(value("flickr8k-expert", "CIDEr", "kendall_b", "PAC-S"), 43.602);
  EXPECT_EQ(value("flickr8k-cf", "BLEU-1", "kendall_c", "PAC-S"), 9.256);
  EXPECT_EQ(value("composite", "BLEU", "kendall_b", "arXiv"), 28.3);
  EXPECT_EQ(value("pascal50s", "CIDEr-R", "HI", "CIDEr-R"), 94);
  EXPECT_EQ(value("nebula", "Polos", "kendall_c", "CaptionEvalKit"), 55.0);
}

TEST(Published, HasNoValueWhereTheSourcePrintsADash) {
  EXPECT_EQ(value("foil", "UMIC", "1-ref"), -1);
  EXPECT_EQ(value("nebula", "FLEUR", "kendall_c"), -1);
  EXPECT_EQ(value("composite", "BLEU", "kendall_b"), -1);  // this table has tau-c only
}

TEST(Published, FindsTheRowsOfOneScore) {
  const auto rows = published_rows("flickr8k-expert", "CIDEr-D");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]->source, "DENEB, Table 1");
  EXPECT_EQ(rows[0]->printed, "CIDEr");
  EXPECT_EQ(rows[1]->value("kendall_c"), 43.891);
  EXPECT_EQ(published_rows("pascal50s", "PAC-S").size(), 2u);
}

TEST(Published, NotesStandOnlyWhereTheyAreTrue) {
  EXPECT_NE(published_rows("nebula", "RefCLIP-S").at(0)->note.find("CLIP-S"), std::string_view::npos);
  EXPECT_TRUE(published_rows("foil", "RefCLIP-S").at(0)->note.empty());
}

TEST(Published, ValuesAreNumbersPerCentAndMeansFitTheirParts) {
  for (const std::string_view benchmark : kBenchmarks) {
    std::set<std::string> seen;
    for (const PublishedRow& row : published_rows(benchmark)) {
      EXPECT_TRUE(seen.insert(std::string(row.printed) + "|" + std::string(row.source)).second)
          << row.printed;
      for (const PublishedValue& each : row.values) {
        if (std::isnan(each.value) || benchmark == "speed") continue;
        EXPECT_GT(each.value, 5) << row.printed;
        EXPECT_LT(each.value, 100) << row.printed;
      }
    }
  }
  for (const PublishedRow& row : published_rows("pascal50s")) {
    const std::optional<double> mean = row.value("mean");
    if (!mean) continue;
    const double parts = (*row.value("HC") + *row.value("HI") + *row.value("HM") + *row.value("MM")) / 4;
    EXPECT_NEAR(*mean, parts, 0.101) << row.printed;
  }
}

}  // namespace
}  // namespace capella::report
