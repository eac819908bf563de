// What a caption generator thinks of captions that people wrote: for every word (and the end) the probability
// it gives to that word after the words before it, and how many words it finds more probable.
//
// Files come in two layouts, recognised by content: JSON, nested lists images -> captions -> [probability,
// rank], as the authors of the pre-gen metrics store it; and a compact binary one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "capella/error.h"
#include "capella/token_probabilities.h"

namespace capella::io {

using capella::TokenProbabilities;

/// Where a word stands, for messages; counted from 0.
struct TokenPlace {
  std::string_view source;  ///< the file, or how messages name what is in memory
  std::size_t image = 0;
  std::size_t caption = 0;
  std::size_t word = 0;

  std::string of_image() const;
  std::string of_caption() const;
  std::string of_word() const;

  /// The error that the word's rank is no such number.
  DataError wrong_rank(std::string_view found) const;
};

/// Throws DataError that names the source, the image, caption and word (counted from 1) and what was found: a
/// probability outside 0 ... 1, no images, an image without captions, a caption without words; or that the
/// lists do not fit together.
void check_token_probabilities(const TokenProbabilities& table, std::string_view source);

/// Throws FileError, or DataError as the check does, and for a rank that is no whole number.
TokenProbabilities read_token_probabilities(const std::string& path);

enum class ProbabilityLayout { json, binary };
/// Writes the file, whole or not at all. Probabilities as Python writes floats.
void write_token_probabilities(const std::string& path, const TokenProbabilities& table,
                               ProbabilityLayout layout);

}  // namespace capella::io
