#include "logic/language/cursor.h"

#include <algorithm>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"

namespace capella::logic {

const Token& Cursor::peek(std::size_t distance) const {
  return tokens_[std::min(at_ + distance, tokens_.size() - 1)];
}

const Token& Cursor::next() {
  const Token& token = peek();
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool Cursor::is(const Token& token, std::string_view sign) {
  if (token.text != sign) return false;
  return token.kind == Token::Kind::sign || (token.kind == Token::Kind::name && sign == "v");
}

bool Cursor::take(std::string_view sign) {
  if (!at(sign)) return false;
  next();
  return true;
}

void Cursor::expect(std::string_view sign, std::string_view what) {
  if (!take(sign)) unexpected(what);
}

void Cursor::skip_line_ends() {
  while (peek().kind == Token::Kind::line_end) next();
}

void Cursor::unexpected(std::string_view expected) const {
  const Token& token = peek();
  const bool none = token.kind == Token::Kind::line_end || token.kind == Token::Kind::end;
  fail(fmt::format("found {}, expected {}",
                   none ? "the end of the line" : fmt::format("'{}'", excerpt(token.text)), expected));
}

void Cursor::fail(std::size_t line, const std::string& what) const {
  throw DataError(fmt::format("{}: {}", place_text(source_, line), what));
}

}  // namespace capella::logic
