// The parser on random weights: what must hold whatever the weights say.
#include "syntax/parser.h"

#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/small_parser_model.h"
#include "support/temp_dir.h"
#include "syntax/projective_tree.h"

namespace capella::syntax {
namespace {

std::vector<Sentence> many_sentences() {
  const std::vector<std::string> words = {"A",   "man",   "riding", "horses", "on",
                                          "the", "beach", ".",      "TV",     "3rd"};
  std::vector<Sentence> sentences(150);
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    for (std::size_t i = 0; i < s * 7 % 31; ++i)
      sentences[s].words.push_back(words[(s * s + i * 3) % words.size()]);
  }
  return sentences;
}

std::string text(const std::vector<Tree>& trees) {
  std::string result;
  for (const Tree& tree : trees) {
    for (const Token& token : tree.tokens) {
      result += token.word + "/" + token.tag + "/" + std::to_string(token.head) + "/" + token.relation + " ";
    }
    result += "\n";
  }
  return result;
}

class ParserTest : public ::testing::Test {
 protected:
  std::string path_ = folder().write("parser.safetensors", test::SmallParserModel({}, 11).bytes());

 private:
  static const test::TempDir& folder() {
    static const test::TempDir folder;
    return folder;
  }
};

TEST_F(ParserTest, MakesOneTreePerSentence) {
  const Parser parser(path_);
  const std::vector<Sentence> sentences = many_sentences();
  const std::vector<Tree> trees = parser.parse(sentences);
  ASSERT_EQ(trees.size(), sentences.size());
  for (std::size_t s = 0; s < trees.size(); ++s) {
    ASSERT_EQ(trees[s].tokens.size(), sentences[s].words.size());
    std::vector<int> heads = {0};
    for (std::size_t i = 0; i < trees[s].tokens.size(); ++i) {
      const Token& token = trees[s].tokens[i];
      EXPECT_EQ(token.word, sentences[s].words[i]);
      EXPECT_EQ(token.relation == "root", token.head == 0);
      EXPECT_FALSE(token.tag.empty());
      heads.push_back(token.head);
    }
    EXPECT_TRUE(heads.size() == 1 || is_projective_tree(heads)) << s;
  }
}

TEST_F(ParserTest, TakesNoSentencesAndEmptyOnes) {
  const Parser parser(path_);
  EXPECT_TRUE(parser.parse({}).empty());
  const std::vector<Sentence> empty(2);
  EXPECT_TRUE(parser.parse(empty)[1].tokens.empty());
}

TEST_F(ParserTest, TakesOneLongSentence) {
  Sentence sentence;
  for (std::size_t i = 0; i < kLongestSentence; ++i)
    sentence.words.push_back("word" + std::to_string(i % 17));
  const Parser parser(path_);
  EXPECT_EQ(parser.parse(std::span(&sentence, 1)).front().tokens.size(), kLongestSentence);
}

TEST_F(ParserTest, ATreeDoesNotDependOnTheOtherSentences) {
  const Parser parser(path_);
  const std::vector<Sentence> sentences = many_sentences();
  std::vector<Tree> alone;
  for (const Sentence& sentence : sentences) alone.push_back(parser.parse(std::span(&sentence, 1)).front());
  EXPECT_EQ(text(parser.parse(sentences)), text(alone));
}

TEST_F(ParserTest, KernelsDoNotChangeTrees) {
  const std::vector<Sentence> sentences = many_sentences();
  const std::string expected = text(Parser(path_).parse(sentences));
  for (const tensor::Kernels* kernels : tensor::all_kernels()) {
    EXPECT_EQ(text(Parser(path_, *kernels).parse(sentences)), expected) << name(kernels->level);
  }
}

TEST_F(ParserTest, ServesThreadsAtOnce) {
  const Parser parser(path_);
  const std::vector<Sentence> sentences = many_sentences();
  const std::string expected = text(parser.parse(sentences));
  std::vector<std::string> results(4);
  std::vector<std::thread> threads;
  for (std::string& result : results) threads.emplace_back([&] { result = text(parser.parse(sentences)); });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& result : results) EXPECT_EQ(result, expected);
}

TEST_F(ParserTest, SaysWhichFileIsMissing) {
  EXPECT_THROW(Parser("/nowhere/parser.safetensors"), FileError);
}

}  // namespace
}  // namespace capella::syntax
