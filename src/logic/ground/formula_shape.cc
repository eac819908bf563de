#include "logic/ground/formula_shape.h"

#include <algorithm>

namespace capella::logic {
namespace {

using Kind = Expression::Kind;

// Whether the expression, or its negation, is a list of literals joined by "and" (or by "or"); if so, adds
// them.
bool collect(const Expression& expression, bool positive, bool conjunction, FormulaShape& shape) {
  const auto parts = [&](bool first_positive) {
    for (std::size_t i = 0; i < expression.parts.size(); ++i)
      if (!collect(expression.parts[i], i == 0 ? first_positive : positive, conjunction, shape)) return false;
    return true;
  };
  switch (expression.kind) {
    case Kind::atom:
      shape.atoms.push_back({expression.predicate, expression.terms, positive});
      return true;
    case Kind::equal:
      shape.equations.push_back({expression.terms[0], expression.terms[1], positive});
      return true;
    case Kind::negation:
      return collect(expression.parts[0], !positive, conjunction, shape);
    case Kind::conjunction:
      return positive == conjunction && parts(positive);
    case Kind::disjunction:
      return positive != conjunction && parts(positive);
    case Kind::implication:
      return positive != conjunction && parts(!positive);
    case Kind::equivalence:
    case Kind::for_all:
    case Kind::exists:
      break;
  }
  return false;
}

// All of them; false if there is a quantifier.
bool collect_all(const Expression& expression, FormulaShape& shape) {
  if (expression.kind == Kind::atom) shape.atoms.push_back({expression.predicate, expression.terms, true});
  if (expression.kind == Kind::equal)
    shape.equations.push_back({expression.terms[0], expression.terms[1], true});
  if (expression.kind == Kind::for_all || expression.kind == Kind::exists) return false;
  return std::ranges::all_of(expression.parts,
                             [&](const Expression& part) { return collect_all(part, shape); });
}

void collect_constants(const Expression& expression, std::vector<ConstantId>& constants) {
  for (const Term& term : expression.terms)
    if (!term.variable) constants.push_back(term.id);
  for (const Expression& part : expression.parts) collect_constants(part, constants);
}

void collect_bound(const Expression& expression, std::vector<bool>& bound) {
  if (expression.kind == Kind::for_all || expression.kind == Kind::exists)
    for (const Term& term : expression.terms) bound[term.id] = true;
  for (const Expression& part : expression.parts) collect_bound(part, bound);
}

}  // namespace

FormulaShape shape_of(const Expression& expression) {
  for (const bool conjunction : {true, false}) {
    FormulaShape shape;
    shape.kind = conjunction ? FormulaShape::Kind::conjunction : FormulaShape::Kind::clause;
    if (collect(expression, true, conjunction, shape)) return shape;
  }
  FormulaShape shape;
  if (collect_all(expression, shape)) return shape;
  shape = {};
  shape.kind = FormulaShape::Kind::quantified;
  return shape;
}

std::vector<ConstantId> named_constants(const Expression& expression) {
  std::vector<ConstantId> constants;
  collect_constants(expression, constants);
  std::ranges::sort(constants);
  constants.erase(std::unique(constants.begin(), constants.end()), constants.end());
  return constants;
}

std::vector<bool> bound_variables(const Formula& formula) {
  std::vector<bool> bound(formula.variables.size());
  collect_bound(formula.expression, bound);
  return bound;
}

}  // namespace capella::logic
