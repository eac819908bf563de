// The table of the textbook algorithm, one bit per cell, 64 cells per step (Hyyrö 2004, "Bit-parallel
// LCS-length computation revisited"). A zero bit in `row` at i says that the LCS grows at a[i].
#include "metric/lcs.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include <tsl/robin_map.h>

namespace capella::metric {
namespace {

using text::WordId;

constexpr std::size_t kBits = 64;

// Bit i is set where block[i] is the word.
std::uint64_t match_mask(std::span<const WordId> block, WordId word) {
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < block.size(); ++i) mask |= std::uint64_t{block[i] == word} << i;
  return mask;
}

std::size_t lcs_one_block(std::span<const WordId> a, std::span<const WordId> b) {
  std::uint64_t row = ~std::uint64_t{0};
  for (const WordId word : b) {
    const std::uint64_t matches = row & match_mask(a, word);
    row = (row + matches) | (row - matches);
  }
  return static_cast<std::size_t>(std::popcount(~row));
}

// The words of `b` by their place in `masks` below: words that `a` lacks share the place 0.
std::vector<std::uint32_t> places_of(std::span<const WordId> words,
                                     const tsl::robin_map<WordId, std::uint32_t>& places) {
  std::vector<std::uint32_t> found;
  found.reserve(words.size());
  for (const WordId word : words) {
    const auto place = places.find(word);
    found.push_back(place == places.end() ? 0 : place->second);
  }
  return found;
}

// Block by block of `a`; what a block's additions carry over at each word of `b` goes into the next block.
std::size_t lcs_many_blocks(std::span<const WordId> a, std::span<const WordId> b) {
  tsl::robin_map<WordId, std::uint32_t> places;
  for (const WordId word : a) places.try_emplace(word, static_cast<std::uint32_t>(places.size() + 1));
  const std::vector<std::uint32_t> places_a = places_of(a, places);
  const std::vector<std::uint32_t> places_b = places_of(b, places);
  std::vector<std::uint64_t> masks(places.size() + 1);
  std::vector<std::uint8_t> carries(b.size());
  std::size_t length = 0;
  for (std::size_t begin = 0; begin < a.size(); begin += kBits) {
    const auto block = std::span(places_a).subspan(begin, std::min(kBits, a.size() - begin));
    for (std::size_t i = 0; i < block.size(); ++i) masks[block[i]] |= std::uint64_t{1} << i;
    std::uint64_t row = ~std::uint64_t{0};
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::uint64_t matches = row & masks[places_b[j]];
      const std::uint64_t sum = row + matches;
      const std::uint64_t with_carry = sum + carries[j];
      carries[j] = (sum < row) | (with_carry < sum);
      row = with_carry | (row - matches);
    }
    length += static_cast<std::size_t>(std::popcount(~row));
    for (const std::uint32_t place : block) masks[place] = 0;
  }
  return length;
}

}  // namespace

std::size_t lcs_length(std::span<const WordId> a, std::span<const WordId> b) {
  if (a.size() > b.size()) std::swap(a, b);
  return a.size() <= kBits ? lcs_one_block(a, b) : lcs_many_blocks(a, b);
}

}  // namespace capella::metric
