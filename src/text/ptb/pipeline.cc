#include "text/ptb/pipeline.h"

#include <algorithm>
#include <vector>

#include "text/ptb/action.h"
#include "text/ptb/lexer.h"
#include "text/ptb/stream.h"
#include "text/ptb/token_line.h"

namespace capella::text::ptb {
namespace {

/// Writes the token and returns where the next one begins.
const char* take_token(const Match& match, const char* begin, TokenLine& line) {
  const RuleEntry& rule = *match.rule;
  constexpr unsigned kRare = kSkip | kNewline | kGiveBack | kStopTwice | kInitial;
  if ((rule.actions & kRare) == 0) {
    line.add(rule, begin, match.end);
    return match.end;
  }
  if ((rule.actions & (kSkip | kNewline)) != 0) return match.end;
  const char* end = step_back(match.end, rule.give_back);
  const bool lone_initial = (rule.actions & kInitial) != 0 && step_back(end, 2) == begin;
  if (lone_initial) end = step_back(end, 1);
  line.add(rule, begin, end);
  return (rule.actions & kGiveBack) != 0 || lone_initial ? end : step_back(end, 1);
}

/// Whether a space may be passed over without asking the table: no rule begins with one but that for a run of
/// blanks, and the run ends here or goes on with another space.
bool is_lone_space(const char* position) {
  if (*position != ' ') return false;
  const auto next = static_cast<unsigned char>(position[1]);
  return (next >= ' ' && next < 0x80) || next == '\n' || position[1] == kEndOfText;
}

void tokenize_caption(const char* begin, const char* end, Lexer& lexer, TokenLine& line) {
  while (begin < end) {
    if (is_lone_space(begin)) {
      ++begin;
      continue;
    }
    const Match match = lexer.next(begin);
    begin = match.rule == nullptr ? match.end : take_token(match, begin, line);
  }
}

StringColumn tokenize_piece(const Stream& stream, Punctuation punctuation) {
  StringColumn tokens;
  Lexer lexer;
  TokenLine line(punctuation);
  tokens.reserve(stream.size(), static_cast<std::size_t>(stream.end(stream.size() - 1) - stream.begin(0)));
  for (std::size_t i = 0; i < stream.size(); ++i) {
    tokenize_caption(stream.begin(i), stream.end(i), lexer, line);
    tokens.push_back(line.finish());
  }
  return tokens;
}

}  // namespace

StringColumn tokenize(std::span<const std::string_view> captions, Scope scope, Punctuation punctuation,
                      ThreadPool& pool, std::size_t piece_size) {
  const char separator = scope == Scope::stream ? '\n' : kEndOfText;
  std::vector<StringColumn> pieces((captions.size() + piece_size - 1) / piece_size);
  pool.parallel_for(pieces.size(), [&](std::size_t index) {
    const std::size_t first = index * piece_size;
    const std::size_t last = std::min(first + piece_size, captions.size());
    pieces[index] = tokenize_piece(Stream(captions, first, last, separator), punctuation);
  });
  if (pieces.size() == 1) return std::move(pieces.front());

  std::size_t bytes = 0;
  for (StringColumn& piece : pieces) bytes += piece.bytes().size();
  StringColumn tokens;
  tokens.reserve(captions.size(), bytes);
  for (const StringColumn& piece : pieces) tokens.append(piece);
  return tokens;
}

}  // namespace capella::text::ptb
