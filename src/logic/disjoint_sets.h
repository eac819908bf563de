// Sets of small numbers that grow together (union-find): components of graphs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace capella::logic {

class DisjointSets {
 public:
  /// Numbers 0 ... count - 1, each alone.
  explicit DisjointSets(std::size_t count = 0) { reset(count); }
  void reset(std::size_t count) {
    parents_.resize(count);
    std::iota(parents_.begin(), parents_.end(), std::uint32_t{0});
  }
  /// Alone again. So must be all others of its set, before they are asked for.
  void isolate(std::uint32_t number) { parents_[number] = number; }

  std::size_t size() const { return parents_.size(); }
  /// The least number of the set.
  std::uint32_t root(std::uint32_t number) {
    while (parents_[number] != number) number = parents_[number] = parents_[parents_[number]];
    return number;
  }
  /// The root of what is then one set.
  std::uint32_t join(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    parents_[std::max(a, b)] = std::min(a, b);
    return std::min(a, b);
  }

  /// Once called for a set's numbers in ascending order, and until the next join, settled_root() is their
  /// root without a search.
  void settle(std::uint32_t number) { parents_[number] = parents_[parents_[number]]; }
  std::uint32_t settled_root(std::uint32_t number) const { return parents_[number]; }

 private:
  std::vector<std::uint32_t> parents_;
};

}  // namespace capella::logic
