#include "io/python_list.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>

#include "base/ascii.h"
#include "base/utf8.h"

namespace capella::io {
namespace {

// Each member reads one part at `at` and moves behind it; false if another thing stands there.
class ListParser {
 public:
  explicit ListParser(std::string_view text) : text_(text) {}

  bool list(std::vector<std::string>& strings) {
    if (!take('[')) return false;
    while (!take(']')) {
      if (!string(strings.emplace_back())) return false;
      if (!take(',') && !next_is(']')) return false;
    }
    skip_blank();
    return at_ == text_.size();
  }

 private:
  void skip_blank() { at_ = std::min(text_.find_first_not_of(kBlank, at_), text_.size()); }

  bool next_is(char c) {
    skip_blank();
    return at_ < text_.size() && text_[at_] == c;
  }

  bool take(char c) {
    const bool found = next_is(c);
    at_ += found ? 1 : 0;
    return found;
  }

  bool string(std::string& out) {
    if (!next_is('\'') && !next_is('"')) return false;
    const char quote = text_[at_++];
    while (at_ < text_.size() && text_[at_] != quote) {
      const char c = text_[at_++];
      if (c != '\\') {
        out += c;
      } else if (!escape(out)) {
        return false;
      }
    }
    return at_ < text_.size() && text_[at_++] == quote;
  }

  // Behind a backslash. One that begins no escape stands for itself, as in Python.
  bool escape(std::string& out) {
    constexpr std::string_view kLetters = "\\'\"nrtabfv";
    constexpr std::string_view kMeanings = "\\'\"\n\r\t\a\b\f\v";
    if (at_ >= text_.size()) return false;
    const char c = text_[at_];
    if (c >= '0' && c <= '7') return code_point(out, octal_digits(), 8);
    ++at_;
    if (c == 'x') return code_point(out, 2, 16);
    if (c == 'u') return code_point(out, 4, 16);
    if (c == 'U') return code_point(out, 8, 16);
    if (c == 'N') return false;
    if (c == '\n') return true;
    if (const std::size_t place = kLetters.find(c); place != std::string_view::npos) {
      out += kMeanings[place];
    } else {
      out.append({'\\', c});
    }
    return true;
  }

  std::size_t octal_digits() const {
    const std::size_t end = std::min(text_.find_first_not_of("01234567", at_), text_.size());
    return std::min<std::size_t>(end - at_, 3);
  }

  bool code_point(std::string& out, std::size_t digits, int base) {
    if (text_.size() - at_ < digits) return false;
    const char* const begin = text_.data() + at_;
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(begin, begin + digits, value, base);
    if (error != std::errc() || end != begin + digits) return false;
    if (value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return false;
    append_utf8(out, value);
    at_ += digits;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

bool parse_python_list(std::string_view literal, std::vector<std::string>& strings) {
  strings.clear();
  return ListParser(literal).list(strings);
}

}  // namespace capella::io
