#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "capella/error.h"
#include "capella/ratings.h"

#include "io/benchmark.h"
#include "report/ratings_report.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella {
namespace {

constexpr const char* kHeader = "worker,imgid,caption,rating,seconds,refs\n";

// Rows of one worker about captions "c0", "c1", ... of the images "i0", "i0", "i1", ...
std::string rows(const std::string& worker, const std::vector<int>& ratings, double seconds) {
  std::string text;
  for (std::size_t k = 0; k < ratings.size(); ++k) {
    text += fmt::format("{},i{},c{},{},{},\"[\"\"r{}\"\", \"\"s\"\"]\"\n", worker, k / 2, k, ratings[k],
                        seconds, k);
  }
  return text;
}

PreparedRatings prepare(const std::string& text, const PrepareOptions& options = {}) {
  const test::TempDir dir;
  return prepare_ratings(dir.write("raw.csv", text), options);
}

// Two who look, one who does not, one who always says 3.
const std::string kFour = kHeader + rows("ann", {1, 2, 4, 5}, 8) + rows("ben", {1, 3, 5, 5}, 12) +
                          rows("hasty", {5, 1, 1, 1}, 1.5) + rows("same", {3, 3, 3, 3}, 9);

TEST(PrepareRatings, AveragesOnAScaleFromZeroToOne) {
  const PreparedRatings prepared = prepare(kHeader + rows("ann", {1, 2, 4}, 8) + rows("ben", {1, 3, 5}, 12));
  ASSERT_EQ(prepared.captions.size(), 3u);
  EXPECT_EQ(prepared.captions[1].image, "i0");
  EXPECT_EQ(prepared.captions[1].caption, "c1");
  EXPECT_EQ(prepared.captions[1].references, (std::vector<std::string>{"r1", "s"}));
  EXPECT_DOUBLE_EQ(prepared.captions[0].score, 0);
  EXPECT_DOUBLE_EQ(prepared.captions[1].score, 0.375);
  EXPECT_DOUBLE_EQ(prepared.captions[2].score, 0.875);
  EXPECT_EQ(prepared.captions[2].judgements, 2u);
}

// Ratings in another order, or others with the same sum, once gave scores that differ in the last digit.
TEST(PrepareRatings, EqualSumsAreEqualScores) {
  const PreparedRatings prepared =
      prepare(kHeader + rows("ann", {2, 4, 1, 1, 4}, 8) + rows("ben", {4, 4, 4, 3, 4}, 8) +
                  rows("cid", {4, 2, 4, 4, 2}, 8) + rows("dee", {1, 1, 1, 2, 1}, 8),
              {.lowest = 1, .highest = 4});
  ASSERT_EQ(prepared.captions.size(), 5u);
  EXPECT_EQ(prepared.captions[0].score, 7.0 / 12);
  EXPECT_EQ(prepared.captions[1].score, 7.0 / 12);
  EXPECT_EQ(prepared.captions[2].score, 0.5);
  EXPECT_EQ(prepared.captions[3].score, 0.5);
  EXPECT_EQ(prepared.captions[4].score, 7.0 / 12);
}

// Sums of the ends of a scale are rounded; the scores still are those that readers accept.
TEST(PrepareRatings, ScoresStayOnTheScale) {
  constexpr const char* kEnds =
      "worker,imgid,caption,rating,refs\na,x,c,0.9,r\nb,x,c,0.9,r\nc,x,c,0.9,r\n"
      "a,x,d,0.3,r\nb,x,d,0.3,r\nc,x,d,0.3,r\n";
  const PreparedRatings prepared = prepare(kEnds, {.lowest = 0.3, .highest = 0.9});
  EXPECT_EQ(prepared.captions.at(0).score, 1.0);
  EXPECT_EQ(prepared.captions.at(1).score, 0.0);
}

TEST(PrepareRatings, LineBreaksDoNotMixUpImagesAndCaptions) {
  constexpr const char* kBroken =
      R"([{"worker": "a", "imgid": "x\ny", "caption": "z", "rating": 2, "refs": ["r"]},
{"worker": "a", "imgid": "x", "caption": "y\nz", "rating": 4, "refs": ["s"]}])";
  const PreparedRatings prepared = prepare(kBroken);
  ASSERT_EQ(prepared.captions.size(), 2u);
  EXPECT_EQ(prepared.captions[1].caption, "y\nz");
}

