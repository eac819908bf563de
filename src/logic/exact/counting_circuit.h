// What weighted counting found out about a factor graph, to be evaluated again and again: an AND/OR graph.
//
// A choice adds up what remains if its variable is false and if it is true; a product multiplies the literals
// that were decided, the weights of factors that are thereby complete, and components that no longer have
// anything to do with each other; a leaf has so few variables that all its worlds are looked at. Equal
// components are one node. Values are logarithms. Nodes come after those they are made of, so one pass up
// gives log Z, one pass down gives all marginals: how much of Z flows through each node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "logic/exact/counting_trace.h"
#include "logic/factor_graph.h"

namespace capella::logic {

class CountingCircuit {
 public:
  using Node = std::uint32_t;
  static constexpr Node kImpossible = 0xFFFFFFFF;  ///< no world is left
  static constexpr std::size_t kLeafVariables = 6;

  struct LeafFactor {
    std::uint8_t mask, pattern;  // of the leaf's variables
    double weight;
  };

  // While the graph is made:
  void clear(const FactorGraph& graph);
  Node add_leaf(std::span<const std::uint32_t> variables, std::span<const LeafFactor> factors);
  Node add_choice(std::uint32_t variable, Node no, Node yes);
  Node add_product(std::span<const Literal> decided, double log_weight, std::span<const Node> children);
  void set_root(Node root) { root_ = root; }
  std::size_t size() const { return nodes_.size(); }
  std::size_t bytes() const;

  /// As those of Elimination. Minus infinity if no world is left.
  double log_z(std::span<const Literal> fixed = {});
  double solve(std::vector<double>& marginals, std::span<const Literal> fixed = {});
  double log_probability(std::span<const Literal> literals);
  double most_probable(std::vector<char>& world, std::span<const Literal> fixed = {});

  /// Nodes at most `depth` choices below the root. Empty if no world is left.
  CountingTrace trace(std::size_t depth);

 private:
  enum class Kind : std::uint8_t { leaf, choice, product };
  struct Entry {
    Kind kind;
    std::uint8_t variables;  // of a leaf
    std::uint32_t variable;  // of a choice
    std::uint64_t start;     // in numbers_: variables of a leaf, literals of a product
    std::uint32_t decided;   // of a product: literals; its children follow them
    std::uint32_t size;      // factors of a leaf, children of a product
    std::uint64_t factors;   // of a leaf: in leaf_factors_
    double log_weight;       // of a product
  };
  using Worlds = double[1 << kLeafVariables];

  bool hold(std::span<const Literal> fixed);
  void let_go(std::span<const Literal> fixed);
  double literal_weight(Literal literal) const;
  std::size_t weigh_worlds(const Entry& leaf, Worlds& worlds) const;
  std::span<const std::uint32_t> children(const Entry& entry) const;
  template <bool sum>
  double value(const Entry& entry) const;
  template <bool sum>
  double evaluate(std::span<const Literal> fixed);
  double of(Node node) const;
  void flow_down(std::vector<double>& marginals);
  void flow_from(const Entry& entry, double flow, double value, std::vector<double>& marginals);
  void choose_from(const Entry& entry, std::vector<char>& world);
  CountingTrace::Node describe(Node node, bool cut) const;

  const FactorGraph* graph_ = nullptr;
  Node root_ = kImpossible;
  bool solved_ = false;
  double log_z_ = 0;
  std::vector<Entry> nodes_;
  std::vector<std::uint32_t> numbers_;
  std::vector<LeafFactor> leaf_factors_;
  std::vector<double> values_, flows_;
  std::vector<char> held_;
};

}  // namespace capella::logic
