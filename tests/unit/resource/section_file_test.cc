#include "resource/section_file.h"

#include <gtest/gtest.h>

#include "capella/error.h"

#include "base/file.h"
#include "support/message_of.h"
#include "support/temp_dir.h"
#include "support/touch.h"

namespace capella::resource {
namespace {

using test::message_of;
using test::write_unnoticed;

constexpr const char* kRemedy = "make it again";

class SectionFileTest : public ::testing::Test {
 protected:
  SectionFileTest() {
    const std::uint32_t numbers[] = {1, 2, 3};
    const Section sections[] = {{"letters", "abc"},
                                {"numbers", {reinterpret_cast<const char*>(numbers), sizeof numbers}},
                                {"nothing", ""}};
    write_section_file(path(), "kind", 3, sections);
    good_ = read_file(path());
  }
  std::string path() const { return (folder_.path() / "file").string(); }
  static void open_and_check(const std::string& path) {
    SectionFile(path, "kind", 3, kRemedy).check_content();
  }
  std::string complaint(std::string_view bytes) const {
    const std::string damaged = folder_.write("damaged", bytes);
    return message_of<FileError>([&] { SectionFile(damaged, "kind", 3, kRemedy); });
  }

  test::TempDir folder_;
  std::string good_;
};

TEST_F(SectionFileTest, GivesSectionsBack) {
  const SectionFile file(path(), "kind", 3, kRemedy);
  const auto letters = file.section<char>("letters");
  EXPECT_EQ(std::string(letters.begin(), letters.end()), "abc");
  const auto numbers = file.section<std::uint32_t>("numbers");
  EXPECT_EQ(std::vector<std::uint32_t>(numbers.begin(), numbers.end()),
            (std::vector<std::uint32_t>{1, 2, 3}));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(numbers.data()) % 8, 0u);
  EXPECT_TRUE(file.section<std::uint64_t>("nothing").empty());
  file.check_content();
}

TEST_F(SectionFileTest, RefusesSectionsThatAreMissingOrDoNotFit) {
  const SectionFile file(path(), "kind", 3, kRemedy);
  EXPECT_EQ(message_of<FileError>([&] { file.section<char>("others"); }),
            path() + ": damaged: the section others is missing; make it again");
  EXPECT_EQ(message_of<FileError>([&] { file.section<std::uint16_t>("letters"); }),
            path() + ": damaged: the section letters does not fit; make it again");
}

TEST_F(SectionFileTest, RefusesOtherFiles) {
  EXPECT_EQ(message_of<FileError>([&] { SectionFile(path(), "sort", 3, kRemedy); }),
            path() + ": not a data file of the kind sort; make it again");
  EXPECT_EQ(message_of<FileError>([&] { SectionFile(path(), "kind", 4, kRemedy); }),
            path() + ": data of version 3, expected 4; make it again");
  const std::string absent = (folder_.path() / "absent").string();
  EXPECT_EQ(message_of<FileError>([&] { SectionFile(absent, "kind", 3, kRemedy); }),
            absent + ": cannot be opened: No such file or directory; make it again");
  EXPECT_NE(complaint("").find(": not a data file of Capella; make it again"), std::string::npos);
  EXPECT_NE(complaint(std::string(1000, ' ')).find("not a data file of Capella"), std::string::npos);
}

TEST_F(SectionFileTest, RefusesEveryTruncation) {
  for (std::size_t size = 0; size < good_.size(); ++size) {
    const std::string cut = write_unnoticed(folder_, "cut", good_.substr(0, size), path());
    EXPECT_THROW(SectionFile(cut, "kind", 3, kRemedy), FileError) << size;
  }
  EXPECT_THROW(SectionFile(folder_.write("long", good_ + '\0'), "kind", 3, kRemedy), FileError);
}

TEST_F(SectionFileTest, NoticesEveryChangedByteAtOpening) {
  for (std::size_t place = 0; place < good_.size(); ++place) {
    std::string changed = good_;
    changed[place] ^= 0x10;
    const std::string damaged = folder_.write("damaged", changed);
    EXPECT_THROW(SectionFile(damaged, "kind", 3, kRemedy), FileError) << place;
  }
}

TEST_F(SectionFileTest, NoticesEveryChangedByteWhenAskedIfTheTimeWasSetBack) {
  for (std::size_t place = 0; place < good_.size(); ++place) {
    std::string changed = good_;
    changed[place] ^= 0x01;
    const std::string damaged = write_unnoticed(folder_, "damaged", changed, path());
    EXPECT_THROW(open_and_check(damaged), FileError) << place;
  }
}

TEST_F(SectionFileTest, MayBeCopied) {
  open_and_check(folder_.write("copy", good_));
}

TEST_F(SectionFileTest, IsNotReadWholeUnlessTouched) {
  std::string changed = good_;
  changed.back() ^= 1;
  const std::string unnoticed = write_unnoticed(folder_, "damaged", changed, path());
  EXPECT_NO_THROW(SectionFile(unnoticed, "kind", 3, kRemedy));
  EXPECT_NE(complaint(changed).find(": damaged: the content's checksum is wrong; make it again"),
            std::string::npos);
}

}  // namespace
}  // namespace capella::resource
