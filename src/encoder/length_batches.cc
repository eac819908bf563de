#include "encoder/length_batches.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace capella::encoder {

LengthBatches batches_by_length(const TokenBatch& sequences, std::size_t tokens) {
  LengthBatches batches;
  batches.order.resize(sequences.size());
  std::iota(batches.order.begin(), batches.order.end(), std::size_t{0});
  std::ranges::stable_sort(batches.order, std::greater(), [&](std::size_t k) { return sequences.length(k); });
  for (std::size_t begin = 0; begin < batches.order.size(); begin = batches.ends.back()) {
    const std::size_t longest = sequences.length(batches.order[begin]);
    const std::size_t count = std::max<std::size_t>(tokens / longest, 1);
    batches.ends.push_back(std::min(begin + count, batches.order.size()));
  }
  return batches;
}

TokenBatch take(const TokenBatch& sequences, std::span<const std::size_t> chosen) {
  TokenBatch batch;
  for (const std::size_t k : chosen) {
    batch.add(std::span(sequences.ids).subspan(sequences.begin(k), sequences.length(k)));
    if (sequences.second.empty()) continue;
    const auto kinds = std::span(sequences.second).subspan(sequences.begin(k), sequences.length(k));
    batch.second.resize(batch.begin(batch.size() - 1));
    batch.second.insert(batch.second.end(), kinds.begin(), kinds.end());
  }
  return batch;
}

}  // namespace capella::encoder
