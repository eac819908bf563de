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

/// One edition of the grammar. State 0 is dead; those from first_accepting on accept the rule
/// accepts[state - first_accepting]; nothing leads on from those from first_final on.
struct Tables {
  const std::uint16_t* transitions;
  std::uint16_t start;
  std::uint16_t first_accepting;
  std::uint16_t first_final;
  const std::uint8_t* accepts;
  const RuleEntry* rules;

  const std::uint8_t* byte_class;
  /// The class of a unit: class_pages[class_page[unit >> 8] * 256 + (unit & 255)].
  const std::uint8_t* class_page;
  const std::uint8_t* class_pages;
};

/// Caption evaluation has always used the tokenizer of 2014, SPICE's parser that of 2015.
extern const Tables kTables2014;
extern const Tables kTables2015;

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
