// Reads one expression of the grammar: sets, literals, names, choices and repetitions.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "text/ptb/compiler/grammar.h"

namespace capella::text::ptb::compiler {

using Names = std::map<std::string, ExpressionPtr, std::less<>>;

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const Names& names) : text_(text), names_(names) {}
  ExpressionParser(std::string&& text, const Names& names) = delete;

  ExpressionPtr choice();
  /// Consumes `word` if it comes next.
  bool take_word(std::string_view word);
  void expect_end();

 private:
  ExpressionPtr sequence();
  ExpressionPtr repetition();
  ExpressionPtr atom();
  ExpressionPtr literal();
  ExpressionPtr set();
  ExpressionPtr name();
  std::uint32_t set_unit();
  int number();

  void skip_blanks();
  bool at_end();
  bool take(char c);
  char next();
  std::string_view peek_word();

  std::string_view text_;
  std::size_t position_ = 0;
  const Names& names_;
};

}  // namespace capella::text::ptb::compiler
