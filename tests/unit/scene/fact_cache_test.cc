#include "scene/fact_cache.h"

#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "base/file.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::scene {
namespace {

namespace fs = std::filesystem;

class FactCacheTest : public ::testing::Test {
 protected:
  FactCache open(std::uint64_t model = 7) const { return FactCache(folder_, model); }

  test::TempDir temporary_;
  std::string folder_ = (temporary_.path() / "deep" / "cache").string();
};

TEST_F(FactCacheTest, KeepsWhatWasAdded) {
  EXPECT_FALSE(open().find(text_key("a")));
  open().add({{text_key("a"), "facts of a"}, {text_key("b"), ""}});
  open().add({{text_key("c"), "facts of c"}, {text_key("a"), "facts of a"}});
  const FactCache cache = open();
  EXPECT_EQ(cache.problem(), "");
  EXPECT_EQ(cache.find(text_key("a")), "facts of a");
  EXPECT_EQ(cache.find(text_key("b")), "");
  EXPECT_EQ(cache.find(text_key("c")), "facts of c");
  EXPECT_FALSE(cache.find(text_key("d")));
}

TEST_F(FactCacheTest, EachModelHasItsOwn) {
  open(1).add({{text_key("a"), "one"}});
  EXPECT_FALSE(open(2).find(text_key("a")));
  open(2).add({{text_key("a"), "two"}});
  EXPECT_EQ(open(1).find(text_key("a")), "one");
  fs::copy_file(open(1).path(), open(3).path());
  const FactCache renamed = open(3);
  EXPECT_FALSE(renamed.find(text_key("a")));
  EXPECT_NE(renamed.problem().find("another model"), std::string::npos) << renamed.problem();
}

TEST_F(FactCacheTest, DamageIsToldAndMended) {
  open().add({{text_key("a"), "facts of a"}});
  const std::string path = open().path();
  const std::string whole = read_file_as_is(path);
  const auto check = [&](const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
    const FactCache damaged = open();
    EXPECT_FALSE(damaged.find(text_key("a")));
    EXPECT_NE(damaged.problem().find(path), std::string::npos) << damaged.problem();
    EXPECT_NE(damaged.problem().find("made anew"), std::string::npos) << damaged.problem();
    damaged.add({{text_key("a"), "facts of a"}});
    EXPECT_EQ(open().problem(), "");
    EXPECT_EQ(open().find(text_key("a")), "facts of a");
  };
  check("");
  check("something else");
  check(whole.substr(0, whole.size() - 1));
  check(whole + "x");
  for (const std::size_t place : {std::size_t{0}, std::size_t{20}, std::size_t{70}, whole.size() - 2}) {
    std::string flipped = whole;
    flipped[place] = static_cast<char>(flipped[place] ^ 4);
    check(flipped);
  }
}

TEST_F(FactCacheTest, RunsAtTheSameTimeLoseNothing) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 10;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (int round = 0; round < kRounds; ++round) {
        const std::string text = std::to_string(thread * kRounds + round);
        open().add({{text_key(text), text}});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const FactCache cache = open();
  for (int i = 0; i < kThreads * kRounds; ++i)
    EXPECT_EQ(cache.find(text_key(std::to_string(i))), std::to_string(i));
}

TEST_F(FactCacheTest, AFolderThatCannotBeMadeIsAnError) {
  const std::string file = temporary_.write("file", "");
  EXPECT_NE(test::message_of<FileError>([&] { FactCache(file, 1); }).find("--cache"), std::string::npos);
  EXPECT_THROW(FactCache(file + "/below", 1), FileError);
}

}  // namespace
}  // namespace capella::scene
