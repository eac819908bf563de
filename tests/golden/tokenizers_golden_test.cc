// The tokenizers of CLIP, RoBERTa and BERT against ids that Hugging Face's gave, from the original vocabulary
// files.
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "encoder/tokenizer/tokenizer_files.h"
#include "support/shared.h"

namespace capella::encoder {
namespace {

using Json = nlohmann::json;
using Ids = std::vector<std::int32_t>;

constexpr std::size_t kLines = 1529;

std::vector<Json> read_lines(const std::filesystem::path& path) {
  std::vector<Json> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
  return lines;
}

void expect_ids(const Tokenizer& tokenizer, const std::vector<Json>& lines, const char* key,
                std::size_t most) {
  ASSERT_EQ(lines.size(), kLines);
  for (const Json& line : lines) {
    const std::string text = line.at("text");
    EXPECT_EQ(tokenizer.tokens(text, most).ids, line.at(key).get<Ids>()) << text;
  }
}

TEST(TokenizersGolden, ClipAsHuggingFaceCleans) {
  CAPELLA_NEED_SHARED(golden, "golden/neural/tokenizers.jsonl");
  CAPELLA_NEED_SHARED(merges, "data/vocab/clip/bpe_simple_vocab_16e6.txt.gz");
  const auto tokenizer =
      read_clip_merges(read_file(merges.string()), {.clip_cleaning = ClipCleaning::hugging_face});
  EXPECT_EQ(tokenizer->size(), 49408u);
  EXPECT_EQ(tokenizer->first_token(), 49406);
  EXPECT_EQ(tokenizer->last_token(), 49407);
  expect_ids(*tokenizer, read_lines(golden), "clip", 77);
}

// OpenAI's cleaning is another only where there are letters beyond ASCII or HTML.
TEST(TokenizersGolden, ClipAsOpenAiCleansPlainText) {
  CAPELLA_NEED_SHARED(golden, "golden/neural/tokenizers.jsonl");
  CAPELLA_NEED_SHARED(merges, "data/vocab/clip/bpe_simple_vocab_16e6.txt.gz");
  const auto tokenizer = read_clip_merges(read_file(merges.string()), {});
  std::size_t compared = 0;
  for (const Json& line : read_lines(golden)) {
    const std::string text = line.at("text");
    const bool plain = std::ranges::all_of(text, [](char c) { return c >= ' ' && c != '&' && c != 0x7F; });
    if (!plain) continue;
    EXPECT_EQ(tokenizer->tokens(text, 77).ids, line.at("clip").get<Ids>()) << text;
    ++compared;
  }
  EXPECT_EQ(compared, 1513u);
}

TEST(TokenizersGolden, Roberta) {
  CAPELLA_NEED_SHARED(golden, "golden/neural/tokenizers.jsonl");
  CAPELLA_NEED_SHARED(vocabulary, "data/vocab/roberta/vocab.json");
  CAPELLA_NEED_SHARED(merges, "data/vocab/gpt2/vocab.bpe");
  const auto tokenizer =
      read_vocabulary_and_merges(read_file(vocabulary.string()), read_file(merges.string()), {});
  EXPECT_EQ(tokenizer->size(), 50265u);
  expect_ids(*tokenizer, read_lines(golden), "roberta", 512);
}

TEST(TokenizersGolden, Bert) {
  CAPELLA_NEED_SHARED(golden, "golden/neural/tokenizers.jsonl");
  CAPELLA_NEED_SHARED(vocabulary, "data/vocab/bert/bert-base-uncased-vocab.txt");
  const auto tokenizer = read_wordpiece_vocabulary(read_file(vocabulary.string()), "");
  EXPECT_EQ(tokenizer->size(), 30522u);
  expect_ids(*tokenizer, read_lines(golden), "bert", 512);
}

// A space before the first word, as BERTScore reads RoBERTa's: " Hello world" is 20920 232.
TEST(TokenizersGolden, RobertaWithPrefixSpace) {
  CAPELLA_NEED_SHARED(vocabulary, "data/vocab/roberta/vocab.json");
  CAPELLA_NEED_SHARED(merges, "data/vocab/gpt2/vocab.bpe");
  const std::string pieces = read_file(vocabulary.string());
  const std::string pairs = read_file(merges.string());
  const auto plain = read_vocabulary_and_merges(pieces, pairs, {});
  const auto prefixed = read_vocabulary_and_merges(pieces, pairs, {.prefix_space = true});
  EXPECT_EQ(plain->tokens("Hello world", 512).ids, (Ids{0, 31414, 232, 2}));
  EXPECT_EQ(prefixed->tokens("Hello world", 512).ids, (Ids{0, 20920, 232, 2}));
  EXPECT_EQ(prefixed->tokens(" Hello world", 512).ids, (Ids{0, 20920, 232, 2}));
  EXPECT_EQ(prefixed->tokens("", 512).ids, (Ids{0, 2}));
}

}  // namespace
}  // namespace capella::encoder
