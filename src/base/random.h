// Random numbers that are the same on every machine: numpy's default_rng(seed), that is PCG64 (XSL-RR, 128
// bits) seeded through SeedSequence. The same seed therefore draws the same resamples as programs written
// with numpy, sacreBLEU among them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace capella {

class Random {
 public:
  explicit Random(std::uint64_t seed);

  std::uint64_t next();    ///< 64 bits
  std::uint32_t next32();  ///< half of a 64-bit number, the lower half first, as numpy does

  /// A number in 0 ... bound - 1; as Generator.integers(bound). bound > 0.
  std::uint32_t below(std::uint32_t bound);

  /// In [0, 1), 53 bits; as Generator.random().
  double uniform();

  /// Fair coins; as Generator.integers(2, size=..., dtype=bool).
  void coins(std::span<std::uint8_t> out);

  /// A normal number with mean 0 and deviation 1, by the polar method: numpy's own are others.
  double normal();

 private:
  unsigned __int128 state_;
  unsigned __int128 increment_;
  std::uint32_t half_ = 0;
  bool has_half_ = false;
};

/// Every order is as likely; from the last place to the first.
template <class Item>
void shuffle(std::vector<Item>& items, Random& random) {
  for (std::size_t i = items.size(); i > 1; --i)
    std::swap(items[i - 1], items[random.below(static_cast<std::uint32_t>(i))]);
}

}  // namespace capella
