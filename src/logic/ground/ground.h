// Grounding: every way to put constants for the variables of a network's formulas.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capella/progress.h"

#include "logic/ground/ground_network.h"
#include "logic/language/language.h"

namespace capella::logic {

struct GroundOptions {
  /// Only these constants exist (those of an image, say); nothing: all of the network. Formulas that name
  /// others are left out, as are groundings that have none for a variable.
  std::optional<std::vector<ConstantId>> constants;
  /// Every atom that could be made of predicates and constants gets a number if there are no more than this;
  /// else only those that formulas or evidence mention.
  std::size_t most_listed_atoms = 1'000'000;
  bool list_all_atoms = true;  ///< false: only those that are mentioned, and the others do not exist
  std::size_t most_groundings = 20'000'000;  ///< more are refused, before memory runs out
  Progress progress = {};                    ///< stage "grounding", where that takes long; may throw
};

/// Grounds one network many times: for each image, say. What all groundings share is prepared once, and
/// formulas that name constants are only looked at where these exist. Many threads may ask at once.
class Grounder {
 public:
  /// The network is copied. Throws DataError for "+x" over too many constants.
  explicit Grounder(const Network& network);
  ~Grounder();
  Grounder(Grounder&&) noexcept;
  Grounder& operator=(Grounder&&) noexcept;

  /// The formulas of the result are always all of the network, in their order ("+x": one for each constant,
  /// in place of the formula), also those that have no grounding.
  ///
  /// Throws DataError for more groundings than allowed, a variable that no constant can stand for (unless
  /// `options.constants` is set), a formula of too many atoms that is neither a conjunction nor a clause, a
  /// hard formula that cannot be true. Evidence is not yet carried through: it becomes atoms' probabilities.
  /// All its constants must be those of the network.
  GroundNetwork ground(const Database* evidence = nullptr, const GroundOptions& options = {}) const;

  struct Plan;  ///< logic/ground/ground_plan.h

 private:
  std::unique_ptr<const Plan> plan_;
};

/// The same for one time.
GroundNetwork ground(const Network& network, const Database* evidence = nullptr,
                     const GroundOptions& options = {});

/// The name of a ground atom, e.g. "Ride(Man,Bike)".
std::string atom_name(const Network& network, PredicateId predicate, std::span<const ConstantId> arguments);

/// A formula without free variables over the atoms of `ground`, as clauses that must hold. `text` e.g.
/// "Ride(Man,Bike) ^ !On(Man,Bike)". Throws DataError for syntax, unknown names, atoms that the network does
/// not have, free variables. True formulas give no clause; a false one an empty clause.
Query read_query(std::string_view text, const Network& network, const GroundNetwork& ground);

}  // namespace capella::logic
