// Every input shape gives the rows that are in it, and is recognised by its content alone.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "io/format.h"
#include "support/text_search.h"

namespace capella::io {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs pairs_of(const CaptionTable& table) {
  Pairs pairs;
  for (const CaptionRow& row : table.rows) pairs.emplace_back(row.id, row.caption);
  return pairs;
}

CaptionTable read(std::string text, const ReadOptions& options = {}) {
  return read_table("input", std::move(text), options);
}

void expect_rows(std::string text, std::string_view format, const Pairs& expected,
                 const ReadOptions& options = {}) {
  const CaptionTable table = read(std::move(text), options);
  EXPECT_EQ(table.format, format);
  EXPECT_EQ(pairs_of(table), expected);
  EXPECT_TRUE(table.skipped.empty());
}

const Pairs kThree{{"7", "a dog"}, {"7", "the dog"}, {"x", "a bus"}};

TEST(Shapes, ListOfRows) {
  expect_rows(R"([{"image_id": 7, "caption": "a dog"}, {"image_id": "7", "caption": "the dog"},
                  {"caption": "a bus", "image_id": "x"}])",
              "list of rows", kThree);
}

TEST(Shapes, ListOfRowsWithCaptionLists) {
  expect_rows(
      R"([{"image_id": 7, "captions": ["a dog", "the dog"]}, {"image_id": "x", "captions": ["a bus"]}])",
      "list of rows", kThree);
}

TEST(Shapes, EveryKeyNameIsKnown) {
  for (const std::string id : {"image_id", "id", "image", "file_name"}) {
    for (const std::string caption : {"caption", "captions", "text", "references"}) {
      expect_rows("[{\"" + id + "\": \"x\", \"" + caption + "\": \"a bus\"}]", "list of rows",
                  {{"x", "a bus"}});
      expect_rows(id + "," + caption + "\nx,a bus\n", "CSV or TSV", {{"x", "a bus"}});
    }
  }
}

TEST(Shapes, ImageIdGoesBeforeId) {
  expect_rows(R"([{"id": 1, "caption": "a", "image_id": 2}])", "list of rows", {{"2", "a"}});
  expect_rows("id,caption,image_id\n1,a,2\n", "CSV or TSV", {{"2", "a"}});
}

TEST(Shapes, NumbersKeepTheirDecimalText) {
  expect_rows(
      R"([{"id": 0, "text": "a"}, {"id": -3, "text": "b"}, {"id": 18446744073709551615, "text": "c"}])",
      "list of rows", {{"0", "a"}, {"-3", "b"}, {"18446744073709551615", "c"}});
}

// As pandas writes them when a column had a gap.
TEST(Shapes, DecimalZerosOfIdsAreDropped) {
  const Pairs whole{{"391895", "a"}, {"-7", "b"}};
  expect_rows("image_id,caption\n391895.0,a\n-7.0,b\n", "CSV or TSV", whole);
  expect_rows(R"([{"id": 391895.0, "text": "a"}, {"id": -7.0, "text": "b"}])", "list of rows", whole);
  expect_rows("{\"id\": 391895.0, \"text\": \"a\"}\n{\"id\": -7, \"text\": \"b\"}\n", "JSON lines", whole);
  expect_rows(R"({"391895.0": "a", "-7.0": "b"})", "dictionary", whole);
  expect_rows("id,caption\n391895.0,a\n7,b\n", "CSV or TSV", {{"391895.0", "a"}, {"7", "b"}});
  expect_rows("id,caption\nv.0,a\n", "CSV or TSV", {{"v.0", "a"}});
  const CaptionTable joint = read(R"([{"id": "7.0", "test": "one", "refs": ["a dog"]}])");
  EXPECT_EQ(pairs_of(joint), (Pairs{{"7", "a dog"}}));
  EXPECT_EQ(pairs_of(*joint.tests), (Pairs{{"7", "one"}}));
}

