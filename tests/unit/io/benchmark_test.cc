// The list of benchmarks, and scores of other programs for their rows.
#include "io/benchmark.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/small_benchmark.h"

namespace capella::io {
namespace {

constexpr const char* kRated = R"([{"mt": "a", "refs": ["b"], "score": 0},
{"mt": "a", "refs": ["b"], "score": 1}, {"mt": "a", "refs": ["b"], "score": 0.5}])";
constexpr const char* kPair = R"([{"image_id": 1, "caption": "a", "foil": "b", "references": ["c"]}])";

TEST(Benchmark, Names) {
  const auto names = benchmark_names();
  EXPECT_EQ((std::vector<std::string_view>(names.begin(), names.end())),
            (std::vector<std::string_view>{"flickr8k-expert", "flickr8k-cf", "composite", "pascal50s", "foil",
                                           "nebula", "polaris"}));
  const std::string message = test::message_of<UsageError>([] { read_benchmark("flickr9k", "x", {}); });
  EXPECT_TRUE(message.starts_with("unknown benchmark 'flickr9k'")) << message;
  EXPECT_NE(message.find("flickr8k-expert, flickr8k-cf"), std::string::npos) << message;
}

TEST(Benchmark, MissingFile) {
  EXPECT_THROW(read_benchmark("nebula", "not/there.json", {}), FileError);
}

TEST(Benchmark, ReferencesWhereTheyAreNotWanted) {
  EXPECT_THROW(read_benchmark("nebula", "x", {.references = "y"}), UsageError);
}

// Reads `scores` for the rows of a benchmark.
struct Scores {
  test::SmallBenchmark small;
  Benchmark benchmark;
  Scores(const std::string& name, const char* text) : small(name), benchmark(small.read_text(text)) {}

  std::vector<double> read(const std::string& text) const {
    return read_scores(small.write("scores.jsonl", text), benchmark);
  }
  void expect_error(const std::string& text, const std::string& part) const {
    const std::string message = test::message_of<DataError>([&] { read(text); });
    EXPECT_NE(message.find("scores.jsonl" + part), std::string::npos) << part << " in: " << message;
  }
};

TEST(BenchmarkScores, OnePerRowInAnyOrder) {
  const Scores scores("nebula", kRated);
  EXPECT_EQ(
      scores.read("{\"row\": 2, \"score\": -3}\n{\"row\": 0, \"score\": 1e-3}\n\n{\"row\": 1, \"score\": 7}"),
      (std::vector<double>{1e-3, 7, -3}));
}

TEST(BenchmarkScores, OfPairs) {
  const Scores scores("foil", kPair);
  EXPECT_EQ(
      scores.read(
          "{\"pair\": 0, \"candidate\": 1, \"score\": 0.5}\n{\"pair\": 0, \"candidate\": 0, \"score\": 0.7}"),
      (std::vector<double>{0.7, 0.5}));
  scores.expect_error("{\"pair\": 0, \"candidate\": 1, \"score\": 0.5}\n",
                      ": 1 of 2 rows have a score; the first without one is candidate 0 of pair 0");
  scores.expect_error("{\"row\": 0, \"score\": 0.5}\n", ":1: the row has no pair");
  scores.expect_error("{\"pair\": 0, \"candidate\": 2, \"score\": 0.5}\n", ":1: candidate is the number 2");
}

TEST(BenchmarkScores, Errors) {
  const Scores scores("nebula", kRated);
  const std::string first = "{\"row\": 0, \"score\": 1}\n";
  scores.expect_error(first, ": 1 of 3 rows have a score; the first without one is row 1");
  scores.expect_error(first + "{\"row\": 3, \"score\": 1}\n",
                      ":2: row is the number 3, expected a number from 0 to 2");
  scores.expect_error(first + "{\"row\": -1, \"score\": 1}\n", ":2: row is the number -1");
  scores.expect_error(first + "{\"row\": 0.5, \"score\": 1}\n",
                      ":2: row is the number 0.5, expected a whole number");
  scores.expect_error(first + "{\"row\": 0, \"score\": 1}\n", ":2: row 0 has a second score");
  scores.expect_error(first + "{\"row\": 1, \"score\": \"nan\"}\n", ":2: score is the text \"nan\"");
  scores.expect_error(first + "{\"row\": 1, \"score\": NaN}\n", ":2: the line is not JSON");
  scores.expect_error(first + "{\"row\": 1}\n", ":2: the row has no score");
  scores.expect_error(first + "{\"row\": 1, \"sco", ":2: the line is not JSON");
  scores.expect_error("", ": the file is empty, expected scores as JSON lines");
}

}  // namespace
}  // namespace capella::io
