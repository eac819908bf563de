// Files of word vectors, as others publish them, to the one that WordVectors maps.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "capella/progress.h"

#include "resource/word_vectors.h"

namespace capella::resource {

struct VectorConversion {
  bool eight_bit = false;      ///< numbers in 8 bits with one scale per word, a quarter of the size
  std::size_t most_words = 0;  ///< takes only so many words from the beginning, the most frequent; 0: all
  Progress progress = {};
};

struct ConvertedVectors {
  std::size_t words = 0;
  std::size_t dimensions = 0;
  std::size_t repeated = 0;  ///< words that stood there before; their first vector was taken
  std::size_t nameless = 0;  ///< vectors without a word, which were left out
};

/// Reads word2vec (text or binary), fastText's .vec or GloVe, packed with gzip or not, recognised by content,
/// and writes the file `to`, whole or not at all. Throws DataError that names file and line, or file and
/// word.
ConvertedVectors convert_word_vectors(const std::string& from, const std::string& to,
                                      const VectorConversion& options);

/// "captions" are the vectors that come with Capella; else a path. A file that was not converted yet is,
/// once, into the folder vectors of home(), and is taken from there until it changes; several processes may
/// do so at once. In signatures its name is that of the file without ending. Throws FileError or DataError.
std::unique_ptr<const WordVectors> open_word_vectors(const std::string& which, const Progress& progress);

}  // namespace capella::resource
