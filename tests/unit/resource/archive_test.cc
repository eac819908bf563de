#include "resource/archive.h"

#include <gtest/gtest.h>

#include "capella/error.h"

#include "base/file.h"
#include "support/make_archive.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::resource {
namespace {

using test::ArchiveKind;
using test::message_of;

class ArchiveFile : public ::testing::TestWithParam<ArchiveKind> {
 protected:
  ArchiveFile() {
    test::make_archive(path(), GetParam(),
                       {{"package-1.2/empty", ""},
                        {"package-1.2/not_wanted", "no"},
                        {"package-1.2/deep/wanted", long_},
                        {"package-1.2/later/wanted", "the second one"}});
  }
  std::string path() const { return (folder_.path() / "archive").string(); }

  const std::string long_ = std::string(300'000, 'x') + "end";
  test::TempDir folder_;
};

TEST_P(ArchiveFile, GivesMembersByTheEndOfTheirPath) {
  constexpr std::string_view kNames[] = {"wanted", "package-1.2/empty", "absent"};
  const Members expected = {{"wanted", long_}, {"package-1.2/empty", ""}};
  EXPECT_EQ(read_members(path(), kNames), expected);
  EXPECT_EQ(read_members_of(read_file_as_is(path()), "archive", kNames), expected);
}

TEST_P(ArchiveFile, TellsWholeNamesFromEndsOfNames) {
  constexpr std::string_view kNames[] = {"anted", "later/wanted"};
  EXPECT_EQ(read_members(path(), kNames), (Members{{"later/wanted", "the second one"}}));
}

TEST_P(ArchiveFile, RefusesWhatIsCutOff) {
  constexpr std::string_view kNames[] = {"later/wanted"};
  const std::string whole = read_file_as_is(path());
  for (const std::size_t size : {whole.size() / 2, whole.size() / 4, std::size_t{0}}) {
    const std::string cut = folder_.write("cut", whole.substr(0, size));
    try {
      EXPECT_TRUE(read_members(cut, kNames).empty()) << size;  // a zip's list of members stands at its end
    } catch (const FileError& problem) {
      EXPECT_TRUE(
          std::string(problem.what()).starts_with(cut + ": cannot be read as a zip or tar.gz archive"));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, ArchiveFile, ::testing::Values(ArchiveKind::zip, ArchiveKind::tar_gz));

TEST(Archive, SaysWhatCannotBeRead) {
  const test::TempDir folder;
  constexpr std::string_view kNames[] = {"wanted"};
  const std::string absent = (folder.path() / "absent.whl").string();
  EXPECT_EQ(message_of<FileError>([&] { read_members(absent, kNames); }),
            absent + ": cannot be opened: No such file or directory");
  const std::string text = folder.write("notes.txt", "these are notes and not an archive");
  EXPECT_TRUE(message_of<FileError>([&] {
                read_members(text, kNames);
              }).starts_with(text + ": cannot be read as a zip or tar.gz archive: "));
  EXPECT_TRUE(message_of<FileError>([&] {
                read_members_of("notes", "notes.txt", kNames);
              }).starts_with("notes.txt: cannot be read as a zip or tar.gz archive: "));
}

}  // namespace
}  // namespace capella::resource
