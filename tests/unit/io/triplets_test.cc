#include "io/triplets.h"

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::io {
namespace {

using test::message_of;
using test::TempDir;

TEST(Triplets, ReadsRows) {
  const TempDir folder;
  const auto rows = read_triplets(folder.write(
      "t.jsonl",
      R"({"image_id":"184613","split":"val","caption_id":7,"triplets":[["man","ride","bike"],["man","sit on","bike"]]})"
      "\n\n"
      R"({"triplets":[],"image_id":18446744073709551615,"more":[1]})"
      "\n"));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].image, "184613");
  EXPECT_EQ(rows[0].split, "val");
  EXPECT_EQ(rows[0].caption, "7");
  const std::vector<Triplet> expected = {{"man", "ride", "bike"}, {"man", "sit on", "bike"}};
  EXPECT_EQ(rows[0].triplets, expected);
  EXPECT_EQ(rows[1].image, "18446744073709551615");
  EXPECT_EQ(rows[1].split, "train");
  EXPECT_EQ(rows[1].caption, "");
  EXPECT_TRUE(rows[1].triplets.empty());
}

TEST(Triplets, OneRowAloneIsAFile) {
  const TempDir folder;
  EXPECT_EQ(read_triplets(folder.write("t.jsonl", R"({"image_id":-5,"triplets":[]})")).at(0).image, "-5");
}

TEST(Triplets, ComesBackFromItsText) {
  const TempDir folder;
  std::vector<TripletRow> rows(2);
  rows[0] = {"a b", "restval", "", {{"caf\xC3\xA9, \"x\":", "next\nto", "man:ride:bike"}}};
  rows[1] = {"7", "train", "3", {}};
  const std::string text = write_triplets(rows);
  EXPECT_EQ(
      text,
      "{\"image_id\":\"a b\",\"split\":\"restval\",\"triplets\":[[\"caf\xC3\xA9, \\\"x\\\":\",\"next\\nto\","
      "\"man:ride:bike\"]]}\n"
      "{\"image_id\":\"7\",\"split\":\"train\",\"caption_id\":\"3\",\"triplets\":[]}\n");
  const auto again = read_triplets(folder.write("t.jsonl", text));
  ASSERT_EQ(again.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(again[i].image, rows[i].image);
    EXPECT_EQ(again[i].split, rows[i].split);
    EXPECT_EQ(again[i].caption, rows[i].caption);
    EXPECT_EQ(again[i].triplets, rows[i].triplets);
  }
}

// The second line is the bad one.
std::string complaint(const std::string& line) {
  const TempDir folder;
  const std::string path = folder.write(
      "t.jsonl", "{\"image_id\":1,\"triplets\":[]}\n" + line + "\n{\"image_id\":2,\"triplets\":[]}\n");
  const std::string message = message_of<DataError>([&] { read_triplets(path); });
  EXPECT_TRUE(message.starts_with(path + ":2: ")) << message;
  return message.substr(std::min(message.size(), path.size() + 4));
}

TEST(Triplets, ErrorsNameTheLineAndWhatIsWrong) {
  EXPECT_NE(complaint(R"({"triplets":[]})").find("no image_id"), std::string::npos);
  EXPECT_NE(complaint(R"({"image_id":"","triplets":[]})").find("image_id is empty"), std::string::npos);
  EXPECT_NE(complaint(R"({"image_id":[],"triplets":[]})").find("image_id is a list"), std::string::npos);
  EXPECT_NE(complaint(R"({"image_id":1})").find("no triplets"), std::string::npos);
  EXPECT_NE(complaint(R"({"image_id":1,"triplets":{}})").find("triplets is an object"), std::string::npos);
  EXPECT_NE(
      complaint(R"({"image_id":1,"triplets":[["a","b","c"],["a","b"]]})").find("triplet 2 is a list of 2"),
      std::string::npos);
  EXPECT_NE(complaint(R"({"image_id":1,"triplets":[["a","b","c","d"]]})").find("triplet 1 is a list of 4"),
            std::string::npos);
  EXPECT_NE(complaint(R"({"image_id":1,"triplets":[["a",5,"c"]]})").find("triplet 1 holds the number 5"),
            std::string::npos);
  EXPECT_NE(complaint(R"({"image_id":1,"triplets":[["a"," ","c"]]})").find("triplet 1 holds an empty text"),
            std::string::npos);
  EXPECT_NE(complaint(R"({"image_id":1,"triplets":["a"]})").find("triplet 1 is the text"), std::string::npos);
  EXPECT_NE(complaint(R"({"image_id":1,"split":3,"triplets":[]})").find("split is the number 3"),
            std::string::npos);
  EXPECT_NE(complaint(R"({"image_id":1,"triplets":[})").find("not JSON"), std::string::npos);
  EXPECT_NE(complaint("[1]").find("found a list"), std::string::npos);
}

TEST(Triplets, AnEmptyFileIsAnError) {
  const TempDir folder;
  EXPECT_NE(message_of<DataError>([&] { read_triplets(folder.write("t.jsonl", " \n")); }).find("empty"),
            std::string::npos);
}

}  // namespace
}  // namespace capella::io
