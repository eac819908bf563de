// What grounding wants to know about a formula before any constant is put into it.
#pragma once

#include <cstdint>
#include <vector>

#include "logic/language/language.h"

namespace capella::logic {

struct AtomPattern {
  PredicateId predicate = 0;
  std::vector<Term> terms;
  bool positive = true;
};

struct EquationPattern {
  Term left, right;
  bool positive = true;
};

struct FormulaShape {
  enum class Kind : std::uint8_t {
    conjunction,  ///< of atoms, equations and their negations; a single one, too
    clause,
    mixed,      ///< neither, without quantifiers
    quantified  ///< neither
  };

  Kind kind = Kind::mixed;
  /// Of conjunctions and clauses with their signs; of mixed formulas, all in the order of the tree.
  std::vector<AtomPattern> atoms;
  std::vector<EquationPattern> equations;
};

FormulaShape shape_of(const Expression& expression);

/// The constants that stand in the formula, ascending, each once.
std::vector<ConstantId> named_constants(const Expression& expression);

/// Which variables are bound by quantifiers.
std::vector<bool> bound_variables(const Formula& formula);

}  // namespace capella::logic
