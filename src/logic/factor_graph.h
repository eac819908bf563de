// A ground network as the solvers see it: only what is still open, in one shape.
//
// The log weight of a world x of the variables is
//   offset + sum over true variables of log_odds + sum of the weights of factors all of whose literals hold
//   in x.
// A clause of weight w is the constant w and a conjunction of the opposite literals of weight -w; a hard
// clause forbids that conjunction, so its weight is minus infinity. Evidence and hard formulas of one literal
// have been carried through (unit propagation); equal conjunctions are one factor; a conjunction of one
// literal is part of log_odds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "logic/ground/ground_network.h"

namespace capella::logic {

/// The logarithm of 0: the weight of a world that cannot be.
inline constexpr double kNever = -std::numeric_limits<double>::infinity();

/// Soft evidence is kept this far from certainty; exactly 0 and 1 are hard evidence.
inline constexpr double kLeastProbability = 1e-6;

/// Literals here name variables of the graph, not atoms of the network.
struct FactorGraph {
  double offset = 0;
  std::vector<double> log_odds;             ///< one per variable; finite
  std::vector<double> weights;              ///< one per factor; finite and not 0, or minus infinity
  std::vector<std::uint32_t> starts = {0};  ///< of each factor's literals, and their end
  std::vector<Literal> literals;            ///< ascending inside a factor; at least two
  bool impossible = false;  ///< no world is left: hard formulas or evidence contradict each other

  std::size_t variables() const { return log_odds.size(); }
  std::size_t factors() const { return weights.size(); }
  std::span<const Literal> factor(std::size_t k) const {
    return std::span(literals).subspan(starts[k], starts[k + 1] - starts[k]);
  }
};

/// What became of an atom.
struct AtomPlace {
  static constexpr std::uint32_t kFalse = 0xFFFFFFFF;
  static constexpr std::uint32_t kTrue = 0xFFFFFFFE;
  static constexpr std::uint32_t kFree = 0xFFFFFFFD;  ///< nothing is said of it: true in half of the worlds

  std::uint32_t variable;  ///< or one of the above

  bool is_variable() const { return variable < kFree; }
};

struct Simplified {
  FactorGraph graph;
  std::vector<AtomPlace> places;  ///< one per atom
  /// Where `graph.impossible`: the grounding that could not be satisfied, or the size of the network if it
  /// was evidence or the query.
  std::size_t culprit = 0;
};

/// `asserted` are further clauses that must hold, e.g. a query's.
Simplified simplify(const GroundNetwork& network, std::span<const std::vector<Literal>> asserted = {});

/// The same for many networks in turn: memory is kept from one to the next.
class Simplifier {
 public:
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

  /// Hard groundings from place `first_ignored` on are left out: so the one that makes a network
  /// contradictory can be found.
  void run(const GroundNetwork& network, std::span<const std::vector<Literal>> asserted, Simplified& result,
           std::size_t first_ignored = kAll);

 private:
  enum class Value : std::uint8_t { open, yes, no };
  struct HardClause {
    std::span<const Literal> literals;
    std::uint32_t not_false;
    std::size_t grounding;
  };

  bool hard(std::size_t formula) const { return network_->formulas[formula].weight == kHard; }
  Value value(Literal literal) const;
  bool make_true(Literal literal);

  bool carry_evidence_through();
  void take_asserted(std::span<const std::vector<Literal>> asserted);
  void list_hard_clauses();
  void list_occurrences();
  bool propagate_hard_clauses();
  bool propagate(Literal now_false);

  void collect(const GroundFormula& grounding, double weight);
  void add_conjunction(double weight);
  void add_factor(double weight);
  void add_soft_evidence();
  void grow_table();
  void drop_empty_factors();
  void number_variables();

  const GroundNetwork* network_ = nullptr;
  std::size_t first_ignored_ = kAll;
  Simplified* result_ = nullptr;
  std::vector<Value> values_;     // of atoms
  std::vector<double> log_odds_;  // of atoms
  std::vector<char> in_factor_;   // of atoms
  std::vector<Literal> asserted_literals_;
  std::vector<std::size_t> asserted_ends_;
  std::vector<HardClause> hard_clauses_;
  std::vector<std::uint32_t> occurrence_starts_;  // by literal, into occurrences_: hard clauses
  std::vector<std::uint32_t> occurrences_;
  std::vector<Literal> queue_;
  std::vector<Literal> open_;         // literals of the conjunction at hand
  std::vector<std::uint32_t> table_;  // open addressing: factors by the hash of their literals, from 1
};

}  // namespace capella::logic
