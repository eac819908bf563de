// Random numbers for first weights and for dropout. Each is computed from a key and its own number, so that
// they are the same on every device, for any number of threads and with any version of torch; and on every
// machine, but for the last bits of normal ones, which are those of its log and cos.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace capella::plugin {

/// The n-th number of a sequence of well mixed 64-bit numbers (splitmix64).
inline std::uint64_t mixed(std::uint64_t key, std::uint64_t n) {
  std::uint64_t z = key + (n + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// A number from -1 up to (but below) 1.
inline double uniform(std::uint64_t key, std::uint64_t n) {
  return static_cast<double>(mixed(key, n) >> 11) * 0x1p-52 - 1;
}

/// A normal number with mean 0 and deviation 1, by the method of Box and Muller.
inline double normal(std::uint64_t key, std::uint64_t n) {
  const double radius = (static_cast<double>(mixed(key, 2 * n) >> 11) + 1) * 0x1p-53;  // above 0
  const double angle = static_cast<double>(mixed(key, 2 * n + 1) >> 11) * 0x1p-53;
  return std::sqrt(-2 * std::log(radius)) * std::cos(2 * std::numbers::pi * angle);
}

}  // namespace capella::plugin
