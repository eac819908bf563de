#include "logic/language/directives.h"

#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "logic/language/cursor.h"
#include "logic/language/parse_formula.h"

namespace capella::logic {
namespace {

using TokenKind = Token::Kind;

constexpr std::array<std::pair<std::string_view, double FormulaStatistics::*>, 4> kCounts = {{
    {"support", &FormulaStatistics::support},
    {"groundings", &FormulaStatistics::groundings},
    {"init", &FormulaStatistics::initial},
    {"images", &FormulaStatistics::images},
}};

class Directive {
 public:
  Directive(const DirectiveLine& line, Network& network, Vocabulary& vocabulary)
      : tokens_(tokenize(line.text, network.source, line.line)),
        cursor_(tokens_.list, network.source),
        network_(network),
        vocabulary_(vocabulary) {}

  void apply() {
    const std::string_view name = cursor_.peek().text;
    if (name == "mlnver") {
      version();
    } else if (name == "pred") {
      predicate_label();
    } else if (name == "const") {
      constant_label();
    } else if (name == "domain") {
      domain();
    } else if (name == "stat") {
      statistics();
    } else {
      cursor_.unexpected(
          "one of the directives //@mlnver, //@pred, //@const, //@domain and //@stat; begin "
          "other comments with // and a space");
    }
    if (cursor_.peek().kind != TokenKind::line_end && !cursor_.at_end())
      cursor_.unexpected("the end of the line");
  }

 private:
  void version() {
    cursor_.next();
    if (cursor_.peek().text != "1") cursor_.unexpected("version 1, the only one that this program knows");
    cursor_.next();
  }

  void predicate_label() {
    cursor_.next();
    const PredicateId id = predicate();
    network_.predicates[id].label = words();
  }

  void constant_label() {
    cursor_.next();
    const std::string name = parse_constant(cursor_);
    const std::optional<ConstantId> id = vocabulary_.constant(name);
    if (!id) cursor_.fail(vocabulary_.unknown_constant(name));
    network_.constants[*id].label = words();
  }

  void domain() {
    cursor_.next();
    const PredicateId id = predicate();
    const std::size_t places = network_.predicates[id].types.size();
    const std::size_t place = whole_number("the number of an argument, counted from 1");
    if (place == 0 || place > places)
      cursor_.fail(fmt::format("found argument {} of {}, expected 1 ... {}", place,
                               network_.predicates[id].name, places));
    std::vector<ConstantId>& list = network_.predicates[id].domains[place - 1];
    if (!list.empty())
      cursor_.fail(
          fmt::format("argument {} of {} has a //@domain already", place, network_.predicates[id].name));
    const TypeId type = network_.predicates[id].types[place - 1];
    do list.push_back(constant_of(type));
    while (cursor_.peek().kind != TokenKind::line_end && !cursor_.at_end());
  }

  ConstantId constant_of(TypeId type) {
    const std::string name = parse_constant(cursor_);
    try {
      return vocabulary_.constant_of(type, name);
    } catch (const DataError& error) {
      cursor_.fail(error.what());
    }
  }

  void statistics() {
    cursor_.next();
    const std::size_t formula = whole_number("the number of a formula, counted from 0");
    if (formula >= network_.formulas.size())
      cursor_.fail(fmt::format("found formula {}, but there are {}, counted from 0", formula,
                               network_.formulas.size()));
    if (network_.formulas[formula].statistics)
      cursor_.fail(fmt::format("formula {} has a //@stat already", formula));
    FormulaStatistics& read = network_.formulas[formula].statistics.emplace();
    while (cursor_.peek().kind == TokenKind::name) count(read);
  }

  void count(FormulaStatistics& read) {
    for (const auto& [name, member] : kCounts) {
      if (cursor_.peek().text != name) continue;
      cursor_.next();
      cursor_.expect("=", "'='");
      read.*member = number();
      return;
    }
    cursor_.unexpected("support=, groundings=, init= or images=");
  }

  PredicateId predicate() {
    if (cursor_.peek().kind != TokenKind::name) cursor_.unexpected("the name of a predicate");
    const std::string_view name = cursor_.peek().text;
    const std::optional<PredicateId> id = vocabulary_.predicate(name);
    if (!id) cursor_.fail(vocabulary_.unknown_predicate(name));
    cursor_.next();
    return *id;
  }

  std::string words() {
    if (cursor_.peek().kind != TokenKind::quoted) cursor_.unexpected("what the name stands for, in quotes");
    return unquoted(cursor_.next().text);
  }

  std::size_t whole_number(std::string_view expected) {
    std::size_t value = 0;
    const std::string_view text = cursor_.peek().text;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) cursor_.unexpected(expected);
    cursor_.next();
    return value;
  }

  double number() {
    double value = 0;
    const std::string_view text = cursor_.peek().text;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || cursor_.peek().kind != TokenKind::number)
      cursor_.unexpected("a number");
    cursor_.next();
    return value;
  }

  Tokens tokens_;
  Cursor cursor_;
  Network& network_;
  Vocabulary& vocabulary_;
};

}  // namespace

void apply_directives(const std::vector<DirectiveLine>& lines, Network& network, Vocabulary& vocabulary) {
  for (const DirectiveLine& line : lines) Directive(line, network, vocabulary).apply();
}

std::string write_labels(const Network& network) {
  std::string out;
  for (const Predicate& predicate : network.predicates)
    if (predicate.label != predicate.name)
      out += fmt::format("//@pred {} {}\n", predicate.name, quoted(predicate.label));
  for (const Constant& constant : network.constants)
    if (constant.label != constant.name)
      out += fmt::format("//@const {} {}\n", format_constant(constant.name), quoted(constant.label));
  return out;
}

std::string write_domains(const Network& network) {
  std::string out;
  for (const Predicate& predicate : network.predicates) {
    for (std::size_t place = 0; place < predicate.domains.size(); ++place) {
      if (predicate.domains[place].empty()) continue;
      out += fmt::format("//@domain {} {}", predicate.name, place + 1);
      for (const ConstantId id : predicate.domains[place])
        out += " " + format_constant(network.constants[id].name);
      out += "\n";
    }
  }
  return out;
}

std::string write_statistics(std::size_t formula, const FormulaStatistics& statistics) {
  std::string out = fmt::format("//@stat {}", formula);
  for (const auto& [name, member] : kCounts) out += fmt::format(" {}={:.17g}", name, statistics.*member);
  return out + "\n";
}

}  // namespace capella::logic