TEST(PrepareRatings, LeavesOutQuickAndConstantWorkers) {
  const PreparedRatings prepared = prepare(kFour, {.constant_from = 4});
  const PreparationReport& report = prepared.report;
  ASSERT_EQ(report.dropped.size(), 2u);
  EXPECT_EQ(report.dropped[0].worker, "hasty");
  // The usual time is the median of 8, 12, 1.5 and 9.
  EXPECT_EQ(report.dropped[0].why, "quick: median time 1.5 s, below 2.12 s");
  EXPECT_EQ(report.dropped[1].worker, "same");
  EXPECT_EQ(report.dropped[1].judgements, 4u);
  EXPECT_EQ(report.dropped[1].why, "constant: every rating is 3");
  EXPECT_DOUBLE_EQ(report.usual_seconds, 8.5);
  EXPECT_DOUBLE_EQ(prepared.captions[1].score, 0.375);
  EXPECT_EQ(report.before.workers, 4u);
  EXPECT_EQ(report.before.judgements, 16u);
  EXPECT_EQ(report.after.workers, 2u);
  EXPECT_EQ(report.after.judgements, 8u);
  EXPECT_GT(report.after.alpha_interval, report.before.alpha_interval);
  EXPECT_EQ(report.after.pairs, 1u);
}

TEST(PrepareRatings, TheRulesAreOptions) {
  EXPECT_EQ(prepare(kFour).report.dropped.size(), 1u);  // four judgements are too few for "constant"
  EXPECT_TRUE(prepare(kFour, {.quick_share = 0}).report.dropped.empty());
  const PreparationReport report = prepare(kFour, {.quick_share = 0, .quick_seconds = 8.5}).report;
  ASSERT_EQ(report.dropped.size(), 2u);
  EXPECT_EQ(report.dropped[0].worker, "ann");
}

TEST(PrepareRatings, Balance) {
  const PreparationReport report = prepare(kHeader + rows("ann", {1, 1, 5, 5}, 8)).report;
  ASSERT_EQ(report.distribution.size(), 5u);
  EXPECT_EQ(report.distribution[0].count, 2u);
  EXPECT_EQ(report.distribution[1].count, 0u);
  EXPECT_DOUBLE_EQ(report.entropy, 1);
  EXPECT_DOUBLE_EQ(report.balance, 1 / std::log2(5));
  EXPECT_EQ(report.images, 2u);
  EXPECT_EQ(report.captions_per_image.least, 2u);
  EXPECT_DOUBLE_EQ(report.judgements_per_caption.mean, 1);
  EXPECT_TRUE(std::isnan(report.before.alpha_interval));
}

TEST(PrepareRatings, OtherScalesAndShapes) {
  const PreparedRatings prepared =
      prepare(R"({"worker_id": 1, "image_id": 7, "mt": "a", "score": 25, "references": ["b"]}
{"worker_id": 2, "image_id": 7, "mt": "a", "score": 75.5}
)",
              {.lowest = 0, .highest = 100});
  ASSERT_EQ(prepared.captions.size(), 1u);
  EXPECT_DOUBLE_EQ(prepared.captions[0].score, 0.5025);
  EXPECT_EQ(prepared.report.distribution.size(), 2u);
  EXPECT_TRUE(std::isnan(prepared.report.usual_seconds));
  EXPECT_EQ(prepared.report.quick_limit, 0);
}

