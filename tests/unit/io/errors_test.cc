// What the readers say about input that is wrong: the file, the line, what was found, what to do.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "io/format.h"
#include "support/message_of.h"

namespace capella::io {
namespace {

std::string error(const std::string& name, std::string text, const ReadOptions& options = {}) {
  return test::message_of<DataError>([&] { read_table(name, std::move(text), options); });
}

void expect_error(const std::string& name, std::string text, const std::vector<std::string>& parts,
                  const ReadOptions& options = {}) {
  const std::string message = error(name, std::move(text), options);
  EXPECT_TRUE(message.starts_with(parts[0])) << message;
  for (const std::string& part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
}

TEST(Errors, EmptyFile) {
  expect_error("empty.json", "", {"empty.json: the file is empty"});
  expect_error("blank.txt", " \r\n\n", {"blank.txt: the file is empty"});
  expect_error("bom.txt", "\xEF\xBB\xBF", {"bom.txt: the file is empty"});
}

TEST(Errors, NoCaptions) {
  expect_error("none.json", "[]", {"none.json: read as list of captions, it holds no captions"});
  expect_error("none.json", "{}", {"none.json: read as dictionary, it holds no captions"});
  expect_error("none.csv", "id,caption\n", {"none.csv: read as CSV or TSV, it holds no captions"});
}

TEST(Errors, TruncatedJsonIsReportedAtItsLastLine) {
  const std::string head = "[{\"image_id\": 1, \"caption\": \"a\"},\n {\"image_id\": 2, ";
  for (const std::string tail :
       {"\"capt", "\"caption\"", "\"caption\": \"b\"", "\"caption\": \"b\"},", "\n\n"}) {
    expect_error("broken.json", head + tail, {"broken.json:2: not JSON", "cut short"});
  }
  expect_error("open.json", "[", {"open.json:1: not JSON"});
}

TEST(Errors, MalformedJsonIsReportedWhereItBreaks) {
  expect_error("comma.json", "[{\"id\": 1, \"text\": \"a\"},\n{\"id\": 2 \"text\": \"b\"},\n{\"id\": 3}]",
               {"comma.json:2: not JSON: unexpected string literal", "near '{\"id\": 2 \"text\""});
  expect_error("tail.json", "{\"a\": \"b\"}}", {"tail.json:1: not JSON"});
  expect_error("huge.json", "[{\"id\": 1e999, \"text\": \"a\"}]", {"huge.json:1: not JSON: number overflow"});
  expect_error("deep.json", std::string(3000, '[') + std::string(3000, ']'),
               {"deep.json: cannot be read as JSON"});
  expect_error("half.json", "{\"a\": \"\\ud800\"}", {"half.json:1: not JSON"});
}

TEST(Errors, NotUtf8) {
  expect_error("latin.json", "{\"1\":\"a\",\n\"2\":\"b \xFF\"}",
               {"latin.json:2: the line is not valid UTF-8"});
  expect_error("latin.txt", "a\n\n\xE9t\xE9\n", {"latin.txt:3: the line is not valid UTF-8"});
  expect_error("wide.txt",
               std::string("\xFF\xFE"
                           "a\0",
                           4),
               {"wide.txt:1: the text is UTF-16, expected UTF-8"});
}

TEST(Errors, CaptionsMustBeStrings) {
  expect_error("num.json", R"([{"image_id": "1", "caption": 5}])",
               {"num.json:1: id 1: the caption is the number 5, expected a string"});
  expect_error("null.json", "{\"a\": \"b\",\n\"c\": null}", {"null.json:2: id c: the caption is null"});
  expect_error("in.json", R"({"a": ["b", true]})", {"in.json:1: id a: the caption is true"});
  expect_error("obj.json", R"({"a": {"b": 1}})", {"obj.json:1: id a: the caption is an object"});
  expect_error("list.json", "[\"a\",\n7]", {"list.json:2: the caption is the number 7"}, {.skip_bad = true});
}

TEST(Errors, EmptyLists) {
  expect_error("refs.json", R"({"a": ["b"], "c": []})", {"refs.json:1: id c: the list of captions is empty"});
  expect_error("refs.jsonl", "{\"id\": 1, \"text\": \"a\"}\n{\"id\": 2, \"captions\": []}",
               {"refs.jsonl:2: id 2: the list of captions is empty"});
}

TEST(Errors, Ids) {
  expect_error("f.json", "[\n{\"image_id\": 12.5, \"caption\": \"a\"}]",
               {"f.json:2: the id is the number 12.5, expected a string or a whole number"});
  expect_error("f.json", R"([{"image_id": "", "caption": "a"}])", {"f.json:1: the id is empty"});
  expect_error("f.json", R"([{"caption": "a"}])", {"f.json:1: ", "found caption", "--id-column"});
  expect_error("f.json", R"([{"id": 1}])", {"f.json:1: id 1: ", "found id", "--caption-column"});
  expect_error("f.json", R"([{"id": 1, "text": "a"}, 3])",
               {"f.json:1: row 2: the row is the number 3, expected an object"});
}

TEST(Errors, JointRows) {
  expect_error("j.json", "[{\"id\": 1, \"test\": \"a\", \"refs\": [\"b\"]},\n{\"id\": 2, \"test\": \"a\"}]",
               {"j.json:2: id 2: the row lacks test or refs"});
  expect_error("j.json", R"([{"id": 1, "test": 3, "refs": ["b"]}])",
               {"j.json:1: id 1: in test: the caption is"});
  expect_error("j.json", R"([{"id": 1, "test": "a", "refs": []}])", {"j.json:1: id 1: in refs: the list"});
}

TEST(Errors, JsonLines) {
  expect_error("r.jsonl", "{\"id\": 1, \"text\": \"a\"}\n{\"id\": 2, \"te\n[1]\n{\"id\": 4, \"text\": \"d\"}",
               {"r.jsonl:2: the line is not JSON", "\nr.jsonl:3: the row is a list, expected an object"});
}

constexpr std::string_view kFirstLineBad =
    "{\"id\": 1, \"text\": \"a\"\n\n{\"id\": 2, \"text\": \"b\"}\n{\"id\": 3, \"text\": \"c\"}\n";

TEST(Errors, TheFirstOfJsonLinesMayBeTheBadOne) {
  expect_error("r.jsonl", std::string(kFirstLineBad), {"r.jsonl:1: the line is not JSON"});
  const CaptionTable table = read_table("r.jsonl", std::string(kFirstLineBad), {.skip_bad = true});
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].id, "2");
  ASSERT_EQ(table.skipped.size(), 1u);
  EXPECT_EQ(table.skipped[0].id, "r.jsonl:1");
}

TEST(Errors, ObjectsOnLinesOfABrokenTextAreNotJsonLines) {
  expect_error("b.json",
               "{\"annotations\": [\n{\"id\": 1, \"text\": \"a\"},\n{\"id\": 2, \"text\": \"b\"}\n]",
               {"b.json:4: not JSON", "cut short"});
  expect_error("b.json", "{\"a\":\n{\"caption\": \"b\"}\n", {"b.json:2: not JSON", "cut short"});
}

TEST(Errors, Csv) {
  expect_error("bad.csv", "image_id,caption\n1,a dog\n2\nx3,two men\n",
               {"bad.csv:3: the row has 1 cell, expected 2 as in the header"});
  expect_error("bad.csv", "id,caption\n1,a dog, brown\n", {"bad.csv:2: the row has 3 cells, expected 2"});
  expect_error("bad.csv", "id,caption\n1,\"a\n2,b\n", {"bad.csv:2: a quoted cell is never closed"});
  expect_error("bad.csv", "id,caption\n1,\"a\" b\n", {"bad.csv:2: text follows the closing quote"});
  expect_error("bad.csv", "id,caption\n,b\n", {"bad.csv:2: the id is empty"});
  expect_error("bad.csv", "id,captions\n1,[b]\n", {"bad.csv:2: id 1: ", "[\"...\", \"...\"]"});
  expect_error("bad.csv", "id,ref_1,ref_2\n1,a,b\n2,,\n", {"bad.csv:3: id 2: ", "2"});
}

TEST(Errors, NamesThatPromiseAnotherFormat) {
  expect_error("x.csv", "a,b\n1,2\n", {"x.csv:1: ", "found a, b", "--id-column"});
  expect_error("x.csv", "id,b\n1,2\n", {"x.csv:1: ", "found id, b", "--caption-column"});
  expect_error("x.csv", "a;b\n1;2\n", {"x.csv:1: ", "--caption-column"}, {.id_column = "A"});
  expect_error("x.csv", "\"a\"\"b\",c\n", {"x.csv:1: ", "found a\"b, c"});
  expect_error("x.csv", "\"a\n", {"x.csv:1: "});
  expect_error("x.tsv.gz", "a\tb\n", {"x.tsv.gz:1: ", "found a, b", "--id-column"});
  expect_error("x.json", "{'a': 'b'}",
               {"x.json:1: the text is not JSON, expected a list [...] or an object {\"...\""});
}

TEST(Errors, FlickrTokens) {
  expect_error("t.txt", "a.jpg#0\tone\nb.jpg two\n",
               {"t.txt:2: the line is not of the form ID#NUMBER<TAB>CAPTION: b"});
}

constexpr std::string_view kSplits =
    R"({"images": [{"cocoid": 1, "split": "val", "sentences": [{"raw": "a"}]},
  {"cocoid": 2, "split": "test", "sentences": [{"raw": "b"}]},
  {"cocoid": 3, "split": "test", "sentences": [{"text": "b"}]}]})";

