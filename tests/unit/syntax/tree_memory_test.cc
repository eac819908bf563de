#include "syntax/tree_memory.h"

#include <gtest/gtest.h>

namespace capella::syntax {
namespace {

const Sentence kDogs{{"the", "dogs"}};
const Tree kDogsTree{{{"the", "the", "DT", 2, "det"}, {"dogs", "dog", "NNS", 0, "root"}}};
const Sentence kEnd{{"a", ".", std::string("odd\0one", 7)}};
const Tree kEndTree{{{"a", std::string(300, 'a'), "", 3, "nmod:poss"},
                     {".", ".", ".", kNoHead, ""},
                     {std::string("odd\0one", 7), std::string("odd\0one", 7), "NN", 0, "root"}}};

TEST(TreeMemory, GivesBackWhatItWasGiven) {
  TreeMemory memory(10);
  memory.keep(std::vector{kDogs, kEnd, Sentence{}}, std::vector{kDogsTree, kEndTree, Tree{}});
  const auto found = memory.find(std::vector{kEnd, Sentence{{"the", "dog"}}, kDogs, Sentence{}});
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0], kEndTree);
  EXPECT_EQ(found[1], std::nullopt);
  EXPECT_EQ(found[2], kDogsTree);
  EXPECT_EQ(found[3], Tree{});
}

TEST(TreeMemory, TellsApartWhereWordsEnd) {
  TreeMemory memory(10);
  memory.keep(std::vector{kDogs}, std::vector{kDogsTree});
  EXPECT_EQ(memory.find(std::vector{Sentence{{"thedogs"}}})[0], std::nullopt);
  EXPECT_EQ(memory.find(std::vector{Sentence{{"the dogs"}}})[0], std::nullopt);
}

TEST(TreeMemory, ForgetsWhenThereAreTooMany) {
  TreeMemory memory(2);
  memory.keep(std::vector{kDogs}, std::vector{kDogsTree});
  memory.keep(std::vector{kEnd}, std::vector{kEndTree});
  EXPECT_EQ(memory.kept(), 2u);
  memory.keep(std::vector{Sentence{}}, std::vector{Tree{}});
  EXPECT_EQ(memory.kept(), 1u);
  EXPECT_EQ(memory.find(std::vector{kDogs})[0], std::nullopt);
}

}  // namespace
}  // namespace capella::syntax
