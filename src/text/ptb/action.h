// How the text of a token is written, as bits. The grammar names them; the lexer obeys them.
#pragma once

#include <cstdint>

namespace capella::text::ptb {

enum Action : std::uint16_t {
  kAsIs = 0,
  kSkip = 1 << 0,
  kNewline = 1 << 1,
  kBecomes = 1 << 2,
  kGiveBack = 1 << 3,
  kStopTwice = 1 << 4,
  kInitial = 1 << 5,
  kNoBreak = 1 << 6,
  kDropShy = 1 << 7,
  kPlainAmp = 1 << 8,
  kBrackets = 1 << 9,
  kCloseQuotes = 1 << 10,
  kOpenQuotes = 1 << 11,
  kShortDashes = 1 << 12,
  kSpellFraction = 1 << 13,
  kSpellCurrency = 1 << 14,
};

/// Actions that may change the text of a token of ASCII characters.
inline constexpr std::uint16_t kRewrites =
    kBecomes | kNoBreak | kPlainAmp | kBrackets | kCloseQuotes | kOpenQuotes | kShortDashes;

}  // namespace capella::text::ptb
