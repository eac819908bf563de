#include "method/composite/similar_images.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <tsl/robin_map.h>

#include "base/ascii.h"
#include "base/hash.h"

namespace capella::method::composite {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

void SimilarImages::add(std::span<const std::string_view> captions) {
  std::vector<std::uint64_t>& words = words_.emplace_back();
  for (const std::string_view caption : captions) {
    const std::string lower = lowered_ascii(caption);
    for (auto begin = lower.begin(); begin != lower.end();) {
      begin = std::find_if(begin, lower.end(), is_letter);
      const auto end = std::find_if_not(begin, lower.end(), is_letter);
      if (begin != end) words.push_back(hash_bytes(std::string_view(begin, end)));
      begin = end;
    }
  }
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
}

void SimilarImages::weigh() {
  tsl::robin_map<std::uint64_t, std::size_t> images_of;
  for (const auto& words : words_) {
    for (const std::uint64_t word : words) ++images_of[word];
  }
  for (const auto& words : words_) {
    std::vector<double>& weights = weights_.emplace_back();
    double& sum = sums_.emplace_back(0.0);
    for (const std::uint64_t word : words) {
      weights.push_back(std::log(static_cast<double>(words_.size()) / static_cast<double>(images_of[word])));
      sum += weights.back();
    }
  }
}

double SimilarImages::likeness(std::size_t one, std::size_t other) const {
  double shared = 0;
  const auto& left = words_[one];
  const auto& right = words_[other];
  for (std::size_t i = 0, k = 0; i < left.size() && k < right.size();) {
    if (left[i] == right[k]) shared += weights_[one][i];
    const bool next_left = left[i] <= right[k];
    const bool next_right = right[k] <= left[i];
    i += next_left;
    k += next_right;
  }
  const double lengths = std::sqrt(sums_[one] * sums_[other]);
  return lengths == 0 ? 0 : shared / lengths;
}

std::size_t SimilarImages::draw(std::size_t image, std::size_t count, Random& random) const {
  const auto any = [&] {
    const std::size_t drawn = random.below(static_cast<std::uint32_t>(words_.size() - 1));
    return drawn < image ? drawn : drawn + 1;
  };
  std::size_t best = any();
  double highest = count > 1 ? likeness(image, best) : 0;
  for (std::size_t k = 1; k < count; ++k) {
    const std::size_t drawn = any();
    const double alike = likeness(image, drawn);
    if (alike > highest) {
      best = drawn;
      highest = alike;
    }
  }
  return best;
}

}  // namespace capella::method::composite