TEST(Shapes, IdsOnRequestAsCocosNumbers) {
  const ReadOptions coco{.coco_ids = true};
  expect_rows("id,caption\nCOCO_val2014_000000000042.jpg,a\n000042,b\ndog,c\n", "CSV or TSV",
              {{"42", "a"}, {"42", "b"}, {"dog", "c"}}, coco);
  const CaptionTable joint = read(R"([{"id": "007.png", "test": "one", "refs": ["a dog"]}])", coco);
  EXPECT_EQ(pairs_of(joint), (Pairs{{"7", "a dog"}}));
  EXPECT_EQ(pairs_of(*joint.tests), (Pairs{{"7", "one"}}));
}

TEST(Shapes, OneRowAlone) {
  expect_rows("{\n \"image_id\": 7,\n \"caption\": \"a dog\"\n}", "list of rows", {{"7", "a dog"}});
}

TEST(Shapes, Dictionary) {
  expect_rows(R"({"7": ["a dog", "the dog"], "x": "a bus"})", "dictionary", kThree);
}

TEST(Shapes, DictionaryOfCaptionObjects) {
  expect_rows(R"({"7": [{"caption": "a dog"}, {"caption": "the dog"}], "x": [{"caption": "a bus"}]})",
              "dictionary", kThree);
}

TEST(Shapes, CocoAnnotationsComeInTheOrderOfImages) {
  expect_rows(R"({"info": {}, "images": [{"id": 7}, {"id": 9}, {"id": "x"}], "annotations": [
                  {"id": 1, "image_id": "x", "caption": "a bus"}, {"id": 2, "image_id": 7, "caption": "a dog"},
                  {"id": 3, "image_id": 7, "caption": "the dog"}]})",
              "COCO annotations", kThree);
}

TEST(Shapes, CocoAnnotationsOfUnlistedImagesComeLast) {
  expect_rows(R"({"images": [{"id": 7}], "annotations": [{"image_id": "x", "caption": "a bus"},
                  {"image_id": 7, "caption": "a dog"}, {"image_id": "7", "caption": "the dog"}]})",
              "COCO annotations", kThree);
}

TEST(Shapes, CocoAnnotationsWithoutImages) {
  expect_rows(
      R"({"annotations": [{"image_id": "x", "caption": "a bus"}, {"image_id": 7, "caption": "a dog"}]})",
      "COCO annotations", {{"x", "a bus"}, {"7", "a dog"}});
}

TEST(Shapes, RowsInAnObject) {
  for (const std::string name : {"annotations", "predictions", "results", "captions", "references"}) {
    const std::string format = name == "annotations" ? "COCO annotations" : "list of rows";
    const std::string rows =
        R"([{"id": 7, "captions": ["a dog", "the dog"]}, {"id": "x", "caption": "a bus"}])";
    expect_rows("{\"" + name + "\": " + rows + "}", format, kThree);
    expect_rows("{\"model\": \"m\", \"run\": 3, \"" + name + "\": " + rows + ", \"loss\": 1.5}", format,
                kThree);
    expect_rows("{\"" + name + R"(": {"7": ["a dog", "the dog"], "x": "a bus"}})", "dictionary", kThree);
  }
  expect_rows(R"({"id": 3, "predictions": [{"id": 7, "caption": "a dog"}]})", "list of rows",
              {{"7", "a dog"}});
  expect_rows(R"({"captions": ["a dog", "a bus"]})", "list of captions", {{"1", "a dog"}, {"2", "a bus"}});
  const CaptionTable joint = read(R"({"results": [{"id": 7, "test": "one", "refs": ["a dog"]}]})");
  EXPECT_EQ(pairs_of(joint), (Pairs{{"7", "a dog"}}));
  EXPECT_EQ(pairs_of(*joint.tests), (Pairs{{"7", "one"}}));
}

