// What an encoder has made, in memory and on disk: found again, forgotten in time, and no
// reason to stop.
#include "encoder/embedding_keeper.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace capella::encoder {
namespace {

constexpr std::size_t kEmbeddingKeeperWidth = 16;
constexpr std::size_t kBytes = kEmbeddingKeeperWidth * sizeof(float);

Embedding embedding(std::size_t number) {
  const auto numbers =
      std::make_shared<std::vector<float>>(kEmbeddingKeeperWidth, static_cast<float>(number));
  return {embedding_key("test", std::to_string(number)),
          number,
          kEmbeddingKeeperWidth,
          {numbers, numbers->data()}};
}

void add(EmbeddingKeeper& keeper, std::size_t number) {
  keeper.add(std::vector{embedding(number)});
}

bool embedding_keeper_has(const EmbeddingKeeper& keeper, std::size_t number) {
  const auto found = keeper.find(embedding(number).key);
  if (!found) return false;
  EXPECT_EQ(found->mark, number);
  EXPECT_EQ(std::vector<float>(found->numbers.get(), found->numbers.get() + found->size),
            std::vector<float>(kEmbeddingKeeperWidth, static_cast<float>(number)));
  return true;
}

TEST(EmbeddingKeeper, KnowsWhatItWasGivenLately) {
  constexpr std::size_t kMost = 20;
  EmbeddingKeeper keeper({}, "", kEmbeddingKeeperWidth, kMost * kBytes);
  for (std::size_t number = 0; number < 100; ++number) {
    add(keeper, number);
    for (std::size_t back = 0; back < std::min(kMost / 2, number); ++back)
      EXPECT_TRUE(embedding_keeper_has(keeper, number - back)) << number << " " << back;
    EXPECT_TRUE(number < 2 * kMost || !embedding_keeper_has(keeper, number - 2 * kMost));
  }
  EXPECT_EQ(keeper.problem(), "");
}

TEST(EmbeddingKeeper, WhatItForgetsIsOnDiskForTheNext) {
  const test::TempDir folder;
  const EmbeddingFolder kept{folder.path().string()};
  {
    EmbeddingKeeper keeper(kept, "model", kEmbeddingKeeperWidth, 0);
    for (std::size_t number = 0; number < 5; ++number) add(keeper, number);
  }
  const EmbeddingKeeper next(kept, "model", kEmbeddingKeeperWidth);
  const EmbeddingKeeper other(kept, "another model", kEmbeddingKeeperWidth);
  for (std::size_t number = 0; number < 5; ++number) {
    EXPECT_TRUE(embedding_keeper_has(next, number));
    EXPECT_FALSE(embedding_keeper_has(other, number));
  }
}

TEST(EmbeddingKeeper, ListsAreLookedForOnAllThreads) {
  EmbeddingKeeper keeper({}, "", kEmbeddingKeeperWidth);
  for (std::size_t number = 0; number < 1000; number += 3) add(keeper, number);
  ThreadPool pool(3);
  const auto found = find_all(keeper, 1000, {&pool, {}}, [](std::size_t number) -> SoughtEmbedding {
    return {embedding(number).key, number % 2 == 0 ? kEmbeddingKeeperWidth : kEmbeddingKeeperWidth + 1};
  });
  std::vector<std::size_t> missing;
  for (std::size_t number = 0; number < 1000; ++number) {
    EXPECT_EQ(found[number].key, embedding(number).key);
    if (number % 6 == 0) {
      EXPECT_EQ(found[number].numbers.get()[0], static_cast<float>(number));
    } else {
      missing.push_back(number);  // odd ones have not as many numbers as are sought
    }
  }
  EXPECT_EQ(not_found(found), missing);
}

TEST(EmbeddingKeeper, AFolderThatIsGoneIsToldAndNoReasonToStop) {
  const test::TempDir folder;
  const std::string path = (folder.path() / "kept").string();
  EmbeddingKeeper keeper({path}, "model", kEmbeddingKeeperWidth);
  std::filesystem::remove_all(path);
  std::ofstream(path) << "in the way";
  add(keeper, 1);
  EXPECT_TRUE(embedding_keeper_has(keeper, 1));
  EXPECT_TRUE(keeper.problem().starts_with("vectors are not kept: ")) << keeper.problem();
}

}  // namespace
}  // namespace capella::encoder