TEST(PrepareRatings, ReferencesFromAnotherFile) {
  const test::TempDir dir;
  PrepareOptions options;
  options.references = dir.write("refs.json", R"({"x": ["one", "two"]})");
  const std::string raw = dir.write("raw.tsv", "worker\timgid\tcaption\trating\nann\tx\ta dog\t4\n");
  EXPECT_EQ(prepare_ratings(raw, options).captions.at(0).references,
            (std::vector<std::string>{"one", "two"}));
}

// Thousands of captions once made the table of who judged what outgrow memory.
TEST(PrepareRatings, ManyCaptionsAndWorkers) {
  constexpr std::size_t kCaptions = 6000;
  std::vector<int> ratings(kCaptions);
  for (std::size_t k = 0; k < kCaptions; ++k) ratings[k] = static_cast<int>(1 + k % 5);
  std::string text = kHeader;
  for (const char* worker : {"a", "b", "c", "d"}) text += rows(worker, ratings, 8);
  const PreparedRatings prepared = prepare(text);
  EXPECT_EQ(prepared.captions.size(), kCaptions);
  EXPECT_EQ(prepared.captions[4].judgements, 4u);
}

TEST(PrepareRatings, TheResultIsABenchmark) {
  const PreparedRatings prepared = prepare(kFour);
  const test::TempDir dir;
  for (const std::string format : {"json", "jsonl"}) {
    const std::string file = dir.write("benchmark." + format, report::format_prepared(prepared, format));
    const io::Benchmark benchmark = io::read_benchmark("nebula", file, {});
    ASSERT_EQ(benchmark.rows(), 4u);
    EXPECT_EQ(benchmark.ratings[1], prepared.captions[1].score);
    EXPECT_EQ(benchmark.image_names, (std::vector<std::string>{"i0", "i1"}));
    EXPECT_EQ(benchmark.version, "means of 12 judgements, as the file says");
  }
  EXPECT_THROW(report::format_prepared(prepared, "csv"), UsageError);
}

TEST(PrepareRatings, Errors) {
  const auto expect = [](const std::string& text, const std::string& part,
                         const PrepareOptions& options = {}) {
    const std::string message = test::message_of<DataError>([&] { prepare(text, options); });
    EXPECT_NE(message.find("raw.csv" + part), std::string::npos) << part << " in: " << message;
  };
  expect(kHeader + rows("ann", {1, 6}, 8), ":3: rating is 6, expected a number from 1 to 5");
  expect(kHeader + rows("ann", {1}, -8), ":2: seconds is -8, expected a number not below 0");
  expect(kHeader + rows("ann", {1}, 8) + rows("ann", {2}, 8),
         ":3: the worker ann has judged this caption before");
  expect("worker,imgid,caption,rating\nann,x,a dog,4\n", ": the rows have no references");
  expect("imgid,caption,rating,refs\nx,a dog,4,b\n",
         ":1: the columns are imgid, caption, rating, refs, expected one of worker");
  expect("worker,imgid,caption,rating,refs\nann,x,a dog,4,b\nben,x,a dog,4,c\n", ":3: the references differ");
  expect(kHeader + rows("ann", {3, 3}, 8), ": all 1 workers are too quick or constant", {.constant_from = 2});
  expect(kHeader, ": there are no rows in it");
}

TEST(PrepareRatings, OptionsThatAreNone) {
  EXPECT_THROW(check_options(PrepareOptions{.lowest = 5, .highest = 5}), UsageError);
  EXPECT_THROW(check_options(PrepareOptions{.quick_share = 2}), UsageError);
  // Numbers so large that 1 more is the same number cannot be counted through.
  const std::string message = test::message_of<UsageError>(
      [] { check_options(PrepareOptions{.lowest = 1e17, .highest = 100000000000000016}); });
  EXPECT_NE(message.find("the scale 1e+17 to 1.0000000000000002e+17"), std::string::npos) << message;
  EXPECT_THROW(check_options(PrepareOptions{.lowest = -1e300, .highest = 5}), UsageError);
  EXPECT_THROW(check_options(PrepareOptions{.quick_seconds = -1}), UsageError);
}

}  // namespace
}  // namespace capella
