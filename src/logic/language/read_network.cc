// Reads .mln files: first all declarations, then the formulas, then the directives.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "logic/language/cursor.h"
#include "logic/language/directives.h"
#include "logic/language/language.h"
#include "logic/language/lexer.h"
#include "logic/language/parse_formula.h"
#include "logic/language/vocabulary.h"

namespace capella::logic {
namespace {

using TokenKind = Token::Kind;

constexpr std::size_t kMostConstants = 1'000'000;

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

class Reader {
 public:
  Reader(const Tokens& tokens, Network& network)
      : tokens_(tokens),
        cursor_(tokens.list, network.source),
        network_(network),
        vocabulary_(network, Vocabulary::NewConstants::of_undeclared_types) {}

  void read() {
    read_declarations();
    for (const std::size_t start : formulas_) {
      cursor_.go_to(start);
      read_formula();
    }
    apply_directives(tokens_.directives, network_, vocabulary_);
  }

 private:
  void read_declarations() {
    cursor_.skip_line_ends();
    while (!cursor_.at_end()) {
      if (cursor_.peek().kind == TokenKind::name && Cursor::is(cursor_.peek(1), "=") &&
          Cursor::is(cursor_.peek(2), "{")) {
        read_type();
      } else if (is_declaration()) {
        read_predicate();
      } else {
        formulas_.push_back(cursor_.place());
        skip_formula();
      }
    }
  }

  // A formula goes on in the next line behind an operator, a comma or an open parenthesis.
  void skip_formula() {
    for (bool open = false; !cursor_.at_end();) {
      const Token& token = cursor_.next();
      if (token.kind == TokenKind::line_end && !open) return;
      open = false;
      for (const std::string_view sign : {"(", ",", "^", "v", "=>", "<=>"}) open |= Cursor::is(token, sign);
    }
  }

  void read_type() {
    const Token& name = cursor_.next();
    if (!is_lower(name.text) || is_reserved(name.text))
      cursor_.fail(name.line,
                   fmt::format("'{}' cannot be the name of a type: it must begin with a lower-case "
                               "letter",
                               excerpt(name.text)));
    const TypeId type = vocabulary_.add_type(name.text);
    if (vocabulary_.declared(type) != 0)
      cursor_.fail(name.line, fmt::format("type {} is declared already in line {}", name.text,
                                          vocabulary_.declared(type)));
    vocabulary_.set_declared(type, name.line);
    network_.types[type].listed = true;
    last_constant_.clear();
    cursor_.next();
    cursor_.next();
    cursor_.skip_line_ends();
    while (!cursor_.take("}")) {
      read_constant(type);
      cursor_.skip_line_ends();
      if (cursor_.take(",")) {
        cursor_.skip_line_ends();
      } else if (!cursor_.at("}")) {
        cursor_.unexpected("',' or '}'");
      }
    }
    end_of_statement();
  }

  // A constant, or ... between two whole numbers.
  void read_constant(TypeId type) {
    if (!cursor_.at("...")) {
      last_constant_ = parse_constant(cursor_);
      return vocabulary_.add_to_type(type, last_constant_);
    }
    cursor_.next();
    cursor_.expect(",", "',' behind ...");
    const std::optional<std::int64_t> first = whole_number(last_constant_);
    const std::optional<std::int64_t> last = whole_number(cursor_.peek().text);
    if (!first || !last || *first < 0 || *last < *first)
      cursor_.fail("... stands between two whole numbers, as in {1,...,9}");
    if (static_cast<std::size_t>(*last - *first) >
        kMostConstants - std::min(kMostConstants, network_.constants.size()))
      cursor_.fail(
          fmt::format("{} ... {} and the other constants are more than {}", *first, *last, kMostConstants));
    for (std::int64_t value = *first; value < *last; ++value)
      vocabulary_.add_to_type(type, std::to_string(value + 1));
    cursor_.next();
  }

