// A sentence with its grammar: a tag and a lemma for each word, and the word it depends on.
//
// Tags are the Penn Treebank's; relations are those of Universal Dependencies 1 in Stanford's flavour (nmod,
// dobj, nsubjpass, nmod:poss ...), the scheme that SPICE's rules are written for.
//
// A word need not be part of the graph: its head is then kNoHead and its relation is empty. The words that
// have a head form one tree with one root; none of them depends on a word without head.
#pragma once

#include <string>
#include <vector>

namespace capella::syntax {

/// The head of a word that is not in the graph.
inline constexpr int kNoHead = -1;

struct Token {
  std::string word;  ///< as the tokenizer writes it, e.g. "-LRB-" for "("
  std::string lemma;
  std::string tag;
  int head = 0;  ///< the word it depends on, counted from 1; 0 for the root; kNoHead outside the graph
  std::string relation;

  friend bool operator==(const Token&, const Token&) = default;
};

struct Tree {
  std::vector<Token> tokens;

  friend bool operator==(const Tree&, const Tree&) = default;
};

}  // namespace capella::syntax
