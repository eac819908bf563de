// Rows of JSON, and the readers that are made of little else: concepts and claims that people ranked.
#include "io/line_rows.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "io/claim_ranks.h"
#include "io/concepts.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::io {
namespace {

using test::message_of;
using test::TempDir;

using Take = std::function<void(simdjson::dom::object)>;

// What `take` finds wrong with the row, which is the third line of a file.
std::string complaint(const std::string& row, const Take& take) {
  const TempDir folder;
  const std::string path = folder.write("rows.jsonl", "{\"a\":1}\n\n" + row + "\n");
  std::size_t seen = 0;
  const auto take_second = [&](simdjson::dom::object object) {
    if (++seen == 2) take(object);
  };
  const std::string message =
      message_of<DataError>([&] { read_line_rows(path, "rows like {\"a\": 1}", take_second); });
  EXPECT_TRUE(message.starts_with(path + ":3: ")) << message;
  return message.substr(std::min(message.size(), path.size() + 4));
}

TEST(LineRows, GivesEveryRowAndLeavesOutLinesWithoutText) {
  const TempDir folder;
  std::vector<std::string> ids;
  const auto take = [&](simdjson::dom::object row) { ids.push_back(row_id(row, "id")); };
  read_line_rows(
      folder.write("r.jsonl",
                   "\xEF\xBB\xBF{\"id\":\"a b\"}\r\n \t\n{\"id\":-7}\n{\"id\":18446744073709551615}"),
      "rows", take);
  EXPECT_EQ(ids, (std::vector<std::string>{"a b", "-7", "18446744073709551615"}));
}

TEST(LineRows, NamesTheLineOfWhatIsNoObject) {
  const Take nothing = [](simdjson::dom::object) {};
  EXPECT_EQ(complaint("[1]", nothing), "found a list, expected rows like {\"a\": 1}");
  EXPECT_EQ(complaint("5", nothing), "found the number 5, expected rows like {\"a\": 1}");
  const std::string broken = complaint(R"({"a":)", nothing);
  EXPECT_TRUE(broken.starts_with("the line is not JSON: ")) << broken;
  EXPECT_TRUE(broken.ends_with("; expected rows like {\"a\": 1}")) << broken;
}

TEST(LineRows, AnEmptyFileIsNone) {
  const TempDir folder;
  const std::string path = folder.write("r.jsonl", "\n \n");
  const auto read = [&] { read_line_rows(path, "rows", [](simdjson::dom::object) {}); };
  EXPECT_EQ(message_of<DataError>(read), path + ": the file is empty, expected rows");
  EXPECT_THROW(read_line_rows((folder.path() / "none").string(), "rows", [](simdjson::dom::object) {}),
               FileError);
}

TEST(LineRows, AMemberThatIsMissingIsToldWithTheLayout) {
  const Take take = [](simdjson::dom::object row) { row_member(row, "b"); };
  EXPECT_EQ(complaint(R"({"a":1})", take), "the row has no b, expected rows like {\"a\": 1}");
  EXPECT_EQ(complaint(R"({"b":null})", take), "the row has no b, expected rows like {\"a\": 1}");
}

TEST(LineRows, IdsAreTextsOrWholeNumbers) {
  const Take take = [](simdjson::dom::object row) { row_id(row, "id"); };
  EXPECT_EQ(complaint(R"({"id":1.5})", take), "id is the number 1.5, expected a text or a whole number");
  EXPECT_EQ(complaint(R"({"id":[1]})", take), "id is a list, expected a text or a whole number");
  EXPECT_EQ(complaint(R"({"id":" "})", take), "id is empty, expected a text");
}

TEST(LineRows, TextsNumbersAndLists) {
  const Take text = [](simdjson::dom::object row) { row_text(row_member(row, "v"), "the v"); };
  EXPECT_EQ(complaint(R"({"v":3})", text), "the v is the number 3, expected a text");
  EXPECT_EQ(complaint(R"({"v":"\t"})", text), "the v is empty, expected a text");
  const Take number = [](simdjson::dom::object row) { row_number(row_member(row, "v"), "v", -2); };
  EXPECT_EQ(complaint(R"({"v":"3"})", number), "v is the text \"3\", expected a number");
  EXPECT_EQ(complaint(R"({"v":-2.5})", number), "v is -2.5, expected -2 or more");
  const Take list = [](simdjson::dom::object row) { row_list(row, "v"); };
  EXPECT_EQ(complaint(R"({"v":{}})", list), "v is an object, expected a list");
}

TEST(LineRows, ClaimsAreThreeTexts) {
  const Take take = [](simdjson::dom::object row) { row_claim(row_member(row, "c"), "claim", 4); };
  const std::string shape = ", expected [subject, predicate, object], three texts that are not empty";
  EXPECT_EQ(complaint(R"({"c":"a"})", take), "claim 4 is the text \"a\"" + shape);
  EXPECT_EQ(complaint(R"({"c":["a","b"]})", take), "claim 4 is a list of 2" + shape);
  EXPECT_EQ(complaint(R"({"c":["a","b","c","d"]})", take), "claim 4 is a list of 4" + shape);
  EXPECT_EQ(complaint(R"({"c":["a",2,"c"]})", take), "claim 4 holds the number 2" + shape);
  EXPECT_EQ(complaint(R"({"c":["a","b"," "]})", take), "claim 4 holds an empty text" + shape);
  const Take only = [](simdjson::dom::object row) { row_claim(row_member(row, "c"), "atom"); };
  EXPECT_EQ(complaint(R"({"c":[]})", only), "atom is a list of 0" + shape);
}

TEST(Concepts, HaveLabelsOrOneConceptAndRowsOfAnImageAreJoined) {
  const TempDir folder;
  const auto rows =
      read_concepts(folder.write("c.jsonl",
                                 "{\"image_id\":7,\"labels\":[\"Ride\",\"Sit\",\"Ride\"]}\n"
                                 "{\"image_id\":\"8\",\"concept\":\"Eat\",\"labels\":null}\n"
                                 "{\"image_id\":\"7\",\"concept\":\"Walk\"}\n"
                                 "{\"image_id\":\"9\",\"concept\":\"Fly\",\"labels\":[\"Eat\"]}\n"));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[2].labels, (std::vector<std::string>{"Eat"}));  // labels come first
  EXPECT_EQ(rows[0].image, "7");
  EXPECT_EQ(rows[0].labels, (std::vector<std::string>{"Ride", "Sit", "Ride", "Walk"}));
  EXPECT_EQ(rows[1].image, "8");
  EXPECT_EQ(rows[1].labels, (std::vector<std::string>{"Eat"}));
}

