#include "logic/language/parse_formula.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"

namespace capella::logic {
namespace {

using TokenKind = Token::Kind;
using Kind = Expression::Kind;

constexpr TypeId kNoType = std::numeric_limits<TypeId>::max();

constexpr std::size_t kMostVariables = 1'000;

/// A part that has been read, and how deep it is.
struct Part {
  Expression expression;
  std::size_t height = 0;
};

Part node(Kind kind) {
  Part made;
  made.expression.kind = kind;
  return made;
}

bool is_constant(const Token& token) {
  return token.kind == TokenKind::quoted || token.kind == TokenKind::number ||
         (token.kind == TokenKind::name && !is_lower(token.text) && !is_reserved(token.text));
}

bool is_variable(const Token& token) {
  return token.kind == TokenKind::name && is_lower(token.text) && !is_reserved(token.text);
}

class Parser {
 public:
  Parser(Cursor& cursor, Vocabulary& vocabulary) : cursor_(cursor), vocabulary_(vocabulary) {}

  Formula parse() {
    formula_.line = cursor_.line();
    formula_.expression = equivalence().expression;
    finish_types();
    return std::move(formula_);
  }

 private:
  struct Equation {
    Term left, right;
    std::size_t line;
  };

  // Operators, the weakest first.
  Part equivalence() {
    const Deeper deeper(*this);
    Part left = implication();
    while (take_operator("<=>")) left = join(Kind::equivalence, std::move(left), implication());
    return left;
  }

  Part implication() {
    const Deeper deeper(*this);
    Part left = list_of(Kind::disjunction);
    if (!take_operator("=>")) return left;
    return join(Kind::implication, std::move(left), implication());
  }

  Part list_of(Kind kind) {
    const bool any = kind == Kind::disjunction;
    const auto next = [&] { return any ? list_of(Kind::conjunction) : unary(); };
    Part first = next();
    if (!cursor_.at(any ? "v" : "^")) return first;
    Part made = node(kind);
    add(made, std::move(first));
    while (take_operator(any ? "v" : "^")) add(made, next());
    return made;
  }

  Part unary() {
    const Deeper deeper(*this);
    if (cursor_.take("!")) {
      Part made = node(Kind::negation);
      add(made, unary());
      return made;
    }
    const Token& token = cursor_.peek();
    if (token.kind == TokenKind::name && (is_for_all(token.text) || is_exist(token.text)))
      return quantified();
    if (cursor_.take("(")) {
      cursor_.skip_line_ends();
      Part inside = equivalence();
      cursor_.expect(")", "an operator (^ v => <=>) or ')'");
      return inside;
    }
    return cursor_.peek().kind == TokenKind::name && Cursor::is(cursor_.peek(1), "(") ? atom() : equation();
  }

  // Binds all that follows, up to the next unopened parenthesis.
  Part quantified() {
    Part made = node(is_exist(cursor_.next().text) ? Kind::exists : Kind::for_all);
    const std::size_t outside = bound_.size();
    do {
      cursor_.skip_line_ends();
      if (!is_variable(cursor_.peek()))
        cursor_.unexpected("a variable, which begins with a lower-case letter");
      made.expression.terms.push_back({true, add_variable(std::string(cursor_.next().text))});
      bound_.push_back(made.expression.terms.back().id);
    } while (cursor_.take(","));
    add(made, equivalence());
    bound_.resize(outside);
    return made;
  }

  Part atom() {
    const Token& name = cursor_.next();
    const std::optional<PredicateId> predicate = vocabulary_.predicate(name.text);
    if (!predicate) cursor_.fail(name.line, vocabulary_.unknown_predicate(name.text));
    cursor_.expect("(", "'('");
    Part made = node(Kind::atom);
    made.expression.predicate = *predicate;
    while (!cursor_.take(")")) {
      if (!made.expression.terms.empty()) {
        cursor_.expect(",", "',' or ')'");
        cursor_.skip_line_ends();
      }
      argument(made.expression, name);
    }
    check_count(made.expression, name);
    return made;
  }

  void argument(Expression& made, const Token& name) {
    const Predicate& predicate = vocabulary_.network().predicates[made.predicate];
    const std::size_t place = made.terms.size();
    if (place == predicate.types.size()) {
      cursor_.fail(fmt::format("{} has more arguments than the {} of its declaration", excerpt(name.text),
                               predicate.types.size()));
    }
    if (is_constant(cursor_.peek())) {
      const std::size_t line = cursor_.line();
      const std::string constant = parse_constant(cursor_);
      try {
        made.terms.push_back({false, vocabulary_.constant_of(predicate.types[place], constant)});
      } catch (const DataError& error) {
        cursor_.fail(line, error.what());
      }
    } else {
      made.terms.push_back(variable());
      set_type(made.terms.back().id, made.predicate, place);
    }
  }

  void check_count(const Expression& made, const Token& name) const {
    const std::size_t expected = vocabulary_.network().predicates[made.predicate].types.size();
    if (made.terms.size() == expected) return;
    cursor_.fail(name.line,
                 fmt::format("{} has {} argument{}, expected {} as in its declaration", excerpt(name.text),
                             made.terms.size(), made.terms.size() == 1 ? "" : "s", expected));
  }

  Part equation() {
    const std::size_t line = cursor_.line();
    Part made = node(Kind::equal);
    made.expression.terms.push_back(side_of_equation());
    const bool differ = cursor_.at("!=");
    if (!differ && !cursor_.at("=")) cursor_.unexpected("= or !=, or '(' behind a predicate");
    cursor_.next();
    made.expression.terms.push_back(side_of_equation());
    equations_.push_back({made.expression.terms[0], made.expression.terms[1], line});
    if (!differ) return made;
    Part negation = node(Kind::negation);
    add(negation, std::move(made));
    return negation;
  }

