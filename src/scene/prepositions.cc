// Prepositions of two and three words, which the parser gives word by word.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "scene/collapse.h"
#include "text/lowercase.h"

namespace capella::scene {
namespace {

using Node = DependencyGraph::Node;
using EdgeId = DependencyGraph::EdgeId;
using Kind = Relation::Kind;

using Pair = std::array<std::string_view, 2>;
using Triple = std::array<std::string_view, 3>;

constexpr Pair kSimplePairs[] = {
    {"across", "from"},    {"along", "with"},      {"alongside", "of"}, {"apart", "from"},
    {"as", "for"},         {"as", "from"},         {"as", "of"},        {"as", "per"},
    {"as", "to"},          {"aside", "from"},      {"based", "on"},     {"close", "by"},
    {"close", "to"},       {"contrary", "to"},     {"compared", "to"},  {"compared", "with"},
    {"except", "for"},     {"exclusive", "of"},    {"far", "from"},     {"followed", "by"},
    {"inside", "of"},      {"irrespective", "of"}, {"next", "to"},      {"near", "to"},
    {"off", "of"},         {"out", "of"},          {"outside", "of"},   {"owing", "to"},
    {"preliminary", "to"}, {"preparatory", "to"},  {"previous", "to"},  {"pursuant", "to"},
    {"regardless", "of"},  {"subsequent", "to"},   {"thanks", "to"},    {"together", "with"},
};
// Those whose first word may head the phrase.
constexpr Pair kHeadedPairs[] = {
    {"apart", "from"}, {"as", "from"},     {"aside", "from"},  {"away", "from"},     {"close", "by"},
    {"close", "to"},   {"contrary", "to"}, {"far", "from"},    {"next", "to"},       {"near", "to"},
    {"out", "of"},     {"outside", "of"},  {"pursuant", "to"}, {"regardless", "of"}, {"together", "with"},
};
constexpr Triple kTriples[] = {
    {"by", "means", "of"},     {"in", "accordance", "with"}, {"in", "addition", "to"},
    {"in", "case", "of"},      {"in", "front", "of"},        {"in", "lieu", "of"},
    {"in", "place", "of"},     {"in", "spite", "of"},        {"on", "account", "of"},
    {"on", "behalf", "of"},    {"on", "top", "of"},          {"with", "regard", "to"},
    {"with", "respect", "to"},
};
constexpr std::string_view kLastWords[] = {"from", "with", "of", "for", "per", "to", "on", "by"};

/// The words of a tree by position, in lower case.
class Words {
 public:
  explicit Words(const DependencyGraph& graph) {
    for (const Node node : graph.sorted_words()) {
      const std::uint32_t index = graph.index(node);
      if (nodes_.size() <= index) {
        nodes_.resize(index + 1, DependencyGraph::kNone);
        texts_.resize(index + 1);
      }
      nodes_[index] = node;
      texts_[index] = text::lowered(graph.token(node).word);
      for (const std::string_view last : kLastWords) {
        if (texts_[index] == last) ends_.push_back(index);
      }
    }
  }

  bool has_ends() const { return !ends_.empty(); }

  /// Calls use(nodes) where the words stand side by side.
  template <std::size_t N, class Use>
  void for_each(const std::array<std::string_view, N>& words, Use use) const {
    for (const std::uint32_t end : ends_) {
      if (end < N) continue;
      std::array<Node, N> nodes{};
      bool are_there = true;
      for (std::size_t i = 0; i < N; ++i) {
        const std::size_t place = end + 1 - N + i;
        nodes[i] = nodes_[place];
        are_there = are_there && nodes[i] != DependencyGraph::kNone && texts_[place] == words[i];
      }
      if (are_there) use(nodes);
    }
  }

