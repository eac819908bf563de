#include "encoder/embedding_cache.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capella/error.h"

#include "base/file.h"
#include "base/hash.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::encoder {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWidth = 5;
constexpr std::size_t kHead = 64;
constexpr std::size_t kRecordHead = 64;
constexpr std::size_t kRecord = kRecordHead + 64;  // of one vector: 20 bytes and zeros

EmbeddingKey key_of(std::size_t number) {
  return embedding_key("test", std::to_string(number));
}

std::vector<float> numbers_of(std::size_t number, std::size_t vectors) {
  std::vector<float> numbers;
  for (std::size_t i = 0; i < vectors * kWidth; ++i)
    numbers.push_back(static_cast<float>(number * 10 + i) / 8);
  return numbers;
}

void add(EmbeddingCache& cache, std::size_t number, std::size_t vectors = 1) {
  const auto numbers = std::make_shared<std::vector<float>>(numbers_of(number, vectors));
  const Embedding one[] = {{key_of(number), number + 100, numbers->size(), {numbers, numbers->data()}}};
  cache.add(one);
}

// Whether the vectors are there; they must then be the right ones.
bool has(const EmbeddingCache& cache, std::size_t number, std::size_t vectors = 1) {
  const auto found = cache.find(key_of(number));
  if (!found) return false;
  EXPECT_EQ(found->key, key_of(number));
  EXPECT_EQ(found->mark, number + 100);
  EXPECT_EQ(std::vector<float>(found->numbers.get(), found->numbers.get() + found->size),
            numbers_of(number, vectors));
  return true;
}

class EmbeddingCacheTest : public ::testing::Test {
 protected:
  EmbeddingCache open(std::uint64_t most = EmbeddingCache::kMostBytes) const {
    return EmbeddingCache(folder_, "a model", kWidth, most);
  }
  std::string path() const { return open().path(); }

  void fill(std::size_t begin, std::size_t end, std::uint64_t most = EmbeddingCache::kMostBytes) const {
    EmbeddingCache cache = open(most);
    for (std::size_t number = begin; number < end; ++number) add(cache, number);
  }

  test::TempDir temporary_;
  std::string folder_ = (temporary_.path() / "deep" / "cache").string();
};

// Runs `work` in a process of its own and returns how that ended.
template <class Work>
int status_of_child(const Work& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::_exit(0);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

TEST_F(EmbeddingCacheTest, KeepsWhatWasAdded) {
  EXPECT_FALSE(has(open(), 0));
  fill(0, 3);
  fill(2, 5);
  const EmbeddingCache cache = open();
  EXPECT_EQ(cache.problem(), "");
  for (std::size_t number = 0; number < 5; ++number) EXPECT_TRUE(has(cache, number)) << number;
  EXPECT_FALSE(has(cache, 5));
  EXPECT_EQ(fs::file_size(cache.path()), kHead + 5 * kRecord);
}

std::size_t record_of(std::size_t vectors) {
  return kRecordHead + (vectors * kWidth * sizeof(float) + 63) / 64 * 64;
}

// Tokens have a vector each, so a text has as many as it has tokens.
TEST_F(EmbeddingCacheTest, KeepsSeveralVectorsOfOneText) {
  std::size_t size = kHead;
  for (std::size_t number = 0; number < 40; ++number) {
    const std::size_t vectors = number % 13;
    EmbeddingCache cache = open();
    add(cache, number, vectors);
    size += record_of(vectors);
    EXPECT_EQ(fs::file_size(cache.path()), size);
  }
  const EmbeddingCache cache = open();
  for (std::size_t number = 0; number < 40; ++number) EXPECT_TRUE(has(cache, number, number % 13)) << number;
}

// Kernels want rows at multiples of 64 bytes.
TEST_F(EmbeddingCacheTest, NumbersLieWhereTheFileWasMapped) {
  fill(0, 3);
  std::shared_ptr<const float> held;
  {
    const EmbeddingCache cache = open();
    held = cache.find(key_of(1))->numbers;
    EXPECT_EQ(held, cache.find(key_of(1))->numbers);
  }
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(held.get()) % 64, 0u);
  fs::remove(path());
  EXPECT_EQ(std::vector<float>(held.get(), held.get() + kWidth), numbers_of(1, 1));
}

TEST_F(EmbeddingCacheTest, KindsAreKeptApart) {
  EXPECT_NE(embedding_key("text", "a"), embedding_key("picture", "a"));
  EXPECT_NE(embedding_key("text", "a"), embedding_key("text", "b"));
  EXPECT_EQ(embedding_key("text", "a"), embedding_key("text", "a"));
}

TEST_F(EmbeddingCacheTest, EachModelAndWidthHasItsOwn) {
  fill(0, 1);
  EmbeddingCache other(folder_, "another model", kWidth);
  EXPECT_NE(other.path(), path());
  EXPECT_FALSE(has(other, 0));
  fs::copy_file(path(), other.path());
  const EmbeddingCache renamed(folder_, "another model", kWidth);
  EXPECT_FALSE(has(renamed, 0));
  EXPECT_NE(renamed.problem().find(other.path()), std::string::npos) << renamed.problem();
  EXPECT_FALSE(EmbeddingCache(folder_, "a model", kWidth + 1).find(key_of(0)));
}

