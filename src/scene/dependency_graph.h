// A sentence's words and the dependencies between them, as a graph that SPICE's steps rewrite.
//
// It begins as the parser's tree; then words may depend on several others, on each other, or stand twice: a
// copy of a word shares its text and position. Words and edges are walked in the order of Stanford's
// SemanticGraph, which keeps them in Java's hash maps, because the order decides what is merged later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "scene/hash_order.h"
#include "scene/relation.h"
#include "syntax/tree.h"

namespace capella::scene {

class DependencyGraph {
 public:
  using Node = std::uint32_t;
  using EdgeId = std::uint32_t;
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  struct Edge {
    Node governor;
    Node dependent;
    Relation relation;
  };

  /// `tree` must outlive the graph; `sentence` is its place in the caption, from 0.
  DependencyGraph(const syntax::Tree& tree, std::size_t sentence);

  // Words.
  const syntax::Token& token(Node node) const { return *nodes_[node].token; }
  std::uint32_t index(Node node) const { return nodes_[node].index; }  ///< counted from 1, as in the tree
  bool is_before(Node a, Node b) const { return rank(a) < rank(b); }
  bool is_noun(Node node) const { return nodes_[node].is_noun; }      ///< NN, NNS, NNP, NNPS
  bool is_plural(Node node) const { return nodes_[node].is_plural; }  ///< NNS, NNPS
  /// The first word at the position, or kNone.
  Node at(std::uint32_t index) const;
  /// Nodes get ascending numbers.
  std::size_t nodes_made() const { return nodes_.size(); }
  /// A word that depends on nothing yet and is in no list until it gets an edge.
  Node copy(Node node);
  /// The word that this is a copy of, or itself.
  Node original(Node node) const { return nodes_[node].original; }

  /// The words of the graph: `value` is a Node.
  const HashOrder& words() const { return words_; }
  /// By position; copies behind their originals.
  std::vector<Node> sorted_words() const;
  /// Governors before their dependents; if that cannot be, as words() has them.
  std::vector<Node> walk() const;

  const HashOrder& roots() const { return roots_; }
  bool is_root(Node node) const;
  /// Whether there is such an edge.
  bool has(Relation::Kind kind) const;

  // Edges: `value` is an EdgeId.
  const HashOrder& out(Node node) const { return nodes_[node].out; }
  const HashOrder& in(Node node) const { return nodes_[node].in; }
  const Edge& edge(EdgeId id) const { return edges_[id]; }
  /// Edges get ascending numbers.
  EdgeId edges_made() const { return static_cast<EdgeId>(edges_.size()); }
  /// The first edge between the two, or kNone.
  EdgeId find(Node governor, Node dependent) const;
  /// The first dependent with that relation, or kNone.
  Node child(Node node, Relation::Kind kind) const;
  bool has_child(Node node, Relation::Kind kind) const { return child(node, kind) != kNone; }
  /// The governor on the way to a root; by position if several lead there. kNone for a root.
  Node parent(Node node) const;
  /// A node's edges by the position of the other end, then by name.
  std::vector<EdgeId> sorted_out(Node node) const;
  std::vector<EdgeId> sorted_in(Node node) const;

  // Changes.
  EdgeId add_edge(Node governor, Node dependent, const Relation& relation);
  void remove_edge(EdgeId id);
  void set_relation(EdgeId id, const Relation& relation) { edges_[id].relation = relation; }
  /// "kind:detail"; the graph keeps the name.
  Relation make_detailed(std::string_view kind, std::string_view detail);
  /// `to` becomes a root in place of `from`.
  void move_root(Node from, Node to);
  /// Lists all edges anew, as if they had been made by position: dependent, governor, name.
  void rebuild();

  /// Calls use(edge) for all out edges of `node` for which is_wanted(relation); `use` must not change edges.
  template <class IsWanted, class Use>
  void for_each_out(Node node, IsWanted is_wanted, Use use) const {
    for (const HashOrder::Entry& entry : nodes_[node].out) {
      const Edge& found = edges_[entry.value];
      if (is_wanted(found.relation)) use(found);
    }
  }
  template <class IsWanted>
  bool any_out(Node node, IsWanted is_wanted) const {
    for (const HashOrder::Entry& entry : nodes_[node].out) {
      if (is_wanted(edges_[entry.value])) return true;
    }
    return false;
  }
  template <class IsWanted>
  bool any_in(Node node, IsWanted is_wanted) const {
    for (const HashOrder::Entry& entry : nodes_[node].in) {
      if (is_wanted(edges_[entry.value])) return true;
    }
    return false;
  }

 private:
  struct NodeData {
    const syntax::Token* token;
    std::uint32_t index;
    std::uint32_t hash;
    Node original;
    std::uint32_t copy_number = 0;  // of a copy, from 1
    std::uint32_t copies = 0;       // of an original
    bool is_noun = false;
    bool is_plural = false;
    HashOrder out{};
    HashOrder in{};
  };

  std::uint64_t rank(Node node) const {
    return std::uint64_t{nodes_[node].index} << 32 | nodes_[node].copy_number;
  }
  void list_word(Node node);
  void add_root(Node node);
  bool leads_to_root(Node from, Node avoided) const;
  bool depth_first(Node start, std::vector<std::uint8_t>& state, std::vector<Node>& done) const;
  std::vector<EdgeId> sorted(const HashOrder& list) const;

  std::size_t tree_size_;  // the first nodes are the tree's words, then come copies
  std::vector<NodeData> nodes_;
  std::vector<Edge> edges_;  // removed ones stay, out of all lists
  std::vector<bool> is_listed_;
  HashOrder words_;
  HashOrder roots_;
  std::deque<std::string> names_;  // of relations that the steps made
};

}  // namespace capella::scene
