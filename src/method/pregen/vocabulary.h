// The words a caption generator knows, each with its number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tsl/robin_map.h>

#include "base/hash.h"
#include "io/caption_sets.h"

namespace capella::method::pregen {

inline constexpr std::string_view kEdgeWord = "<EDG>";     ///< kEdge: start and end of a caption
inline constexpr std::string_view kUnknownWord = "<UNK>";  ///< kUnknown: any word that is not in the list

class Vocabulary {
 public:
  /// Edge and unknown alone.
  Vocabulary();
  /// All words by number. Throws DataError that names what is wrong unless the first two are edge and
  /// unknown, and the others rise and are none of these two.
  explicit Vocabulary(std::vector<std::string> words);

  std::size_t size() const { return words_.size(); }
  const std::vector<std::string>& words() const { return words_; }

  /// kUnknown for a word that is not in the list, and for a caption's word that looks like one of the two.
  std::int32_t id(std::string_view word) const;

 private:
  std::vector<std::string> words_;
  tsl::robin_map<std::string, std::int32_t, StringHash, std::equal_to<>> ids_;
};

/// The words that stand `least_count` times or more in the captions of these images, sorted by their bytes.
/// Throws DataError if there are none.
Vocabulary make_vocabulary(const io::CaptionSets& sets, std::span<const std::size_t> images,
                           std::size_t least_count);

}  // namespace capella::method::pregen
