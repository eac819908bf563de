#include "logic/ground/ground_plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "capella/error.h"

#include "logic/language/lexer.h"

namespace capella::logic {
namespace {

// Networks need not come from files.
void check_weight(const Formula& formula, const Network& network) {
  const double weight = formula.weight.value_or(0);
  if (is_weight(weight)) return;
  const std::string place = place_text(network.source, formula.line);
  throw DataError(
      fmt::format("{}{}the formula {} has the weight {}, expected one within +-{:g}, or a hard "
                  "formula",
                  place, place.empty() ? "" : ": ", format_formula(formula, network), weight, kMostWeight));
}

}  // namespace

Grounder::Plan::Plan(const Network& original) : network(expand_per_constant(original)), domains(network) {
  std::vector<FormulaSource> list;
  for (const Formula& formula : network.formulas) {
    PlannedFormula planned;
    planned.shape = shape_of(formula.expression);
    planned.domains = variable_domains(formula, domains);
    const std::vector<bool> bound = bound_variables(formula);
    for (std::uint32_t i = 0; i < bound.size(); ++i)
      if (!bound[i]) planned.variables.push_back(i);
    planned.constants = named_constants(formula.expression);
    planned.weight = formula.weight.value_or(0);
    check_weight(formula, network);
    planned.hard = planned.weight == kHard;
    formulas.push_back(std::move(planned));
    list.push_back({format_formula(formula, network), formula.weight.value_or(0), formula.line});
  }
  sources = FormulaList(std::move(list));
  for (const Constant& constant : network.constants) constant_names.push_back(format_constant(constant.name));
  index();
}

void Grounder::Plan::index() {
  std::vector<std::size_t> uses(network.constants.size());
  for (const PlannedFormula& formula : formulas)
    for (const ConstantId id : formula.constants) ++uses[id];
  by_constant_.resize(network.constants.size());
  for (std::uint32_t i = 0; i < formulas.size(); ++i) {
    const std::vector<ConstantId>& constants = formulas[i].constants;
    if (constants.empty()) {
      without_constants_.push_back(i);
    } else {
      by_constant_[*std::ranges::min_element(constants, {}, [&](ConstantId id) { return uses[id]; })]
          .push_back(i);
    }
  }
}

std::vector<std::uint32_t> Grounder::Plan::candidates(const ActiveDomains& active) const {
  std::vector<std::uint32_t> made;
  const auto consider = [&](std::uint32_t i) {
    const PlannedFormula& formula = formulas[i];
    const bool possible =
        std::ranges::all_of(formula.constants, [&](ConstantId id) { return active.exists(id); }) &&
        std::ranges::none_of(formula.domains, [&](DomainId id) { return active[id].empty(); });
    if (possible) made.push_back(i);
  };
  for (const ConstantId id : active.existing()) std::ranges::for_each(by_constant_[id], consider);
  std::ranges::for_each(without_constants_, consider);
  std::ranges::sort(made);
  return made;
}

std::string Grounder::Plan::name(std::uint32_t formula) const {
  const FormulaSource& source = sources[formula];
  const std::string place = place_text(network.source, source.line);
  return fmt::format("{}{}the formula {}", place, place.empty() ? "" : ": ", source.text);
}

}  // namespace capella::logic