TEST(Shapes, OneMemberHoldsTheCaptions) {
  expect_rows(R"({"results": {"CIDEr": 1.1}, "predictions": {"7": ["a dog", "the dog"], "x": "a bus"}})",
              "dictionary", kThree);
  try {
    read(R"({"references": {"7": ["a dog"]}, "predictions": {"7": "the dog"}})");
    FAIL() << "read two members as one";
  } catch (const DataError& error) {
    EXPECT_TRUE(test::has(error.what(), "references") && test::has(error.what(), "predictions"))
        << error.what();
  }
}

TEST(Shapes, RowsAndDictionariesWithNamesOfListsStayWhatTheyAre) {
  expect_rows(R"({"id": 7, "captions": [{"id": 1, "caption": "a dog"}, {"id": 2, "caption": "the dog"}]})",
              "list of rows", {{"7", "a dog"}, {"7", "the dog"}});
  expect_rows(R"({"captions": ["a dog"], "7": ["a bus"]})", "dictionary",
              {{"captions", "a dog"}, {"7", "a bus"}});
}

TEST(Shapes, JointRows) {
  const std::vector<std::string> texts{
      R"([{"image_id": 7, "test": "one", "refs": ["a dog", "the dog"]}, {"image_id": "x", "test": ["two"], "refs": "a bus"}])",
      "{\"image_id\": 7, \"test\": \"one\", \"refs\": [\"a dog\", \"the dog\"]}\n"
      "{\"image_id\": \"x\", \"test\": [\"two\"], \"refs\": [\"a bus\"]}\n"};
  for (const std::string& text : texts) {
    const CaptionTable table = read(text);
    EXPECT_EQ(pairs_of(table), kThree);
    ASSERT_TRUE(table.tests);
    EXPECT_EQ(pairs_of(*table.tests), (Pairs{{"7", "one"}, {"x", "two"}}));
  }
}

constexpr std::string_view kKarpathy = R"({"dataset": "t", "images": [
  {"cocoid": 7, "filename": "f7.jpg", "split": "test", "sentences": [{"raw": "a dog"}, {"raw": "the dog"}]},
  {"filename": "f8.jpg", "split": "train", "sentences": [{"raw": "a cat"}]},
  {"filename": "x", "split": "test", "sentences": [{"tokens": ["a", "bus"]}]},
  {"filename": "f9.jpg", "split": "restval", "sentences": [{"raw": "a cow"}]}]})";

TEST(Shapes, KarpathyReadsOneSplit) {
  expect_rows(std::string(kKarpathy), "Karpathy dataset", kThree, {.split = "test"});
  expect_rows(std::string(kKarpathy), "Karpathy dataset", {{"f8.jpg", "a cat"}}, {.split = "train"});
}

TEST(Shapes, KarpathyNeedsNoChoiceWithOneSplit) {
  expect_rows(R"({"images": [{"filename": "x", "split": "val", "sentences": [{"raw": "a bus"}]}]})",
              "Karpathy dataset", {{"x", "a bus"}});
}

TEST(Shapes, JsonLines) {
  expect_rows(
      "{\"image_id\": 7, \"captions\": [\"a dog\", \"the dog\"]}\r\n\n{\"id\": \"x\", \"text\": \"a bus\"}",
      "JSON lines", kThree);
}

TEST(Shapes, ObjectsOnLinesOfOneTextAreNotJsonLines) {
  expect_rows(
      "{\"images\": [\n{\"id\": 7}\n], \"annotations\": [\n{\"image_id\": 7, \"caption\": \"a dog\"}\n]}",
      "COCO annotations", {{"7", "a dog"}});
  expect_rows("{\"7\":\n{\"caption\": \"a dog\"}\n,\"x\":\n{\"caption\": \"a bus\"}\n}", "dictionary",
              {{"7", "a dog"}, {"x", "a bus"}});
}

TEST(Shapes, JsonListOfCaptionsIsAligned) {
  EXPECT_TRUE(read(R"(["a dog", "a bus"])").aligned);
  expect_rows(R"(["a dog", "a bus"])", "list of captions", {{"1", "a dog"}, {"2", "a bus"}});
  expect_rows(R"([["a dog", "the dog"], "a bus"])", "list of captions",
              {{"1", "a dog"}, {"1", "the dog"}, {"2", "a bus"}});
}

