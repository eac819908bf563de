// Exact inference by weighted counting as in probabilistic theorem proving: decide a variable both ways,
// carry that through, split what remains into components that have nothing to do with each other, and never
// count the same component twice. It wins where a network is wide but decisions make it fall apart, e.g. by
// hard formulas.
//
// The search goes through a graph once and records what it does (logic/exact/counting_circuit.h); log Z,
// marginals, queries and the most probable world are then evaluations of that record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "capella/progress.h"

#include "logic/exact/counting_cache.h"
#include "logic/exact/counting_circuit.h"
#include "logic/factor_graph.h"

namespace capella::logic {

struct CountingLimits {
  static constexpr std::size_t kBytesPerNode = 128;  ///< of what is recorded, on average

  std::size_t most_nodes = 5'000'000;  ///< and kBytesPerNode times as many bytes
  std::size_t cache_bytes = std::size_t{256} << 20;
  std::size_t most_steps =
      1'000'000'000;  ///< looks at variables and literals; a bound on time, not on memory
  /// Stage "counting", in steps, where there are many; may be null, and may throw.
  const Progress* progress = nullptr;
};

struct CountingStatistics {
  std::size_t nodes = 0;
  std::size_t hits = 0;       ///< components met again
  std::size_t forgotten = 0;  ///< ... that had to leave the cache
  std::size_t deepest = 0;    ///< decisions one below the other
  std::string limit;          ///< what stopped the search, for people; empty: nothing
};

/// Whether the search cannot be shorter than elimination, whose tables have more than `most_entries`.
/// Deciding a variable takes away its soft factors of two literals or leaves them to the other variable, so
/// what falls apart does so whichever way it is decided, and what does not is met with as many weights as a
/// table has entries. Hard factors decide others, and larger ones may be gone one way: only these let
/// counting win.
bool counting_is_hopeless(const FactorGraph& graph, double most_entries);

/// Searches the graph and fills the circuit. False if a limit stopped it. The graph must outlive the circuit.
bool count(const FactorGraph& graph, const CountingLimits& limits, CountingCircuit& circuit,
           CountingStatistics& statistics);

}  // namespace capella::logic
