#include "io/system_name.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/temp_dir.h"

namespace capella::io {
namespace {

using Words = std::vector<std::string>;

Words names(const Words& words) {
  Words result;
  for (const SystemFile& system : name_systems(words)) result.push_back(system.name);
  return result;
}

TEST(SystemName, FileWithoutGzAndOneExtension) {
  EXPECT_EQ(names({"runs/up-down.json", "gat.v2.json.gz", "plain", "-", "a.tar.gz"}),
            (Words{"up-down", "gat.v2", "plain", "stdin", "a"}));
}

TEST(SystemName, EqualNamesGetTheirFolders) {
  EXPECT_EQ(names({"a/s.json", "b/s.json", "t.json"}), (Words{"a/s", "b/s", "t"}));
  EXPECT_EQ(names({"x/a/s.json", "y/a/s.json"}), (Words{"x/a/s", "y/a/s"}));
  EXPECT_EQ(names({"s.json", "b/s.json"}), (Words{"s", "b/s"}));
  EXPECT_EQ(names({"/s.json", "/b/s.json"}), (Words{"s", "b/s"}));
}

TEST(SystemName, FilesThatNoFolderTellsApartAreNumbered) {
  EXPECT_EQ(names({"a/s.json", "a/s.csv", "a/s.json"}), (Words{"a/s", "a/s#2", "a/s#3"}));
}

TEST(SystemName, InvalidBytesAreReplaced) {
  EXPECT_EQ(names({"caf\xe9.json", "caf\xe8.json", "d\xff=x.json"}),
            (Words{"caf\uFFFD", "caf\uFFFD#2", "d\uFFFD"}));
}

TEST(SystemName, GivenNames) {
  const std::vector<SystemFile> systems = name_systems(Words{"mine=some/file.json", "in=-", "=x.json"});
  EXPECT_EQ(systems[0].name, "mine");
  EXPECT_EQ(systems[0].path, "some/file.json");
  EXPECT_EQ(systems[1].name, "in");
  EXPECT_EQ(systems[1].path, "-");
  EXPECT_EQ(systems[2].path, "=x.json");
  EXPECT_EQ(names({"s=a/t.json", "b/s.json"}), (Words{"s", "b/s"}));
  EXPECT_THROW(names({"s=a.json", "s=b.json"}), UsageError);
}

TEST(SystemName, APathThatExistsIsNotTakenApart) {
  const test::TempDir folder;
  const std::string path = folder.write("lr=0.1.json", "{}");
  const std::vector<SystemFile> systems = name_systems(Words{path});
  EXPECT_EQ(systems[0].name, "lr=0.1");
  EXPECT_EQ(systems[0].path, path);
}

}  // namespace
}  // namespace capella::io
