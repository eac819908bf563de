// From files to a data set: names, joint files, standard input, several threads.
#include "io/read.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <zlib.h>

#include "capella/error.h"

#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::io {
namespace {

class Read : public ::testing::Test {
 protected:
  std::string write_gz(const std::string& name, const std::string& content) {
    const std::string path = folder_.write(name, "");
    const gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
    gzclose(file);
    return path;
  }

  test::TempDir folder_;
  const std::string refs_ = folder_.write("refs.json", R"({"1": ["a", "b"], "2": ["c"]})");
};

TEST_F(Read, FilesOfDifferentShapes) {
  ThreadPool pool(2);
  const std::vector<std::string> hyps{
      folder_.write("x/s.csv", "id,caption\n2,B\n1,A\n"),
      write_gz("y/s.jsonl.gz", "{\"id\": 1, \"text\": \"A\"}\n{\"id\": 2, \"text\": \"B\"}\n"),
      "third=" + folder_.write("lines.txt", "A\nB\n")};
  const Dataset data = read_dataset(refs_, hyps, {}, {}, &pool);
  ASSERT_EQ(data.systems().size(), 3u);
  EXPECT_EQ(data.systems()[0].name, "x/s");
  EXPECT_EQ(data.systems()[1].name, "y/s");
  EXPECT_EQ(data.systems()[2].name, "third");
  for (const Dataset::System& system : data.systems()) {
    EXPECT_EQ(system.captions[0], "A");
    EXPECT_EQ(system.captions[1], "B");
  }
}

TEST_F(Read, JointFileStandsAlone) {
  const std::string joint =
      folder_.write("joint.json", R"([{"image_id": 5, "test": "t", "refs": ["r", "s"]}])");
  const Dataset data = read_dataset(joint, {});
  EXPECT_EQ(data.id(0), "5");
  EXPECT_EQ(data.references(0).size(), 2u);
  ASSERT_EQ(data.systems().size(), 1u);
  EXPECT_EQ(data.systems()[0].name, "joint");
  EXPECT_EQ(data.systems()[0].captions[0], "t");
  EXPECT_NE(test::message_of<UsageError>([&] { read_dataset(joint, {refs_}); }).find("give this file alone"),
            std::string::npos);
  EXPECT_THROW(read_dataset(refs_, {joint}), UsageError);
}

TEST_F(Read, MissingFile) {
  EXPECT_NE(test::message_of<FileError>([&] {
              read_dataset(refs_, {"no/such/file.json"});
            }).find("no/such/file.json"),
            std::string::npos);
}

TEST_F(Read, TheFirstBadFileIsReported) {
  ThreadPool pool(2);
  const std::vector<std::string> hyps{folder_.write("bad1.json", "[1"), folder_.write("bad2.json", "[2")};
  for (int i = 0; i < 20; ++i) {
    const std::string message =
        test::message_of<DataError>([&] { read_dataset(refs_, hyps, {}, {}, &pool); });
    EXPECT_NE(message.find("bad1.json:1"), std::string::npos) << message;
  }
}

TEST_F(Read, StandardInputOnlyOnce) {
  EXPECT_NE(test::message_of<UsageError>([&] { read_dataset("-", {"x=-"}); }).find("only once"),
            std::string::npos);
}

TEST_F(Read, SplitWithoutSplits) {
  EXPECT_NE(
      test::message_of<UsageError>([&] { read_dataset(refs_, {}, {.split = "test"}); }).find("--split test"),
      std::string::npos);
}

TEST_F(Read, NamedColumnsMustBeInAFile) {
  const std::string refs = folder_.write("refs.csv", "img,caption\n1,a\n");
  const std::string hyps = folder_.write("hyps.csv", "image_id,pred,caption\n1,b,c\n");
  const ReadOptions named{.id_column = "img", .caption_column = "pred"};
  EXPECT_EQ(read_dataset(refs, {hyps}, named).systems()[0].captions[0], "b");
  for (const ReadOptions& wrong : {ReadOptions{.id_column = "prde"}, ReadOptions{.caption_column = "prde"}}) {
    const std::string option = wrong.id_column.empty() ? "--caption-column prde" : "--id-column prde";
    EXPECT_NE(test::message_of<UsageError>([&] { read_dataset(refs_, {hyps}, wrong); }).find(option),
              std::string::npos);
  }
}

TEST_F(Read, SkippedRowsOfAllFilesAreListed) {
  const std::string refs = folder_.write("refs.json", R"({"1": "a", "2": "b", "3": 7, "4": "d"})");
  const std::string bad = folder_.write("bad.json", R"({"1": "A", "2": 5, "3": "C"})");
  const Dataset data = read_dataset(refs, {bad}, {.skip_bad = true}, {.missing = Missing::skip});
  EXPECT_EQ(data.size(), 1u);
  ASSERT_EQ(data.skipped().size(), 3u);
  EXPECT_EQ(data.skipped()[0].id, "3");
  EXPECT_EQ(data.skipped()[1].id, "2");
  EXPECT_EQ(data.skipped()[2].id, "4");
  EXPECT_NE(data.skipped()[2].why.find("no caption in"), std::string::npos);
}

}  // namespace
}  // namespace capella::io
