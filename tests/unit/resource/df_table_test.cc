#include "resource/df_table.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "base/file.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::resource {
namespace {

using test::message_of;
using test::TempDir;

class DfTableFile : public ::testing::Test {
 protected:
  std::string path() const { return (folder_.path() / "corpus.df").string(); }
  void write(std::uint64_t documents, const std::map<std::uint64_t, std::uint32_t>& frequencies) const {
    DfTable::write(path(), documents, frequencies);
  }
  // The message for a file of these bytes.
  std::string complaint(std::string_view bytes) const {
    const std::string damaged = folder_.write("damaged.df", bytes);
    return message_of<FileError>([&] { DfTable(damaged, "damaged"); });
  }

 private:
  TempDir folder_;
};

TEST_F(DfTableFile, GivesBackFrequenciesOfTwoAndMore) {
  write(100, {{5, 1}, {7, 2}, {1'000'000'007, 99}, {~std::uint64_t{0}, 65535}});
  const DfTable table(path(), "corpus");
  EXPECT_EQ(table.documents(), 100u);
  EXPECT_EQ(table.size(), 3u);
  EXPECT_EQ(table.frequency(5), 0u);  // 1 weighs as much as 0, so it is not stored
  EXPECT_EQ(table.frequency(7), 2u);
  EXPECT_EQ(table.frequency(1'000'000'007), 99u);
  EXPECT_EQ(table.frequency(~std::uint64_t{0}), 65535u);
  EXPECT_EQ(table.frequency(6), 0u);
}

TEST_F(DfTableFile, HoldsFrequenciesBeyondSixteenBits) {
  write(1'000'000, {{1, 65536}, {2, 3}});
  const DfTable table(path(), "corpus");
  EXPECT_EQ(table.frequency(1), 65536u);
  EXPECT_EQ(table.frequency(2), 3u);
}

TEST_F(DfTableFile, MayBeEmpty) {
  write(1, {});
  EXPECT_EQ(DfTable(path(), "corpus").frequency(0), 0u);
}

TEST_F(DfTableFile, DescriptionNamesSizeAndContent) {
  write(100, {{7, 2}});
  const std::string description = DfTable(path(), "corpus").description();
  EXPECT_TRUE(description.starts_with("corpus(100,#")) << description;
  EXPECT_EQ(description.size(), std::string("corpus(100,#12345678)").size());
  EXPECT_EQ(DfTable(path(), "corpus").description(), description);
  write(100, {{7, 3}});
  EXPECT_NE(DfTable(path(), "corpus").description(), description);
}

TEST_F(DfTableFile, RefusesAnythingElse) {
  write(100, {{7, 2}, {8, 3}});
  const std::string good = read_file(path());
  EXPECT_NE(complaint("").find("not a table of document frequencies"), std::string::npos);
  EXPECT_NE(complaint("[{\"image_id\": 1}]").find("not a table of document frequencies"), std::string::npos);
  EXPECT_NE(complaint(good.substr(0, 20)).find("not a table of document frequencies"), std::string::npos);
  EXPECT_NE(complaint(good.substr(0, good.size() - 1)).find("the table is damaged"), std::string::npos);
  EXPECT_NE(complaint(good + "x").find("the table is damaged"), std::string::npos);
  std::string huge = good;
  huge.replace(16, 8, 8, '\xFF');  // the number of entries
  EXPECT_NE(complaint(huge).find("not a table of document frequencies"), std::string::npos);
}

TEST_F(DfTableFile, NamesAFileThatIsNotThere) {
  const std::string absent = path();
  EXPECT_EQ(message_of<FileError>([&] { DfTable(absent, "x"); }),
            absent + ": cannot be opened: No such file or directory");
}

}  // namespace
}  // namespace capella::resource
