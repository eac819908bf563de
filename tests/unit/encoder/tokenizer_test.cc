// Tokenizers of encoders: rules that can be told by hand on vocabularies of a few pieces, files that are not
// what they should be, and texts of any length.
#include "encoder/tokenizer/tokenizer.h"

#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "encoder/tokenizer/tokenizer_files.h"
#include "support/message_of.h"
#include "support/small_vocabularies.h"
#include "support/temp_dir.h"

namespace capella::encoder {
namespace {

using capella::test::byte_vocabulary;
using capella::test::merge_lines;
using capella::test::MergePairs;
using capella::test::message_of;
using capella::test::TempDir;
using capella::test::word_lines;
using Json = nlohmann::json;
using Pieces = std::vector<std::string>;

Pieces pieces_of(const Tokenizer& tokenizer, std::string_view text, std::size_t most = 1000) {
  Pieces pieces;
  for (const std::int32_t id : tokenizer.tokens(text, most).ids) pieces.emplace_back(tokenizer.piece(id));
  return pieces;
}

const MergePairs kMerges = {{"o", "w"}, {"l", "ow"}, {"e", "r"}, {"low", "er"}};
const MergePairs kClipMerges = {{"o", "w</w>"}, {"l", "ow</w>"}, {"o", "w"}, {"l", "ow"}};

std::unique_ptr<const Tokenizer> roberta(const TokenizerOptions& options = {}) {
  const Json pieces = byte_vocabulary(kMerges, "", {"<s>", "</s>", "<mask>"});
  return read_vocabulary_and_merges(pieces.dump(), merge_lines(kMerges), options);
}

std::unique_ptr<const Tokenizer> clip(ClipCleaning cleaning) {
  const Json pieces = byte_vocabulary(kClipMerges, "</w>", {"<|startoftext|>", "<|endoftext|>"});
  return read_vocabulary_and_merges(pieces.dump(), merge_lines(kClipMerges), {.clip_cleaning = cleaning});
}

TEST(Tokenizer, JoinsPairsInTheOrderTheyWereLearnt) {
  EXPECT_EQ(pieces_of(*roberta(), "lower"), (Pieces{"<s>", "lower", "</s>"}));
  EXPECT_EQ(pieces_of(*roberta(), "lowest"), (Pieces{"<s>", "low", "e", "s", "t", "</s>"}));
  EXPECT_EQ(pieces_of(*roberta(), "slow er"), (Pieces{"<s>", "s", "low", "Ġ", "er", "</s>"}));
}

TEST(Tokenizer, ClipMarksTheEndOfWords) {
  const auto tokenizer = clip(ClipCleaning::openai);
  EXPECT_EQ(pieces_of(*tokenizer, "  LOW\tlows &lt;3"),
            (Pieces{"<|startoftext|>", "low</w>", "low", "s</w>", "<</w>", "3</w>", "<|endoftext|>"}));
  // Digits are words of their own, and so are endings and runs of other signs.
  EXPECT_EQ(pieces_of(*tokenizer, "12's!?"),
            (Pieces{"<|startoftext|>", "1</w>", "2</w>", "'", "s</w>", "!", "?</w>", "<|endoftext|>"}));
}

// OpenAI looks for special tokens where a word begins, Hugging Face everywhere and before anything is
// cleaned.
TEST(Tokenizer, SpecialTokensInsideTexts) {
  EXPECT_EQ(pieces_of(*clip(ClipCleaning::openai), "a <|ENDOFTEXT|>"),
            (Pieces{"<|startoftext|>", "a</w>", "<|endoftext|>", "<|endoftext|>"}));
  EXPECT_EQ(pieces_of(*clip(ClipCleaning::hugging_face), "!<|endoftext|>"),
            (Pieces{"<|startoftext|>", "!</w>", "<|endoftext|>", "<|endoftext|>"}));
  EXPECT_EQ(pieces_of(*clip(ClipCleaning::openai), "!<|endoftext|>").size(), 2 + 3 + 9 + 2u);
  EXPECT_EQ(pieces_of(*roberta(), "a <mask>"), (Pieces{"<s>", "a", "Ġ", "<mask>", "</s>"}));
}

TEST(Tokenizer, RobertaGivesSpacesToTheWordBehind) {
  EXPECT_EQ(pieces_of(*roberta(), "a  b\n"), (Pieces{"<s>", "a", "Ġ", "Ġ", "b", "Ċ", "</s>"}));
  EXPECT_EQ(pieces_of(*roberta({.prefix_space = true}), "a"), (Pieces{"<s>", "Ġ", "a", "</s>"}));
}

TEST(Tokenizer, WordPieceTakesTheLongestPieceFromTheLeft) {
  const auto tokenizer =
      read_wordpiece_vocabulary(word_lines({"un", "##aff", "##able", "##ab", "##le", "cafe", "!", "中"}), "");
  EXPECT_EQ(pieces_of(*tokenizer, "Unaffable CAFÉ!"),
            (Pieces{"[CLS]", "un", "##aff", "##able", "cafe", "!", "[SEP]"}));
  EXPECT_EQ(pieces_of(*tokenizer, "unaffx"), (Pieces{"[CLS]", "[UNK]", "[SEP]"}));
  EXPECT_EQ(pieces_of(*tokenizer, "un中un"), (Pieces{"[CLS]", "un", "中", "un", "[SEP]"}));
  EXPECT_EQ(pieces_of(*tokenizer, "u\xADn\u200B"), (Pieces{"[CLS]", "un", "[SEP]"}));
  EXPECT_EQ(pieces_of(*tokenizer, "[MASK]un"), (Pieces{"[CLS]", "[MASK]", "un", "[SEP]"}));
}

TEST(Tokenizer, WordPieceKeepsCaseIfTheConfigurationSaysSo) {
  const auto tokenizer =
      read_wordpiece_vocabulary(word_lines({"Café", "cafe"}), R"({"do_lower_case": false})");
  EXPECT_EQ(pieces_of(*tokenizer, "Café CAFE"), (Pieces{"[CLS]", "Café", "[UNK]", "[SEP]"}));
}

TEST(Tokenizer, WordsOverAHundredCharactersAreUnknown) {
  const auto tokenizer = read_wordpiece_vocabulary(word_lines({"a", "##a"}), "");
  EXPECT_EQ(pieces_of(*tokenizer, std::string(100, 'a')).size(), 102u);
  EXPECT_EQ(pieces_of(*tokenizer, std::string(101, 'a')), (Pieces{"[CLS]", "[UNK]", "[SEP]"}));
}

TEST(Tokenizer, TellsHowMuchDidNotFit) {
  const auto tokenizer = read_wordpiece_vocabulary(word_lines({"a", "b"}), "");
  const Tokens tokens = tokenizer->tokens("a b a b a", 4);
  EXPECT_EQ(tokens.ids, (std::vector<std::int32_t>{2, 5, 6, 3}));
  EXPECT_EQ(tokens.left_out, 3u);
  EXPECT_EQ(tokenizer->tokens("a b", 4).left_out, 0u);
}

TEST(Tokenizer, ReadsTokenizerJson) {
  Json bert = {{"added_tokens", {{{"id", 3}, {"content", "[X]"}, {"lstrip", true}, {"rstrip", true}}}},
               {"normalizer", {{"type", "BertNormalizer"}, {"lowercase", false}}},
               {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
               {"model",
                {{"type", "WordPiece"},
                 {"unk_token", "[UNK]"},
                 {"vocab", {{"[CLS]", 0}, {"[SEP]", 1}, {"[UNK]", 2}, {"Dog", 4}, {"##s", 5}}}}}};
  EXPECT_EQ(pieces_of(*read_tokenizer_json(bert.dump(), {}), "Dogs [X]  dog"),
            (Pieces{"[CLS]", "Dog", "##s", "[X]", "[UNK]", "[SEP]"}));
  Json clip_json = {{"pre_tokenizer", {{"type", "Sequence"}, {"pretokenizers", {{{"type", "ByteLevel"}}}}}},
                    {"model",
                     {{"type", "BPE"},
                      {"end_of_word_suffix", "</w>"},
                      {"vocab", byte_vocabulary(kClipMerges, "</w>", {"<|startoftext|>", "<|endoftext|>"})},
                      {"merges", {"o w</w>", {"l", "ow</w>"}}}}}};
  EXPECT_EQ(pieces_of(*read_tokenizer_json(clip_json.dump(), {}), "low"),
            (Pieces{"<|startoftext|>", "low</w>", "<|endoftext|>"}));
}

TEST(Tokenizer, RefusesWhatItDoesNotUnderstand) {
  const auto message = [](const std::string& content) {
    return message_of<DataError>([&] { read_tokenizer_json(content, {}); });
  };
  EXPECT_NE(message(R"({"model": {"type": "Unigram"}})").find("'Unigram', expected WordPiece"),
            std::string::npos);
  EXPECT_NE(message("{").find("no JSON"), std::string::npos);
  EXPECT_NE(message(R"({"model": {"type": "BPE"}})").find("not made of bytes"), std::string::npos);
  EXPECT_NE(message_of<DataError>([] { read_wordpiece_vocabulary("a\nb\n", ""); }).find("'[CLS]'"),
            std::string::npos);
  EXPECT_NE(message_of<DataError>([] { read_wordpiece_vocabulary("a\na\n", ""); }).find("taken already"),
            std::string::npos);
  EXPECT_NE(message_of<DataError>([] { read_clip_merges("#\na b c\n", {}); }).find("found the merge 'a b c'"),
            std::string::npos);
}

TEST(Tokenizer, FolderErrorsNameFileAndRemedy) {
  const TempDir folder;
  const auto opening = [&] { return message_of<FileError>([&] { open_tokenizer(folder.path().string()); }); };
  EXPECT_NE(opening().find(folder.path().string() + ": has no tokenizer; expected tokenizer.json"),
            std::string::npos);
  const std::string path = folder.write("vocab.txt", "no special tokens\n");
  EXPECT_EQ(opening(), path + ": the vocabulary has no special token '[CLS]'; fetch the model's files again");
  folder.write("vocab.txt", word_lines({"a"}));
  EXPECT_EQ(pieces_of(*open_tokenizer(folder.path().string()), "A"), (Pieces{"[CLS]", "a", "[SEP]"}));
}

// With time that grew with the square these would take minutes.
TEST(Tokenizer, LongTextsTakeNoLongerThanTheirLength) {
  constexpr std::size_t kLength = 100'000;
  const auto begin = std::chrono::steady_clock::now();
  std::string marks = "a";
  for (std::size_t i = 0; i < kLength; ++i) marks += i % 2 == 0 ? "\u0323" : "\u0307";
  std::string escapes = "&";
  for (std::size_t i = 0; i < kLength / 4; ++i) escapes += "amp;";
  const auto words = read_wordpiece_vocabulary(word_lines({"a"}), "");
  for (const std::string& text : {std::string(kLength, 'o') + "w", marks, escapes, std::string(kLength, ' '),
                                  std::string(kLength, '<'), std::string(kLength, '\'')}) {
    EXPECT_GE(roberta()->tokens(text, 512).ids.size(), 2u);
    EXPECT_GE(clip(ClipCleaning::openai)->tokens(text, 77).ids.size(), 2u);
    EXPECT_GE(words->tokens(text, 512).ids.size(), 2u);
  }
  EXPECT_EQ(roberta()->tokens(std::string(kLength, 'o'), 512).left_out, kLength - 510);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST(Tokenizer, BytesThatAreNoUtf8AreReplaced) {
  const auto words = read_wordpiece_vocabulary(word_lines({"ab"}), "");
  EXPECT_EQ(pieces_of(*words,
                      "a\xFF"
                      "b"),
            (Pieces{"[CLS]", "ab", "[SEP]"}));
  EXPECT_EQ(roberta()->tokens("\xFF", 512).ids, roberta()->tokens("\uFFFD", 512).ids);
}

}  // namespace
}  // namespace capella::encoder
