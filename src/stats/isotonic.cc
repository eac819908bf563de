// Neighbours that fall are pooled to their mean until none falls (Ayer et al. 1955), each at most once.
#include "stats/isotonic.h"

#include <cassert>

namespace capella::stats {

std::vector<Block> isotonic(std::span<const double> values, std::span<const double> weights) {
  assert(weights.empty() || weights.size() == values.size());
  std::vector<Block> blocks;
  std::vector<double> weight;  // of each block
  for (std::size_t i = 0; i < values.size(); ++i) {
    blocks.push_back({i, i + 1, values[i]});
    weight.push_back(weights.empty() ? 1.0 : weights[i]);
    while (blocks.size() > 1 && blocks[blocks.size() - 2].value >= blocks.back().value) {
      const Block last = blocks.back();
      const double added = weight.back();
      blocks.pop_back();
      weight.pop_back();
      Block& pooled = blocks.back();
      pooled.value = (pooled.value * weight.back() + last.value * added) / (weight.back() + added);
      pooled.end = last.end;
      weight.back() += added;
    }
  }
  return blocks;
}

}  // namespace capella::stats
