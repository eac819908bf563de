#include "resource/find.h"

#include <cstdlib>
#include <optional>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::resource {
namespace {

// Sets an environment variable (or takes it away) for the length of a test.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    value ? ::setenv(name, value, 1) : ::unsetenv(name);
  }
  ~Environment() { old_ ? ::setenv(name_, old_->c_str(), 1) : ::unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

TEST(Find, LooksInCapellaHomeFirst) {
  const test::TempDir folder;
  const std::string own = folder.write("examples/expected.json", "{}");
  const Environment home("CAPELLA_HOME", folder.path().c_str());
  EXPECT_EQ(search_path().front(), folder.path().string());
  EXPECT_EQ(find("examples/expected.json"), own);
}

TEST(Find, LooksInTheUsersCacheWithoutCapellaHome) {
  const Environment capella_home("CAPELLA_HOME", nullptr);
  const Environment user("HOME", "/somewhere");
  EXPECT_EQ(search_path().front(), "/somewhere/.cache/capella");
  EXPECT_EQ(home(), "/somewhere/.cache/capella");
}

TEST(Find, AsksForAHomeWhereThereIsNone) {
  const Environment capella_home("CAPELLA_HOME", "");
  const Environment user("HOME", nullptr);
  EXPECT_EQ(test::message_of<FileError>([] { home(); }),
            "no folder for data: set CAPELLA_HOME to one that can be written");
}

TEST(Find, FindsWhatIsBesideTheProgram) {
  const test::TempDir empty;
  const Environment home("CAPELLA_HOME", empty.path().c_str());
  const auto found = find("examples/expected.json");
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->ends_with("examples/expected.json"));
}

TEST(Find, SaysWhereItLooked) {
  const test::TempDir empty;
  const Environment home("CAPELLA_HOME", empty.path().c_str());
  EXPECT_FALSE(find("models/nothing.bin"));
  const std::string message = test::message_of<FileError>([] { need("models/nothing.bin"); });
  EXPECT_TRUE(message.starts_with("models/nothing.bin: not found in " + empty.path().string())) << message;
  EXPECT_NE(message.find("CAPELLA_HOME"), std::string::npos);
}

}  // namespace
}  // namespace capella::resource
