// Which images are alike, by the words that people used for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace capella::method::composite {

/// Images as sets of words. Two are the more alike the more rare words they share: the weight of a word is
/// the logarithm of one over the share of images that have it, and the likeness is the cosine of the sets.
class SimilarImages {
 public:
  /// Adds an image; images are numbered from 0 in the order of these calls.
  void add(std::span<const std::string_view> captions);

  /// To be called when all are added, before draw().
  void weigh();

  /// The most alike of `count` other images drawn at random; for 1 that is any other. There must be two
  /// images.
  std::size_t draw(std::size_t image, std::size_t count, Random& random) const;

  double likeness(std::size_t one, std::size_t other) const;

 private:
  std::vector<std::vector<std::uint64_t>> words_;  // per image, hashes in ascending order
  std::vector<std::vector<double>> weights_;       // of these
  std::vector<double> sums_;                       // per image: of its words' weights
};

}  // namespace capella::method::composite
