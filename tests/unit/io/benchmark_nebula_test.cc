#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/small_benchmark.h"

namespace capella::io {
namespace {

using test::captions_of;
using test::references_of;
using Texts = std::vector<std::string>;

void expect_two_rows(const Benchmark& benchmark) {
  EXPECT_EQ(benchmark.ratings, (std::vector<double>{0.25, 1}));
  EXPECT_EQ(captions_of(benchmark), (Texts{"a dog", "it's a \"cat\""}));
  EXPECT_EQ(references_of(benchmark, 0), (Texts{"the dog", "one dog, running"}));
  EXPECT_EQ(references_of(benchmark, 1), Texts{"the cat's bed"});
  EXPECT_EQ(benchmark.image_names, (Texts{"x1", "x2"}));
}

constexpr const char* kList = R"([
  {"imgid": "x1", "mt": "a dog", "refs": ["the dog", "one dog, running"], "score": 0.25},
  {"imgid": "x2", "mt": "it's a \"cat\"", "refs": ["the cat's bed"], "score": 1}
])";

TEST(BenchmarkNebula, List) {
  const test::SmallBenchmark small("nebula");
  const Benchmark benchmark = small.read_text(kList);
  expect_two_rows(benchmark);
  EXPECT_EQ(benchmark.usual, "kendall_c");
  EXPECT_EQ(benchmark.version, "scores as in the file; it does not say whether original or corrected");
}

TEST(BenchmarkNebula, RowsOfOneLineAreCounted) {
  const test::SmallBenchmark small("nebula");
  small.expect_error_in_text(R"([{"imgid": "x1", "mt": "a dog", "refs": ["the dog"], "score": 0.25}, )"
                             R"({"imgid": "x2", "mt": "a cat", "refs": ["the cat"], "score": 2}])",
                             {"@file:1: row 2: score is the number 2"});
}

TEST(BenchmarkNebula, LinesWithTheNamesOfHuggingFace) {
  const test::SmallBenchmark small("nebula");
  expect_two_rows(small.read_text(
      R"({"file_name": "x1", "mt": "a dog", "refs": ["the dog", "one dog, running"], "human_score": 0.25}
{"file_name": "x2", "mt": "it's a \"cat\"", "refs": "the cat's bed", "human_score": 1.0}
)"));
}

TEST(BenchmarkNebula, TableWithListsOfPython) {
  const test::SmallBenchmark small("polaris");
  const Benchmark benchmark = small.read_text(
      ",imgid,mt,refs,score\n"
      "0,x1,a dog,\"['the dog', 'one dog, running']\",0.25\n"
      "1,x2,\"it's a \"\"cat\"\"\",\"[\"\"the cat's bed\"\"]\",1.0\n");
  expect_two_rows(benchmark);
  EXPECT_EQ(benchmark.title, "Polaris");
}

TEST(BenchmarkNebula, TableWithoutImages) {
  const test::SmallBenchmark small("polaris");
  const Benchmark benchmark =
      small.read_text("cand\trefs\thuman_score\na dog\t[\"the dog\"]\t0.5\na cat\tcats\t0\n");
  EXPECT_EQ(benchmark.image_names, (Texts{"row 0", "row 1"}));
  EXPECT_EQ(references_of(benchmark, 1), Texts{"cats"});
}

TEST(BenchmarkNebula, PreparedRatingsSayHowManyJudgements) {
  const test::SmallBenchmark small("polaris");
  EXPECT_EQ(small
                .read_text(R"([{"imgid": 1, "mt": "a", "refs": ["b"], "score": 0.5, "judgements": 4},
                                {"imgid": 2, "mt": "a", "refs": ["b"], "score": 0.5, "judgements": 3}])")
                .version,
            "means of 7 judgements, as the file says");
}

TEST(BenchmarkNebula, Errors) {
  const test::SmallBenchmark small("nebula");
  const auto expect = [&](const std::string& row, const std::string& part) {
    small.expect_error_in_text(
        "[\n{\"imgid\": 1, \"mt\": \"a\", \"refs\": [\"b\"], \"score\": 0},\n" + row + "]", {part});
  };
  expect(R"({"imgid": 1, "mt": "a", "refs": ["b"], "score": 1.01})",
         "@file:3: score is the number 1.01, expected a number from 0 to 1");
  expect(R"({"imgid": 1, "mt": "a", "refs": ["b"], "score": "NaN"})", "@file:3: score is the text \"NaN\"");
  expect(R"({"imgid": 1, "mt": "a", "refs": ["b"], "score": null})",
         "@file:3: the row has no score, expected one of score, human_score");
  expect(R"({"imgid": 1, "refs": ["b"], "score": 0})",
         "@file:3: the row has no mt, expected one of mt, cand");
  expect(R"({"imgid": 1.5, "mt": "a", "refs": ["b"], "score": 0})", "@file:3: imgid is the number 1.5");
  expect(R"({"imgid": "", "mt": "a", "refs": ["b"], "score": 0})", "@file:3: imgid is empty");
  expect(R"({"imgid": 1, "mt": 3, "refs": ["b"], "score": 0})",
         "@file:3: mt is the number 3, expected a string");
  expect(R"({"imgid": 1, "mt": "a", "score": 0})", "@file:3: the row has no refs");
  small.expect_error_in_text(std::string(kList).substr(0, 120), {"@file:3: not JSON", "cut short"});
}

TEST(BenchmarkNebula, ErrorsOfTables) {
  const test::SmallBenchmark small("polaris");
  small.expect_error_in_text(
      "imgid,mt,refs,rating\n1,a,b,0\n",
      {"@file:1: the columns are imgid, mt, refs, rating, expected one of score, human_score"});
  small.expect_error_in_text("imgid,mt,refs,score\n1,a,b,0\n1,a,b\n",
                             {"@file:3: the row has 3 cells, expected 4"});
  small.expect_error_in_text("imgid,mt,refs,score\n1,a,b,1x\n", {"@file:2: score is the text \"1x\""});
  small.expect_error_in_text("imgid,mt,refs,score\n1,a,b,nan\n",
                             {"@file:2: score is nan, expected a number"});
  small.expect_error_in_text("imgid,mt,refs,score\n1,a,['b' 'c'],0\n",
                             {"@file:2: refs is the text \"['b' 'c']\""});
  small.expect_error_in_text("imgid,mt,refs,score\n1,\"a,b,0\n", {"@file:2: a quoted cell is never closed"});
  small.expect_error_in_text("imgid,mt,refs,score\n", {"@file: there are no rows in it"});
}

}  // namespace
}  // namespace capella::io
