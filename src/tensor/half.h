// Numbers of 16 bits as files have them (F16: 5 bits of exponent, 10 behind the point), and back.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace capella::tensor {

inline float from_half(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1Fu;
  const std::uint32_t fraction = bits & 0x3FFu;
  if (exponent == 0) {
    const float size = std::ldexp(static_cast<float>(fraction), -24);
    return sign ? -size : size;
  }
  const std::uint32_t wide = exponent == 31 ? 255 : exponent + (127 - 15);
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

/// The nearest one, of two the even one; what is too large becomes infinite.
inline std::uint16_t to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u, size = bits & 0x7FFF'FFFFu;
  constexpr std::uint32_t kInfinite = 0x7F80'0000u, kTooLarge = 0x477F'F000u, kLeastNormal = 0x3880'0000u;
  std::uint32_t half = 0;
  if (size > kInfinite) {
    half = 0x7E00u;
  } else if (size >= kTooLarge) {
    half = 0x7C00u;
  } else if (size < kLeastNormal) {
    half = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(std::bit_cast<float>(size), 24)));
  } else {
    half = (size + 0xFFFu + ((size >> 13) & 1u) - ((127u - 15u) << 23)) >> 13;
  }
  return static_cast<std::uint16_t>(sign | half);
}

}  // namespace capella::tensor
