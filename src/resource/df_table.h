// Document frequencies of n-grams in a file: in how many images' references each stands.
//
// The file holds 64-bit hashes of the n-grams in ascending order and their counts, for n-grams that stand in
// two or more images. N-grams of one image are left out: CIDEr gives a frequency of 1 and of 0 the same
// weight. All numbers are little-endian; the file is mapped, not read.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "resource/mapped_file.h"

namespace capella::resource {

class DfTable {
 public:
  /// Throws FileError if the file cannot be opened or is not such a table. `name` goes into signatures.
  DfTable(const std::string& path, std::string name);

  /// In how many images the n-gram stands; 0 stands for 0 and 1.
  std::uint32_t frequency(std::uint64_t ngram_hash) const;
  std::uint64_t documents() const { return documents_; }  ///< how many images were counted
  std::size_t size() const { return hashes_.size(); }

  /// How signatures name it: "coco-val(40504,#1a2b3c4d)"; the hash is of the whole content.
  std::string description() const;

  /// Writes a table, whole or not at all. Frequencies below 2 are left out.
  static void write(const std::string& path, std::uint64_t documents,
                    const std::map<std::uint64_t, std::uint32_t>& frequencies);

 private:
  MappedFile file_;
  std::string name_;
  std::uint64_t documents_ = 0;
  std::span<const std::uint64_t> hashes_;
  std::span<const std::uint16_t> narrow_counts_;  // one of the two is used
  std::span<const std::uint32_t> wide_counts_;
};

}  // namespace capella::resource
