#include "text/ptb/pipeline.h"

#include <algorithm>
#include <vector>

#include "text/ptb/scan.h"
#include "text/ptb/token_line.h"

namespace capella::text::ptb {
namespace {

StringColumn tokenize_piece(const Stream& stream, Punctuation punctuation) {
  StringColumn tokens;
  Lexer lexer(kTables2014);
  TokenLine line(punctuation);
  tokens.reserve(stream.size(), static_cast<std::size_t>(stream.end(stream.size() - 1) - stream.begin(0)));
  for (std::size_t i = 0; i < stream.size(); ++i) {
    scan(stream.begin(i), stream.end(i), lexer, line);
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