TEST(Shapes, CsvWithQuotesBreaksAndByteOrderMark) {
  expect_rows(
      "\xEF\xBB\xBFwidth,Image_ID, caption \r\n3,7,\"a \"\"big\"\"\r\ndog, here\"\r\n\r\n4,x,a 5\" pipe\r\n",
      "CSV or TSV", {{"7", "a \"big\"\r\ndog, here"}, {"x", "a 5\" pipe"}});
}

TEST(Shapes, Tsv) {
  expect_rows("id\tcaption\n7\ta dog, brown\nx\t\n", "CSV or TSV", {{"7", "a dog, brown"}, {"x", ""}});
}

TEST(Shapes, CsvCellsMayHoldLists) {
  expect_rows("id,captions\n7,\"[\"\"a dog\"\", \"\"the dog\"\"]\"\nx,a bus\n", "CSV or TSV", kThree);
  expect_rows("id,caption\n7,[a dog]\n", "CSV or TSV", {{"7", "[a dog]"}});
}

TEST(Shapes, CsvCellsMayHoldListsOfPython) {
  expect_rows("id,captions\n7,\"['a dog', 'the dog']\"\nx,['a bus']\n", "CSV or TSV", kThree);
  expect_rows("id,caption\n7,\"['a dog', \"\"the dog\"\"]\"\nx,\"['a bus\"\n", "CSV or TSV",
              {{"7", "a dog"}, {"7", "the dog"}, {"x", "['a bus"}});
}

TEST(Shapes, SemicolonsSeparateCells) {
  expect_rows("id;caption\n7;a dog, brown\nx;\"a; b\"\n", "CSV or TSV",
              {{"7", "a dog, brown"}, {"x", "a; b"}});
  expect_rows("id,caption,note;s\n7,a; b,c\n", "CSV or TSV", {{"7", "a; b"}});
  expect_rows("id| caption\n7|a dog, brown\n", "CSV or TSV", {{"7", "a dog, brown"}});
}

TEST(Shapes, ColumnsThatTheUserNames) {
  const ReadOptions named{.id_column = "Img", .caption_column = "pred"};
  const Pairs expected{{"7", "a dog"}};
  expect_rows("img,PRED,caption,id\n7,a dog,b,1\n", "CSV or TSV", expected, named);
  expect_rows(R"([{"Img": 7, "pred": "a dog", "caption": "b", "id": 1}])", "list of rows", expected, named);
  expect_rows(R"({"Img": 7, "pred": "a dog"})", "list of rows", expected, named);
  expect_rows("{\"Img\": 7, \"pred\": \"a dog\"}\n{\"Img\": 8, \"pred\": \"b\"}\n", "JSON lines",
              {{"7", "a dog"}, {"8", "b"}}, named);
  expect_rows(R"({"annotations": [{"image_id": 1, "Img": 7, "pred": "a dog"}]})", "COCO annotations",
              expected, named);
  expect_rows(R"({"images": [{"cocoid": 1, "Img": 7, "split": "a", "sentences": [{"raw": "a dog"}]}]})",
              "Karpathy dataset", expected, {.id_column = "Img"});
  expect_rows("id,caption\n7,a dog\n", "CSV or TSV", expected, named);
}

TEST(Shapes, NumberedColumnsAreSeveralCaptions) {
  expect_rows("caption_1,image_id,caption_2\na dog,7,the dog\n,x,a bus\n", "CSV or TSV", kThree);
  for (const std::string name : {"caption", "captions", "text", "raw", "ref", "reference", "references"}) {
    expect_rows("id;" + name + "1;" + name + "2\n7;a dog;the dog\nx;a bus;\n", "CSV or TSV", kThree);
  }
  const std::string many = "id,caption,ref_1,ref_2,mine_1,mine_2\n7,a,b,c,d,e\n";
  expect_rows(many, "CSV or TSV", {{"7", "a"}});
  expect_rows(many, "CSV or TSV", {{"7", "b"}, {"7", "c"}}, {.caption_column = "ref"});
  expect_rows(many, "CSV or TSV", {{"7", "d"}, {"7", "e"}}, {.caption_column = "mine"});
  expect_rows(many, "CSV or TSV", {{"7", "e"}}, {.caption_column = "mine_2"});
}

