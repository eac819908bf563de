// The table of the textbook algorithm, one bit per cell, 64 cells per step (Hyyrö 2004, "Bit-parallel LCS-length
// computation revisited"). A zero bit in `row` at i says that the LCS grows at a[i].
#include "metric/lcs.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace capella::metric {
namespace {

using text::WordId;

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

}  // namespace

std::size_t lcs_length(std::span<const WordId> a, std::span<const WordId> b) {
  constexpr std::size_t kBits = 64;
  if (a.size() > b.size()) std::swap(a, b);
  if (a.size() <= kBits) return lcs_one_block(a, b);

  std::vector<std::uint64_t> row((a.size() + kBits - 1) / kBits, ~std::uint64_t{0});
  for (const WordId word : b) {
    std::uint64_t carry = 0;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const auto block = a.subspan(k * kBits, std::min(kBits, a.size() - k * kBits));
      const std::uint64_t matches = row[k] & match_mask(block, word);
      const std::uint64_t sum = row[k] + matches;
      const std::uint64_t with_carry = sum + carry;
      carry = (sum < row[k]) | (with_carry < sum);
      row[k] = with_carry | (row[k] - matches);
    }
  }
  std::size_t length = 0;
  for (const std::uint64_t block : row) length += static_cast<std::size_t>(std::popcount(~block));
  return length;
}

}  // namespace capella::metric
