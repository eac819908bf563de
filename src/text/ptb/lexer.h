// Finds tokens: one walk through the table for each, then, for few rules, where the token ends and the text
// that must follow it begins.
//
// Captions repeat few words. Where the walk ends at a space within eight bytes, its answer depends on those
// bytes alone and is remembered under them; the next time, one look replaces the walk.
#pragma once

#include <array>
#include <cstdint>

#include "text/ptb/tables.h"

namespace capella::text::ptb {

struct Match {
  const RuleEntry* rule;  // null where nothing matches; then `end` is behind one unit
  const char* end;        // behind the token, without what must follow it
};

/// Not for two threads at once; make one for each.
class Lexer {
 public:
  /// The token that begins at `begin` in a text laid out by Stream.
  Match next(const char* begin);

  /// The same without memory. Sets `seen` behind the last byte that was read.
  static Match walk(const char* begin, const char*& seen);

 private:
  struct Known {
    std::uint64_t bytes;  // up to the space; 0 if the place is free
    std::uint8_t rule;    // index in kRules
    std::uint8_t length;
  };
  static constexpr unsigned kKnownBits = 11;

  std::array<Known, 1u << kKnownBits> known_{};
};

}  // namespace capella::text::ptb
