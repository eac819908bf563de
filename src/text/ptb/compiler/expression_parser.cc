#include "text/ptb/compiler/expression_parser.h"

#include <cctype>
#include <charconv>
#include <stdexcept>

namespace capella::text::ptb::compiler {
namespace {

using Kind = Expression::Kind;

ExpressionPtr make(Expression expression) {
  return std::make_shared<Expression>(std::move(expression));
}

bool is_word_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Lower and upper case of one ASCII character.
UnitSet either_case(char c) {
  UnitSet set;
  for (const int unit :
       {std::tolower(static_cast<unsigned char>(c)), std::toupper(static_cast<unsigned char>(c))}) {
    set.add(static_cast<std::uint32_t>(unit), static_cast<std::uint32_t>(unit));
  }
  return set;
}

ExpressionPtr group(Kind kind, std::vector<ExpressionPtr> children) {
  if (children.size() == 1) return children.front();
  return make({kind, {}, std::move(children)});
}

}  // namespace

ExpressionPtr ExpressionParser::choice() {
  std::vector<ExpressionPtr> ways = {sequence()};
  while (take('|')) ways.push_back(sequence());
  return group(Kind::choice, std::move(ways));
}

ExpressionPtr ExpressionParser::sequence() {
  std::vector<ExpressionPtr> pieces;
  for (skip_blanks(); !at_end() && text_[position_] != '|' && text_[position_] != ')'; skip_blanks()) {
    if (peek_word() == "before") break;
    pieces.push_back(repetition());
  }
  if (pieces.empty()) throw std::runtime_error("an expression was expected");
  return group(Kind::sequence, std::move(pieces));
}

ExpressionPtr ExpressionParser::repetition() {
  ExpressionPtr expression = atom();
  const auto repeat = [&expression](int least, int most) {
    expression = make({Kind::repeat, {}, {expression}, least, most});
  };
  while (true) {
    if (take('?')) {
      repeat(0, 1);
    } else if (take('*')) {
      repeat(0, Expression::kUnbounded);
    } else if (take('+')) {
      repeat(1, Expression::kUnbounded);
    } else if (take('{')) {
      const int least = number();
      const int most = take(',') ? number() : least;
      if (!take('}')) throw std::runtime_error("} was expected");
      repeat(least, most);
    } else {
      return expression;
    }
  }
}

ExpressionPtr ExpressionParser::atom() {
  if (take('(')) {
    ExpressionPtr inner = choice();
    if (!take(')')) throw std::runtime_error(") was expected");
    return inner;
  }
  if (take('"')) return literal();
  if (take('[')) return set();
  return name();
}

ExpressionPtr ExpressionParser::literal() {
  std::vector<ExpressionPtr> units;
  for (char c = next(); c != '"'; c = next()) units.push_back(make({Kind::set, either_case(c)}));
  if (units.empty()) throw std::runtime_error("an empty literal");
  return group(Kind::sequence, std::move(units));
}

ExpressionPtr ExpressionParser::set() {
  UnitSet units;
  const bool negated = take('^');
  while (!take(']')) {
    const std::uint32_t first = set_unit();
    std::uint32_t last = first;
    if (!at_end() && text_[position_] == '-') {
      ++position_;
      last = set_unit();
    }
    if (last < first) throw std::runtime_error("a range that runs backwards");
    units.add(first, last);
  }
  return make({Kind::set, negated ? units.complement() : units});
}

std::uint32_t ExpressionParser::set_unit() {
  const char c = next();
  if (c != '\\') return static_cast<unsigned char>(c);
  const char escaped = next();
  switch (escaped) {
    case '_':
      return ' ';
    case 't':
      return '\t';
    case 'n':
      return '\n';
    case 'f':
      return '\f';
    case 'r':
      return '\r';
    case 'u': {
      std::uint32_t unit = 0;
      const char* begin = text_.data() + position_;
      const auto [end, error] =
          std::from_chars(begin, text_.data() + std::min(position_ + 4, text_.size()), unit, 16);
      if (error != std::errc() || end != begin + 4)
        throw std::runtime_error("\\u needs four hexadecimal digits");
      position_ += 4;
      return unit;
    }
    default:
      return static_cast<unsigned char>(escaped);
  }
}

ExpressionPtr ExpressionParser::name() {
  const std::string_view word = peek_word();
  const auto found = names_.find(word);
  if (found == names_.end()) {
    throw std::runtime_error("nothing is called '" + std::string(word) + "' at '" +
                             std::string(text_.substr(position_)) + "'");
  }
  position_ += word.size();
  return found->second;
}

int ExpressionParser::number() {
  int value = 0;
  const char* end = text_.data() + text_.size();
  const auto [stop, error] = std::from_chars(text_.data() + position_, end, value);
  if (error != std::errc()) throw std::runtime_error("a number was expected");
  position_ = static_cast<std::size_t>(stop - text_.data());
  return value;
}

bool ExpressionParser::take_word(std::string_view word) {
  skip_blanks();
  if (peek_word() != word) return false;
  position_ += word.size();
  return true;
}

void ExpressionParser::expect_end() {
  skip_blanks();
  if (!at_end()) throw std::runtime_error("'" + std::string(text_.substr(position_)) + "' is left over");
}

void ExpressionParser::skip_blanks() {
  while (!at_end() && text_[position_] == ' ') ++position_;
}

bool ExpressionParser::at_end() {
  return position_ >= text_.size();
}

bool ExpressionParser::take(char c) {
  skip_blanks();
  if (at_end() || text_[position_] != c) return false;
  ++position_;
  return true;
}

char ExpressionParser::next() {
  if (at_end()) throw std::runtime_error("the line ends too early");
  return text_[position_++];
}

std::string_view ExpressionParser::peek_word() {
  std::size_t end = position_;
  while (end < text_.size() && is_word_char(text_[end])) ++end;
  return text_.substr(position_, end - position_);
}

}  // namespace capella::text::ptb::compiler
