// Formulas with "+x": one for each constant that can stand for x.
#include <algorithm>

#include <fmt/format.h>

#include "capella/error.h"

#include "logic/ground/domains.h"
#include "logic/language/language.h"
#include "logic/language/lexer.h"

namespace capella::logic {
namespace {

constexpr std::size_t kMostFormulas = 1'000'000;

/// What stands for the variables: each term is the same variable with its new number, or a constant.
using Substitution = std::vector<Term>;

void substitute(Expression& expression, const Substitution& substitution) {
  for (Term& term : expression.terms)
    if (term.variable) term = substitution[term.id];
  for (Expression& part : expression.parts) substitute(part, substitution);
}

class Expansion {
 public:
  Expansion(const Formula& formula, const std::vector<DomainId>& ids, const Domains& domains)
      : formula_(formula), ids_(ids), domains_(domains), substitution_(formula.variables.size()) {
    for (std::uint32_t i = 0; i < formula.variables.size(); ++i) {
      if (formula.variables[i].per_constant) {
        expanded_.push_back(i);
      } else {
        substitution_[i] = {true, static_cast<std::uint32_t>(kept_.size())};
        kept_.push_back(formula.variables[i]);
      }
    }
  }

  double size() const {
    double made = 1;
    for (const std::uint32_t i : expanded_) made *= static_cast<double>(domains_[ids_[i]].constants().size());
    return made;
  }

  void add_to(std::vector<Formula>& made, std::size_t first = 0) {
    if (first < expanded_.size()) {
      for (const ConstantId constant : domains_[ids_[expanded_[first]]].constants()) {
        substitution_[expanded_[first]] = {false, constant};
        add_to(made, first + 1);
      }
      return;
    }
    Formula& formula = made.emplace_back(formula_);
    formula.variables = kept_;
    formula.statistics.reset();  // they were those of all together
    substitute(formula.expression, substitution_);
  }

 private:
  const Formula& formula_;
  const std::vector<DomainId>& ids_;
  const Domains& domains_;
  Substitution substitution_;
  std::vector<std::uint32_t> expanded_;
  std::vector<Variable> kept_;
};

bool has_plus(const Formula& formula) {
  return std::ranges::any_of(formula.variables,
                             [](const Variable& variable) { return variable.per_constant; });
}

}  // namespace

Network expand_per_constant(Network network) {
  if (std::ranges::none_of(network.formulas, has_plus)) return network;
  Domains domains(network);
  std::vector<Formula> made;
  for (Formula& formula : network.formulas) {
    if (!has_plus(formula)) {
      made.push_back(std::move(formula));
      continue;
    }
    const std::vector<DomainId> ids = variable_domains(formula, domains);
    Expansion expansion(formula, ids, domains);
    if (expansion.size() + static_cast<double>(made.size()) > static_cast<double>(kMostFormulas)) {
      throw DataError(
          fmt::format("{}: the formula {} stands for {:.0f} formulas, one for each constant of its "
                      "variables with +; more than {} in all are not allowed",
                      place_text(network.source, formula.line), format_formula(formula, network),
                      expansion.size(), kMostFormulas));
    }
    expansion.add_to(made);
  }
  network.formulas = std::move(made);
  return network;
}

}  // namespace capella::logic
