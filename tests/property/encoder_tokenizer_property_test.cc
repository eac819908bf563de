// The encoders' tokenizers agree with their slow twins on any merges, vocabulary and word.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "encoder/tokenizer/tokenizer_files.h"
#include "reference/encoder_tokenizer_reference.h"
#include "support/small_vocabularies.h"

namespace capella::test {
namespace {

using Pieces = std::vector<std::string>;

// Words of three letters, so that merges meet them.
rc::Gen<std::string> word(int longest) {
  return rc::gen::mapcat(rc::gen::inRange(1, longest + 1), [](int length) {
    return rc::gen::container<std::string>(static_cast<std::size_t>(length), rc::gen::element('a', 'b', 'c'));
  });
}

// Each joins two of the symbols that are there by then, as training makes them.
MergePairs merges(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& choices,
                  const std::string& word_end) {
  std::vector<std::string> inner = {"a", "b", "c"};
  std::vector<std::string> last = {"a" + word_end, "b" + word_end, "c" + word_end};
  std::set<std::pair<std::string, std::string>> seen;
  MergePairs made;
  for (const auto& [left, right] : choices) {
    const std::string first = inner[left % inner.size()];
    const bool at_end = !word_end.empty() && right % 3 == 0;
    std::vector<std::string>& seconds = at_end ? last : inner;
    const std::string second = seconds[(right / 3) % seconds.size()];
    if (!seen.insert({first, second}).second) continue;
    made.emplace_back(first, second);
    if (std::ranges::find(seconds, first + second) == seconds.end()) seconds.push_back(first + second);
  }
  return made;
}

Pieces without_ends(const encoder::Tokenizer& tokenizer, const std::string& text) {
  Pieces pieces;
  for (const std::int32_t id : tokenizer.tokens(text, 1u << 20).ids) pieces.emplace_back(tokenizer.piece(id));
  return {pieces.begin() + 1, pieces.end() - 1};
}

Pieces letters(const std::string& word) {
  Pieces symbols;
  for (const char letter : word) symbols.emplace_back(1, letter);
  return symbols;
}

TEST(EncoderTokenizerProperty, BytePairsAgreeWithTheSlowTwin) {
  EXPECT_TRUE(rc::check("byte pairs", [] {
    const bool clip = *rc::gen::arbitrary<bool>();
    const std::string end = clip ? "</w>" : "";
    const MergePairs pairs =
        merges(*rc::gen::arbitrary<std::vector<std::pair<std::uint32_t, std::uint32_t>>>(), end);
    reference::MergeRanks ranks;
    for (const auto& pair : pairs) ranks.emplace(pair, static_cast<int>(ranks.size()));
    const auto specials = clip ? std::vector<std::string>{"<|startoftext|>", "<|endoftext|>"}
                               : std::vector<std::string>{"<s>", "</s>"};
    const auto tokenizer = encoder::read_vocabulary_and_merges(byte_vocabulary(pairs, end, specials).dump(),
                                                               merge_lines(pairs), {});
    const std::string text = *word(60);
    RC_ASSERT(without_ends(*tokenizer, text) == reference::byte_pairs(letters(text), ranks, end));
    RC_ASSERT(without_ends(*tokenizer, text) == reference::byte_pairs(letters(text), ranks, end));  // cached
  }));
}

TEST(EncoderTokenizerProperty, WordPiecesAgreeWithTheSlowTwin) {
  EXPECT_TRUE(rc::check("word pieces", [] {
    std::set<std::string> words;
    for (const std::string& one : *rc::gen::container<std::vector<std::string>>(word(4)))
      words.insert(*rc::gen::arbitrary<bool>() ? one : "##" + one);
    const std::vector<std::string> vocabulary(words.begin(), words.end());
    const auto tokenizer = encoder::read_wordpiece_vocabulary(word_lines(vocabulary), "");
    const std::string text = *word(120);
    RC_ASSERT(without_ends(*tokenizer, text) == reference::word_pieces(text, vocabulary, "[UNK]"));
  }));
}

}  // namespace
}  // namespace capella::test
