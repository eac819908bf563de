// Captions to tokens: lay out, lex, lower-case, drop punctuation, join by spaces.
//
// The reference program writes all captions of a file as lines of one text and reads the tokens back line by
// line. We keep its answers and leave out its accidents:
//  - a line break inside a caption (CR, VT, FF, U+2028, U+2029) is a space. There, it shifts all later
//    captions by one.
//  - a mark-up tag does not reach over the end of a caption inside a quoted attribute: each caption keeps its
//    own words. There, it swallows the line end and again all later captions shift.
#pragma once

#include <span>
#include <string_view>

#include "base/thread_pool.h"
#include "text/string_column.h"

namespace capella::text::ptb {

enum class Scope {
  stream,   ///< rules that ask what follows look into the next caption, as in the reference program
  caption,  ///< each caption alone
};

enum class Punctuation {
  drop,  ///< without the punctuation tokens that caption evaluation leaves out
  keep,
};

/// Captions in one piece of work; their text and tokens stay in the second-level cache.
inline constexpr std::size_t kPieceSize = 2048;

/// String i of the answer holds the tokens of caption i, whatever the pool's threads and `piece_size`.
StringColumn tokenize(std::span<const std::string_view> captions, Scope scope, Punctuation punctuation,
                      ThreadPool& pool, std::size_t piece_size = kPieceSize);

}  // namespace capella::text::ptb
