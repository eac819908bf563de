// Writes .mln files and formulas, with no more parentheses than reading needs (and a few where people do).
#include <cmath>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "logic/language/directives.h"
#include "logic/language/language.h"
#include "logic/language/lexer.h"

namespace capella::logic {
namespace {

using Kind = Expression::Kind;

bool is_not_equal(const Expression& expression) {
  return expression.kind == Kind::negation && expression.parts[0].kind == Kind::equal;
}

/// How strongly the expression holds together; a part in an operator must hold more strongly than that.
int strength(const Expression& expression) {
  switch (expression.kind) {
    case Kind::for_all:
    case Kind::exists:
      return 0;
    case Kind::equivalence:
      return 1;
    case Kind::implication:
      return 2;
    case Kind::disjunction:
      return 3;
    case Kind::conjunction:
      return 4;
    case Kind::negation:
      return 5;
    case Kind::atom:
    case Kind::equal:
      break;
  }
  return 6;
}

class Writer {
 public:
  Writer(const Formula& formula, const Network& network) : formula_(formula), network_(network) {}

  std::string write() {
    put(formula_.expression);
    return std::move(out_);
  }

 private:
  void put(const Expression& expression) {
    switch (expression.kind) {
      case Kind::atom:
        return put_atom(expression);
      case Kind::equal:
        return put_equation(expression, " = ");
      case Kind::negation:
        if (is_not_equal(expression)) return put_equation(expression.parts[0], " != ");
        out_ += '!';
        return put_part(expression.parts[0], strength(expression) - 1);
      case Kind::conjunction:
        return put_list(expression, " ^ ");
      case Kind::disjunction:
        return put_list(expression, " v ");
      case Kind::implication:
        return put_list(expression, " => ");
      case Kind::equivalence:
        return put_list(expression, " <=> ");
      case Kind::for_all:
      case Kind::exists:
        return put_quantified(expression);
    }
  }

  void put_part(const Expression& part, int outside) {
    const bool enclosed = strength(part) <= outside;
    if (enclosed) out_ += '(';
    put(part);
    if (enclosed) out_ += ')';
  }

  // A list of one part stays one: (A(x)) is no conjunction, so it is written as its part.
  void put_list(const Expression& expression, std::string_view sign) {
    for (std::size_t i = 0; i < expression.parts.size(); ++i) {
      if (i > 0) out_ += sign;
      put_part(expression.parts[i], strength(expression));
    }
  }

  void put_quantified(const Expression& expression) {
    out_ += expression.kind == Kind::exists ? "EXIST " : "FORALL ";
    for (std::size_t i = 0; i < expression.terms.size(); ++i) {
      if (i > 0) out_ += ',';
      put_term(expression.terms[i]);
    }
    out_ += ' ';
    const Expression& body = expression.parts[0];
    const bool quantifier = body.kind == Kind::for_all || body.kind == Kind::exists;
    put_part(body, quantifier ? -1 : 4);
  }

  void put_atom(const Expression& atom) {
    out_ += network_.predicates[atom.predicate].name + '(';
    for (std::size_t i = 0; i < atom.terms.size(); ++i) {
      if (i > 0) out_ += ',';
      put_term(atom.terms[i]);
    }
    out_ += ')';
  }

  void put_equation(const Expression& equation, std::string_view sign) {
    put_term(equation.terms[0]);
    out_ += sign;
    put_term(equation.terms[1]);
  }

  void put_term(const Term& term) {
    if (!term.variable) {
      out_ += format_constant(network_.constants[term.id].name);
      return;
    }
    const Variable& variable = formula_.variables[term.id];
    if (variable.per_constant) out_ += '+';
    out_ += variable.name;
  }

  const Formula& formula_;
  const Network& network_;
  std::string out_;
};

void check_name(std::string_view name, std::string_view what, bool lower) {
  if (is_name(name) && !is_reserved(name) && (!lower || is_lower(name))) return;
  throw DataError(fmt::format("'{}' cannot be written as the name of a {}; use letters, digits and _{}",
                              excerpt(name), what, lower ? ", a lower-case letter first" : ""));
}

void check_names(const Network& network) {
  for (const Type& type : network.types) check_name(type.name, "type", true);
  for (const Predicate& predicate : network.predicates) check_name(predicate.name, "predicate", false);
  for (const Formula& formula : network.formulas)
    for (const Variable& variable : formula.variables) check_name(variable.name, "variable", true);
}

// Without a weight, a line that begins with a number would have one, and an atom of variables that are called
// like types would be a declaration.
bool needs_parentheses(const Formula& formula, std::string_view text, const Network& network) {
  if (formula.weight && *formula.weight != kHard) return false;
  if (!text.empty() && ((text[0] >= '0' && text[0] <= '9') || text[0] == '-' || text[0] == '+')) return true;
  if (formula.weight || formula.expression.kind != Kind::atom) return false;
  for (const Term& term : formula.expression.terms) {
    if (!term.variable) return false;
    bool is_type = false;
    for (const Type& type : network.types) is_type |= type.name == formula.variables[term.id].name;
    if (!is_type) return false;
  }
  return !formula.expression.terms.empty();
}

std::string formula_line(const Formula& formula, const Network& network) {
  std::string text = format_formula(formula, network);
  if (needs_parentheses(formula, text, network)) text = "(" + text + ")";
  if (!formula.weight) return text + "\n";
  if (*formula.weight == kHard) return text + ".\n";
  if (!is_weight(*formula.weight))
    throw DataError(
        fmt::format("the formula {} has the weight {}, which cannot be written", text, *formula.weight));
  return fmt::format("{:.17g} {}\n", *formula.weight, text);
}

}  // namespace

std::string format_constant(std::string_view name) {
  if (is_name(name) && !is_lower(name) && !is_reserved(name)) return std::string(name);
  const bool digits = !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
  return digits ? std::string(name) : quoted(name);
}

std::string format_formula(const Formula& formula, const Network& network) {
  return Writer(formula, network).write();
}

std::string write_network(const Network& network) {
  check_names(network);
  std::string out = "//@mlnver 1\n" + write_labels(network);
  for (const Type& type : network.types) {
    out += type.name + " = {";
    for (std::size_t i = 0; i < type.constants.size(); ++i)
      out += (i > 0 ? ", " : "") + format_constant(network.constants[type.constants[i]].name);
    out += "}\n";
  }
  for (const Predicate& predicate : network.predicates) {
    out += predicate.name + '(';
    for (std::size_t i = 0; i < predicate.types.size(); ++i)
      out += (i > 0 ? "," : "") + network.types[predicate.types[i]].name;
    out += ")\n";
  }
  out += write_domains(network);
  for (std::size_t i = 0; i < network.formulas.size(); ++i) {
    out += formula_line(network.formulas[i], network);
    if (network.formulas[i].statistics) out += write_statistics(i, *network.formulas[i].statistics);
  }
  return out;
}

}  // namespace capella::logic