// However much of the file is left, what is whole in it is found, and the next who adds mends it.
TEST_F(EmbeddingCacheTest, AFileCutAtAnyByteIsMended) {
  fill(0, 3);
  const std::string file = path();
  const std::string whole = read_file_as_is(file);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << whole.substr(0, size);
    const std::size_t records = size < kHead ? 0 : (size - kHead) / kRecord;
    {
      EmbeddingCache cut = open();
      for (std::size_t number = 0; number < 3; ++number)
        EXPECT_EQ(has(cut, number), number < records) << size;
      EXPECT_EQ(cut.problem().empty(), size >= kHead) << cut.problem();
      add(cut, 7);
    }
    const EmbeddingCache mended = open();
    EXPECT_EQ(mended.problem(), "");
    for (std::size_t number = 0; number < 3; ++number)
      EXPECT_EQ(has(mended, number), number < records) << size;
    EXPECT_TRUE(has(mended, 7)) << size;
    EXPECT_EQ(fs::file_size(file), kHead + (records + 1) * kRecord);
  }
}

TEST_F(EmbeddingCacheTest, ADamagedRecordIsNotFoundAndAddedAnew) {
  fill(0, 3);
  const std::string file = path();
  const std::string whole = read_file_as_is(file);
  const std::size_t numbers_end = kHead + kRecord + kRecordHead + kWidth * sizeof(float);
  for (std::size_t place = kHead + kRecord; place < numbers_end; ++place) {
    std::string damaged = whole;
    damaged[place] = static_cast<char>(damaged[place] ^ 16);
    std::ofstream(file, std::ios::binary | std::ios::trunc) << damaged;
    EXPECT_TRUE(has(open(), 0));
    EXPECT_FALSE(has(open(), 1)) << place;
    EXPECT_TRUE(has(open(), 2));
    fill(1, 2);
    EXPECT_TRUE(has(open(), 1)) << place;
  }
}

// Whatever is damaged of a long record, those before and behind it are found.
TEST_F(EmbeddingCacheTest, ADamagedRecordHidesNoOther) {
  {
    EmbeddingCache cache = open();
    add(cache, 0, 4);
    add(cache, 1, 30);
    add(cache, 2, 7);
  }
  const std::string file = path();
  const std::string whole = read_file_as_is(file);
  for (std::size_t place = kHead + record_of(4); place < whole.size() - record_of(7); place += 3) {
    std::string damaged = whole;
    damaged[place] = static_cast<char>(damaged[place] ^ 0x81);
    std::ofstream(file, std::ios::binary | std::ios::trunc) << damaged;
    EmbeddingCache cache = open();
    EXPECT_TRUE(has(cache, 0, 4) && has(cache, 2, 7)) << place;
    add(cache, 3, 2);
    EXPECT_TRUE(has(open(), 2, 7) && has(open(), 3, 2)) << place;
  }
}

// A pipe would be waited for.
TEST_F(EmbeddingCacheTest, WhatIsNoFileIsNeitherReadNorReplaced) {
  const std::string place = path();
  ASSERT_EQ(::mkfifo(place.c_str(), 0600), 0);
  EXPECT_NE(open().problem().find("is no file of vectors"), std::string::npos);
  EXPECT_THROW(fill(0, 1), FileError);
  fs::remove(place);
  fs::create_directory(place);
  EXPECT_FALSE(has(open(), 0));
  EXPECT_THROW(fill(0, 1), FileError);
}

// In a hash table such keys, which anybody can write, would take all memory there is.
TEST_F(EmbeddingCacheTest, KeysThatAreAlikeDoNoHarm) {
  fill(0, 3);
  std::string records;
  for (std::uint64_t i = 1; i <= 20'000; ++i) {
    std::uint64_t head[] = {0, 0, i, 0, 0, 0, 0, 0};  // two checksums, key, mark, size, nothing
    const std::string_view rest(reinterpret_cast<const char*>(head + 1), sizeof head - sizeof head[0]);
    head[0] = hash_bytes(rest);
    records.append(reinterpret_cast<const char*>(head), sizeof head);
  }
  std::ofstream(path(), std::ios::binary | std::ios::app) << records;
  fill(3, 5);
  const EmbeddingCache cache = open();
  for (std::size_t number = 0; number < 5; ++number) EXPECT_TRUE(has(cache, number)) << number;
}

