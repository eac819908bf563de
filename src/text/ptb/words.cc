#include "text/ptb/words.h"

#include <algorithm>

#include "base/utf8.h"
#include "text/ptb/pipeline.h"
#include "text/ptb/scan.h"
#include "text/ptb/token_text.h"

namespace capella::text::ptb {
namespace {

bool is_ascii(const char* begin, const char* end) {
  return std::all_of(begin, end, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// Two surrogates become one character; one alone becomes the replacement character.
std::string to_utf8(std::u16string_view units) {
  std::string out;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const char32_t unit = units[i];
    if (unit < 0xD800 || unit >= 0xE000) {
      append_utf8(out, unit);
    } else if (unit < 0xDC00 && i + 1 < units.size() && (units[i + 1] & 0xFC00) == 0xDC00) {
      append_utf8(out, 0x10000 + ((unit & 0x3FF) << 10) + (units[++i] & 0x3FFu));
    } else {
      append_utf8(out, kReplacementCharacter);
    }
  }
  return out;
}

struct Words {
  std::vector<std::string>& words;

  void add(const RuleEntry& rule, const char* begin, const char* end) {
    if ((rule.actions & kRewrites) == 0 && is_ascii(begin, end)) {
      words.emplace_back(begin, end);
      return;
    }
    std::u16string units;
    while (begin < end) units.push_back(read_unit(begin));
    words.push_back(to_utf8(token_text(rule, units)));
  }
};

}  // namespace

std::vector<std::vector<std::string>> words_of(std::span<const std::string_view> captions) {
  std::vector<std::vector<std::string>> all(captions.size());
  for (std::size_t first = 0; first < captions.size(); first += kPieceSize) {
    const std::size_t last = std::min(first + kPieceSize, captions.size());
    const Stream stream(captions, first, last, kEndOfText);
    Lexer lexer(kTables2015);
    for (std::size_t i = 0; i < stream.size(); ++i) {
      Words sink{all[first + i]};
      scan(stream.begin(i), stream.end(i), lexer, sink);
    }
  }
  return all;
}

}  // namespace capella::text::ptb
