// Agreement with people on small benchmarks made up here; coefficients by hand.
#include "capella/meta.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"
#include "support/score_items.h"
#include "support/temp_dir.h"

namespace capella {
namespace {

using test::message_of;
using test::one_metric;
using test::TempDir;

std::string nebula_row(int image, const std::string& caption, double score) {
  return fmt::format(R"({{"imgid": "i{}", "mt": "{}", "refs": ["a dog runs on the grass"], "score": {}}})",
                     image, caption, score);
}

// Five captions, the better the more they share with the reference.
std::string small_nebula(const TempDir& folder) {
  return folder.write(
      "nebula.json", fmt::format("[{},\n{},\n{},\n{},\n{}]", nebula_row(0, "a dog runs on the grass", 1),
                                 nebula_row(1, "a dog runs on grass", 0.75), nebula_row(2, "a dog runs", 0.5),
                                 nebula_row(3, "a dog", 0.25), nebula_row(4, "two buses", 0)));
}

std::string small_foil(const TempDir& folder) {
  std::string lines;
  for (int i = 0; i < 4; ++i) {
    lines += fmt::format(
        R"({{"image_id": {}, "caption": "a dog runs", "foil": "a {} runs", "references": ["a cat runs", "the dog runs"]}})"
        "\n",
        i, i == 3 ? "sheep" : "cat");
  }
  return folder.write("foil.jsonl", lines);
}

std::string scores_file(const TempDir& folder, const std::vector<double>& scores) {
  std::string lines;
  for (std::size_t row = 0; row < scores.size(); ++row)
    lines += fmt::format("{{\"row\": {}, \"score\": {}}}\n", row, scores[row]);
  return folder.write("scores.jsonl", lines);
}

MetaOptions meta_options(const std::string& benchmark, const std::string& path) {
  MetaOptions options;
  options.benchmark = benchmark;
  options.path = path;
  options.score = one_metric("rouge-l");
  options.resamples = 200;
  return options;
}

TEST(Meta, APerfectMetricAgreesPerfectly) {
  const TempDir folder;
  const MetaResult result = evaluate_metrics(meta_options("nebula", small_nebula(folder)));
  EXPECT_EQ(result.rows, 5u);
  EXPECT_EQ(result.images, 5u);
  ASSERT_EQ(result.metrics.size(), 1u);
  EXPECT_EQ(result.metrics[0].metric, "ROUGE-L");
  EXPECT_EQ(result.measures[result.main_measure], "kendall_c");
  EXPECT_DOUBLE_EQ(result.metrics[0].estimates[0].value, 1.0);
  EXPECT_DOUBLE_EQ(result.metrics[0].estimates[1].value, 1.0);
  EXPECT_DOUBLE_EQ(result.metrics[0].estimates[3].value, 1.0);
  EXPECT_TRUE(result.metrics[0].milliseconds.has_value());
}

TEST(Meta, TakesScoresOfAnotherProgram) {
  const TempDir folder;
  MetaOptions options = meta_options("nebula", small_nebula(folder));
  options.score.metrics.clear();
  options.scores = {"mine=" + scores_file(folder, {1, 2, 3, 4, 5})};  // the wrong way round
  const MetaResult result = evaluate_metrics(options);
  ASSERT_EQ(result.metrics.size(), 1u);
  EXPECT_EQ(result.metrics[0].metric, "mine");
  EXPECT_DOUBLE_EQ(result.metrics[0].estimates[0].value, -1.0);
  EXPECT_FALSE(result.metrics[0].milliseconds.has_value());
}

TEST(Meta, SaysThatConstantScoresHaveNoCorrelation) {
  const TempDir folder;
  MetaOptions options = meta_options("nebula", small_nebula(folder));
  options.score.metrics.clear();
  options.scores = {"flat=" + scores_file(folder, {2, 2, 2, 2, 2})};
  const MetaResult result = evaluate_metrics(options);
  EXPECT_TRUE(std::isnan(result.metrics[0].estimates[0].value));
  const auto said = [&](const std::string& warning) {
    return warning.find("flat: every row has the score 2") != std::string::npos;
  };
  EXPECT_TRUE(std::any_of(result.warnings.begin(), result.warnings.end(), said));
}

// The first reference has the cat of three foils; the sheep of the last fits as badly as the dog.
TEST(Meta, FoilIsScoredWithOneReferenceAndWithAll) {
  const TempDir folder;
  const MetaResult result = evaluate_metrics(meta_options("foil", small_foil(folder)));
  EXPECT_EQ(result.pairs, 4u);
  EXPECT_EQ(result.measures, (std::vector<std::string>{"1-ref", "4-ref"}));
  EXPECT_EQ(result.metrics[0].estimates[0].value, 0.0);  // "a cat runs" is the foil, word by word
  EXPECT_EQ(result.metrics[0].estimates[1].value, 0.0);  // and the best of both references
  EXPECT_EQ(result.metrics[0].ties, (std::vector<std::size_t>{1, 1}));
}

// Two kinds: of the first, one pair right, one wrong, one tied; of the second one right, one tied.
TEST(Meta, TiesOfAChallengeSetCountHalf) {
  const TempDir folder;
  std::string lines, scores;
  const std::vector<std::pair<double, double>> given = {{2, 1}, {1, 2}, {1, 1}, {2, 1}, {3, 3}};
  for (std::size_t k = 0; k < given.size(); ++k) {
    lines += fmt::format(
        R"({{"image_id": {}, "kind": "{}", "better": "a dog", "worse": "a cat", "references": ["dogs"]}})"
        "\n",
        k, k < 3 ? "one" : "two");
    scores += fmt::format(
        "{{\"pair\": {0}, \"candidate\": 0, \"score\": {1}}}\n{{\"pair\": {0}, \"candidate\": 1, \"score\": "
        "{2}}}\n",
        k, given[k].first, given[k].second);
  }
  MetaOptions options = meta_options("challenge", folder.write("challenge.jsonl", lines));
  options.score.metrics.clear();
  options.scores = {"mine=" + folder.write("scores.jsonl", scores)};
  const MetaResult result = evaluate_metrics(options);
  EXPECT_TRUE(result.half_ties);
  EXPECT_EQ(result.measures, (std::vector<std::string>{"one", "two", "mean"}));
  ASSERT_EQ(result.metrics.size(), 1u);
  EXPECT_DOUBLE_EQ(result.metrics[0].estimates[0].value, 0.5);
  EXPECT_DOUBLE_EQ(result.metrics[0].estimates[1].value, 0.75);
  EXPECT_DOUBLE_EQ(result.metrics[0].estimates[2].value, 0.625);
  EXPECT_EQ(result.metrics[0].ties, (std::vector<std::size_t>{1, 1}));
}

TEST(Meta, ListsTheCaptionsThatAreRatedWrongly) {
  const TempDir folder;
  MetaOptions options = meta_options("nebula", small_nebula(folder));
  options.scores = {"mine=" + scores_file(folder, {5, 4, 3, 1, 2})};  // the last two the wrong way round
  options.cases = 3;
  const MetaResult result = evaluate_metrics(options);
  std::vector<MetaCase> mine;
  for (const MetaCase& found : result.cases) {
    if (found.metric == 1) mine.push_back(found);
  }
  ASSERT_EQ(mine.size(), 2u);  // only what differs is listed
  EXPECT_TRUE(mine[0].too_high);
  EXPECT_EQ(mine[0].caption, "two buses");
  EXPECT_EQ(mine[0].human, 0.0);
  EXPECT_FALSE(mine[1].too_high);
  EXPECT_EQ(mine[1].caption, "a dog");
  EXPECT_EQ(mine[1].scores.size(), 2u);
}

TEST(Meta, ComparesMetricsOnTheSameResamples) {
  const TempDir folder;
  MetaOptions options = meta_options("nebula", small_nebula(folder));
  options.scores = {"mine=" + scores_file(folder, {5, 4, 3, 2, 1})};
  const MetaResult result = evaluate_metrics(options);
  ASSERT_EQ(result.differences.size(), 1u);
  EXPECT_EQ(result.differences[0].value, 0.0);
  EXPECT_EQ(result.differences[0].p, 1.0);
  EXPECT_EQ(result.differences[0].verdict, Verdict::undecided);  // of five images
  EXPECT_FALSE(result.undecided.empty());
}

TEST(Meta, DoesNotDependOnThreads) {
  const TempDir folder;
  MetaOptions options = meta_options("nebula", small_nebula(folder));
  options.scores = {"mine=" + scores_file(folder, {5, 4, 1, 2, 3})};
  options.score.threads = 1;
  const MetaResult one = evaluate_metrics(options);
  options.score.threads = 3;
  const MetaResult three = evaluate_metrics(options);
  // Resamples of so few rows may have no coefficient, so bits are compared: NaN equals NaN.
  for (std::size_t i = 0; i < one.measures.size(); ++i) {
    const Interval& first = one.metrics[1].estimates[i].interval;
    const Interval& second = three.metrics[1].estimates[i].interval;
    EXPECT_EQ(std::memcmp(&first, &second, sizeof first), 0);
  }
}

TEST(Meta, KeepsSettingsOfTheMetricTheyAreAbout) {
  const TempDir folder;
  MetaOptions options = meta_options("nebula", small_nebula(folder));
  options.score.metrics = {"rouge-l", "cider-d"};
  options.score.settings = {"cider-d.sigma=3"};
  const MetaResult result = evaluate_metrics(options);
  EXPECT_NE(result.metrics[1].signature.find("sigma:3"), std::string::npos);
}

TEST(Meta, RefusesWhatCannotBeMeasured) {
  const TempDir folder;
  const auto message = [&](const std::string& content) {
    const std::string path = folder.write("bad.json", content);
    return message_of<DataError>([&] { evaluate_metrics(meta_options("nebula", path)); });
  };
  EXPECT_NE(message("[" + nebula_row(0, "a", 1) + "," + nebula_row(1, "b", 0) + "]").find("too few"),
            std::string::npos);
  EXPECT_NE(
      message("[" + nebula_row(0, "a", 1) + "," + nebula_row(1, "b", 1) + "," + nebula_row(2, "c", 1) + "]")
          .find("every rating is 1"),
      std::string::npos);
  EXPECT_NE(message_of<UsageError>([&] { check_options(meta_options("nebulla", "x")); }).find("nebula"),
            std::string::npos);
  MetaOptions nothing = meta_options("nebula", "x");
  nothing.score.metrics.clear();
  EXPECT_THROW(check_options(nothing), UsageError);
}

}  // namespace
}  // namespace capella