// The system stops the process in the middle of the write, after so many bytes.
TEST_F(EmbeddingCacheTest, AProcessKilledWhileItWritesLeavesAllOthersWhole) {
  for (std::size_t torn = 1; torn < kRecord; torn += 10) {
    fs::remove_all(folder_);
    fill(0, 2);
    const int status = status_of_child([&] {
      const rlim_t most = kHead + 2 * kRecord + torn;
      const rlimit limit{most, most};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      std::signal(SIGXFSZ, SIG_DFL);  // who started the tests may ignore it, as Python does
      EmbeddingCache cache = open();
      add(cache, 2);
    });
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
    EXPECT_EQ(fs::file_size(path()), kHead + 2 * kRecord + torn);
    EXPECT_TRUE(has(open(), 0) && has(open(), 1));
    EXPECT_FALSE(has(open(), 2));
    fill(2, 4);
    for (std::size_t number = 0; number < 4; ++number) EXPECT_TRUE(has(open(), number)) << torn;
    EXPECT_EQ(fs::file_size(path()), kHead + 4 * kRecord);
  }
}

TEST_F(EmbeddingCacheTest, AProcessKilledAtAnyTimeDoesNoHarm) {
  constexpr std::size_t kMany = 100'000;
  for (int round = 0; round < 10; ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      fill(0, kMany, kHead + 200 * kRecord);
      ::_exit(0);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(3 + round));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
    const EmbeddingCache cache = open();
    EXPECT_EQ(cache.problem(), "");
    for (std::size_t number = 0; number < kMany; ++number) has(cache, number);
    fill(kMany, kMany + 1);
    EXPECT_TRUE(has(open(), kMany));
  }
}

TEST_F(EmbeddingCacheTest, ProcessesAtTheSameTimeLoseNothing) {
  constexpr std::size_t kProcesses = 3;
  constexpr std::size_t kEach = 40;
  std::vector<pid_t> children;
  for (std::size_t process = 0; process < kProcesses; ++process) {
    children.push_back(::fork());
    if (children.back() != 0) continue;
    fill(process * kEach, (process + 1) * kEach);
    ::_exit(0);
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const EmbeddingCache cache = open();
  for (std::size_t number = 0; number < kProcesses * kEach; ++number)
    EXPECT_TRUE(has(cache, number)) << number;
  EXPECT_EQ(fs::file_size(cache.path()), kHead + kProcesses * kEach * kRecord);
}

// Who has a file open goes on in it, whatever others did to it meanwhile.
TEST_F(EmbeddingCacheTest, AppendsToWhatOthersHaveReplaced) {
  EmbeddingCache first = open();
  for (std::size_t number = 0; number < 6; ++number) add(first, number);
  fill(6, 7, kHead + 6 * kRecord);  // too many: a new file with the newest
  EXPECT_FALSE(has(open(), 0));
  add(first, 7);
  EXPECT_TRUE(has(open(), 6) && has(open(), 7));
  fs::remove(path());
  add(first, 8);
  add(first, 9);
  EXPECT_FALSE(has(open(), 7));
  EXPECT_TRUE(has(open(), 8) && has(open(), 9));
}

TEST_F(EmbeddingCacheTest, ThreadsMayShareOne) {
  EmbeddingCache cache = open();
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&cache, thread] {
      for (std::size_t number = thread * 5; number < thread * 5 + 10; ++number) add(cache, number);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t number = 0; number < 25; ++number) EXPECT_TRUE(has(open(), number));
  EXPECT_EQ(fs::file_size(cache.path()), kHead + 25 * kRecord);
}

TEST_F(EmbeddingCacheTest, TheOldestGoWhenItGrowsTooLarge) {
  constexpr std::uint64_t kMost = kHead + 8 * kRecord;
  for (std::size_t number = 0; number < 30; ++number) {
    fill(number, number + 1, kMost);
    EXPECT_LE(fs::file_size(path()), kMost);
    const EmbeddingCache cache = open(kMost);
    std::size_t oldest = number;
    while (oldest > 0 && has(cache, oldest - 1)) --oldest;
    EXPECT_TRUE(has(cache, number));
    EXPECT_GE(number - oldest, std::min<std::size_t>(number, 4));
    for (std::size_t gone = 0; gone < oldest; ++gone) EXPECT_FALSE(has(cache, gone));
  }
}

TEST_F(EmbeddingCacheTest, LongOnesGoAsWholes) {
  constexpr std::uint64_t kMost = 4000;
  for (std::size_t number = 0; number < 30; ++number) {
    EmbeddingCache cache = open(kMost);
    add(cache, number, 1 + number % 20);
    EXPECT_LE(fs::file_size(path()), kMost);
    EXPECT_TRUE(has(open(kMost), number, 1 + number % 20));
  }
}

TEST_F(EmbeddingCacheTest, NothingFitsIntoNothing) {
  fill(0, 3, 10);
  EXPECT_FALSE(has(open(), 0));
  EXPECT_EQ(open().problem(), "");
}

TEST_F(EmbeddingCacheTest, AFolderThatCannotBeMadeIsAnError) {
  const std::string file = temporary_.write("file", "");
  const auto message = test::message_of<FileError>([&] { EmbeddingCache(file, "m", kWidth); });
  EXPECT_NE(message.find("--cache"), std::string::npos) << message;
}

}  // namespace
}  // namespace capella::encoder
