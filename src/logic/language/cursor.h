// A place in a list of tokens, and what to say when the next one is wrong.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "logic/language/lexer.h"

namespace capella::logic {

class Cursor {
 public:
  /// Both must outlive this.
  Cursor(const std::vector<Token>& tokens, const std::string& source) : tokens_(tokens), source_(source) {}
  Cursor(const std::vector<Token>&, std::string&&) = delete;
  Cursor(std::vector<Token>&&, const std::string&) = delete;

  const Token& peek(std::size_t distance = 0) const;
  const Token& next();
  std::size_t place() const { return at_; }
  void go_to(std::size_t place) { at_ = place; }
  std::size_t line() const { return peek().line; }
  bool at_end() const { return peek().kind == Token::Kind::end; }

  bool at(std::string_view sign) const { return is(peek(), sign); }
  bool take(std::string_view sign);  ///< moves on if it is there
  void expect(std::string_view sign, std::string_view what);
  void skip_line_ends();

  /// Whether the token is this sign (or the operator v).
  static bool is(const Token& token, std::string_view sign);

  /// "SOURCE:LINE: found X, expected ..."
  [[noreturn]] void unexpected(std::string_view expected) const;
  /// "SOURCE:LINE: ..." of the next token's line, or of another.
  [[noreturn]] void fail(const std::string& what) const { fail(line(), what); }
  [[noreturn]] void fail(std::size_t line, const std::string& what) const;

 private:
  const std::vector<Token>& tokens_;
  const std::string& source_;
  std::size_t at_ = 0;
};

}  // namespace capella::logic
