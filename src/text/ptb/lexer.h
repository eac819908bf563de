// Finds tokens: one walk through the table for each, then, for few rules, where the token ends and the text
// that must follow it begins.
//
// Captions repeat few words. Where the walk ends at a space within eight bytes, its answer depends on those
// bytes alone and is remembered under them; the next time, one look replaces the walk.
//
// Some rules (mail and web addresses) may look far ahead and then fail, and would do so again at each of the
// next tokens: quadratic time on a long text without spaces. So a far walk remembers which states led to no
// token from which places, and later walks stop there (Reps 1998, "Maximal-munch tokenization in linear
// time").
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <tsl/robin_set.h>

#include "base/hash.h"
#include "text/ptb/tables.h"

namespace capella::text::ptb {

struct Match {
  const RuleEntry* rule;  // null where nothing matches; then `end` is behind one unit
  const char* end;        // behind the token, without what must follow it
};

/// Not for two threads at once; make one for each.
class Lexer {
 public:
  explicit Lexer(const Tables& tables) : tables_(tables) {}

  /// The token that begins at `begin` in a text laid out by Stream. All calls must be for one text.
  Match next(const char* begin);

 private:
  /// A walk through the table: the state, and the last place where a rule was complete.
  struct Walk {
    unsigned state;
    unsigned accepted;
    const char* position;
    const char* end;

    bool step(const Tables& tables);  ///< over one unit; false when no longer match can come
  };

  Match walk(const char* begin, const char*& seen);
  void walk_far(Walk& walk);

  struct Known {
    std::uint64_t bytes;  // up to the space; 0 if the place is free
    std::uint8_t rule;    // index in Tables::rules
    std::uint8_t length;
  };
  static constexpr unsigned kKnownBits = 11;

  const Tables& tables_;
  std::array<Known, 1u << kKnownBits> known_{};
  tsl::robin_set<std::uint64_t, IntegerHash> dead_ends_;  // of far walks: place and state
  std::vector<std::uint64_t> pending_;                    // places and states since the last complete rule
};

}  // namespace capella::text::ptb
