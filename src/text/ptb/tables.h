// The compiled grammar: what the build generates from ptb.grammar and unicode.ranges (see compiler/emit.cc).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace capella::text::ptb {

/// A row of the table holds a state's successors by class of unit; its width is a power of two.
inline constexpr unsigned kRowShift = 7;

/// In kByteClass: the byte begins a unit of more than one byte.
inline constexpr std::uint8_t kMultibyte = 0xFF;

/// The byte behind the text, with a class of its own that leads nowhere. Never part of UTF-8.
inline constexpr char kEndOfText = '\xFF';

/// A small automaton that recognises one side of a rule with `before`. State 0 is dead.
struct SideDfa {
  const std::uint8_t* column;  // by class
  const std::uint16_t* next;   // by state * columns + column
  std::uint16_t columns;
  std::uint16_t start;
  std::uint16_t first_accepting;
};

struct RuleEntry {
  std::string_view name;
  std::uint16_t actions;     // bits of Action
  std::uint8_t give_back;    // for kGiveBack
  std::int8_t tail_units;    // units behind the token that the match includes; -1 if that varies
  std::string_view becomes;  // for kBecomes
  const SideDfa* body;       // where tail_units is -1
  const SideDfa* tail;
};

/// State 0 is dead; those from kFirstAccepting on accept the rule kAccepts[state - kFirstAccepting]; nothing
/// leads on from those from kFirstFinal on.
extern const std::uint16_t kTransitions[];
extern const std::uint16_t kStart;
extern const std::uint16_t kFirstAccepting;
extern const std::uint16_t kFirstFinal;
extern const std::uint8_t kAccepts[];
extern const RuleEntry kRules[];

extern const std::uint8_t kByteClass[256];
/// The class of a unit: kClassPages[kClassPage[unit >> 8] * 256 + (unit & 255)].
extern const std::uint8_t kClassPage[256];
extern const std::uint8_t kClassPages[];

/// Every `step`-th character of first..last has a lower-case partner, the first one `partner`.
struct LowerRun {
  std::uint32_t first;
  std::uint32_t last;
  std::uint32_t step;
  std::uint32_t partner;
};
extern const std::span<const LowerRun> kLowerRuns;

struct CodeRange {
  std::uint32_t first;
  std::uint32_t last;
};
extern const std::span<const CodeRange> kCased;
extern const std::span<const CodeRange> kLetters;

}  // namespace capella::text::ptb
