// Four substitutions, each one pass from left to right over what the one before has left. All they do is put
// spaces around ASCII marks, so they work on bytes: no byte of a longer character is a mark or a digit.
#include "text/tokenizer_13a.h"

#include <array>

#include "base/utf8.h"
#include "text/python_words.h"

namespace capella::text {
namespace {

constexpr std::array<bool, 256> kSeparated = [] {
  std::array<bool, 256> separated{};
  for (const char c : std::string_view("{|}~[\\]^_` !\"#$%&()*+:;<=>?@/")) {
    separated[static_cast<unsigned char>(c)] = true;
  }
  return separated;
}();

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_point(char c) {
  return c == '.' || c == ',';
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  std::size_t at = text.find(what);
  if (at == std::string::npos) return;
  std::string out;
  out.reserve(text.size());
  std::size_t from = 0;
  for (; at != std::string::npos; at = text.find(what, from)) {
    out.append(text, from, at - from).append(by);
    from = at + what.size();
  }
  text = out.append(text, from);
}

std::string unescaped(std::string_view line) {
  std::string text(line);
  replace_all(text, "<skipped>", "");
  replace_all(text, "-\n", "");
  replace_all(text, "\n", " ");
  if (text.find('&') != std::string::npos) {
    replace_all(text, "&quot;", "\"");
    replace_all(text, "&amp;", "&");
    replace_all(text, "&lt;", "<");
    replace_all(text, "&gt;", ">");
  }
  return ' ' + text + ' ';
}

std::string separate_marks(const std::string& text) {
  std::string out(3 * text.size(), ' ');
  char* end = out.data();
  for (const char c : text) {
    const bool apart = kSeparated[static_cast<unsigned char>(c)];
    end += apart;
    *end++ = c;
    end += apart;
  }
  out.resize(static_cast<std::size_t>(end - out.data()));
  return out;
}

/// Wherever `meets(a, b)` holds for two neighbours, writes them with spaces on both sides of b if `second`,
/// else of a. A pair that was written is not looked at again.
template <class Meets>
std::string separate_pairs(const std::string& text, bool second, Meets meets) {
  std::string out(2 * text.size(), ' ');
  char* end = out.data();
  std::size_t i = 0;
  while (i + 1 < text.size()) {
    if (!meets(text[i], text[i + 1])) {
      *end++ = text[i++];
      continue;
    }
    end[second ? 0 : 1] = text[i];
    end[second ? 2 : 3] = text[i + 1];
    end += 4;
    i += 2;
  }
  if (i < text.size()) *end++ = text[i];
  out.resize(static_cast<std::size_t>(end - out.data()));
  return out;
}

}  // namespace

void tokenize_13a(std::string_view line, std::string& out) {
  std::string text = separate_marks(unescaped(python_rstrip(line)));
  text = separate_pairs(text, true, [](char a, char b) { return !is_digit(a) && is_point(b); });
  text = separate_pairs(text, false, [](char a, char b) { return is_point(a) && !is_digit(b); });
  text = separate_pairs(text, true, [](char a, char b) { return is_digit(a) && b == '-'; });
  append_python_words(text, out);
}

}  // namespace capella::text
