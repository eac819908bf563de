// Which variables of a factor graph a counting search has decided, and what that makes of its factors.
// Decisions are made and taken back in turn (a trail); of each factor is kept how many of its literals are
// open and how many are false.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "logic/factor_graph.h"

namespace capella::logic {

class CountingState {
 public:
  /// The graph must outlive this.
  explicit CountingState(const FactorGraph& graph);

  const FactorGraph& graph() const { return graph_; }
  bool open(std::uint32_t variable) const { return values_[variable] == Value::open; }
  /// None of the factor's literals is false.
  bool live(std::uint32_t factor) const { return counts_[factor].no == 0; }
  std::uint32_t open_literals(std::uint32_t factor) const { return counts_[factor].open; }

  /// Decides an open variable and whatever follows from it by hard factors. False if a hard factor is broken.
  bool decide(Literal literal);
  /// The weights of factors that the last decide() made true.
  double completed() const { return completed_; }
  /// What was decided, in turn.
  const std::vector<Literal>& trail() const { return trail_; }
  void take_back(std::size_t trail_size);
  /// Looks at a variable's factors so far.
  std::size_t steps() const { return steps_; }

 private:
  enum class Value : std::uint8_t { open, yes, no };
  struct Occurrence {
    std::uint32_t factor;
    bool positive;
  };
  struct Counts {
    std::uint32_t open, no;
  };

  void list_occurrences();
  bool assign(Literal literal);
  bool forbid_last_open(std::uint32_t factor);

  const FactorGraph& graph_;
  std::vector<std::uint32_t> occurrence_starts_;  // by variable
  std::vector<Occurrence> occurrences_;
  std::vector<Value> values_;
  std::vector<Counts> counts_;  // by factor
  std::vector<Literal> trail_;
  double completed_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace capella::logic
