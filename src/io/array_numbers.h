// Numbers as they lie in little-endian files, turned into floats. For the readers of arrays alone.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace capella::io {

static_assert(std::endian::native == std::endian::little, "numbers are read as they lie in the file");

/// IEEE half precision, held as its bits.
struct Half {
  std::uint16_t bits;

  explicit operator float() const {
    const int exponent = bits >> 10 & 0x1f;
    const int fraction = bits & 0x3ff;
    float size = 0;
    if (exponent == 0x1f) {
      size = fraction == 0 ? INFINITY : NAN;
    } else if (exponent == 0) {
      size = std::ldexp(static_cast<float>(fraction), -24);
    } else {
      size = std::ldexp(static_cast<float>(fraction + 0x400), exponent - 25);
    }
    return bits >> 15 ? -size : size;
  }
};

/// bytes.size() is a multiple of sizeof(T).
template <class T>
void append_numbers(std::string_view bytes, std::vector<float>& out) {
  for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    out.push_back(static_cast<float>(value));
  }
}

/// How numbers of one kind are read.
struct NumberKind {
  std::size_t size = 0;
  void (*append)(std::string_view bytes, std::vector<float>& out) = nullptr;
};
template <class T>
constexpr NumberKind number_kind() {
  return {sizeof(T), append_numbers<T>};
}

}  // namespace capella::io
