#include "method/mln/rules/structure.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "capella/error.h"

#include "method/mln/rules/structure_counts.h"

namespace capella::method::mln {
namespace {

using logic::ConstantId;
using logic::Expression;

constexpr std::string_view kType = "obj";

logic::Network empty_network(const ImageLiterals& literals) {
  logic::Network network;
  logic::Type type{std::string(kType), {}};
  for (ConstantId id = 0; id < literals.constants.size(); ++id) {
    network.constants.push_back({literals.constants[id].name, literals.constants[id].label});
    type.constants.push_back(id);
  }
  network.types.push_back(std::move(type));
  std::vector<std::vector<std::vector<bool>>> seen(
      literals.predicates.size(),
      std::vector<std::vector<bool>>(2, std::vector<bool>(literals.constants.size())));
  for (const GroundLiteral& literal : literals.literals)
    seen[literal.predicate][0][literal.subject] = seen[literal.predicate][1][literal.object] = true;
  for (std::size_t p = 0; p < literals.predicates.size(); ++p) {
    logic::Predicate predicate{literals.predicates[p].name, literals.predicates[p].label, {0, 0}, {}};
    for (const std::vector<bool>& place : seen[p]) {
      std::vector<ConstantId>& domain = predicate.domains.emplace_back();
      for (ConstantId id = 0; id < place.size(); ++id) {
        if (place[id]) domain.push_back(id);
      }
    }
    network.predicates.push_back(std::move(predicate));
  }
  return network;
}

logic::Formula formula_of(const FormulaKey& key, bool ground) {
  logic::Formula formula;
  std::vector<Expression> atoms;
  for (std::size_t k = 0; k < key.size; ++k) {
    Expression atom;
    atom.predicate = key.codes[3 * k];
    for (const std::uint32_t code : {key.codes[3 * k + 1], key.codes[3 * k + 2]}) {
      const auto variable = static_cast<std::uint32_t>(ground ? 0 : variable_of(code));
      atom.terms.push_back(ground ? logic::Term{false, code} : logic::Term{true, variable});
      if (!ground && variable == formula.variables.size())
        formula.variables.push_back({std::string(variable_name(variable)), 0, false});
    }
    atoms.push_back(std::move(atom));
  }
  if (atoms.size() == 1) {
    formula.expression = std::move(atoms[0]);
  } else {
    formula.expression.kind = Expression::Kind::conjunction;
    formula.expression.parts = std::move(atoms);
  }
  return formula;
}

// In how many ways constants can be put for the formula's variables: each must have been seen at all of its
// places.
double count_groundings(const FormulaKey& key, std::size_t variables, const logic::Network& network) {
  double product = 1;
  for (std::size_t variable = 0; variable < variables; ++variable) {
    std::vector<ConstantId> domain;
    bool first = true;
    for (std::size_t k = 0; k < 3 * key.size; ++k) {
      if (k % 3 == 0 || variable_of(key.codes[k]) != variable) continue;
      const auto& place = network.predicates[key.codes[k - k % 3]].domains[k % 3 - 1];
      std::vector<ConstantId> both;
      std::ranges::set_intersection(first ? place : domain, place, std::back_inserter(both));
      domain = std::move(both);
      first = false;
    }
    product *= static_cast<double>(domain.size());
  }
  return product;
}

void check(const StructureOptions& options) {
  if (options.longest < 1 || options.longest > kLongestChain)
    throw UsageError(
        fmt::format("formulas of up to {} literals, expected 1 to {}", options.longest, kLongestChain));
  if (options.top_predicates == 0) throw UsageError("the 0 most frequent predicates, expected 1 or more");
}

}  // namespace

StructureResult learn_structure(std::span<const io::TripletRow> rows, const StructureOptions& options) {
  check(options);
  const ImageLiterals literals = collect_literals(rows, options.top_predicates);
  if (literals.literals.empty())
    throw DataError(
        fmt::format("no triplets in {} rows, expected some to learn rules from; give captions that say what "
                    "things do with each other",
                    rows.size()));
  const FormulaCounts counts = count_formulas(literals, options);
  StructureResult result;
  result.network = empty_network(literals);
  result.images = literals.images();
  result.triplets = literals.triplets;
  result.dropped_triplets = literals.dropped;
  result.candidates = counts.candidates;
  result.capped_images = counts.capped_images;
  for (const CountedFormula& counted : counts.formulas) {
    logic::Formula formula = formula_of(counted.key, options.ground);
    const double groundings = count_groundings(counted.key, formula.variables.size(), result.network);
    if (groundings == 0) {
      ++result.empty_domains;
      continue;
    }
    const auto support = static_cast<double>(counted.support);
    formula.weight = support / groundings;
    formula.statistics = logic::FormulaStatistics{support, groundings, support / groundings,
                                                  static_cast<double>(counted.images)};
    result.network.formulas.push_back(std::move(formula));
  }
  return result;
}

}  // namespace capella::method::mln
