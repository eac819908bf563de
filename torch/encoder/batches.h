// Batches of token ids as a device takes them: sequences sorted by length and cut into parts of bounded size.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "encoder/token_batch.h"
#include "torch/encoder/transformer.h"

namespace capella::plugin::encoder {

using capella::encoder::TokenBatch;

/// Throws UsageError if the batch is not in order, an id is not in [0, vocabulary) or a sequence has no token
/// or more than `most`.
void expect_tokens(const TokenBatch& batch, std::int64_t vocabulary, std::int64_t most);

/// Some sequences on the device.
struct Part {
  std::vector<std::int64_t> sequences;  ///< their numbers in the batch
  std::vector<std::int64_t> lengths;    ///< without what fills them
  Tensor ids, positions;                ///< [tokens]
  Tensor second;                        ///< [tokens]; undefined: all are of first texts
  Layout layout;
};

struct PartOptions {
  LayoutOptions layout;
  std::int64_t tokens_together = 0;
  std::int64_t first_position = 0;
  std::optional<std::int32_t> padding = {};  ///< has the position before the first, and does not count
};

/// How many tokens of each sequence are taken.
using Lengths = std::vector<std::int64_t>;

/// Calls `job` for one part after the other. No `lengths`: sequences are taken whole.
void for_parts(const TokenBatch& batch, const Lengths& lengths, const PartOptions& options,
               const std::function<void(const Part& part)>& job);

/// The mean over each sequence's own tokens of a part's rows: [sequences][width].
Tensor sequence_means(const Part& part, const Tensor& rows);

}  // namespace capella::plugin::encoder
