// Exact inference by variable elimination: log Z and the marginals of all variables in two passes over a tree
// of tables, and the most probable world in one.
//
// Every variable has a table over itself and the variables that it is joined with when its turn comes
// (logic/exact/elimination_order.h). On the way up each table is summed over its variable and multiplied into
// the table of the next of the others; on the way down each table is multiplied by what the rest of the
// network says of the variables that both have. Numbers are plain products where all weights of a component
// together cannot overflow, else logarithms; so nothing is lost with weights of several hundreds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "capella/progress.h"

#include "logic/exact/elimination_order.h"
#include "logic/factor_graph.h"
#include "logic/work_progress.h"

namespace capella::logic {

/// One object can do many networks in turn: memory is kept from one to the next.
class Elimination {
 public:
  static constexpr double kMostEntries = 1'073'741'824;  ///< a table's place must fit into 32 bits

  /// Finds the order and lays out the tables. False if they would have more than `most_entries`, see
  /// EliminationOrder. The graph must outlive the calls below.
  bool compile(const FactorGraph& graph, double most_entries = kMostEntries);
  const EliminationOrder& order() const { return order_; }
  /// Stage "elimination", in entries of tables, where there are many; it must outlive the calls below, and
  /// may throw: then the network must be compiled again.
  void tell(const Progress* progress) { listener_ = progress; }

  /// log Z with some variables held; minus infinity if no world is left.
  double log_z(std::span<const Literal> fixed = {});
  /// log Z, and how probable it is that each variable is true. Marginals are left alone if no world is left.
  double solve(std::vector<double>& marginals, std::span<const Literal> fixed = {});
  /// log of the probability that the literals hold: only their components are computed again.
  double log_probability(std::span<const Literal> literals);
  /// The log weight of the heaviest world, and that world; the first variables false where several are.
  double most_probable(std::vector<char>& world, std::span<const Literal> fixed = {});

 private:
  struct Factor {
    std::uint32_t mask;     // which bits of the table's index say that its literals hold
    std::uint32_t pattern;  // ... and what these are
    std::uint32_t factor;   // in the graph
  };
  struct Component {
    std::uint32_t begin, end;  // positions
    bool plain;                // products cannot overflow
    double z;                  // its sum with nothing held, plain or a logarithm
  };

  void place_factors();
  void place_factor(std::size_t k);
  void lay_out();
  void measure_components();
  bool hold(std::span<const Literal> fixed);
  void let_go(std::span<const Literal> fixed);
  template <class Numbers>
  void fill(std::uint32_t position);
  template <class Numbers>
  double up(const Component& component);
  template <class Numbers>
  void down(const Component& component, std::vector<double>& marginals);
  template <class Numbers>
  double marginal(std::uint32_t position) const;
  double pass_over(std::span<const Literal> fixed, std::vector<double>* marginals);
  void begin_progress(std::span<const Component> components, double passes);
  std::size_t entries(std::uint32_t position) const { return std::size_t{1} << bits(position); }
  void trace_back(const Component& component, std::vector<char>& world) const;

  unsigned bits(std::size_t position) const {
    return static_cast<unsigned>(order_.later(position).size()) + 1;
  }

  const FactorGraph* graph_ = nullptr;
  EliminationOrder order_;
  const Progress* listener_ = nullptr;
  WorkProgress progress_;
  bool solved_ = false;  // components' z are those of the network, nothing held
  std::vector<Component> components_;
  std::vector<std::uint32_t> component_of_;  // by position
  std::vector<std::uint32_t> shared_;  // by position: bits of the next table that stand for its variables
  std::vector<std::size_t> table_starts_;
  std::vector<double> tables_;
  std::vector<double> messages_;              // half as long; begin at half of the table's start
  std::vector<std::uint32_t> factor_starts_;  // by position
  std::vector<Factor> factors_;
  std::vector<std::uint32_t> place_of_;  // where each factor is to go, while they are placed
  std::vector<char> held_;               // by variable: 0 open, 1 true, 2 false
  std::vector<double> sums_;
  std::vector<std::uint32_t> touched_;
};

}  // namespace capella::logic
