#include "io/objects.h"

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "io/npy.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::io {
namespace {

using test::message_of;
using test::TempDir;

constexpr std::string_view kGood =
    R"({"image_id":"7","width":640,"height":480,"objects":[{"label":"man","aliases":["guy","person"],"box":[1,2.5,30,40],"score":0.93},{"label":"bike","box":[0,0,5,5]}],"features":"feat/7.npy"}

{"image_id":8,"objects":[]}
)";

std::string objects_problem(const std::string& text) {
  const TempDir folder;
  const std::string path = folder.write("o.jsonl", text);
  std::string message = message_of<DataError>([&] { read_objects(path); });
  const std::size_t at = message.find(folder.path().string() + "/");
  return at == std::string::npos ? message : message.erase(at, folder.path().string().size() + 1);
}

void objects_expect_problem(const std::string& row, const std::string& part) {
  const std::string message = objects_problem(std::string(kGood) + row + "\n");
  EXPECT_NE(message.find("o.jsonl:4"), std::string::npos) << message;
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(Objects, ReadsRows) {
  const TempDir folder;
  const auto images = read_objects(folder.write("o.jsonl", kGood));
  ASSERT_EQ(images.size(), 2u);
  EXPECT_EQ(images[0].image, "7");
  EXPECT_EQ(images[0].width, 640);
  EXPECT_EQ(images[0].height, 480);
  EXPECT_EQ(images[0].features, (folder.path() / "feat/7.npy").string());
  ASSERT_EQ(images[0].objects.size(), 2u);
  const DetectedObject& man = images[0].objects[0];
  EXPECT_EQ(man.label, "man");
  EXPECT_EQ(man.box, (std::array<double, 4>{1, 2.5, 30, 40}));
  EXPECT_EQ(man.score, .93);
  EXPECT_TRUE(man.is_called("man"));
  EXPECT_TRUE(man.is_called("person"));
  EXPECT_FALSE(man.is_called("bike"));
  EXPECT_EQ(images[0].objects[1].score, 1);
  EXPECT_EQ(images[1].image, "8");
  EXPECT_TRUE(images[1].objects.empty());
  EXPECT_TRUE(images[1].features.empty());
}

TEST(Objects, ReadsAListAsWell) {
  const TempDir folder;
  const auto images = read_objects(
      folder.write("o.json", R"([{"image_id": "a", "objects": []}, {"image_id": "b", "objects": []}])"));
  ASSERT_EQ(images.size(), 2u);
  EXPECT_EQ(images[1].image, "b");
}

TEST(Objects, NamesTheLineAndWhatIsWrong) {
  objects_expect_problem(R"({"objects":[]})", "no image_id");
  objects_expect_problem(R"({"image_id":"9"})", "no objects");
  objects_expect_problem(R"({"image_id":[],"objects":[]})",
                         "image_id is a list, expected a text or a whole number");
  objects_expect_problem(R"({"image_id":"7","objects":[]})", "has come before");
  objects_expect_problem(R"({"image_id":"9","objects":{}})", "expected a list");
  objects_expect_problem(R"({"image_id":"9","width":-1,"objects":[]})",
                         "the width is -1, expected 0 or more");
  objects_expect_problem(R"({"image_id":"9","objects":[{"box":[0,0,1,1]}]})", "object 1: there is no label");
  objects_expect_problem(R"({"image_id":"9","objects":[{"label":" "}]})", "the label is empty");
  objects_expect_problem(R"({"image_id":"9","objects":[{"label":"a"},{"label":"b","box":[0,0,1]}]})",
                         "object 2: the box is a list of 3");
  objects_expect_problem(R"({"image_id":"9","objects":[{"label":"b","box":[5,0,1,1]}]})",
                         "ends before it begins");
  objects_expect_problem(R"({"image_id":"9","objects":[{"label":"b","aliases":"c"}]})",
                         "expected a list of words");
  objects_expect_problem(R"({"image_id":"9","objects":[{"label":"b","score":"high"}]})", "expected a number");
  objects_expect_problem(R"({"image_id":"9","objects":[],"features":7})",
                         "features is the number 7, expected a text");
  objects_expect_problem("{oops", "not JSON");
  objects_expect_problem("[1]", "expected an object");
}

TEST(Objects, AnEmptyFileIsNone) {
  EXPECT_NE(objects_problem("\n").find("empty, expected objects"), std::string::npos);
}

TEST(Objects, FeaturesHaveARowPerObject) {
  const TempDir folder;
  const auto images = read_objects(folder.write("o.jsonl", kGood));
  folder.write("feat/7.npy", npy_bytes(std::vector<float>{1, 2, 3, 4, 5, 6}, 2, 3));
  const Matrix features = read_object_features(images[0]);
  EXPECT_EQ(features.rows, 2u);
  EXPECT_EQ(features.row(1)[0], 4);
  EXPECT_EQ(read_object_features(images[1]).rows, 0u);

  folder.write("feat/7.npy", npy_bytes(std::vector<float>{1, 2, 3}, 1, 3));
  const auto read = [&] { read_object_features(images[0]); };
  EXPECT_NE(message_of<DataError>(read).find("1 rows of features, expected 2"), std::string::npos);
  folder.write("feat/7.npy", npy_bytes(std::vector<float>{1, 2, 3, NAN, 5, 6}, 2, 3));
  EXPECT_NE(message_of<DataError>(read).find("not finite"), std::string::npos);
  ImageObjects without = images[0];
  without.features.clear();
  EXPECT_NE(message_of<DataError>([&] { read_object_features(without); }).find("names no features"),
            std::string::npos);
}

}  // namespace
}  // namespace capella::io
