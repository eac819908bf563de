#include "method/mln/entailment/repair_tree.h"

#include <cstddef>
#include <string>

#include "scene/letter_case.h"
#include "syntax/lemma.h"

namespace capella::method::mln {
namespace {

using syntax::Token;
using syntax::Tree;

Token& token_at(Tree& tree, int at) {
  return tree.tokens[static_cast<std::size_t>(at - 1)];
}

/// Whether the noun before `at` was taken for its first part though it has an article or number of its own;
/// it is the one who does something then.
bool has_actor(Tree& tree, int at) {
  if (at < 3) return false;
  const Token& before = token_at(tree, at - 1);
  if (before.head != at || before.relation != "compound" || !before.tag.starts_with("N")) return false;
  for (int i = 1; i < at - 1; ++i) {
    const std::string& relation = token_at(tree, i).relation;
    if (token_at(tree, i).head == at && (relation == "det" || relation == "neg" || relation == "nummod"))
      return true;
  }
  return false;
}

/// Whether no noun follows that it could belong to.
bool ends_phrase(Tree& tree, int at) {
  if (at >= static_cast<int>(tree.tokens.size())) return true;
  const std::string& tag = token_at(tree, at + 1).tag;
  return !tag.starts_with("N") && !tag.starts_with("J");
}

void free_action(Tree& tree, int at) {
  Token& action = token_at(tree, at);
  const int actor = at - 1;
  for (int i = 1; i < actor; ++i) {
    if (token_at(tree, i).head == at) token_at(tree, i).head = actor;
  }
  for (int i = at + 1; i <= static_cast<int>(tree.tokens.size());
       ++i) {  // what it is done to hangs loosely on it
    Token& token = token_at(tree, i);
    if (token.head == at && token.relation == "dep" && token.tag.starts_with("N")) token.relation = "dobj";
  }
  token_at(tree, actor).head = action.head;
  token_at(tree, actor).relation = action.relation;
  action.head = actor;
  action.relation = "acl";
  action.tag = "VBG";
  action.lemma = syntax::lemma(action.word, "VBG");
}

/// "inside a boat", where "inside" was taken for an adverb.
bool is_place_word(const std::string& lemma) {
  return lemma == "inside" || lemma == "outside" || lemma == "underneath" || lemma == "above" ||
         lemma == "below" || lemma == "behind" || lemma == "beneath" || lemma == "near" || lemma == "under";
}

bool is_before_noun(Tree& tree, const Token& token) {
  const int at = static_cast<int>(&token - tree.tokens.data()) + 1;
  if (token.head <= at || token.head > static_cast<int>(tree.tokens.size())) return false;
  const std::string& next = token_at(tree, at + 1).relation;
  return token_at(tree, token.head).tag.starts_with("N") &&
         (next == "det" || next == "nummod" || next == "amod");
}

}  // namespace

void free_actions(Tree& tree) {
  for (int at = 1; at <= static_cast<int>(tree.tokens.size()); ++at) {
    const Token& token = token_at(tree, at);
    const bool is_doing = token.tag == "NN" && token.word.ends_with("ing") && token.word.size() > 4;
    if (is_doing && ends_phrase(tree, at) && has_actor(tree, at)) free_action(tree, at);
  }
}

Tree repaired(const Tree& tree) {
  Tree made = tree;
  if (made.tokens.size() > kMostWords) made.tokens.resize(kMostWords);
  for (std::size_t i = 0; i < made.tokens.size(); ++i) {
    Token& token = made.tokens[i];
    const bool is_name = token.tag.starts_with("NNP") && i == 0;
    if (is_name) token.tag = token.word.ends_with("s") ? "NNS" : "NN";
    if (is_name || (token.tag.starts_with("NN") && token.lemma.ends_with("s")))
      token.lemma = syntax::lemma(scene::trimmed_and_lowered(token.word), "NNS");
  }
  for (Token& token : made.tokens) {
    if (token.relation == "advmod" && is_place_word(token.lemma) && is_before_noun(made, token))
      token.relation = "case";
  }
  free_actions(made);
  join_prepositions(made);
  return made;
}

}  // namespace capella::method::mln
