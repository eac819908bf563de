#include "encoder/tokenizer/learn_bpe.h"

#include <vector>

#include <gtest/gtest.h>

#include "encoder/tokenizer/tokenizer_files.h"

namespace capella::encoder {
namespace {

using Captions = std::vector<std::string_view>;

std::vector<std::string> pieces(const Tokenizer& tokenizer, std::string_view text) {
  std::vector<std::string> result;
  for (const std::int32_t id : tokenizer.tokens(text, 77).ids) result.emplace_back(tokenizer.piece(id));
  return result;
}

TEST(LearnBpe, JoinsTheMostFrequentNeighboursFirst) {
  // "ab" stands three times, "bc" and "c</w>" pairs less often; of equal pairs the first by name.
  const LearntVocabulary learnt = learn_clip_vocabulary(Captions{"abc abc abd"}, 2);
  EXPECT_EQ(learnt.merges, "#version: 0.2\na b\nab c</w>\n");
  EXPECT_EQ(learnt.size, 512u + 2 + 2);
}

TEST(LearnBpe, DoesNotJoinWhatStandsTogetherOnce) {
  EXPECT_EQ(learn_clip_vocabulary(Captions{"abc"}, 100).merges, "#version: 0.2\n");
  EXPECT_EQ(learn_clip_vocabulary(Captions{}, 100).size, 512u + 2);
}

TEST(LearnBpe, MakesWordsThatAreSeenOftenOnePiece) {
  const Captions captions = {"A dog runs.", "a dog sits.", "The dog runs."};
  const LearntVocabulary learnt = learn_clip_vocabulary(captions, 100);
  const auto tokenizer = read_vocabulary_and_merges(learnt.vocabulary, learnt.merges, {});
  EXPECT_EQ(tokenizer->size(), learnt.size);
  EXPECT_EQ(pieces(*tokenizer, "A dog runs."),
            (std::vector<std::string>{"<|startoftext|>", "a</w>", "dog</w>", "runs</w>", ".</w>",
                                      "<|endoftext|>"}));
  // What was never seen falls apart, but can be read.
  EXPECT_EQ(pieces(*tokenizer, "xy"),
            (std::vector<std::string>{"<|startoftext|>", "x", "y</w>", "<|endoftext|>"}));
}

TEST(LearnBpe, DoesNotDependOnTheOrderOfCaptions) {
  const LearntVocabulary one = learn_clip_vocabulary(Captions{"red car", "red cart", "a cat"}, 50);
  const LearntVocabulary other = learn_clip_vocabulary(Captions{"a cat", "red cart", "red car"}, 50);
  EXPECT_EQ(one.merges, other.merges);
  EXPECT_EQ(one.vocabulary, other.vocabulary);
}

}  // namespace
}  // namespace capella::encoder
