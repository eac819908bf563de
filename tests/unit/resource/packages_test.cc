#include "resource/packages.h"

#include <set>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"

namespace capella::resource {
namespace {

TEST(Packages, HaveDifferentNamesAndFiles) {
  std::set<std::string_view> names;
  std::set<std::string_view> files;
  for (const Package& package : packages()) {
    EXPECT_TRUE(names.insert(package.name).second) << package.name;
    EXPECT_TRUE(files.insert(package.file_name).second) << package.file_name;
    EXPECT_FALSE(package.files.empty()) << package.name;
    EXPECT_NE(package.is_folder(), package.check != nullptr) << package.name;
    for (const PinnedFile& file : package.files) EXPECT_EQ(file.sha256.size(), 64u) << file.path;
  }
}

TEST(Packages, AreFoundByName) {
  EXPECT_EQ(package_by_name("meteor").version, "1.2");
  EXPECT_EQ(test::message_of<UsageError>([] { package_by_name("metoer"); }),
            "unknown data package 'metoer'; did you mean 'meteor'? Valid: meteor, minilm");
}

TEST(Packages, OfModelsAreFoundByTheNamesThatOthersUse) {
  const Package* minilm = &package_by_name("minilm");
  for (const char* name : {"minilm", "sentence-transformers/all-MiniLM-L6-v2", "all-MiniLM-L6-v2"})
    EXPECT_EQ(package_of_model(name), minilm) << name;
  for (const char* name : {"meteor", "", "L6-v2", "sentence-transformers/", "someone/all-MiniLM-L6-v2"})
    EXPECT_EQ(package_of_model(name), nullptr) << name;
}

}  // namespace
}  // namespace capella::resource
