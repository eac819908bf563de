#include "logic/language/lexer.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "base/utf8.h"

namespace capella::logic {
namespace {

using TokenKind = Token::Kind;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Every byte that is not ASCII counts as a letter.
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Longer signs stand before those that they begin with.
constexpr std::array<std::string_view, 14> kSigns = {"<=>", "...", "=>", "!=", "(", ")", "{",
                                                     "}",   ",",   ".",  "!",  "^", "=", "+"};

class Lexer {
 public:
  Lexer(std::string_view text, const std::string& source, std::size_t first_line)
      : text_(text), source_(source), line_(first_line) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  }

  Tokens run() {
    check_encoding();
    while (at_ < text_.size()) step();
    push(TokenKind::line_end, "\n");
    push(TokenKind::end, "");
    return std::move(tokens_);
  }

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& what) const {
    throw DataError(fmt::format("{}: {}", place_text(source_, line), what));
  }

  void check_encoding() const {
    for (std::size_t at = 0, line = line_; at < text_.size();) {
      const std::size_t start = at;
      if (text_[start] == '\n') ++line;
      if (decode_utf8(text_, at) == kReplacementCharacter && at == start + 1)
        fail(line, "the text is not UTF-8; save it as UTF-8");
    }
  }

  bool ahead(std::string_view sign) const { return text_.substr(at_).starts_with(sign); }
  char peek(std::size_t distance) const {
    return at_ + distance < text_.size() ? text_[at_ + distance] : '\0';
  }

  void push(TokenKind kind, std::string_view text) {
    const bool again = kind == TokenKind::line_end &&
                       (tokens_.list.empty() || tokens_.list.back().kind == TokenKind::line_end);
    if (!again) tokens_.list.push_back({kind, text, line_});
  }

  void step() {
    const char c = text_[at_];
    if (c == '\n') {
      push(TokenKind::line_end, "\n");
      ++line_;
      ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else if (ahead("//")) {
      line_comment();
    } else if (ahead("/*")) {
      block_comment();
    } else if (c == '"') {
      quoted_text();
    } else if (starts_number()) {
      number();
    } else if (is_letter(c)) {
      name();
    } else {
      sign();
    }
  }

  void line_comment() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view comment = text_.substr(at_, end - at_);
    if (comment.starts_with("//@")) tokens_.directives.push_back({comment.substr(3), line_});
    at_ = end;
  }

  void block_comment() {
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) fail(line_, "the comment has no end, expected */");
    line_ += static_cast<std::size_t>(std::ranges::count(text_.substr(at_, end - at_), '\n'));
    at_ = end + 2;
  }

  void quoted_text() {
    std::size_t end = at_ + 1;
    bool escaped = false;
    for (; end < text_.size() && text_[end] != '\n' && (escaped || text_[end] != '"'); ++end)
      escaped = !escaped && text_[end] == '\\';
    if (end >= text_.size() || text_[end] != '"') fail(line_, "the quoted text has no end, expected \"");
    push(TokenKind::quoted, text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
  }

  bool starts_number() const {
    const std::size_t sign = peek(0) == '-' || peek(0) == '+' ? 1 : 0;
    return is_digit(peek(sign)) || (peek(sign) == '.' && is_digit(peek(sign + 1)));
  }

  // A period belongs to the number only if a digit follows: else it may end a hard formula.
  void number() {
    std::size_t length = peek(0) == '-' || peek(0) == '+' ? 1 : 0;
    const auto skip_digits = [&] {
      while (is_digit(peek(length))) ++length;
    };
    skip_digits();
    if (peek(length) == '.' && is_digit(peek(length + 1))) {
      ++length;
      skip_digits();
    }
    if (peek(length) == 'e' || peek(length) == 'E') {
      const std::size_t digits = peek(length + 1) == '-' || peek(length + 1) == '+' ? length + 2 : length + 1;
      if (is_digit(peek(digits))) {
        length = digits;
        skip_digits();
      }
    }
    check_number_ends(length);
    take(TokenKind::number, length);
  }

  // 1.2.3 would be two numbers, which no rule of the grammar wants to see side by side.
  void check_number_ends(std::size_t length) const {
    if (peek(length) != '.' || !is_digit(peek(length + 1))) return;
    while (is_digit(peek(length)) || peek(length) == '.') ++length;
    fail(line_,
         fmt::format("found '{}', expected a number such as 1.25", excerpt(text_.substr(at_, length))));
  }

  void name() {
    std::size_t length = 1;
    while (is_letter(peek(length)) || is_digit(peek(length))) ++length;
    take(TokenKind::name, length);
  }

  void sign() {
    for (const std::string_view sign : kSigns)
      if (ahead(sign)) return take(TokenKind::sign, sign.size());
    if (ahead("-inf"))
      fail(line_,
           "found '-inf', expected a finite weight; to forbid a formula, write its negation with a "
           "period: !(...).");
    fail(line_, fmt::format("found '{}', expected a formula, a declaration or a comment; operators are ! ^ v "
                            "=> <=> = !=",
                            excerpt(text_.substr(at_, 1))));
  }

  void take(TokenKind kind, std::size_t length) {
    push(kind, text_.substr(at_, length));
    at_ += length;
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t at_ = 0;
  std::size_t line_;
  Tokens tokens_;
};

}  // namespace

Tokens tokenize(std::string_view text, const std::string& source, std::size_t first_line) {
  return Lexer(text, source, first_line).run();
}

std::string place_text(const std::string& source, std::size_t line) {
  return line == 0 ? source : fmt::format("{}:{}", source, line);
}

std::string unquoted(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      ++i;
      out += text[i] == 'n' ? '\n' : text[i];
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + '"';
}

bool is_name(std::string_view text) {
  return !text.empty() && is_letter(text[0]) &&
         std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c); });
}

bool is_lower(std::string_view name) {
  return !name.empty() && name[0] >= 'a' && name[0] <= 'z';
}

bool is_for_all(std::string_view name) {
  return name == "FORALL" || name == "forall";
}

bool is_exist(std::string_view name) {
  return name == "EXIST" || name == "exist" || name == "EXISTS" || name == "exists";
}

bool is_reserved(std::string_view name) {
  return name == "v" || is_for_all(name) || is_exist(name);
}

}  // namespace capella::logic
