// Writes a file that WordVectors maps, word by word; the numbers go to the disk at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tsl/robin_map.h>

#include "base/hash.h"
#include "resource/word_vectors_file.h"

namespace capella::resource {

class WordVectorsWriter {
 public:
  /// Throws FileError if `path` cannot be written. Errors name `source`, where the words come from.
  WordVectorsWriter(const std::string& path, std::size_t dimensions, bool eight_bit, std::string source = {});

  /// Says whether the word is new; one that is there already stays as it is. vector_problem() finds nothing
  /// wrong with `numbers`. Throws DataError for a word that cannot be kept.
  bool add(std::string_view word, std::span<const float> numbers);
  std::size_t size() const { return offsets_.size(); }
  /// Writes what remains, after which the file appears. Without this call nothing is left behind.
  void finish();

 private:
  bool add_record(std::string_view word);
  void add_floats(std::span<const float> numbers);
  void add_eight_bit(std::span<const float> numbers);

  SectionStream file_;
  std::string source_;
  std::size_t dimensions_;
  bool eight_bit_;
  tsl::robin_map<std::uint64_t, std::uint32_t, IntegerHash> seen_;  // the offset of a hash's record
  std::string records_;
  std::vector<std::uint32_t> offsets_;
  std::vector<float> scales_;
  std::string row_;  // 8-bit numbers of the word at hand
  XXH3_state_t sum_;
};

}  // namespace capella::resource
