#include "logic/solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "capella/error.h"

#include "logic/solver_parts.h"

namespace capella::logic {
namespace {

// "1,234" below a million, else "2^20.5".
std::string format_entries(double entries) {
  if (entries < 1e6) return fmt::format("{:.0f}", entries);
  return fmt::format("2^{:.1f}", std::log2(entries));
}

double log_weight(const GroundNetwork& network, const std::vector<bool>& world) {
  double sum = network.offset;
  for (std::size_t k = 0; k < network.size(); ++k) {
    const GroundFormula formula = network[k];
    const bool all = formula.kind == GroundFormula::Kind::conjunction;
    bool holds = all;
    for (const Literal literal : formula.literals) {
      if ((world[literal.atom()] == literal.positive()) != all) holds = !all;
    }
    const double weight = network.formulas[formula.formula].weight;
    if (holds && weight != kHard) sum += weight * formula.coefficient;
  }
  for (AtomId atom = 0; atom < network.atoms(); ++atom) {
    double p = network.probability(atom);
    if (std::isnan(p) || p == 0 || p == 1) continue;
    p = std::clamp(p, kLeastProbability, 1 - kLeastProbability);
    sum += world[atom] ? std::log(p) : std::log1p(-p);
  }
  return sum;
}

}  // namespace

std::string_view method_name(Method method) {
  switch (method) {
    case Method::automatic:
      return "auto";
    case Method::exact:
      return "exact";
    case Method::ptp:
      return "ptp";
    case Method::gibbs:
      return "gibbs";
  }
  return "";
}

Solver::Solver(const GroundNetwork& network, const SolverOptions& options)
    : parts_(std::make_unique<Parts>(network, options)) {
  parts_->choose();
}

Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

Method Solver::method() const {
  return parts_->method;
}

const std::string& Solver::why() const {
  return parts_->why;
}

const Simplified& Solver::simplified() const {
  return parts_->simplified;
}

double Solver::log_z() const {
  return parts_->log_z;
}

const std::vector<double>& Solver::marginals() {
  return parts_->find_marginals();
}

QueryAnswer Solver::ask(const Query& query) {
  return parts_->ask(query);
}

MostProbable Solver::most_probable() {
  return parts_->find_most_probable();
}

const GibbsResult* Solver::sampling() {
  if (parts_->method != Method::gibbs) return nullptr;
  parts_->run_sampler();
  return &*parts_->sampled;
}

CountingTrace Solver::trace(std::size_t depth) {
  return parts_->find_trace(depth);
}

// Ground networks need not come from formulas that were read.
void Solver::Parts::check_weights() const {
  for (const FormulaSource& formula : network.formulas) {
    if (is_weight(formula.weight)) continue;
    throw DataError(
        fmt::format("{}: the formula `{}` has the weight {}, expected one within +-{:g}, or {} for a "
                    "hard formula",
                    place_of(formula), formula.text, formula.weight, kMostWeight, kHard));
  }
}

void Solver::Parts::choose() {
  check_weights();
  elimination.tell(&options.gibbs.progress);
  simplifier.run(network, {}, simplified);
  if (simplified.graph.impossible) refuse_contradiction(simplified.culprit);
  switch (options.method) {
    case Method::exact:
      if (!try_elimination(options.hard_most_entries)) {
        const bool hopeless = counting_is_hopeless(simplified.graph, options.hard_most_entries);
        throw DataError(fmt::format("{}: {}; use {}--method gibbs", network.source_name(), why,
                                    hopeless ? "" : "--method ptp or "));
      }
      break;
    case Method::ptp:
      if (!try_counting()) {
        const bool narrow = EliminationOrder().find(simplified.graph, options.hard_most_entries);
        throw DataError(fmt::format("{}: {}; use {}--method gibbs", network.source_name(), why,
                                    narrow ? "--method exact or " : ""));
      }
      break;
    case Method::gibbs:
      sample_instead();
      why = "Gibbs sampling, as asked for";
      break;
    case Method::automatic:
      if (!try_elimination(options.most_entries) && !(worth_counting() && try_counting())) sample_instead();
  }
  check_possible();
}

bool Solver::Parts::try_elimination(double most_entries) {
  if (!elimination.compile(simplified.graph, most_entries)) {
    const double entries = elimination.order().entries();
    why = std::isinf(entries) ? "elimination finds no order of the variables in reasonable time"
                              : fmt::format("elimination needs tables of at least {} entries, more than {}",
                                            format_entries(entries), format_entries(most_entries));
    return false;
  }
  method = Method::exact;
  why = fmt::format("elimination: {} variables, largest table 2^{} entries", simplified.graph.variables(),
                    simplified.graph.variables() == 0 ? 0 : elimination.order().width() + 1);
  log_z = elimination.log_z();
  return true;
}

CountingLimits Solver::Parts::counting_limits() const {
  const std::size_t times = options.method == Method::ptp ? 10 : 1;
  return {options.most_nodes, options.cache_bytes, times * options.most_steps, &options.gibbs.progress};
}

// Where elimination needs no more than these, counting may be worth its try.
double Solver::Parts::counting_entries() const {
  constexpr double kLittle = 1'048'576;
  return std::max({options.most_entries, static_cast<double>(options.most_nodes), kLittle});
}

bool Solver::Parts::worth_counting() {
  if (!counting_is_hopeless(simplified.graph, counting_entries())) return true;
  why += ", and weighted counting as many nodes";
  return false;
}

bool Solver::Parts::try_counting() {
  const bool done = count(simplified.graph, counting_limits(), circuit, counted);
  const std::string before = why.empty() ? "" : why + "; ";
  if (!done) {
    circuit = {};  // all its memory
    why = fmt::format("{}weighted counting needs {}", before, counted.limit);
    return false;
  }
  method = Method::ptp;
  why = fmt::format("{}weighted counting: {} nodes, {} components met again", before, counted.nodes,
                    counted.hits);
  log_z = circuit.log_z();
  return true;
}

void Solver::Parts::sample_instead() {
  method = Method::gibbs;
  why += "; Gibbs sampling instead, whose answers have errors";
  log_z = std::numeric_limits<double>::quiet_NaN();
}

void Solver::Parts::check_possible() {
  if (log_z == kNever) refuse_contradiction(find_culprit());
}

std::string Solver::Parts::place_of(const FormulaSource& formula) const {
  return formula.line > 0 ? fmt::format("{}:{}", network.source_name(), formula.line) : network.source_name();
}

void Solver::Parts::refuse_contradiction(std::size_t culprit) const {
  const FormulaSource& formula = network.formulas[network[culprit].formula];
  std::string atoms;
  for (const Literal literal : network[culprit].literals)
    atoms += fmt::format("{}{}{}", atoms.empty() ? "" : " v ", literal.positive() ? "" : "!",
                         network.name(literal.atom()));
  throw DataError(fmt::format(
      "{}: the hard formula `{}` (here: {}) contradicts other hard formulas or the evidence, so no world is "
      "possible; change one of them, or give it a weight",
      place_of(formula), formula.text, atoms));
}

bool Solver::Parts::possible_without(std::size_t first_ignored) {
  Simplified part;
  simplifier.run(network, {}, part, first_ignored);
  if (part.graph.impossible) return false;
  if (elimination.compile(part.graph, options.hard_most_entries)) return elimination.log_z() > kNever;
  CountingStatistics statistics;
  if (!count(part.graph, counting_limits(), circuit, statistics)) return true;
  return circuit.log_z() > kNever;
}

// The first hard grounding that leaves no world, beside those before it.
std::size_t Solver::Parts::find_culprit() {
  std::size_t possible = 0, impossible = network.size();
  while (impossible - possible > 1) {
    const std::size_t middle = possible + (impossible - possible) / 2;
    (possible_without(middle) ? possible : impossible) = middle;
  }
  return impossible - 1;
}

std::vector<double> Solver::Parts::by_atom(const std::vector<double>& by_variable, double decided) const {
  std::vector<double> values;
  values.reserve(network.atoms());
  for (const AtomPlace place : simplified.places)
    values.push_back(place.is_variable() ? by_variable[place.variable] : decided);
  return values;
}

const std::vector<double>& Solver::Parts::find_marginals() {
  if (method == Method::gibbs) {
    run_sampler();
    return sampled->marginals;
  }
  if (!marginals.empty() || network.atoms() == 0) return marginals;
  std::vector<double> by_variable;
  method == Method::exact ? elimination.solve(by_variable) : circuit.solve(by_variable);
  marginals = by_atom(by_variable, 0.5);
  for (std::size_t atom = 0; atom < marginals.size(); ++atom) {
    const std::uint32_t place = simplified.places[atom].variable;
    if (place == AtomPlace::kTrue || place == AtomPlace::kFalse) marginals[atom] = place == AtomPlace::kTrue;
  }
  return marginals;
}

// The sampler knows no names; what it refuses is told with the network's.
GibbsResult Solver::Parts::draw(const FactorGraph& graph,
                                const std::vector<std::vector<Literal>>& query) const {
  try {
    return sample(graph, options.gibbs, query);
  } catch (const DataError& error) {
    throw DataError(fmt::format("{}: {}", network.source_name(), error.what()));
  }
}

void Solver::Parts::run_sampler() {
  if (sampled) return;
  GibbsResult result;
  result.converged = true;
  if (simplified.graph.variables() > 0) result = draw(simplified.graph, {});
  const auto draws = static_cast<double>(result.sweeps * result.chains);
  result.marginals = by_atom(result.marginals, 0.5);
  result.mcse = by_atom(result.mcse, 0);
  result.rhat = by_atom(result.rhat, 1);
  result.ess = by_atom(result.ess, draws);
  for (std::size_t atom = 0; atom < result.marginals.size(); ++atom) {
    const std::uint32_t place = simplified.places[atom].variable;
    if (place == AtomPlace::kTrue || place == AtomPlace::kFalse)
      result.marginals[atom] = place == AtomPlace::kTrue;
  }
  sampled = std::move(result);
}

MostProbable Solver::Parts::find_most_probable() {
  if (method == Method::gibbs) {
    throw DataError(
        fmt::format("{}: sampling does not find the most probable world; use --method exact or --method ptp",
                    network.source_name()));
  }
  std::vector<char> by_variable;
  if (method == Method::exact) {
    elimination.most_probable(by_variable);
  } else {
    circuit.most_probable(by_variable);
  }
  MostProbable best;
  for (const AtomPlace place : simplified.places)
    best.world.push_back(place.is_variable() ? by_variable[place.variable] != 0
                                             : place.variable == AtomPlace::kTrue);
  best.log_weight = log_weight(network, best.world);
  best.log_p = std::min(0.0, best.log_weight + network.unmentioned_atoms * std::log(2.0) - log_z);
  return best;
}

CountingTrace Solver::Parts::find_trace(std::size_t depth) {
  if (method != Method::ptp && circuit.size() == 0 &&
      !count(simplified.graph, counting_limits(), circuit, counted)) {
    circuit = {};
    throw DataError(fmt::format("{}: counting needs {}, so its search cannot be shown", network.source_name(),
                                counted.limit));
  }
  std::vector<std::uint32_t> atoms(simplified.graph.variables());
  for (AtomId atom = 0; atom < network.atoms(); ++atom) {
    if (simplified.places[atom].is_variable()) atoms[simplified.places[atom].variable] = atom;
  }
  CountingTrace trace = circuit.trace(depth);
  for (CountingTrace::Node& node : trace.nodes) {
    for (std::uint32_t& variable : node.variables) variable = atoms[variable];
  }
  return trace;
}

}  // namespace capella::logic
