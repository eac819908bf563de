// Sequences of token ids, one behind the other without padding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace capella::encoder {

struct TokenBatch {
  std::vector<std::int32_t> ids;
  std::vector<std::size_t> ends;     ///< per sequence; a sequence has at least one token
  std::vector<std::uint8_t> second;  ///< per token, whether it is of the second of two texts; none: none is

  std::size_t size() const { return ends.size(); }
  std::size_t begin(std::size_t k) const { return k == 0 ? 0 : ends[k - 1]; }
  std::size_t end(std::size_t k) const { return ends[k]; }
  std::size_t length(std::size_t k) const { return end(k) - begin(k); }
  void add(std::span<const std::int32_t> sequence) {
    ids.insert(ids.end(), sequence.begin(), sequence.end());
    ends.push_back(ids.size());
    if (!second.empty()) second.resize(ids.size(), 0);
  }
};

/// Throws UsageError if the batch is not in order, an id is not below `vocabulary` or a sequence has no token
/// or more than `most`.
void check_tokens(const TokenBatch& batch, std::size_t vocabulary, std::size_t most);

}  // namespace capella::encoder
