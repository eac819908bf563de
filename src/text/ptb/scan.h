// Walks through a caption token by token.
#pragma once

#include "text/ptb/action.h"
#include "text/ptb/lexer.h"
#include "text/ptb/stream.h"

namespace capella::text::ptb {

/// Hands the token to the sink and returns where the next one begins.
template <class Sink>
const char* take_token(const Match& match, const char* begin, Sink& sink) {
  const RuleEntry& rule = *match.rule;
  constexpr unsigned kRare = kSkip | kNewline | kGiveBack | kStopTwice | kInitial;
  if ((rule.actions & kRare) == 0) {
    sink.add(rule, begin, match.end);
    return match.end;
  }
  if ((rule.actions & (kSkip | kNewline)) != 0) return match.end;
  const char* end = step_back(match.end, rule.give_back);
  const bool lone_initial = (rule.actions & kInitial) != 0 && step_back(end, 2) == begin;
  if (lone_initial) end = step_back(end, 1);
  sink.add(rule, begin, end);
  return (rule.actions & kGiveBack) != 0 || lone_initial ? end : step_back(end, 1);
}

/// Whether a space may be passed over without asking the table: no rule begins with one but that for a run of
/// blanks, and the run ends here or goes on with another space.
inline bool is_lone_space(const char* position) {
  if (*position != ' ') return false;
  const auto next = static_cast<unsigned char>(position[1]);
  return (next >= ' ' && next < 0x80) || next == '\n' || position[1] == kEndOfText;
}

/// Calls sink.add(rule, begin, end) for each token of begin .. end, a caption laid out by Stream.
template <class Sink>
void scan(const char* begin, const char* end, Lexer& lexer, Sink& sink) {
  while (begin < end) {
    if (is_lone_space(begin)) {
      ++begin;
      continue;
    }
    const Match match = lexer.next(begin);
    begin = match.rule == nullptr ? match.end : take_token(match, begin, sink);
  }
}

}  // namespace capella::text::ptb