  Term side_of_equation() {
    const Token& token = cursor_.peek();
    if (!is_constant(token)) return variable();
    const std::string name = parse_constant(cursor_);
    const std::optional<ConstantId> constant = vocabulary_.constant(name);
    if (!constant) cursor_.fail(token.line, vocabulary_.unknown_constant(name));
    return {false, *constant};
  }

  Term variable() {
    const bool per_constant = cursor_.take("+");
    if (!is_variable(cursor_.peek())) {
      cursor_.unexpected(per_constant ? "a variable behind '+'"
                                      : "an atom such as Name(x,y), a variable, a constant, '!' or '('");
    }
    const std::string name(cursor_.next().text);
    const std::uint32_t id = find_variable(name);
    if (per_constant && std::ranges::find(bound_, id) != bound_.end())
      cursor_.fail(fmt::format("'+{}' is bound by FORALL or EXIST; only other variables may have a +", name));
    formula_.variables[id].per_constant |= per_constant;
    return {true, id};
  }

  std::uint32_t find_variable(const std::string& name) {
    const auto same = [&](std::uint32_t id) { return formula_.variables[id].name == name; };
    const auto inner = std::find_if(bound_.rbegin(), bound_.rend(), same);
    if (inner != bound_.rend()) return *inner;
    const auto open = std::ranges::find_if(free_, same);
    if (open != free_.end()) return *open;
    free_.push_back(add_variable(name));
    return free_.back();
  }

  std::uint32_t add_variable(std::string name) {
    if (formula_.variables.size() == kMostVariables)
      cursor_.fail(fmt::format("the formula has more than {} variables; take it apart", kMostVariables));
    formula_.variables.push_back({std::move(name), kNoType, false});
    typed_by_.emplace_back();
    return static_cast<std::uint32_t>(formula_.variables.size() - 1);
  }

  void set_type(std::uint32_t id, PredicateId predicate, std::size_t place) {
    const Network& network = vocabulary_.network();
    const TypeId type = network.predicates[predicate].types[place];
    Variable& variable = formula_.variables[id];
    if (variable.type == kNoType) {
      variable.type = type;
      typed_by_[id] = {predicate, place};
    } else if (variable.type != type) {
      const auto where = [&](PredicateId p, std::size_t k) {
        return fmt::format("{} (argument {} of {})", network.types[network.predicates[p].types[k]].name,
                           k + 1, network.predicates[p].name);
      };
      cursor_.fail(fmt::format("variable {} stands for two types, {} and {}; use two variables",
                               variable.name, where(typed_by_[id].first, typed_by_[id].second),
                               where(predicate, place)));
    }
  }

  // Variables that stand in no atom have the types of those that they are compared with.
  void finish_types() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Equation& equation : equations_) changed |= share_type(equation);
    }
    for (const Variable& variable : formula_.variables) {
      if (variable.type != kNoType) continue;
      cursor_.fail(formula_.line,
                   fmt::format("variable {} stands in no predicate, so that it has no type", variable.name));
    }
  }

  bool share_type(const Equation& equation);

  bool take_operator(std::string_view sign) {
    if (!cursor_.take(sign)) return false;
    cursor_.skip_line_ends();
    return true;
  }

  void add(Part& whole, Part part) {
    whole.height = std::max(whole.height, part.height + 1);
    if (whole.height > kDeepestFormula) too_deep();
    whole.expression.parts.push_back(std::move(part.expression));
  }

  Part join(Kind kind, Part left, Part right) {
    Part made = node(kind);
    add(made, std::move(left));
    add(made, std::move(right));
    return made;
  }

  [[noreturn]] void too_deep() const {
    cursor_.fail(fmt::format("the formula is nested more than {} deep; take it apart", kDeepestFormula));
  }

  struct Deeper {
    explicit Deeper(Parser& owner) : parser(owner) {
      if (++parser.depth_ > 4 * kDeepestFormula) parser.too_deep();
    }
    ~Deeper() { --parser.depth_; }
    Parser& parser;
  };

  Cursor& cursor_;
  Vocabulary& vocabulary_;
  Formula formula_;
  std::vector<std::uint32_t> free_, bound_;  // variables; the innermost bound one is last
  std::vector<std::pair<PredicateId, std::size_t>> typed_by_;
  std::vector<Equation> equations_;
  std::size_t depth_ = 0;
};

bool Parser::share_type(const Equation& equation) {
  if (!equation.left.variable || !equation.right.variable) return false;
  Variable& left = formula_.variables[equation.left.id];
  Variable& right = formula_.variables[equation.right.id];
  if (left.type == right.type) return false;
  if (left.type != kNoType && right.type != kNoType) {
    const std::vector<Type>& types = vocabulary_.network().types;
    cursor_.fail(equation.line,
                 fmt::format("{} and {} are compared but have different types, {} and {}", left.name,
                             right.name, types[left.type].name, types[right.type].name));
  }
  (left.type == kNoType ? left.type : right.type) = left.type == kNoType ? right.type : left.type;
  return true;
}

}  // namespace

Formula parse_formula(Cursor& cursor, Vocabulary& vocabulary) {
  return Parser(cursor, vocabulary).parse();
}

std::string parse_constant(Cursor& cursor) {
  if (!is_constant(cursor.peek()))
    cursor.unexpected(
        "a constant: a name that does not begin with a lower-case letter, a number or a quoted text");
  const Token& token = cursor.next();
  return token.kind == TokenKind::quoted ? unquoted(token.text) : std::string(token.text);
}

}  // namespace capella::logic