 private:
  std::vector<Node> nodes_;  // by position, DependencyGraph::kNone for words outside the graph
  std::vector<std::string> texts_;
  std::vector<std::uint32_t> ends_;  // positions of words that end such a preposition
};

bool is_leaf(const DependencyGraph& graph, Node node) {
  return graph.out(node).empty();
}

/// The only edge to a word of a tree, or DependencyGraph::kNone.
EdgeId edge_to(const DependencyGraph& graph, Node node) {
  return graph.in(node).empty() ? DependencyGraph::kNone : graph.in(node)[0].value;
}

Relation relation_to(const DependencyGraph& graph, Node node) {
  const EdgeId edge = edge_to(graph, node);
  return edge == DependencyGraph::kNone ? Relation() : graph.edge(edge).relation;
}

Node governor_of(const DependencyGraph& graph, Node node) {
  const EdgeId edge = edge_to(graph, node);
  return edge == DependencyGraph::kNone ? DependencyGraph::kNone : graph.edge(edge).governor;
}

/// The first word depends on `governor`, the others on the first.
template <std::size_t N>
void make_one(DependencyGraph& graph, Node governor, std::string_view relation,
              const std::array<Node, N>& words) {
  for (std::size_t i = 0; i < N; ++i) {
    if (const EdgeId old = edge_to(graph, words[i]); old != DependencyGraph::kNone) graph.remove_edge(old);
    if (i == 0) {
      graph.add_edge(governor, words[0], make_relation(relation));
    } else {
      graph.add_edge(words[0], words[i], make_relation("mwe"));
    }
  }
}

void move_children(DependencyGraph& graph, Node from, Node to) {
  for (const EdgeId id : graph.sorted_out(from)) {
    const DependencyGraph::Edge moved = graph.edge(id);
    graph.remove_edge(id);
    graph.add_edge(to, moved.dependent, moved.relation);
  }
}

/// Both words are markers of the same word.
void join_simple(DependencyGraph& graph, const std::array<Node, 2>& words) {
  const Node governor = governor_of(graph, words[0]);
  if (governor == DependencyGraph::kNone || governor_of(graph, words[1]) != governor) return;
  const Relation first = relation_to(graph, words[0]);
  if (!first.is(Kind::case_) && !first.is(Kind::advmod)) return;
  if (!relation_to(graph, words[1]).is(Kind::case_)) return;
  if (is_leaf(graph, words[0]) && is_leaf(graph, words[1])) make_one(graph, governor, "case", words);
}

/// Whether a clause can have this relation to what it depends on.
bool is_clausal(const Relation& relation) {
  return relation.is_bare(Kind::conj) || relation.is_bare(Kind::acl) || relation.is_bare(Kind::advcl) ||
         relation.is(Kind::clause) || relation.is_relative_clause();
}

/// Puts `next` where `old` stands in the tree, with a relation that depends on the edges old -> next and to
/// `old`. False if `old` is neither a root nor governed.
template <class Choose>
bool take_place(DependencyGraph& graph, Node old, Node next, Choose choose) {
  const EdgeId between = graph.find(old, next);
  const Relation inner = graph.edge(between).relation;
  if (graph.is_root(old)) {
    graph.remove_edge(between);
    graph.move_root(old, next);
    return true;
  }
  const EdgeId outer = edge_to(graph, old);
  if (outer == DependencyGraph::kNone) return false;
  const DependencyGraph::Edge above = graph.edge(outer);
  graph.remove_edge(between);
  graph.add_edge(above.governor, next, choose(above.relation, inner));
  return true;
}

/// The first word governs a noun that has the second one as its marker: the noun is the head.
void join_headed(DependencyGraph& graph, const std::array<Node, 2>& words) {
  const Node noun = governor_of(graph, words[1]);
  if (noun == DependencyGraph::kNone || noun == words[0]) return;
  if (!relation_to(graph, words[1]).is(Kind::case_) || !is_leaf(graph, words[1])) return;
  if (governor_of(graph, noun) != words[0] || !relation_to(graph, noun).is_bare(Kind::nmod)) return;
  const bool has_copula = graph.has_child(words[0], Kind::cop);
  const auto choose = [&](const Relation& outer, const Relation& inner) {
    return has_copula && is_clausal(outer) ? outer : inner;
  };
  if (!take_place(graph, words[0], noun, choose)) return;
  move_children(graph, words[0], noun);
  make_one(graph, noun, "case", words);
}

/// A marker, a noun and the marker of the noun's modifier: the modifier is the head.
void join_triple(DependencyGraph& graph, const std::array<Node, 3>& words) {
  const auto [first, middle, last] = words;
  const Node noun = governor_of(graph, last);
  if (noun == DependencyGraph::kNone || noun == middle || !is_leaf(graph, last) || !is_leaf(graph, first))
    return;
  const Relation marker = relation_to(graph, last);
  if (!marker.is(Kind::case_) && !marker.is(Kind::mark)) return;
  if (governor_of(graph, noun) != middle || !relation_to(graph, noun).awaits_case()) return;
  if (governor_of(graph, first) != middle || !relation_to(graph, first).is(Kind::case_)) return;
  bool is_clause = false;
  const auto choose = [&](const Relation& outer, const Relation& inner) {
    is_clause = outer.is_bare(Kind::nmod) && (inner.is_bare(Kind::acl) || inner.is_bare(Kind::advcl));
    return is_clause ? inner : outer;
  };
  if (!take_place(graph, middle, noun, choose)) return;
  move_children(graph, middle, noun);
  make_one(graph, noun, is_clause ? "mark" : "case", words);
}

}  // namespace

void join_prepositions(DependencyGraph& graph) {
  const Words words(graph);
  if (!words.has_ends()) return;
  for (const Pair& pair : kSimplePairs) {
    words.for_each(pair, [&](const std::array<Node, 2>& nodes) { join_simple(graph, nodes); });
  }
  for (const Pair& pair : kHeadedPairs) {
    words.for_each(pair, [&](const std::array<Node, 2>& nodes) { join_headed(graph, nodes); });
  }
  for (const Triple& triple : kTriples) {
    words.for_each(triple, [&](const std::array<Node, 3>& nodes) { join_triple(graph, nodes); });
  }
}

}  // namespace capella::scene
