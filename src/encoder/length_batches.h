// Sequences in batches of about equal length: short and long ones together would wait for each other.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "encoder/token_batch.h"

namespace capella::encoder {

/// Which sequences are encoded together: the longest first, so that those that take long do not come last.
struct LengthBatches {
  std::vector<std::size_t> order;
  std::vector<std::size_t> ends;  ///< of batches, in `order`

  std::size_t size() const { return ends.size(); }
  std::span<const std::size_t> operator[](std::size_t batch) const {
    const std::size_t begin = batch == 0 ? 0 : ends[batch - 1];
    return std::span(order).subspan(begin, ends[batch] - begin);
  }
};

/// At most `tokens` in a batch, but at least one sequence.
LengthBatches batches_by_length(const TokenBatch& sequences, std::size_t tokens);

/// The chosen sequences alone.
TokenBatch take(const TokenBatch& sequences, std::span<const std::size_t> chosen);

}  // namespace capella::encoder
