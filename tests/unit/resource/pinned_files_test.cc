#include "resource/pinned_files.h"

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/make_archive.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::resource {
namespace {

using test::ArchiveKind;
using test::make_archive;
using test::message_of;

constexpr PinnedFile kFiles[] = {
    {"some_tool/lib/words.bin", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"some_tool/lib/data/none.bin", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
};
constexpr Package kTool = {"tool", "", "", "", "some-tool", "2.0", kFiles, "tool.v1", nullptr};

class PinnedFiles : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  static void expect_found(const std::string& from) {
    EXPECT_EQ(read_pinned_files(kTool, from), (std::vector<std::string>{"abc", ""})) << from;
  }
  static std::string complaint(const std::string& from) {
    return message_of<FileError>([&] { read_pinned_files(kTool, from); });
  }

  test::TempDir folder_;
};

TEST_F(PinnedFiles, AreFoundInArchives) {
  make_archive(path("some_tool-2.0-py3-none-any.whl"), ArchiveKind::zip,
               {{"some_tool/lib/words.bin", "abc"}, {"some_tool/lib/data/none.bin", ""}});
  expect_found(path("some_tool-2.0-py3-none-any.whl"));
  expect_found(path("."));
  make_archive(
      path("copy"), ArchiveKind::tar_gz,
      {{"some-tool-2.0/some_tool/lib/data/none.bin", ""}, {"some-tool-2.0/some_tool/lib/words.bin", "abc"}});
  expect_found(path("copy"));
}

TEST_F(PinnedFiles, AreFoundInFoldersOnTheWayToThem) {
  folder_.write("unpacked/some_tool/lib/words.bin", "abc");
  folder_.write("unpacked/some_tool/lib/data/none.bin", "");
  for (const char* folder : {"unpacked", "unpacked/some_tool", "unpacked/some_tool/lib"})
    expect_found(path(folder));
  folder_.write("flat/words.bin", "abc");
  folder_.write("flat/none.bin", "");
  expect_found(path("flat"));
}

TEST_F(PinnedFiles, ThatAreMissingOrDifferAreNamed) {
  folder_.write("a/none.bin", "");
  EXPECT_TRUE(complaint(path("a")).starts_with(path("a") + ": has no words.bin; expected the wheel"))
      << complaint(path("a"));
  folder_.write("a/words.bin", "abcd");
  EXPECT_EQ(complaint(path("a")),
            path("a/words.bin") + ": 4 bytes, expected 3; get the file of some-tool 2.0");
  folder_.write("a/words.bin", "abd");
  const std::string message = complaint(path("a"));
  EXPECT_TRUE(message.starts_with(path("a/words.bin") + ": its SHA-256 is a52d159f")) << message;
  EXPECT_NE(message.find("expected ba7816bf"), std::string::npos) << message;
  make_archive(path("some_tool.zip"), ArchiveKind::zip, {{"lib/words.bin", "abcd"}});
  EXPECT_TRUE(complaint(path("some_tool.zip"))
                  .starts_with(path("some_tool.zip") + ": words.bin: 4 bytes, expected 3"));
  EXPECT_EQ(complaint(path("absent")), path("absent") + ": cannot be opened: No such file or directory");
}

constexpr PinnedFile kTwins[] = {
    {"tool/model/config.json", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"tool/model/inner/config.json", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
};
constexpr Package kTwinTool = {"tool", "", "", "", "tool", "2.0", kTwins, "tool.v1", nullptr, "tool/model/"};

TEST_F(PinnedFiles, WithOneNameAreToldApartByTheirFolders) {
  const std::vector<std::string> expected = {"abc", ""};
  make_archive(path("tool.zip"), ArchiveKind::zip,
               {{"tool/model/inner/config.json", ""}, {"tool/model/config.json", "abc"}});
  EXPECT_EQ(read_pinned_files(kTwinTool, path("tool.zip")), expected);
  folder_.write("copy/config.json", "abc");
  folder_.write("copy/inner/config.json", "");
  EXPECT_EQ(read_pinned_files(kTwinTool, path("copy")), expected);
  make_archive(path("half.zip"), ArchiveKind::zip, {{"tool/model/config.json", "abc"}});
  const std::string message = message_of<FileError>([&] { read_pinned_files(kTwinTool, path("half.zip")); });
  EXPECT_TRUE(message.starts_with(path("half.zip") + ": has no inner/config.json; expected the wheel"))
      << message;
}

}  // namespace
}  // namespace capella::resource
