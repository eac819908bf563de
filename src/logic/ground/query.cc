// Queries: formulas without free variables over the atoms of a ground network.
#include <optional>

#include <fmt/format.h>

#include "capella/error.h"

#include "logic/ground/domains.h"
#include "logic/ground/formula_shape.h"
#include "logic/ground/ground.h"
#include "logic/ground/ground_tree.h"
#include "logic/ground/normal_form.h"
#include "logic/language/cursor.h"
#include "logic/language/lexer.h"
#include "logic/language/parse_formula.h"
#include "logic/language/vocabulary.h"

namespace capella::logic {
namespace {

constexpr double kMostLiterals = 1e6;

const std::string kSource = "query";

[[noreturn]] void fail(const std::string& what) {
  throw DataError(fmt::format("{}: {}", kSource, what));
}

Formula parse(std::string_view text, const Network& network) {
  const Tokens tokens = tokenize(text, kSource, 0);
  Cursor cursor(tokens.list, kSource);
  Vocabulary vocabulary(network);
  cursor.skip_line_ends();
  Formula formula = parse_formula(cursor, vocabulary);
  cursor.take(".");
  cursor.skip_line_ends();
  if (!cursor.at_end()) cursor.unexpected("an operator (^ v => <=>) or the end of the query");
  const std::vector<bool> bound = bound_variables(formula);
  for (std::size_t i = 0; i < bound.size(); ++i) {
    if (bound[i]) continue;
    fail(
        fmt::format("{} is a variable; put a constant in its place (constants begin with a capital letter or "
                    "stand in quotes) or bind it with EXIST or FORALL",
                    formula.variables[i].name));
  }
  return formula;
}

class Grounding {
 public:
  Grounding(const Formula& formula, const Network& network, const GroundNetwork& ground)
      : formula_(formula), network_(network), ground_(ground), binding_(formula.variables.size()) {
    if (formula.variables.empty()) return;
    Domains domains(network);
    for (const DomainId id : variable_domains(formula, domains)) {
      const std::span<const ConstantId> constants = domains[id].constants();
      lists_.emplace_back(constants.begin(), constants.end());
    }
    if (literals(formula.expression) > kMostLiterals) fail("FORALL or EXIST would make too many literals");
  }

  GroundTree tree() {
    TreeContext context;
    context.atom = [this](const Expression& expression) { return atom(expression); };
    context.equation = [this](const Expression& expression) {
      return value(expression.terms[0]) == value(expression.terms[1]);
    };
    context.bind = [this](std::uint32_t variable, ConstantId constant) { binding_[variable] = constant; };
    context.domain = [this](std::uint32_t variable) { return std::span<const ConstantId>(lists_[variable]); };
    return ground_tree(formula_.expression, context);
  }

 private:
  double literals(const Expression& expression) const {
    double made = expression.parts.empty() ? 1 : 0;
    for (const Expression& part : expression.parts) made += literals(part);
    if (expression.kind == Expression::Kind::for_all || expression.kind == Expression::Kind::exists)
      for (const Term& term : expression.terms) made *= static_cast<double>(lists_[term.id].size());
    return made;
  }

  ConstantId value(const Term& term) const { return term.variable ? binding_[term.id] : term.id; }

  AtomId atom(const Expression& expression) const {
    std::vector<ConstantId> arguments;
    for (const Term& term : expression.terms) arguments.push_back(value(term));
    const std::string name = atom_name(network_, expression.predicate, arguments);
    const std::optional<AtomId> id = ground_.find(name);
    if (!id) fail(fmt::format("the network has no atom {}", name));
    return *id;
  }

  const Formula& formula_;
  const Network& network_;
  const GroundNetwork& ground_;
  std::vector<ConstantId> binding_;
  std::vector<std::vector<ConstantId>> lists_;  // of variables
};

}  // namespace

Query read_query(std::string_view text, const Network& network, const GroundNetwork& ground) {
  const Formula formula = parse(text, network);
  const GroundTree tree = Grounding(formula, network, ground).tree();
  try {
    return {hard_clauses(tree)};
  } catch (const DataError& error) {
    fail(error.what());
  }
}

}  // namespace capella::logic
