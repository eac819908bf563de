// Hashing. The values are part of file formats (document frequencies), so they must never change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace capella {

inline std::uint64_t hash_bytes(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

/// Joins a running hash with the next value; the order of the values matters.
inline std::uint64_t hash_combine(std::uint64_t hash, std::uint64_t next) {
  const std::uint64_t pair[2] = {hash, next};
  return XXH3_64bits(pair, sizeof pair);
}

/// Hash functions for hash maps.
struct StringHash {
  std::size_t operator()(std::string_view text) const { return hash_bytes(text); }
};
struct IntegerHash {
  std::size_t operator()(std::uint64_t value) const {
    value *= 0x9E3779B97F4A7C15u;
    return value ^ (value >> 32);
  }
};

}  // namespace capella
