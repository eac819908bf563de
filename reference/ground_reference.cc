#include "reference/ground_reference.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace capella::reference {
namespace {

using logic::ConstantId;
using logic::Expression;
using logic::Formula;
using logic::Network;
using logic::Term;
using Kind = Expression::Kind;
using Binding = std::map<std::uint32_t, ConstantId>;
using Existing = std::optional<std::vector<ConstantId>>;

class Formulas {
 public:
  Formulas(const Formula& formula, const Network& network, const World& world, const Existing& existing)
      : formula_(formula), network_(network), world_(world), existing_(existing) {}

  bool is_left_out() const {
    return existing_ && (names_others(formula_.expression) || has_empty_variable());
  }

  double log_weight() {
    std::set<std::uint32_t> open;
    for (std::uint32_t i = 0; i < formula_.variables.size(); ++i) open.insert(i);
    remove_bound(formula_.expression, open);
    return sum({open.begin(), open.end()}, 0);
  }

  bool holds(const Expression& e) {
    const auto part = [&](std::size_t i) { return holds(e.parts[i]); };
    switch (e.kind) {
      case Kind::atom:
        return world_(name(e));
      case Kind::equal:
        return value(e.terms[0]) == value(e.terms[1]);
      case Kind::negation:
        return !part(0);
      case Kind::conjunction:
        return std::ranges::all_of(e.parts, [&](const Expression& p) { return holds(p); });
      case Kind::disjunction:
        return std::ranges::any_of(e.parts, [&](const Expression& p) { return holds(p); });
      case Kind::implication:
        return !part(0) || part(1);
      case Kind::equivalence:
        return part(0) == part(1);
      case Kind::for_all:
        return count(e, 0, false) == 0;
      case Kind::exists:
        return count(e, 0, true) > 0;
    }
    return false;
  }

 private:
  double sum(const std::vector<std::uint32_t>& open, std::size_t first) {
    if (first == open.size()) {
      const double weight = formula_.weight.value_or(0);
      if (weight == logic::kHard)
        return holds(formula_.expression) ? 0 : -std::numeric_limits<double>::infinity();
      return holds(formula_.expression) ? weight : 0;
    }
    double made = 0;
    for (const ConstantId constant : domain(open[first])) {
      binding_[open[first]] = constant;
      made += sum(open, first + 1);
    }
    return made;
  }

  std::size_t count(const Expression& quantifier, std::size_t first, bool wanted) {
    if (first == quantifier.terms.size()) return holds(quantifier.parts[0]) == wanted ? 1 : 0;
    std::size_t made = 0;
    for (const ConstantId constant : domain(quantifier.terms[first].id)) {
      binding_[quantifier.terms[first].id] = constant;
      made += count(quantifier, first + 1, wanted);
    }
    return made;
  }

  ConstantId value(const Term& term) const { return term.variable ? binding_.at(term.id) : term.id; }

  std::string name(const Expression& atom) const {
    std::string made = network_.predicates[atom.predicate].name + "(";
    for (const Term& term : atom.terms)
      made += (made.back() == '(' ? "" : ",") + network_.constants[value(term)].name;
    return made + ")";
  }

  std::vector<ConstantId> domain(std::uint32_t variable) const {
    std::vector<ConstantId> made;
    for (const ConstantId constant : network_.types[formula_.variables[variable].type].constants)
      if (exists(constant) && may_be(formula_.expression, variable, constant)) made.push_back(constant);
    return made;
  }

  bool may_be(const Expression& e, std::uint32_t variable, ConstantId constant) const {
    if (e.kind == Kind::atom) {
      for (std::size_t i = 0; i < e.terms.size(); ++i) {
        const std::vector<ConstantId>& list = network_.predicates[e.predicate].domains[i];
        const bool here = e.terms[i].variable && e.terms[i].id == variable;
        if (here && !list.empty() && std::ranges::find(list, constant) == list.end()) return false;
      }
    }
    return std::ranges::all_of(e.parts,
                               [&](const Expression& part) { return may_be(part, variable, constant); });
  }

  bool exists(ConstantId constant) const {
    return !existing_ || std::ranges::find(*existing_, constant) != existing_->end();
  }

  bool names_others(const Expression& e) const {
    return std::ranges::any_of(e.terms,
                               [&](const Term& term) { return !term.variable && !exists(term.id); }) ||
           std::ranges::any_of(e.parts, [&](const Expression& part) { return names_others(part); });
  }

  bool has_empty_variable() const {
    for (std::uint32_t i = 0; i < formula_.variables.size(); ++i)
      if (domain(i).empty()) return true;
    return false;
  }

  static void remove_bound(const Expression& e, std::set<std::uint32_t>& open) {
    if (e.kind == Kind::for_all || e.kind == Kind::exists)
      for (const Term& term : e.terms) open.erase(term.id);
    for (const Expression& part : e.parts) remove_bound(part, open);
  }

  const Formula& formula_;
  const Network& network_;
  const World& world_;
  const Existing& existing_;
  Binding binding_;
};

}  // namespace

double log_weight(const Network& network, const World& world, const Existing& existing) {
  double made = 0;
  for (const Formula& formula : network.formulas) {
    Formulas groundings(formula, network, world, existing);
    if (!groundings.is_left_out()) made += groundings.log_weight();
  }
  return made;
}

bool holds(const Formula& formula, const Network& network, const World& world) {
  const Existing all;
  return Formulas(formula, network, world, all).holds(formula.expression);
}

}  // namespace capella::reference
