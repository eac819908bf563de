// Random numbers of the samplers. Every chain has a generator of its own, seeded by its place: threads and
// the number of groups change nothing in it.
#pragma once

#include <array>
#include <cstdint>

namespace capella::logic {

/// A step of splitmix64: the next number, and the state moves on.
inline std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// What a generator is for; those of one place but for different purposes have nothing in common.
enum class Purpose : std::uint64_t { lanes, start, scan, blocks, swaps, sum_exp };

/// A seed for the generator of `lane` in `group`.
inline std::uint64_t place_seed(std::uint64_t seed, Purpose purpose, std::uint64_t group,
                                std::uint64_t lane) {
  std::uint64_t state = seed;
  for (const std::uint64_t part : {static_cast<std::uint64_t>(purpose), group, lane})
    state = splitmix64(state) ^ part;
  return splitmix64(state);
}

/// xoshiro128+ as the kernels run it in a lane: 32 bits a step, the upper ones are good.
class LaneRandom {
 public:
  explicit LaneRandom(std::uint64_t seed) {
    const std::uint64_t first = splitmix64(seed), second = splitmix64(seed);
    words = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(first >> 32),
             static_cast<std::uint32_t>(second), static_cast<std::uint32_t>(second >> 32) | 1u};
  }

  std::uint32_t next() {
    const std::uint32_t result = words[0] + words[3];
    const std::uint32_t shifted = words[1] << 9;
    words[2] ^= words[0];
    words[3] ^= words[1];
    words[1] ^= words[2];
    words[0] ^= words[3];
    words[2] ^= shifted;
    words[3] = (words[3] << 11) | (words[3] >> 21);
    return result;
  }

  std::array<std::uint32_t, 4> words;  ///< not all 0
};

/// A plain generator for the scalar parts.
class ScalarRandom {
 public:
  explicit ScalarRandom(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() { return splitmix64(state_); }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }  ///< in [0, 1)
  /// In 0 ... bound - 1; the bias is below 2^-32 times the bound.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
  }

 private:
  std::uint64_t state_;
};

}  // namespace capella::logic
