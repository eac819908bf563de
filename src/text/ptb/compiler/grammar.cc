#include "text/ptb/compiler/grammar.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>

#include "text/ptb/action.h"
#include "text/ptb/compiler/expression_parser.h"

namespace capella::text::ptb::compiler {
namespace {

struct Line {
  int number;
  std::string text;
};

/// Takes the mark off a line that is for one edition only; false if it is for another one.
bool belongs_to(std::string_view edition, std::string& line) {
  constexpr std::string_view kMark = "in ";
  if (!line.starts_with(kMark)) return true;
  const std::size_t colon = line.find(": ");
  if (colon == std::string::npos) throw std::runtime_error("'in EDITION:' was expected");
  const bool mine = std::string_view(line).substr(kMark.size(), colon - kMark.size()) == edition;
  line.erase(0, colon + 2);
  return mine;
}

/// Joins continuation lines and leaves comments out, and the lines of other editions.
std::vector<Line> logical_lines(std::string_view text, std::string_view edition) {
  std::vector<Line> lines;
  std::istringstream in{std::string(text)};
  std::string line;
  bool mine = true;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    if (line.front() != ' ') {
      mine = belongs_to(edition, line);
      if (mine) lines.push_back({number, line});
    } else if (mine && !lines.empty()) {
      lines.back().text += line;
    }
  }
  return lines;
}

std::uint16_t action_bit(std::string_view name) {
  static const std::map<std::string_view, Action> kNames = {
      {"skip", kSkip},
      {"newline", kNewline},
      {"becomes", kBecomes},
      {"give_back", kGiveBack},
      {"stop_twice", kStopTwice},
      {"initial", kInitial},
      {"no_break", kNoBreak},
      {"drop_shy", kDropShy},
      {"plain_amp", kPlainAmp},
      {"brackets", kBrackets},
      {"close_quotes", kCloseQuotes},
      {"open_quotes", kOpenQuotes},
      {"short_dashes", kShortDashes},
      {"spell_fraction", kSpellFraction},
      {"spell_currency", kSpellCurrency},
  };
  const auto found = kNames.find(name);
  if (found == kNames.end()) throw std::runtime_error("unknown action '" + std::string(name) + "'");
  return found->second;
}

void parse_actions(std::string text, Rule& rule) {
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream words(text);
  std::string word;
  while (words >> word) {
    const std::uint16_t bit = action_bit(word);
    rule.actions = static_cast<std::uint16_t>(rule.actions | bit);
    if (bit == kBecomes) words >> rule.becomes;
    if (bit == kGiveBack) words >> rule.give_back;
  }
}

Rule parse_rule(std::string name, std::string text, const Names& names) {
  Rule rule;
  rule.name = std::move(name);
  constexpr std::string_view kArrow = " => ";
  if (const std::size_t arrow = text.rfind(kArrow); arrow != std::string::npos) {
    parse_actions(text.substr(arrow + kArrow.size()), rule);
    text.resize(arrow);
  }
  ExpressionParser parser(text, names);
  rule.body = parser.choice();
  if (parser.take_word("before")) rule.tail = parser.choice();
  parser.expect_end();
  return rule;
}

Names built_in_names(const UnicodeData& unicode) {
  Names names;
  const auto add = [&names](const std::string& name, UnitSet set) {
    names[name] = std::make_shared<Expression>(Expression{Expression::Kind::set, std::move(set)});
  };
  add("ANY", UnitSet(0, kUnits - 1));
  for (const char* name : {"LETTER", "DIGIT", "UPPER"}) {
    UnitSet set;
    for (const CodeRange& range : unicode.sets.at(name)) set.add(range.first, range.last);
    add(name, std::move(set));
  }
  return names;
}

}  // namespace

std::vector<Rule> parse_grammar(std::string_view text, std::string_view edition, const UnicodeData& unicode) {
  Names names = built_in_names(unicode);
  std::vector<Rule> rules;
  for (const Line& line : logical_lines(text, edition)) {
    try {
      std::istringstream words(line.text);
      std::string kind, name, equals, rest;
      words >> kind >> name >> equals;
      std::getline(words, rest);
      if (equals != "=") throw std::runtime_error("'part NAME =' or 'token NAME =' was expected");
      Rule rule = parse_rule(name, rest, names);
      if (kind == "part") {
        names[name] = rule.body;
      } else {
        rules.push_back(std::move(rule));
      }
    } catch (const std::runtime_error& error) {
      throw std::runtime_error("line " + std::to_string(line.number) + ": " + error.what());
    }
  }
  return rules;
}

int fixed_length(const Expression& expression) {
  using Kind = Expression::Kind;
  if (expression.kind == Kind::set) return 1;
  if (expression.kind == Kind::repeat) {
    const int once = fixed_length(*expression.children.front());
    return once >= 0 && expression.least == expression.most ? once * expression.least : -1;
  }
  const bool sequence = expression.kind == Kind::sequence;
  int length = sequence ? 0 : fixed_length(*expression.children.front());
  for (const ExpressionPtr& child : expression.children) {
    const int one = fixed_length(*child);
    if (one < 0 || length < 0) return -1;
    if (sequence) {
      length += one;
    } else if (one != length) {
      return -1;
    }
  }
  return length;
}

}  // namespace capella::text::ptb::compiler
