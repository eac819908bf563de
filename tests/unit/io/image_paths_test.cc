#include "io/image/image_paths.h"

#include <string>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::io {
namespace {

using test::message_of;

class ImagePathsTest : public ::testing::Test {
 protected:
  std::string in(const std::string& name) const { return (folder_.path() / name).string(); }
  std::string put(const std::string& name) const { return folder_.write(name, ""); }
  ImagePaths folder() const { return ImagePaths(folder_.path().string()); }
  ImagePaths list(const std::string& name, const std::string& content) const {
    return ImagePaths(folder_.write(name, content));
  }

  test::TempDir folder_;
};

TEST_F(ImagePathsTest, AFolderNamesPicturesByIds) {
  put("cat.jpg");
  put("dog.PNG");
  put("1000_a.b.webp");
  put("notes.txt");
  EXPECT_EQ(folder().find("cat"), in("cat.jpg"));
  EXPECT_EQ(folder().find("cat.jpg"), in("cat.jpg"));
  EXPECT_EQ(folder().find("dog"), in("dog.PNG"));
  EXPECT_EQ(folder().find("1000_a.b"), in("1000_a.b.webp"));
  EXPECT_EQ(folder().find("notes"), "");
  EXPECT_EQ(folder().find("bird"), "");
}

TEST_F(ImagePathsTest, CocosNamesAreNumbers) {
  put("COCO_val2014_000000000042.jpg");
  put("000000000007.jpg");
  put("photo_8.jpg");
  put("COCO_val2014_42.jpg");
  EXPECT_EQ(folder().find("42"), in("COCO_val2014_000000000042.jpg"));
  EXPECT_EQ(folder().find("COCO_val2014_000000000042"), in("COCO_val2014_000000000042.jpg"));
  EXPECT_EQ(folder().find("7"), in("000000000007.jpg"));
  EXPECT_EQ(folder().find("000000000007"), in("000000000007.jpg"));
  EXPECT_EQ(folder().find("8"), "");
  EXPECT_EQ(folder().find("0"), "");
}

TEST_F(ImagePathsTest, SeveralThatFitAreAnErrorThatListsThem) {
  put("COCO_train2014_000000000042.jpg");
  put("COCO_val2014_000000000042.jpg");
  put("a.jpg");
  put("a.png");
  const auto message = message_of<DataError>([&] { folder().find("42"); });
  EXPECT_NE(message.find("2 pictures fit the id 42"), std::string::npos) << message;
  EXPECT_NE(message.find("COCO_train2014_000000000042.jpg"), std::string::npos);
  EXPECT_NE(message.find("COCO_val2014_000000000042.jpg"), std::string::npos);
  EXPECT_THROW(folder().find("a"), DataError);
  EXPECT_EQ(folder().find("a.png"), in("a.png"));
}

TEST_F(ImagePathsTest, FilesNamePicturesSeenFromTheirFolder) {
  for (const ImagePaths& paths :
       {list("a.json", R"({"7": "x/7.jpg", "b": "/abs/b.png"})"),
        list("b.json", R"([{"image_id": 7, "file_name": "x/7.jpg"}, {"id": "b", "path": "/abs/b.png"}])"),
        list("c.json",
             R"({"images": [{"id": 7, "file_name": "x/7.jpg"}, {"id": "b", "file_name": "/abs/b.png"}],
                           "annotations": []})"),
        list("d.csv", "file_name,width,id\nx/7.jpg,3,7\n/abs/b.png,4,b\n"),
        list("e.tsv", "image_id\tpath\n7\tx/7.jpg\nb\t/abs/b.png\n")}) {
    EXPECT_EQ(paths.find("7"), in("x/7.jpg")) << paths.source();
    EXPECT_EQ(paths.find("b"), "/abs/b.png") << paths.source();
    EXPECT_EQ(paths.find("c"), "");
  }
}

TEST_F(ImagePathsTest, DictionariesInMemory) {
  const ImagePaths paths("images", {{"7", "x/7.jpg"}});
  EXPECT_EQ(paths.find("7"), "x/7.jpg");
  EXPECT_EQ(paths.find("8"), "");
}

TEST_F(ImagePathsTest, WrongFilesAreErrors) {
  const auto refusal = [&](const std::string& name, const std::string& content) {
    return message_of<DataError>([&] { list(name, content); });
  };
  EXPECT_NE(refusal("a.json", R"({"7": 8})").find("row 1 is the number 8"), std::string::npos);
  EXPECT_NE(refusal("a.json", R"([{"image_id": 7}])").find("row 1"), std::string::npos);
  EXPECT_NE(refusal("a.json", R"(["x.jpg"])").find("expected a dictionary"), std::string::npos);
  EXPECT_NE(refusal("a.csv", "id,caption\n7,a dog\n").find("a.csv:1: found the columns id, caption"),
            std::string::npos);
  EXPECT_NE(refusal("a.csv", "id,path\n7,\n").find("a.csv:2: "), std::string::npos);
  EXPECT_NE(refusal("a.csv", "id,path\n7,a.jpg\n7,b.jpg\n").find("id 7 has the picture"), std::string::npos);
  EXPECT_NE(
      refusal("a.jsonl", "{\"id\": 1, \"path\": \"a\"}\n{\"id\": 2, \"path\": \"b\"}\n").find("per line"),
      std::string::npos);
  EXPECT_THROW(list("empty.json", ""), DataError);
  EXPECT_THROW(ImagePaths(in("nothing.json")), FileError);
}

TEST_F(ImagePathsTest, AFolderWithoutPicturesIsAnError) {
  put("readme.txt");
  EXPECT_NE(message_of<FileError>([&] { folder(); }).find("no picture"), std::string::npos);
}

}  // namespace
}  // namespace capella::io
