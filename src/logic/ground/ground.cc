#include "logic/ground/ground.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "capella/error.h"

#include "logic/ground/atom_table.h"
#include "logic/ground/formula_grounder.h"
#include "logic/ground/ground_plan.h"
#include "logic/work_progress.h"

namespace capella::logic {
namespace {

/// How much a formula or all of them will be.
struct Size {
  double groundings = 0;
  double literals = 0;
};

class Run {
 public:
  Run(const Grounder::Plan& plan, const GroundOptions& options)
      : plan_(plan),
        options_(options),
        active_(options.constants ? ActiveDomains(plan.domains, *options.constants, constants())
                                  : ActiveDomains(plan.domains)) {}

  GroundNetwork ground(const Database* evidence) {
    made_.formulas = plan_.sources;
    made_.source = plan_.network.source;
    const std::vector<std::uint32_t> formulas = choose();
    check_sizes(formulas);
    AtomTable atoms(plan_.network, plan_.domains, active_, plan_.constant_names, options_, made_);
    WorkProgress progress;
    progress.begin(&options_.progress, "grounding", work_);
    FormulaGrounder grounder(plan_, active_, atoms, options_.most_groundings, made_, progress);
    for (const std::uint32_t formula : formulas) grounder.ground(formula);
    progress.end();
    if (evidence != nullptr) set(*evidence, atoms);
    atoms.finish();
    return std::move(made_);
  }

 private:
  std::size_t constants() const {
    for (const ConstantId id : *options_.constants)
      if (id >= plan_.network.constants.size())
        throw UsageError(fmt::format("constant {} of GroundOptions is not one of the network", id));
    return plan_.network.constants.size();
  }

  std::vector<std::uint32_t> choose() const {
    if (active_.restricted()) return plan_.candidates(active_);
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < plan_.formulas.size(); ++i) {
      check_domains(i);
      all.push_back(i);
    }
    return all;
  }

  void check_domains(std::uint32_t number) const {
    const std::vector<DomainId>& domains = plan_.formulas[number].domains;
    for (std::size_t i = 0; i < domains.size(); ++i) {
      if (!active_[domains[i]].empty()) continue;
      const Variable& variable = plan_.network.formulas[number].variables[i];
      const Type& type = plan_.network.types[variable.type];
      const std::string why =
          type.constants.empty()
              ? fmt::format("type {} has none; write {} = {{...}} or give facts that name some", type.name,
                            type.name)
              : "//@domain leaves none of its type that may stand at all its places";
      throw DataError(fmt::format("{} has no constant for {}: {}", plan_.name(number), variable.name, why));
    }
  }

  Size size_of(std::uint32_t number) const {
    const PlannedFormula& formula = plan_.formulas[number];
    Size size{1, 0};
    for (const std::uint32_t id : formula.variables)
      size.groundings *= static_cast<double>(active_[formula.domains[id]].size());
    size.literals = size.groundings * literals(plan_.network.formulas[number].expression, formula);
    return size;
  }

  // With quantifiers written out.
  double literals(const Expression& expression, const PlannedFormula& formula) const {
    double made = expression.parts.empty() ? 1 : 0;
    for (const Expression& part : expression.parts) made += literals(part, formula);
    if (expression.kind == Expression::Kind::for_all || expression.kind == Expression::Kind::exists)
      for (const Term& term : expression.terms)
        made *= static_cast<double>(active_[formula.domains[term.id]].size());
    return made;
  }

  void check_sizes(const std::vector<std::uint32_t>& formulas) {
    const auto most = static_cast<double>(options_.most_groundings);
    Size all;
    for (const std::uint32_t formula : formulas) {
      const Size size = size_of(formula);
      all.groundings += size.groundings;
      all.literals += size.literals;
      if (all.groundings > most || all.literals > kLiteralsPerGrounding * most) refuse(formula, size, all);
    }
    work_ = all.groundings + all.literals;
    if (active_.restricted()) return;
    made_.reserve(static_cast<std::size_t>(all.groundings), static_cast<std::size_t>(all.literals));
  }

  [[noreturn]] void refuse(std::uint32_t formula, const Size& size, const Size& all) const {
    throw DataError(fmt::format(
        "{} has {:.0f} groundings of {:.0f} literals{}; more than {} groundings are not allowed. Use "
        "fewer constants, more types or fewer variables in a formula",
        plan_.name(formula), size.groundings, size.literals / size.groundings,
        all.groundings > size.groundings ? fmt::format(" ({:.0f} with those before it)", all.groundings) : "",
        options_.most_groundings));
  }

  void set(const Database& evidence, AtomTable& atoms) {
    for (const Fact& fact : evidence.facts) {
      const bool exists = std::ranges::all_of(fact.arguments, [&](ConstantId id) {
        if (id >= plan_.network.constants.size())
          throw UsageError("evidence names a constant that was added after the network was prepared");
        return active_.exists(id);
      });
      if (exists) made_.set_probability(atoms.id(fact.predicate, fact.arguments), fact.probability);
    }
  }

  const Grounder::Plan& plan_;
  const GroundOptions& options_;
  ActiveDomains active_;
  GroundNetwork made_;
  double work_ = 0;  // groundings and their literals
};

}  // namespace

Grounder::Grounder(const Network& network) : plan_(std::make_unique<const Plan>(network)) {}
Grounder::~Grounder() = default;
Grounder::Grounder(Grounder&&) noexcept = default;
Grounder& Grounder::operator=(Grounder&&) noexcept = default;

GroundNetwork Grounder::ground(const Database* evidence, const GroundOptions& options) const {
  return Run(*plan_, options).ground(evidence);
}

GroundNetwork ground(const Network& network, const Database* evidence, const GroundOptions& options) {
  return Grounder(network).ground(evidence, options);
}

}  // namespace capella::logic
