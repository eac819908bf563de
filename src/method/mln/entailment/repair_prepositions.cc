#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "method/mln/entailment/repair_tree.h"
#include "scene/letter_case.h"

namespace capella::method::mln {
namespace {

using syntax::Token;
using syntax::Tree;

/// What is said with several words, longer ones first, and the words that stand for it.
struct Wording {
  std::string_view words, preposition;
};
constexpr Wording kWordings[] = {
    {"on the right hand side of", "right of"},
    {"on the left hand side of", "left of"},
    {"on the right side of", "right of"},
    {"on the left side of", "left of"},
    {"to the right side of", "right of"},
    {"to the left side of", "left of"},
    {"to the right of", "right of"},
    {"to the left of", "left of"},
    {"on the right of", "right of"},
    {"on the left of", "left of"},
    {"at the right of", "right of"},
    {"at the left of", "left of"},
    {"at the side of", "next to"},
    {"by the side of", "next to"},
    {"in the middle of", "in"},
    {"in the center of", "in"},
    {"in the centre of", "in"},
    {"in the front of", "in front of"},
    {"on the top of", "on"},
    {"far away from", "far from"},
    {"right next to", "next to"},
    {"in front of", "in front of"},
    {"on top of", "on"},
    {"in back of", "behind"},
    {"in between", "between"},
    {"right of", "right of"},
    {"left of", "left of"},
    {"next to", "next to"},
    {"close to", "near"},
    {"near to", "near"},
    {"near by", "near"},
    {"far from", "far from"},
    {"away from", "away from"},
    {"out of", "out of"},
    {"off of", "off"},
    {"inside of", "in"},
    {"outside of", "outside"},
    {"adjacent to", "next to"},
    {"ahead of", "in front of"},
    {"along with", "with"},
};

std::vector<std::string> lower_words(const Tree& tree) {
  std::vector<std::string> words;
  for (const Token& token : tree.tokens) words.push_back(scene::trimmed_and_lowered(token.word));
  return words;
}

/// How many words of the sentence from `at` on are the wording; 0 if they are not.
std::size_t matched(const std::vector<std::string>& words, std::size_t at, std::string_view wording) {
  std::size_t count = 0;
  while (!wording.empty()) {
    const std::size_t end = std::min(wording.find(' '), wording.size());
    if (at + count >= words.size() || words[at + count] != wording.substr(0, end)) return 0;
    wording.remove_prefix(std::min(end + 1, wording.size()));
    ++count;
  }
  return count;
}

/// One wording in a sentence: the words first ... last, counted from 1 as heads are.
class Joiner {
 public:
  Joiner(Tree& tree, int first, int last) : tree_(tree), first_(first), last_(last) {}

  bool join(std::string_view preposition) {
    const int noun = noun_of_last();
    if (noun == 0 || is_inside(noun)) return false;
    for (int steps = 0; is_inside(token(noun).head) && steps <= last_ - first_; ++steps)
      lift(noun, token(noun).head);
    if (is_inside(token(noun).head)) return false;
    const int heir = token(noun).head < 1 || child(noun, "cop") != 0 ? noun : token(noun).head;
    for (int i = 1; i <= size(); ++i) {
      if (!is_inside(i) && i != noun && is_inside(token(i).head))
        token(i).head = i == heir ? token(noun).head : heir;
    }
    for (int i = first_; i < last_; ++i) {
      token(i).head = syntax::kNoHead;
      token(i).relation.clear();
    }
    token(last_) = {std::string(preposition), std::string(preposition), "IN", noun, "case"};
    return true;
  }

 private:
  Token& token(int at) { return tree_.tokens[static_cast<std::size_t>(at - 1)]; }
  int size() const { return static_cast<int>(tree_.tokens.size()); }
  bool is_inside(int at) const { return at >= first_ && at <= last_; }
  bool is_word(int at) const { return at >= 1 && at <= size(); }

  int child(int of, std::string_view relation) {
    for (int i = 1; i <= size(); ++i) {
      if (token(i).head == of && token(i).relation == relation) return i;
    }
    return 0;
  }

  int noun_of_last() {
    const Token& last = token(last_);
    if (!is_word(last.head)) return 0;
    if (last.relation == "case") return last.head;
    const Token& above = token(last.head);
    return last.relation == "mwe" && above.relation == "case" && is_word(above.head) ? above.head : 0;
  }

  /// The noun leaves the word `from` of the preposition and takes its place.
  void lift(int noun, int from) {
    const int first_part = child(from, "compound");
    const int active = child(from, "nsubj");
    const int subject = active != 0 ? active : child(from, "nsubjpass");
    if (first_part != 0 && !is_inside(first_part) && first_part < from) {  // "a cup right of a lady"
      replace(from, first_part);
      token(noun).head = first_part;
      token(noun).relation = "nmod";
    } else if (subject != 0 &&
               token(from).tag.starts_with("V")) {  // "a man left of a tree", taken for leaving
      replace(from, subject);
      token(noun).head = subject;
      token(noun).relation = "nmod";
    } else {
      const bool is_predicate = child(from, "cop") != 0 || subject != 0;
      token(noun).head = token(from).head;
      token(noun).relation = is_predicate || token(from).head < 1 ? token(from).relation : "nmod";
      if (is_predicate || token(from).head < 1) hand_over(from, noun);
    }
  }

  void replace(int from, int by) {
    token(by).head = token(from).head;
    token(by).relation = token(from).relation;
    hand_over(from, by);
  }

  void hand_over(int from, int to) {
    for (int i = 1; i <= size(); ++i) {
      if (i != to && token(i).head == from && !is_inside(i)) token(i).head = to;
    }
  }

  Tree& tree_;
  int first_, last_;
};

}  // namespace

void join_prepositions(Tree& tree) {
  const std::vector<std::string> words = lower_words(tree);
  for (std::size_t at = 0; at < words.size(); ++at) {
    for (const Wording& wording : kWordings) {
      const std::size_t count = matched(words, at, wording.words);
      if (count == 0) continue;
      if (Joiner(tree, static_cast<int>(at + 1), static_cast<int>(at + count)).join(wording.preposition)) {
        at += count - 1;
        break;
      }
    }
  }
}

}  // namespace capella::method::mln
