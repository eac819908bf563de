// A formula with constants for its variables, as a tree of ground atoms.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "logic/ground/normal_form.h"
#include "logic/language/language.h"

namespace capella::logic {

struct TreeContext {
  /// The number of an atom, which all have one in the order of the formula.
  std::function<AtomId(const Expression& atom)> atom;
  /// Whether an equation holds, asked in that order, too.
  std::function<bool(const Expression& equation)> equation;
  /// Sets a bound variable; may be empty if there are none.
  std::function<void(std::uint32_t variable, ConstantId constant)> bind;
  /// What a bound variable can be.
  std::function<std::span<const ConstantId>(std::uint32_t variable)> domain;
};

GroundTree ground_tree(const Expression& expression, const TreeContext& context);

}  // namespace capella::logic