  // Name(type,type,...) alone in a line is a declaration where the predicate is new, or where all arguments
  // are names of types.
  bool is_declaration() const {
    if (cursor_.peek().kind != TokenKind::name || !Cursor::is(cursor_.peek(1), "(")) return false;
    std::size_t k = 2;
    bool all_types = !Cursor::is(cursor_.peek(2), ")");
    for (; !Cursor::is(cursor_.peek(k), ")"); ++k) {
      const Token& token = cursor_.peek(k);
      if (Cursor::is(token, ",")) continue;
      if (token.kind != TokenKind::name || !is_lower(token.text)) return false;
      all_types &= vocabulary_.type(token.text).has_value();
    }
    const bool alone = cursor_.peek(k + 1).kind == TokenKind::line_end;
    return alone && (all_types || !vocabulary_.predicate(cursor_.peek().text));
  }

  void read_predicate() {
    const Token& name = cursor_.next();
    if (is_reserved(name.text))
      cursor_.fail(name.line, fmt::format("'{}' cannot be the name of a predicate", name.text));
    const auto [place, added] = declared_.try_emplace(name.text, name.line);
    if (!added)
      cursor_.fail(name.line, fmt::format("{} is declared already in line {}; if this is a formula, its "
                                          "variables need other names than those of types",
                                          name.text, place->second));
    cursor_.next();
    std::vector<TypeId> types;
    while (!cursor_.take(")")) {
      if (!types.empty()) cursor_.expect(",", "',' or ')'");
      if (cursor_.peek().kind != TokenKind::name || is_reserved(cursor_.peek().text))
        cursor_.unexpected("the name of a type");
      types.push_back(vocabulary_.add_type(cursor_.next().text));
    }
    const PredicateId id = vocabulary_.add_predicate(name.text, std::move(types));
    network_.predicates[id].line = name.line;
    end_of_statement();
  }

  void read_formula() {
    const std::size_t line = cursor_.line();
    std::optional<double> weight;
    if (cursor_.peek().kind == TokenKind::number) weight = read_weight();
    Formula formula = parse_formula(cursor_, vocabulary_);
    formula.line = line;
    if (cursor_.at(".")) {
      if (weight)
        cursor_.fail("the formula has a weight and a period; a period makes it hard: leave one out");
      cursor_.next();
      weight = kHard;
    }
    formula.weight = weight;
    end_of_statement();
    network_.formulas.push_back(std::move(formula));
  }

  double read_weight() {
    std::string_view text = cursor_.peek().text;
    if (text.starts_with('+')) text.remove_prefix(1);
    double weight = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), weight);
    if (error != std::errc() || end != text.data() + text.size() || !(std::fabs(weight) <= kMostWeight))
      cursor_.unexpected(fmt::format(
          "a weight within +-{:g}; a formula that always holds has a period behind it instead", kMostWeight));
    cursor_.next();
    return weight;
  }

  void end_of_statement() {
    if (cursor_.peek().kind != TokenKind::line_end && !cursor_.at_end())
      cursor_.unexpected("an operator (^ v => <=>), a period or the end of the line");
    cursor_.skip_line_ends();
  }

  const Tokens& tokens_;
  Cursor cursor_;
  Network& network_;
  Vocabulary vocabulary_;
  std::string last_constant_;
  std::map<std::string_view, std::size_t> declared_;  // lines of predicates
  std::vector<std::size_t> formulas_;                 // places of their first tokens
};

}  // namespace

std::optional<PredicateId> Network::find_predicate(std::string_view name) const {
  for (PredicateId id = 0; id < predicates.size(); ++id)
    if (predicates[id].name == name) return id;
  return {};
}

std::optional<ConstantId> Network::find_constant(std::string_view name) const {
  for (ConstantId id = 0; id < constants.size(); ++id)
    if (constants[id].name == name) return id;
  return {};
}

Network read_network(std::string_view text, const std::string& source) {
  Network network;
  network.source = source;
  const Tokens tokens = tokenize(text, source);
  Reader(tokens, network).read();
  return network;
}

}  // namespace capella::logic
