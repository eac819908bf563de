// A ground formula of any shape, taken apart into conjunctions and clauses of literals.
//
// A soft formula is a sum: its truth (1 or 0) equals that of a conjunction, of a clause, or a sum of
// conjunctions with coefficients (Moebius inversion), so that its whole weight counts exactly where it holds.
// A hard formula is a list of clauses that hold together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "logic/ground/ground_network.h"

namespace capella::logic {

/// Negations stand at the literals alone.
struct GroundTree {
  enum class Kind : std::uint8_t {
    no,
    yes,
    literal,
    all,
    any,
    same  ///< both parts are true or both are false
  };

  Kind kind = Kind::no;
  Literal literal;
  std::vector<GroundTree>
      parts;  ///< of all, any (two at least, none of the same kind, no yes or no) and same
};

GroundTree truth(bool value);
GroundTree leaf(Literal literal);
/// Simplified: known parts are dropped, nested ones joined.
GroundTree join(GroundTree::Kind kind, std::vector<GroundTree> parts);
GroundTree negated(const GroundTree& tree);

struct GroundPart {
  GroundFormula::Kind kind = GroundFormula::Kind::conjunction;
  double coefficient = 1;
  std::vector<Literal> literals;  ///< as in GroundFormula
};

/// Where the tree is true, `constant` and the coefficients of the parts that hold add up to 1, elsewhere to
/// 0.
struct SoftParts {
  double constant = 0;
  std::vector<GroundPart> parts;
};

/// More different atoms than these are only taken apart where it takes few parts.
inline constexpr std::size_t kMostTableAtoms = 10;

/// Throws DataError, without a place, for a tree that would take too many parts.
SoftParts soft_parts(const GroundTree& tree);
/// Clauses that hold together where the tree is true: none if it always is, an empty one if it never is.
/// Throws DataError, without a place, for too many.
std::vector<std::vector<Literal>> hard_clauses(const GroundTree& tree);

/// Sorts the literals and drops repeated ones; false if an atom stands there with both signs.
bool normalise(std::vector<Literal>& literals);

}  // namespace capella::logic
