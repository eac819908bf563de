#include "text/ptb/lexer.h"

#include <bit>
#include <cstring>

#include "text/ptb/stream.h"

namespace capella::text::ptb {
namespace {

inline std::uint8_t class_of_unit(const Tables& tables, char16_t unit) {
  return tables.class_pages[tables.class_page[unit >> 8] * 256u + (unit & 0xFFu)];
}

/// Moves `position` over one unit and returns its class. The end of the text counts as a unit.
inline std::uint8_t read_class(const Tables& tables, const char*& position) {
  const std::uint8_t one = tables.byte_class[static_cast<unsigned char>(*position)];
  if (one != kMultibyte) {
    ++position;
    return one;
  }
  return class_of_unit(tables, read_multibyte_unit(position));
}

/// Whether the automaton accepts exactly begin..end.
bool matches(const Tables& tables, const SideDfa& dfa, const char* begin, const char* end) {
  unsigned state = dfa.start;
  while (begin < end && state != 0) {
    state = dfa.next[state * dfa.columns + dfa.column[read_class(tables, begin)]];
  }
  return state >= dfa.first_accepting;
}

/// The longest prefix of begin..end that is the rule's body while the rest is its tail.
const char* split(const Tables& tables, const RuleEntry& rule, const char* begin, const char* end) {
  const SideDfa& body = *rule.body;
  const char* best = begin;
  unsigned state = body.start;
  for (const char* position = begin; position < end;) {
    state = body.next[state * body.columns + body.column[read_class(tables, position)]];
    if (state == 0) break;
    if (state >= body.first_accepting && matches(tables, *rule.tail, position, end)) best = position;
  }
  return best;
}

/// The next eight bytes up to and with the first space, then zeros; 0 if the space is missing or comes first.
std::uint64_t bytes_to_space(const char* begin) {
  constexpr std::uint64_t kOnes = 0x0101010101010101u;
  std::uint64_t bytes;
  std::memcpy(&bytes, begin, 8);
  const std::uint64_t zero_where_space = bytes ^ ' ' * kOnes;
  const std::uint64_t marks = (zero_where_space - kOnes) & ~zero_where_space & 0x80 * kOnes;
  const std::uint64_t first = marks & (0 - marks);
  return first <= 0x80 ? 0 : bytes & (first | (first - 1));
}

}  // namespace

inline bool Lexer::Walk::step(const Tables& tables) {
  state = tables.transitions[state << kRowShift | read_class(tables, position)];
  // Without a branch: whether a state accepts is hard to foresee.
  const bool accepts = state >= tables.first_accepting;
  accepted = accepts ? state : accepted;
  end = accepts ? position : end;
  return state - 1u < tables.first_final - 1u;  // neither dead (0) nor final
}

Match Lexer::walk(const char* begin, const char*& seen) {
  constexpr std::ptrdiff_t kNear = 256;
  Walk walk{tables_.start, 0, begin, begin};
  bool alive = true;
  do {
    alive = walk.step(tables_);
  } while (alive && walk.position - begin < kNear);
  if (alive) walk_far(walk);
  seen = walk.position;
  if (walk.accepted == 0) {
    read_class(tables_, walk.end);
    return {nullptr, walk.end};
  }
  const RuleEntry& rule = tables_.rules[tables_.accepts[walk.accepted - tables_.first_accepting]];
  if (rule.tail_units < 0) return {&rule, split(tables_, rule, begin, walk.end)};
  return {&rule, step_back(walk.end, rule.tail_units)};
}

void Lexer::walk_far(Walk& walk) {
  constexpr std::uintptr_t kEvery = 64;  // remember one place in so many
  pending_.clear();
  const char* complete = walk.end;
  do {
    if (walk.end != complete) pending_.clear();
    complete = walk.end;
    const auto place = reinterpret_cast<std::uintptr_t>(walk.position);
    if (place % kEvery != 0) continue;
    pending_.push_back(std::uint64_t{place} << 16 | walk.state);
    if (dead_ends_.contains(pending_.back())) break;
  } while (walk.step(tables_));
  if (walk.end == complete) dead_ends_.insert(pending_.begin(), pending_.end());
}

Match Lexer::next(const char* begin) {
  static_assert(std::endian::native == std::endian::little,
                "bytes_to_space() reads the first byte as the lowest");
  const char* seen;
  const std::uint64_t bytes = bytes_to_space(begin);
  if (bytes == 0) return walk(begin, seen);
  Known& known = known_[bytes * 0x9E3779B97F4A7C15u >> (64 - kKnownBits)];
  if (known.bytes == bytes) return {&tables_.rules[known.rule], begin + known.length};
  const Match match = walk(begin, seen);
  const int length = (71 - std::countl_zero(bytes)) / 8;
  if (match.rule != nullptr && seen <= begin + length) {
    known = {bytes, static_cast<std::uint8_t>(match.rule - tables_.rules),
             static_cast<std::uint8_t>(match.end - begin)};
  }
  return match;
}

}  // namespace capella::text::ptb