// The second line is the bad one.
template <class Read>
void line_rows_expect_problem(Read read, const std::string& good, const std::string& bad,
                              const std::string& part) {
  const TempDir folder;
  const std::string path = folder.write("f.jsonl", good + "\n" + bad + "\n");
  const std::string message = message_of<DataError>([&] { read(path); });
  EXPECT_TRUE(message.starts_with(path + ":2: ")) << message;
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(Concepts, NameTheLineOfWhatIsWrong) {
  const auto wrong = [](const std::string& bad, const std::string& part) {
    line_rows_expect_problem(read_concepts, R"({"image_id":1,"concept":"Ride"})", bad, part);
  };
  wrong(R"({"concept":"Ride"})", "the row has no image_id, expected lines such as {");
  wrong(R"({"image_id":2})", "the row has no labels, expected lines such as {");
  wrong(R"({"image_id":2,"labels":"Ride"})", "labels is the text \"Ride\", expected a list");
  wrong(R"({"image_id":2,"labels":[]})", "labels is an empty list, expected one or more");
  wrong(R"({"image_id":2,"labels":["Ride",3]})", "a label is the number 3, expected a text");
  wrong(R"({"image_id":2,"concept":""})", "concept is empty, expected a text");
  wrong(R"({"image_id":2,"labels")", "not JSON");
}

TEST(ClaimRanks, ReadsAListOfRanksPerWorker) {
  const TempDir folder;
  const auto rows = read_claim_ranks(folder.write(
      "r.jsonl",
      R"({"image_id":7,"atoms":[["man","ride","bike"],["man","sit on","bike"]],"ranks":[[2,1],[1.5,1.5]]})"));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].image, "7");
  EXPECT_EQ(rows[0].claims, (std::vector<Claim>{{"man", "ride", "bike"}, {"man", "sit on", "bike"}}));
  EXPECT_EQ(rows[0].ranks, (std::vector<std::vector<double>>{{2, 1}, {1.5, 1.5}}));
}

TEST(ClaimRanks, RowsOfOneImageAreItsWorkers) {
  const TempDir folder;
  const auto rows = read_claim_ranks(folder.write(
      "r.jsonl", R"({"image_id":7,"atoms":[["a","on","b"],["a","in","b"]],"ranks":[[2,1]]})"
                 "\n"
                 R"({"image_id":8,"atoms":[["a","on","b"]],"ranks":[[1]]})"
                 "\n"
                 R"({"image_id":7,"atoms":[["a","in","b"],["a","on","b"]],"ranks":[[5,6],[7,8]]})"));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].image, "7");
  EXPECT_EQ(rows[0].claims, (std::vector<Claim>{{"a", "on", "b"}, {"a", "in", "b"}}));
  EXPECT_EQ(rows[0].ranks, (std::vector<std::vector<double>>{{2, 1}, {6, 5}, {8, 7}}));
  EXPECT_EQ(rows[1].image, "8");
}

TEST(ClaimRanks, NameTheLineOfWhatIsWrong) {
  const auto wrong = [](const std::string& bad, const std::string& part) {
    line_rows_expect_problem(read_claim_ranks, R"({"image_id":1,"atoms":[["a","b","c"]],"ranks":[[1]]})", bad,
                             part);
  };
  wrong(R"({"atoms":[["a","b","c"]],"ranks":[[1]]})", "the row has no image_id");
  wrong(R"({"image_id":1,"ranks":[[1]]})", "the row has no atoms");
  wrong(R"({"image_id":1,"atoms":[["a","b","c"]]})", "the row has no ranks");
  wrong(R"({"image_id":1,"atoms":[["a","b","c"],["a","b"]],"ranks":[[1,2]]})", "atom 2 is a list of 2");
  wrong(R"({"image_id":1,"atoms":[["a","b","c"]],"ranks":[]})", "ranks is an empty list");
  wrong(R"({"image_id":1,"atoms":[["a","b","c"]],"ranks":[1]})",
        "ranks holds the number 1, expected a list per worker");
  wrong(R"({"image_id":1,"atoms":[["a","b","c"]],"ranks":[[1],[1,2]]})",
        "a worker gave 2 ranks, expected 1: one for each atom");
  wrong(R"({"image_id":1,"atoms":[["a","b","d"]],"ranks":[[1]]})", "image 1 has other atoms here");
  wrong(R"({"image_id":1,"atoms":[["a","b","c"],["a","b","d"]],"ranks":[[1,2]]})",
        "image 1 has other atoms here");
  wrong(R"({"image_id":2,"atoms":[["a","b","c"],["a","b","c"]],"ranks":[[1,2]]})", "b(a, c) is there twice");
  wrong(R"({"image_id":1,"atoms":[["a","b","c"]],"ranks":[["first"]]})",
        "a rank is the text \"first\", expected a number");
}

}  // namespace
}  // namespace capella::io
