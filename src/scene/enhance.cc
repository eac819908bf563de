#include "scene/enhance.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "scene/letter_case.h"

namespace capella::scene {
namespace {

using Node = DependencyGraph::Node;
using Edge = DependencyGraph::Edge;
using EdgeId = DependencyGraph::EdgeId;
using Kind = Relation::Kind;

// "a lot of"
constexpr std::string_view kAfterArticle[] = {
    "lot",   "assortment", "number",  "couple",    "bunch",    "handful", "litany", "sheaf",    "slew",
    "dozen", "series",     "variety", "multitude", "wad",      "clutch",  "wave",   "mountain", "array",
    "spate", "string",     "ton",     "range",     "plethora", "heap",    "sort",   "form",     "kind",
    "type",  "version",    "bit",     "pair",      "triple",   "total",
};
// "dozens of"; also numbers with an s behind them
constexpr std::string_view kPlural[] = {
    "lots",  "many",  "several", "plenty",   "tons",      "dozens",   "multitudes", "mountains",
    "loads", "pairs", "tens",    "hundreds", "thousands", "millions", "billions",   "trillions",
};
// "some of the", "two of them"; also numbers
constexpr std::string_view kBeforeKnown[] = {
    "some", "all",   "both",    "neither",  "everyone", "nobody",  "one",
    "two",  "three", "four",    "five",     "six",      "seven",   "eight",
    "nine", "ten",   "hundred", "thousand", "million",  "billion", "trillion",
};
// Pronouns that mean one person or thing.
constexpr std::string_view kSingular[] = {
    "i",   "me",  "myself",  "mine", "my", "yourself", "he",  "him", "himself", "his",
    "she", "her", "herself", "hers", "it", "itself",   "its", "one", "oneself", "one's",
};

bool is_one_of(std::string_view word, std::span<const std::string_view> list) {
  return std::any_of(list.begin(), list.end(),
                     [word](std::string_view listed) { return equals_ignoring_case(word, listed); });
}

bool is_number(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool has_tag(const DependencyGraph& graph, Node node, std::string_view beginning) {
  return std::string_view(graph.token(node).tag).starts_with(beginning);
}

/// The words of a quantifier that has been found: "a", "pair", "of" and the noun.
struct Quantifier {
  Node article = DependencyGraph::kNone;  ///< only where the quantifier asks for one
  Node word = DependencyGraph::kNone;
  Node of = DependencyGraph::kNone;
  Node noun = DependencyGraph::kNone;
};

class Quantifiers {
 public:
  explicit Quantifiers(DependencyGraph& graph) : graph_(graph) {}

  /// One kind after the other, each found before any is joined.
  void join() {
    for (const HashOrder::Entry& entry : graph_.words()) {
      if (graph_.index(entry.value) > 1 && is_of(entry.value))
        before_of_.push_back(graph_.index(entry.value) - 1);
    }
    if (before_of_.empty()) return;
    join_all(&Quantifiers::after_article) && join_all(&Quantifiers::plural) &&
        join_all(&Quantifiers::before_known);
  }

 private:
  using Find = Quantifier (Quantifiers::*)(Node) const;

  std::string_view text(Node node) const { return graph_.token(node).word; }
  bool is_of(Node node) const { return equals_ignoring_case(text(node), "of"); }

  /// False if there is no way on: the quantifier has no governor.
  bool join_all(Find find) {
    std::vector<Quantifier> found;
    for (const Node node : graph_.walk()) {
      if (std::find(before_of_.begin(), before_of_.end(), graph_.index(node)) == before_of_.end()) continue;
      const Quantifier quantifier = (this->*find)(node);
      if (quantifier.word != DependencyGraph::kNone) found.push_back(quantifier);
    }
    return std::all_of(found.begin(), found.end(), [this](const Quantifier& each) { return join_one(each); });
  }

  /// The first noun that depends on `word` with the next word, "of", as its marker, and for which
  /// is_wanted().
  template <class IsWanted>
  Quantifier find_noun(Node word, IsWanted is_wanted) const {
    Quantifier found;
    for (const HashOrder::Entry& entry : graph_.out(word)) {
      if (!graph_.edge(entry.value).relation.name.starts_with("nmod")) continue;
      const Node noun = entry.key;
      for (const HashOrder::Entry& marker : graph_.out(noun)) {
        const Node of = marker.key;
        if (!graph_.edge(marker.value).relation.is(Kind::case_) || !is_of(of)) continue;
        if (graph_.index(of) == graph_.index(word) + 1 && is_wanted(noun, of))
          return {DependencyGraph::kNone, word, of, noun};
      }
    }
    return found;
  }

  bool is_noun_or_pronoun(Node node) const {
    return has_tag(graph_, node, "NN") || has_tag(graph_, node, "PRP");
  }

  Quantifier after_article(Node word) const {
    if (!is_one_of(text(word), kAfterArticle)) return {};
    Node article = DependencyGraph::kNone;
    for (const HashOrder::Entry& entry : graph_.out(word)) {
      if (!graph_.edge(entry.value).relation.is(Kind::det)) continue;
      if (equals_ignoring_case(text(entry.key), "a") || equals_ignoring_case(text(entry.key), "an")) {
        article = entry.key;
        break;
      }
    }
    if (article == DependencyGraph::kNone) return {};
    Quantifier found = find_noun(word, [this](Node noun, Node) { return is_noun_or_pronoun(noun); });
    found.article = article;
    return found;
  }

  Quantifier plural(Node word) const {
    const std::string_view whole = text(word);
    const bool ends_in_s = whole.ends_with('s') || whole.ends_with('S');
    const bool is_plural_number = ends_in_s && is_number(whole.substr(0, whole.size() - 1));
    if (!is_plural_number && !is_one_of(whole, kPlural)) return {};
    return find_noun(word, [this](Node noun, Node) { return is_noun_or_pronoun(noun); });
  }

  Quantifier before_known(Node word) const {
    if (!is_number(text(word)) && !is_one_of(text(word), kBeforeKnown)) return {};
    const Quantifier found = find_noun(word, [this](Node noun, Node of) {
      return has_tag(graph_, noun, "NN") && graph_.any_out(noun, [&](const Edge& edge) {
        return edge.relation.is(Kind::det) && graph_.index(edge.dependent) == graph_.index(of) + 1;
      });
    });
    if (found.word != DependencyGraph::kNone) return found;
    return find_noun(word, [this](Node noun, Node) { return has_tag(graph_, noun, "PRP"); });
  }

  bool join_one(const Quantifier& found) {
    const EdgeId between = graph_.find(found.word, found.noun);
    if (graph_.is_root(found.word)) {
      graph_.move_root(found.word, found.noun);
    } else {
      const Node parent = graph_.parent(found.word);
      if (parent == DependencyGraph::kNone) return false;
      const EdgeId above = graph_.find(parent, found.word);
      const Relation relation = graph_.edge(above).relation;
      graph_.remove_edge(above);
      graph_.add_edge(parent, found.noun, relation);
    }
    if (between != DependencyGraph::kNone) graph_.remove_edge(between);
    make_modifier(found.noun, words_of(found));
    return true;
  }

  /// By position; with what stands before the quantifier, e.g. "whole" in "a whole bunch of".
  std::vector<Node> words_of(const Quantifier& found) const {
    std::vector<Node> words = {found.word, found.of};
    if (found.article != DependencyGraph::kNone) words.push_back(found.article);
    std::vector<Node> before;
    for (const HashOrder::Entry& entry : graph_.out(found.word)) {
      const bool is_wanted =
          found.article == DependencyGraph::kNone || graph_.edge(entry.value).relation.is(Kind::amod);
      if (!is_wanted || graph_.index(entry.key) >= graph_.index(found.word)) continue;
      if (std::find(before.begin(), before.end(), entry.key) == before.end()) before.push_back(entry.key);
    }
    words.insert(words.end(), before.begin(), before.end());
    std::sort(words.begin(), words.end(), [this](Node a, Node b) { return graph_.is_before(a, b); });
    return words;
  }

  void make_modifier(Node noun, const std::vector<Node>& words) {
    if (graph_.roots().empty()) return;
    for (const Node word : words) {
      while (!graph_.in(word).empty()) graph_.remove_edge(graph_.in(word)[0].value);
      if (word == words.front()) {
        graph_.add_edge(noun, word, make_relation("det:qmod"));
      } else {
        graph_.add_edge(words.front(), word, make_relation("mwe"));
      }
    }
  }

  DependencyGraph& graph_;
  std::vector<std::uint32_t> before_of_;  // positions of words with "of" behind them
};

class Pronouns {
 public:
  explicit Pronouns(DependencyGraph& graph) : graph_(graph) {}

  void resolve() {
    const std::vector<Node> words = graph_.sorted_words();
    if (std::none_of(words.begin(), words.end(), [&](Node node) { return has_tag(graph_, node, "PRP"); }))
      return;
    const Node first_noun = find_noun(/*must_be_singular=*/false);
    const Node first_singular_noun = find_noun(/*must_be_singular=*/true);
    HashOrder found(1);  // pronouns and nouns by position
    for (const Node node : words) {
      const std::uint32_t index = graph_.index(node);
      if (index == 1 || !has_tag(graph_, node, "PRP") ||
          graph_.parent(graph_.at(index)) == DependencyGraph::kNone)
        continue;
      const std::string_view word = graph_.token(node).word;
      const bool is_singular =
          std::find(std::begin(kSingular), std::end(kSingular), word) != std::end(kSingular);
      const Node noun = is_singular ? first_singular_noun : first_noun;
      if (noun == DependencyGraph::kNone || graph_.index(noun) >= index) continue;
      const bool is_new = std::none_of(found.begin(), found.end(),
                                       [index](const HashOrder::Entry& entry) { return entry.key == index; });
      if (is_new) found.add({index, index, graph_.index(noun)});
    }
    for (const HashOrder::Entry& entry : found) hand_over(graph_.at(entry.key), graph_.at(entry.value));
  }

 private:
  /// The highest noun in the graph, the leftmost of several.
  Node find_noun(bool must_be_singular) const {
    std::vector<Node> queue = {graph_.roots()[0].value};
    std::vector<bool> is_queued(graph_.nodes_made(), false);
    is_queued[queue.front()] = true;
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const Node node = queue[next];
      if (graph_.is_noun(node) && !(must_be_singular && graph_.is_plural(node))) return node;
      std::vector<Node> children;
      for (const HashOrder::Entry& entry : graph_.out(node)) children.push_back(entry.key);
      std::sort(children.begin(), children.end(), [this](Node a, Node b) { return graph_.is_before(a, b); });
      for (const Node child : children) {
        if (!is_queued[child]) queue.push_back(child);
        is_queued[child] = true;
      }
    }
    return DependencyGraph::kNone;
  }

  void hand_over(Node pronoun, Node noun) {
    for (const EdgeId id : graph_.sorted_in(pronoun)) {
      const Edge edge = graph_.edge(id);
      graph_.remove_edge(id);
      graph_.add_edge(edge.governor, noun, edge.relation);
    }
    for (const EdgeId id : graph_.sorted_out(pronoun)) {
      const Edge edge = graph_.edge(id);
      graph_.remove_edge(id);
      graph_.add_edge(noun, edge.dependent, edge.relation);
    }
  }

  DependencyGraph& graph_;
};

}  // namespace

void enhance(DependencyGraph& graph) {
  Quantifiers(graph).join();
  if (!graph.roots().empty()) Pronouns(graph).resolve();
}

}  // namespace capella::scene
