// How a file of word vectors lies on the disk: what its writer and its reader agree on.
//
// Words are numbered in the order of the source. A record is a word's number (4 bytes), its length (2 bytes)
// and its bytes. The table of slots is searched from the first slot of the hash's group on, one after the
// other, until a free one.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/hash.h"

namespace capella::resource::vectors_layout {

inline constexpr std::string_view kKind = "word-vectors";
inline constexpr std::uint32_t kVersion = 1;

// The sections.
inline constexpr std::string_view kShape = "shape";      // one Shape
inline constexpr std::string_view kSlots = "slots";      // Slots, a power of two of them
inline constexpr std::string_view kOffsets = "offsets";  // per word: where its record begins
inline constexpr std::string_view kRecords = "records";
inline constexpr std::string_view kNumbers = "numbers";  // words x dimensions floats or 8-bit integers
inline constexpr std::string_view kScales =
    "scales";  // per word: what its 8-bit integers are multiplied with

struct Shape {
  std::uint64_t words;
  std::uint64_t dimensions;
  std::uint64_t bits;  // of a number: 32 or 8
  std::uint64_t hash;  // of words and numbers
};

struct Slot {
  std::uint32_t tag;     // the low half of the word's hash
  std::uint32_t offset;  // of the word's record, or kFree
};
inline constexpr std::uint32_t kFree = 0xFFFFFFFF;
inline constexpr std::size_t kGroup = 8;  // slots in a cache line
static_assert(sizeof(Shape) == 32 && sizeof(Slot) * kGroup == 64);

inline constexpr std::size_t kRecordHead = sizeof(std::uint32_t) + sizeof(std::uint16_t);
inline constexpr std::size_t kLongestWord = 0xFFFF;       // bytes
inline constexpr std::size_t kMostDimensions = 1u << 16;  // more than anybody uses

inline std::uint64_t word_hash(std::string_view word) {
  return hash_bytes(word);
}
inline std::uint32_t tag_of(std::uint64_t hash) {
  return static_cast<std::uint32_t>(hash);
}
/// How far to shift a hash so that its leading bits are left, which name its first group.
inline unsigned shift_for(std::size_t slots) {
  return 64 - static_cast<unsigned>(std::countr_zero(slots / kGroup));
}

}  // namespace capella::resource::vectors_layout
