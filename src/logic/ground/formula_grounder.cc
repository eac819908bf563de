#include "logic/ground/formula_grounder.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "capella/error.h"

namespace capella::logic {
namespace {

using Shape = FormulaShape::Kind;

std::uint64_t hash_literals(GroundFormula::Kind kind, std::span<const Literal> literals) {
  std::uint64_t hash = kind == GroundFormula::Kind::clause ? 1 : 2;
  for (const Literal literal : literals) hash = (hash ^ (hash >> 29)) * 0x9E3779B97F4A7C15u + literal.code();
  hash = (hash ^ (hash >> 32)) * 0xD6E8FEB86659FD93u;
  return hash ^ (hash >> 32);
}

}  // namespace

void FormulaGrounder::ground(std::uint32_t formula) {
  number_ = formula;
  formula_ = &plan_.formulas[formula];
  first_ = made_.size();
  known_.clear();
  mixed_.clear();
  binding_.assign(formula_->domains.size(), 0);
  switch (formula_->shape.kind) {
    case Shape::conjunction:
    case Shape::clause:
      return for_each_binding([this] { ground_list(); });
    case Shape::mixed:
      return for_each_binding([this] { ground_mixed(); });
    case Shape::quantified:
      return for_each_binding([this] { ground_quantified(); });
  }
}

// The last variable changes fastest.
template <class Visit>
void FormulaGrounder::for_each_binding(Visit visit) {
  const std::vector<std::uint32_t>& variables = formula_->variables;
  std::vector<std::size_t> at(variables.size());
  const auto constants = [&](std::size_t k) { return active_[formula_->domains[variables[k]]]; };
  for (std::size_t k = 0; k < variables.size(); ++k) binding_[variables[k]] = constants(k)[0];
  for (;;) {
    visit();
    progress_.add(1);
    std::size_t k = variables.size();
    for (; k > 0; --k) {
      at[k - 1] = at[k - 1] + 1 < constants(k - 1).size() ? at[k - 1] + 1 : 0;
      binding_[variables[k - 1]] = constants(k - 1)[at[k - 1]];
      if (at[k - 1] > 0) break;
    }
    if (k == 0) return;
  }
}

AtomId FormulaGrounder::atom(PredicateId predicate, const std::vector<Term>& terms) {
  arguments_.clear();
  for (const Term& term : terms) arguments_.push_back(value(term));
  progress_.add(1);
  return atoms_.id(predicate, arguments_);
}

void FormulaGrounder::ground_list() {
  const FormulaShape& shape = formula_->shape;
  const bool clause = shape.kind == Shape::clause;
  const bool decided = std::ranges::any_of(
      shape.equations, [&](const EquationPattern& equation) { return holds(equation) == clause; });
  if (decided && !clause) return formula_->hard ? impossible() : void();
  literals_.clear();
  for (const AtomPattern& pattern : shape.atoms)
    literals_.emplace_back(atom(pattern.predicate, pattern.terms), pattern.positive);
  if (decided) return add_true(1);
  const bool consistent = normalise(literals_);
  if (clause) {
    if (!consistent) return add_true(1);
    if (literals_.empty()) return formula_->hard ? impossible() : void();
    return add(GroundFormula::Kind::clause, 1);
  }
  if (!consistent) return formula_->hard ? impossible() : void();
  if (literals_.empty()) return add_true(1);
  if (!formula_->hard) return add(GroundFormula::Kind::conjunction, 1);
  const std::vector<Literal> units = literals_;
  for (const Literal unit : units) {
    literals_.assign(1, unit);
    add(GroundFormula::Kind::clause, 1);
  }
}

// Groundings with the same equal atoms and true equations are taken apart in the same way.
void FormulaGrounder::ground_mixed() {
  const FormulaShape& shape = formula_->shape;
  ids_.clear();
  pattern_.clear();
  for (const AtomPattern& pattern : shape.atoms) {
    ids_.push_back(atom(pattern.predicate, pattern.terms));
    pattern_.push_back(static_cast<std::uint32_t>(std::ranges::find(ids_, ids_.back()) - ids_.begin()));
  }
  for (const EquationPattern& equation : shape.equations) pattern_.push_back(holds(equation) ? 1 : 0);
  add_parts(mixed_parts(), ids_);
}

const FormulaGrounder::Parts& FormulaGrounder::mixed_parts() {
  const auto found = mixed_.find(pattern_);
  if (found != mixed_.end()) return found->second;
  std::size_t atom = 0, equation = formula_->shape.atoms.size();
  TreeContext context;
  context.atom = [&](const Expression&) { return pattern_[atom++]; };
  context.equation = [&](const Expression&) { return pattern_[equation++] == 1; };
  const GroundTree tree = ground_tree(plan_.network.formulas[number_].expression, context);
  return mixed_.emplace(pattern_, take_apart(tree)).first->second;
}

void FormulaGrounder::ground_quantified() {
  ids_.clear();
  TreeContext context;
  context.atom = [&](const Expression& expression) { return atom(expression.predicate, expression.terms); };
  context.equation = [&](const Expression& expression) {
    return value(expression.terms[0]) == value(expression.terms[1]);
  };
  context.bind = [&](std::uint32_t variable, ConstantId constant) { binding_[variable] = constant; };
  context.domain = [&](std::uint32_t variable) { return active_[formula_->domains[variable]]; };
  add_parts(take_apart(ground_tree(plan_.network.formulas[number_].expression, context)), {});
}

FormulaGrounder::Parts FormulaGrounder::take_apart(const GroundTree& tree) const {
  Parts made;
  try {
    if (!formula_->hard) {
      SoftParts soft = soft_parts(tree);
      made.constant = soft.constant;
      made.parts = std::move(soft.parts);
      return made;
    }
    for (std::vector<Literal>& clause : hard_clauses(tree)) {
      made.impossible |= clause.empty();
      made.parts.push_back({GroundFormula::Kind::clause, 1, std::move(clause)});
    }
  } catch (const DataError& error) {
    throw DataError(fmt::format("{} cannot be grounded: {}", plan_.name(number_), error.what()));
  }
  return made;
}

// Without `ids`, the parts' atoms are those of the network.
void FormulaGrounder::add_parts(const Parts& parts, std::span<const AtomId> ids) {
  if (parts.impossible) impossible();
  add_true(parts.constant);
  for (const GroundPart& part : parts.parts) {
    literals_.clear();
    for (const Literal literal : part.literals)
      literals_.emplace_back(ids.empty() ? literal.atom() : ids[literal.atom()], literal.positive());
    if (!ids.empty()) std::ranges::sort(literals_);
    add(part.kind, part.coefficient);
  }
}

void FormulaGrounder::add_true(double coefficient) {
  if (!formula_->hard) made_.offset += formula_->weight * coefficient;
}

// A single literal is a conjunction, or a clause of a hard formula.
void FormulaGrounder::add(GroundFormula::Kind kind, double coefficient) {
  if (literals_.size() == 1)
    kind = formula_->hard ? GroundFormula::Kind::clause : GroundFormula::Kind::conjunction;
  const auto next = static_cast<std::uint32_t>(made_.size() - first_);
  const std::uint32_t known =
      known_.find_or_add(hash_literals(kind, literals_), next, [&](std::uint32_t other) {
        const GroundFormula before = made_[first_ + other];
        return before.kind == kind && std::ranges::equal(before.literals, literals_);
      });
  if (known == next) {
    literals_made_ += literals_.size();
    if (made_.size() >= most_ || literals_made_ > kLiteralsPerGrounding * most_) too_many();
    made_.add(kind, number_, coefficient, literals_);
  } else if (!formula_->hard) {
    made_.add_coefficient(first_ + known, coefficient);
  }
}

void FormulaGrounder::too_many() const {
  throw DataError(
      fmt::format("{} is neither a clause nor a conjunction; taken apart, it needs more than the {} "
                  "conjunctions or clauses that are allowed. Write it as several formulas",
                  plan_.name(number_), most_));
}

void FormulaGrounder::impossible() const {
  const Formula& formula = plan_.network.formulas[number_];
  std::string values;
  for (const std::uint32_t id : formula_->variables)
    values += fmt::format("{}{} = {}", values.empty() ? " for " : ", ", formula.variables[id].name,
                          plan_.constant_names[binding_[id]]);
  throw DataError(fmt::format("{} is hard but contradicts itself{}: no world makes it true",
                              plan_.name(number_), values));
}

}  // namespace capella::logic
