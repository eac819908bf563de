// The hash of a list of numbers: of their bytes.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/hash.h"

namespace capella {

template <class T>
std::uint64_t hash_values(const std::vector<T>& values) {
  static_assert(std::is_arithmetic_v<T>);
  return hash_bytes({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

}  // namespace capella
