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
                                           "challenge", "nebula", "polaris"}));
  const std::string message = test::message_of<UsageError>([] { read_benchmark("flickr9k", "x", {}); });
  EXPECT_TRUE(message.starts_with("unknown benchmark 'flickr9k'")) << message;
  EXPECT_NE(message.find("flickr8k-expert, flickr8k-cf"), std::string::npos) << message;
}

TEST(Benchmark, MissingFile) {
  EXPECT_THROW(read_benchmark("nebula", "not/there.json", {}), FileError);
}

TEST(Benchmark, AFileOfAnotherLayoutIsDoubted) {
  const test::TempDir folder;
  const std::string rated = folder.write("rated.json", kRated), pair = folder.write("pair.json", kPair);
  const std::string composite =
      folder.write("c.csv", "image,candidate_no,caption,human_rating,references\nx,0,a,1,b\n");
  folder.write("Flickr8k/ExpertAnnotations.txt", "x");
  const auto said = [](const char* layout, const std::string& path) {
    const std::string message = test::message_of<DataError>([&] { read_benchmark(layout, path, {}); });
    EXPECT_TRUE(message.starts_with(path + ": is it in the layout " + layout + "? ")) << message;
    return message;
  };
  const auto has = [](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  has(said("composite", rated), "Its first row has mt, refs, score, expected human_rating or candidate_no");
  has(said("composite", rated), "it looks like nebula or polaris; name that layout");
  has(said("nebula", composite), "it looks like composite; name that layout");
  has(said("foil", composite), "it looks like composite");
  has(said("pascal50s", pair), "it looks like foil");
  const std::string challenge = folder.write(
      "h.jsonl", R"({"image_id": "1", "kind": "k", "better": "a", "worse": "b", "references": ["c"]})");
  has(said("composite", challenge), "it looks like challenge; name that layout");
  has(said("flickr8k-cf", pair), "It is a file, expected the folder of Flickr8k; it looks like foil");
  has(said("nebula", (folder.path() / "Flickr8k").string()), "name flickr8k-expert or flickr8k-cf");
  has(said("nebula", folder.write("refs.json", R"({"1": ["a"], "2": ["b"]})")), "give another file");
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
