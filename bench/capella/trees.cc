// How well the parser agrees with trees in a file: words are given, tags, heads and relations are compared.
#include <algorithm>

#include "measure.h"
#include "resource/find.h"
#include "syntax/conll.h"
#include "syntax/parser.h"

namespace capella::bench {
namespace {

struct Agreement {
  std::size_t words = 0;
  std::size_t tags = 0;
  std::size_t heads = 0;
  std::size_t relations = 0;  // with their heads
  std::size_t sentences = 0;
  std::size_t whole = 0;  // sentences that agree in all

  void add(const syntax::Tree& found, const syntax::Tree& expected) {
    bool all = true;
    for (std::size_t i = 0; i < expected.tokens.size(); ++i) {
      const syntax::Token& one = found.tokens[i];
      const syntax::Token& other = expected.tokens[i];
      const bool tag = one.tag == other.tag;
      const bool head = one.head == other.head;
      const bool relation = head && one.relation == other.relation;
      ++words;
      tags += tag;
      heads += head;
      relations += relation;
      all = all && tag && relation;
    }
    ++sentences;
    whole += all;
  }
};

std::vector<syntax::Tree> read_sentences(const std::string& path) {
  std::vector<syntax::Tree> trees;
  for (syntax::ParsedCaption& caption : syntax::read_trees(path)) {
    for (syntax::Tree& tree : caption.sentences) {
      if (tree.tokens.size() <= syntax::kLongestSentence) trees.push_back(std::move(tree));
    }
  }
  return trees;
}

}  // namespace

nlohmann::json run_trees(const Job& job) {
  const std::vector<syntax::Tree> expected = read_sentences(job.references);
  std::vector<syntax::Sentence> sentences(expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    for (const syntax::Token& token : expected[i].tokens) sentences[i].words.push_back(token.word);
  }
  const syntax::Parser parser(resource::need("models/parser.safetensors"));
  std::vector<syntax::Tree> found;
  nlohmann::json answer =
      measured(time_each(job.repetitions, [&](std::size_t) { found = parser.parse(sentences); }));
  Agreement agreement;
  for (std::size_t i = 0; i < found.size(); ++i) agreement.add(found[i], expected[i]);
  answer["agreement"] = {{"sentences", agreement.sentences}, {"words", agreement.words},
                         {"tags", agreement.tags},           {"heads", agreement.heads},
                         {"relations", agreement.relations}, {"whole", agreement.whole}};
  return answer;
}

}  // namespace capella::bench