TEST(Shapes, FlickrTokens) {
  expect_rows("7#0\ta dog\n7#1\tthe dog\r\n\nx#0\ta bus", "Flickr8k tokens", kThree);
  expect_rows("a#b.jpg#12\ta\tb\n", "Flickr8k tokens", {{"a#b.jpg", "a\tb"}});
}

TEST(Shapes, PlainLinesKeepEmptyLines) {
  EXPECT_TRUE(read("a dog\n").aligned);
  expect_rows("a dog\r\n\na bus", "plain lines", {{"1", "a dog"}, {"2", ""}, {"3", "a bus"}});
}

TEST(Shapes, CaptionsInBracketsArePlainLines) {
  expect_rows("[a dog] runs\n{a bus}\n", "plain lines", {{"1", "[a dog] runs"}, {"2", "{a bus}"}});
}

TEST(Shapes, EscapesAndNulSurvive) {
  expect_rows("{\"k\\u00e9y\": \"tab\\t \\ud83d\\ude00 nul\\u0000.\"}", "dictionary",
              {{"k\xC3\xA9y", std::string("tab\t \xF0\x9F\x98\x80 nul\0.", 15)}});
  expect_rows(std::string("a\0b\n", 4), "plain lines", {{"1", std::string("a\0b", 3)}});
}

TEST(Shapes, JsonAfterByteOrderMark) {
  expect_rows("\xEF\xBB\xBF{\"x\": \"a bus\"}", "dictionary", {{"x", "a bus"}});
}

TEST(Shapes, RowsKnowTheirLines) {
  const std::vector<std::string> texts{
      "[{\"image_id\": 7, \"caption\": \"}\\\"]\"},\n\n  {\"image_id\": 8, \"caption\": \"b\"}]",
      "{\"a\": \"b\",\n\n\"c\": \"d\"}",
      "{\"info\": {\"a\": [1, {}]}, \"annotations\": [{\"image_id\": 7, \"caption\": "
      "\"a\"}\n,\n{\"image_id\": 8, "
      "\"caption\": \"b\"}]}",
      "{\"loss\": [], \"results\": [{\"id\": 7, \"caption\": \"a\"},\n\n{\"id\": 8, \"caption\": \"b\"}]}",
      "{\"id\": 1, \"text\": \"a\"}\n\n{\"id\": 2, \"text\": \"b\"}",
  };
  for (const std::string& text : texts) {
    const CaptionTable table = read(text);
    ASSERT_EQ(table.rows.size(), 2u);
    EXPECT_EQ(table.line(table.rows[0]), 1u) << text;
    EXPECT_EQ(table.line(table.rows[1]), 3u) << text;
  }
}

TEST(Shapes, CsvLinesCountBreaksInsideCells) {
  const CaptionTable table = read("id,caption\n1,\"a\nb\nc\"\n2,d\n");
  EXPECT_EQ(table.rows[0].position, 2u);
  EXPECT_EQ(table.rows[1].position, 5u);
}

TEST(Shapes, ABuilderTakesRowsFromMemory) {
  CaptionTableBuilder builder("references");
  {
    const std::string id = "temporary id";
    const std::string caption(100'000, 'x');
    builder.add(id, caption, 0);
    builder.add(id, "short", 0);
  }
  const CaptionTable table = builder.build();
  EXPECT_EQ(pairs_of(table), (Pairs{{"temporary id", std::string(100'000, 'x')}, {"temporary id", "short"}}));
  EXPECT_EQ(place(table.source, table.line(table.rows[0])), "references");
}

}  // namespace
}  // namespace capella::io