TEST(Errors, KarpathySplits) {
  expect_error(
      "d.json", std::string(kSplits),
      {"d.json: the file has several splits: test (2 images), val (1 images); choose one with --split"});
  expect_error("d.json", std::string(kSplits), {"d.json: there is no split 'tset', expected one of: test (2"},
               {.split = "tset"});
  expect_error("d.json", std::string(kSplits), {"d.json:3: id 3: sentence 1 has no text"}, {.split = "test"});
}

TEST(Errors, TenRowsAreListedAndTheRestCounted) {
  std::string text = "id,caption\n";
  for (int i = 0; i < 25; ++i) text += "x\n";
  const std::string message = error("many.csv", text);
  EXPECT_NE(message.find("many.csv:2:"), std::string::npos);
  EXPECT_NE(message.find("\nmany.csv:11:"), std::string::npos);
  EXPECT_EQ(message.find("many.csv:12:"), std::string::npos);
  EXPECT_NE(message.find("\nand 15 more malformed rows\n"), std::string::npos);
  EXPECT_TRUE(message.ends_with("leave such rows out with --skip-bad"));
}

// A line that holds many rows says nothing; a row with an id is told by it.
TEST(Errors, RowsOfOneLineAreCounted) {
  const std::string row = R"({"id": 1, "text": "a"})";
  expect_error("o.json", "[" + row + R"(, {"text": "b"}, {"id": 3}])",
               {"o.json:1: row 2: the row has no id", "\no.json:1: id 3: the row has no caption"});
  expect_error("o.json", R"([{"text": "b"}, )" + row + "]", {"o.json:1: row 1: the row has no id"});
  expect_error("o.json", "[" + row + ",\n" + row + R"(, {"text": "b"}])", {"o.json:2: row 3: the row has"});
  expect_error("o.json", "[" + row + ",\n" + R"({"text": "b"}])", {"o.json:2: the row has no id"});
  const CaptionTable table = read_table("o.json", "[" + row + R"(, {"text": "b"}])", {.skip_bad = true});
  ASSERT_EQ(table.skipped.size(), 1u);
  EXPECT_EQ(table.skipped[0].id, "o.json:1");
  EXPECT_TRUE(table.skipped[0].why.starts_with("row 2: the row has no id")) << table.skipped[0].why;
}

