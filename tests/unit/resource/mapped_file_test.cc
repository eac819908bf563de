#include "resource/mapped_file.h"

#include <cstring>
#include <string>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::resource {
namespace {

TEST(MappedFile, ShowsTheBytes) {
  const test::TempDir folder;
  const MappedFile file(folder.write("data", "some bytes"));
  ASSERT_EQ(file.bytes().size(), 10u);
  EXPECT_EQ(std::memcmp(file.bytes().data(), "some bytes", 10), 0);
}

TEST(MappedFile, MayBeEmpty) {
  const test::TempDir folder;
  EXPECT_TRUE(MappedFile(folder.write("empty", "")).bytes().empty());
}

TEST(MappedFile, CannotBeAFolderOrMissing) {
  const test::TempDir folder;
  const std::string itself = folder.path().string();
  EXPECT_EQ(test::message_of<FileError>([&] { MappedFile{itself}; }),
            itself + ": is a folder, expected a file");
  EXPECT_THROW(MappedFile((folder.path() / "missing").string()), FileError);
}

}  // namespace
}  // namespace capella::resource
