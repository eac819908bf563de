// Stages that are done once: what is kept, and what makes a stage be done again.
#include "pipeline/stage_folder.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "base/file.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::pipeline {
namespace {

namespace fs = std::filesystem;
using test::message_of;
using test::TempDir;

// A folder with an input beside it, and a stage that counts how often it is done.
class StageFolderTest : public ::testing::Test {
 protected:
  std::string run(std::string_view settings, const std::vector<std::string>& inputs) {
    StageFolder stages(folder(), "trial");
    bool reused = false;
    const std::string words = stages.run(
        "made.txt", settings, inputs,
        [&] {
          ++done_;
          write_file_atomically(stages.path("made.txt"), "made\n");
          return "words " + std::to_string(done_);
        },
        reused);
    reused_ = reused;
    return words;
  }
  std::string folder() const { return (place_.path() / "deep" / "run").string(); }

  TempDir place_;
  std::string input_ = place_.write("in.txt", "one");
  int done_ = 0;
  bool reused_ = false;
};

TEST_F(StageFolderTest, AStageIsDoneOnceAndItsWordsAreKept) {
  EXPECT_EQ(run("a", {input_}), "words 1");
  EXPECT_FALSE(reused_);
  EXPECT_EQ(run("a", {input_}), "words 1");  // by another object, as in a later run of the program
  EXPECT_TRUE(reused_);
  EXPECT_EQ(done_, 1);
}

TEST_F(StageFolderTest, OtherSettingsAndOtherInputsAreDoneAgain) {
  run("a", {input_});
  EXPECT_EQ(run("b", {input_}), "words 2");
  EXPECT_FALSE(reused_);
  place_.write("in.txt", "two");
  EXPECT_EQ(run("b", {input_}), "words 3");
  EXPECT_EQ(run("b", {input_}), "words 3");
  const std::string second = place_.write("more.txt", "three");
  EXPECT_EQ(run("b", {input_, second}), "words 4");
  EXPECT_EQ(run("b", {second, input_}), "words 5");  // which is which counts
}

// Only content counts, so that a folder can be copied elsewhere and a file touched.
TEST_F(StageFolderTest, AnInputOfTheSameContentIsTheSame) {
  run("a", {input_});
  EXPECT_EQ(run("a", {place_.write("copy.txt", "one")}), "words 1");
  EXPECT_TRUE(reused_);
}

TEST_F(StageFolderTest, AFileThatIsGoneIsMadeAgain) {
  run("a", {input_});
  fs::remove(fs::path(folder()) / "made.txt");
  EXPECT_EQ(run("a", {input_}), "words 2");
  EXPECT_TRUE(fs::exists(fs::path(folder()) / "made.txt"));
}

TEST_F(StageFolderTest, AStageThatFailsIsNotKept) {
  StageFolder stages(folder(), "trial");
  bool reused = false;
  const auto fails = [&]() -> std::string {
    write_file_atomically(stages.path("made.txt"), "half\n");
    throw DataError("no");
  };
  EXPECT_THROW(stages.run("made.txt", "a", {input_}, fails, reused), DataError);
  EXPECT_EQ(run("a", {input_}), "words 1");
  EXPECT_FALSE(reused_);
}

TEST_F(StageFolderTest, AnInputThatIsNotThereIsAnError) {
  EXPECT_NE(message_of<FileError>([&] { run("a", {place_.path() / "none.txt"}); }).find("none.txt"),
            std::string::npos);
  EXPECT_EQ(done_, 0);
}

TEST_F(StageFolderTest, AForeignFolderIsLeftAlone) {
  place_.write("deep/run/letter.txt", "mine");
  const std::string message = message_of<UsageError>([&] { run("a", {input_}); });
  EXPECT_EQ(message, folder() + ": holds files that no trial made; choose another folder");
  EXPECT_FALSE(fs::exists(fs::path(folder()) / "stages.json"));
}

TEST_F(StageFolderTest, AFolderOfAnotherKindOrADamagedListIsRefused) {
  run("a", {input_});
  EXPECT_NE(message_of<UsageError>([&] {
              StageFolder(folder(), "study");
            }).find("stages.json: is no list of the stages of a study; choose another folder"),
            std::string::npos);
  for (const char* damaged : {"{", "[]", R"({"kind":"trial"})", R"({"kind":3,"stages":{}})",
                              R"({"kind":"trial","stages":{"made.txt":1}})",
                              R"({"kind":"trial","stages":{"made.txt":{"key":1,"words":""}}})"}) {
    place_.write("deep/run/stages.json", damaged);
    EXPECT_THROW(StageFolder(folder(), "trial"), UsageError) << damaged;
  }
}

TEST_F(StageFolderTest, AForgottenStageIsDoneAgain) {
  run("a", {input_});
  StageFolder stages(folder(), "trial");
  bool reused = false;
  const auto work = [&] { return std::string("anew"); };
  EXPECT_EQ(stages.run("made.txt", "a", {input_}, work, reused), "words 1");
  stages.forget("made.txt");
  stages.forget("never.txt");
  EXPECT_EQ(stages.run("made.txt", "a", {input_}, work, reused), "anew");
  EXPECT_FALSE(reused);
}

TEST_F(StageFolderTest, StampsTellOfSizesAndTimes) {
  const std::string other = place_.write("other.txt", "two");
  const std::vector<std::string> files = {input_, other};
  const std::string before = stamp_of_files(files);
  EXPECT_EQ(stamp_of_files(files), before);
  EXPECT_NE(stamp_of_files(std::vector{input_}), before);
  const auto time = fs::last_write_time(other);
  fs::last_write_time(other, time + std::chrono::seconds(1));
  EXPECT_NE(stamp_of_files(files), before);
  fs::last_write_time(other, time);
  EXPECT_EQ(stamp_of_files(files), before);
  place_.write("other.txt", "longer");
  fs::last_write_time(other, time);
  EXPECT_NE(stamp_of_files(files), before);
  fs::remove(other);
  EXPECT_NE(stamp_of_files(files), before);
}

TEST_F(StageFolderTest, AFileInTheFoldersPlaceIsAnError) {
  place_.write("deep/run", "a file");
  EXPECT_NE(message_of<FileError>([&] { run("a", {input_}); }).find("cannot be made"), std::string::npos);
}

}  // namespace
}  // namespace capella::pipeline
