// Word vectors in a file that is mapped rather than read: what files of word2vec and GloVe are converted
// into.
//
// Numbers are kept as 32-bit floats, or as 8-bit integers with one scale per word, a quarter of the size.
// Words are compared byte by byte, so "Dog" and "dog" are two words. A word is found with two cache misses,
// one that is not there with one: a table of hashes names the place of the word's record, which holds word
// and number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "resource/section_file.h"
#include "resource/word_vectors_layout.h"

namespace capella::resource {

class WordVectors {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  static constexpr const char* kRemedy = "make it again with: capella data vectors FILE -o OUT.vectors";

  /// Throws FileError if the file cannot be opened or is not one of converted vectors. `name` goes into
  /// signatures, `remedy` into errors. The functions below throw FileError when they come upon damage.
  WordVectors(const std::string& path, std::string name, std::string remedy = kRemedy);

  std::size_t size() const { return words_; }
  std::size_t dimensions() const { return dimensions_; }

  /// The word's number, or kNone.
  std::uint32_t find(std::string_view word) const;
  std::string_view word(std::uint32_t number) const;

  /// The vector as the file has it; `out` has dimensions() places. Throws FileError, too, if a number is not
  /// finite or the vector too long to be computed with.
  void read(std::uint32_t number, std::span<float> out) const;

  /// How signatures name it: "captions(9876x200,#1a2b3c4d)"; the hash is of words and numbers, and the same
  /// for the same vectors converted twice.
  std::string description() const;

  /// Reads the whole file; throws FileError if it is damaged.
  void check_content() const { file_.check_content(); }

 private:
  struct Record {
    std::uint32_t number;
    std::string_view word;
  };
  Record record_at(std::size_t offset) const;

  SectionFile file_;
  std::string name_;
  std::size_t words_ = 0;
  std::size_t dimensions_ = 0;
  std::uint64_t hash_ = 0;
  std::span<const vectors_layout::Slot> slots_;
  std::span<const std::uint32_t> offsets_;  // of each word's record
  std::span<const char> records_;
  std::span<const float> floats_;  // these, or bytes and scales
  std::span<const std::int8_t> bytes_;
  std::span<const float> scales_;
  unsigned shift_ = 0;  // leaves the leading bits of a hash: its first group of slots
};

}  // namespace capella::resource