TEST(Errors, SkipBadListsWhatItLeavesOut) {
  const CaptionTable table = read_table("s.json",
                                        "[{\"id\": 1, \"text\": \"a\"},\n{\"id\": 2, \"text\": "
                                        "3},\n{\"text\": \"c\"},\n{\"id\": 4, \"text\": \"d\"}]",
                                        {.skip_bad = true});
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[1].id, "4");
  ASSERT_EQ(table.skipped.size(), 2u);
  EXPECT_EQ(table.skipped[0].id, "2");
  EXPECT_TRUE(table.skipped[0].why.starts_with("s.json:2: the caption is the number 3"))
      << table.skipped[0].why;
  EXPECT_EQ(table.skipped[1].id, "s.json:3");
  EXPECT_TRUE(table.skipped[1].why.starts_with("the row has no id"));
}

TEST(Errors, SkipBadKeepsWhatFollowsAnUnclosedQuote) {
  const CaptionTable table = read_table("s.csv", "id,caption\n1,\"a\n2,b\n3,c\n", {.skip_bad = true});
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].caption, "b");
  EXPECT_EQ(table.line(table.rows[1]), 4u);
  ASSERT_EQ(table.skipped.size(), 1u);
  EXPECT_EQ(table.skipped[0].id, "s.csv:2");
}

TEST(Errors, SkipBadWithNothingLeft) {
  expect_error("s.csv", "id,caption\nx\n",
               {"s.csv: read as CSV or TSV, it holds no captions; every row is malformed"},
               {.skip_bad = true});
}

TEST(Errors, LongTextsAreShortened) {
  const std::string message = error("long.json", "{\"" + std::string(500, 'k') + "\": 1}");
  EXPECT_LT(message.size(), 300u);
}

}  // namespace
}  // namespace capella::io
