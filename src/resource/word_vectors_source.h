// The files that word vectors come in: word2vec's binary and text form (fastText's .vec is the latter) and
// GloVe's text, each packed with gzip or not. Which one a file is shows in its content.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace capella::resource {

class VectorSource {
 public:
  virtual ~VectorSource() = default;

  std::size_t dimensions() const { return dimensions_; }

  /// Reads the next word and its numbers, dimensions() of them, with which nothing is wrong by
  /// vector_problem(); says whether there was one. A word may be empty. Throws DataError with file and line,
  /// or file and word, for anything malformed.
  virtual bool next(std::string& word, std::span<float> numbers) = 0;

  /// How many hundredths of the file were read.
  virtual std::size_t hundredths() const = 0;

 protected:
  explicit VectorSource(std::size_t dimensions) : dimensions_(dimensions) {}

 private:
  std::size_t dimensions_;
};

/// Throws FileError if the file cannot be read, DataError if it is no file of word vectors.
std::unique_ptr<VectorSource> open_vector_source(const std::string& path);

}  // namespace capella::resource
