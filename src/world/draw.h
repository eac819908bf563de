// Random choices of the world. Each image, and each thing made of it, has a stream of its own that depends
// only on the world's seed, the image's number and the stream's name, so images can be made in any order.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.h"
#include "base/random.h"

namespace capella::world {

/// What a stream is for; the values are part of what a seed means.
enum class Stream : std::uint64_t {
  scene = 1,
  references,
  system,
  errors,
  foil,
  features,
  judges,
  concepts,
  ranks,
  unrelated,
  splits,
  workers,
  logic
};

class Draw {
 public:
  Draw(std::uint64_t seed, Stream stream, std::uint64_t number)
      : random_(hash_combine(hash_combine(seed, static_cast<std::uint64_t>(stream)), number)) {}

  bool chance(double probability) { return random_.uniform() < probability; }
  double between(double low, double high) { return low + (high - low) * random_.uniform(); }
  double normal(double deviation) { return deviation * random_.normal(); }

  /// A place in 0 ... count - 1. There must be one.
  std::size_t below(std::size_t count) {
    assert(count > 0);
    return random_.below(static_cast<std::uint32_t>(count));
  }

  template <class Items>
  const auto& pick(const Items& items) {
    return items[below(items.size())];
  }

  /// A place, each as likely as its weight says. At least one weight must be positive.
  std::size_t weighted(std::span<const double> weights) {
    double sum = 0;
    for (const double weight : weights) sum += weight;
    double left = sum * random_.uniform();
    std::size_t last = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (weights[i] <= 0) continue;
      last = i;
      if ((left -= weights[i]) < 0) break;
    }
    return last;
  }

  template <class Item>
  void shuffle(std::vector<Item>& items) {
    capella::shuffle(items, random_);
  }

 private:
  Random random_;
};

}  // namespace capella::world
