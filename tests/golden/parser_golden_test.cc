// The shipped parser against the official SPICE program's trees of 7,320 captions it was not trained on.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "resource/find.h"
#include "support/shared.h"
#include "syntax/conll.h"
#include "syntax/parser.h"

namespace capella::syntax {
namespace {

struct Agreement {
  double words = 0, tags = 0, heads = 0, relations = 0, sentences = 0, whole = 0;

  void add(const Tree& found, const Tree& expected) {
    ASSERT_EQ(found.tokens.size(), expected.tokens.size());
    bool all = true;
    for (std::size_t i = 0; i < expected.tokens.size(); ++i) {
      const Token& one = found.tokens[i];
      const Token& other = expected.tokens[i];
      const bool tag = one.tag == other.tag;
      const bool head = one.head == other.head;
      const bool relation = head && one.relation == other.relation;
      words += 1;
      tags += tag;
      heads += head;
      relations += relation;
      all = all && tag && relation;
    }
    sentences += 1;
    whole += all;
  }
};

TEST(ParserGolden, SilverTrees) {
  CAPELLA_NEED_SHARED(dev, "data/treebank/silver/dev.conll.gz");
  std::vector<Tree> expected;
  std::vector<Sentence> sentences;
  for (const ParsedCaption& caption : read_trees(dev.string())) {
    for (const Tree& tree : caption.sentences) {
      Sentence& sentence = sentences.emplace_back();
      for (const Token& token : tree.tokens) sentence.words.push_back(token.word);
      expected.push_back(tree);
    }
  }
  const std::vector<Tree> found = Parser(resource::need("models/parser.safetensors")).parse(sentences);
  Agreement agreement;
  for (std::size_t i = 0; i < found.size(); ++i) agreement.add(found[i], expected[i]);
  EXPECT_EQ(agreement.sentences, 7320);
  EXPECT_GE(agreement.tags / agreement.words, 0.987);
  EXPECT_GE(agreement.heads / agreement.words, 0.964);
  EXPECT_GE(agreement.relations / agreement.words, 0.957);
  EXPECT_GE(agreement.whole / agreement.sentences, 0.825);
}

}  // namespace
}  // namespace capella::syntax
