#include "torch/encoder/batches.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <string>

#include "capella/error.h"

#include "torch/boundary.h"

namespace capella::plugin::encoder {
namespace {

Part part_of(const TokenBatch& batch, const Lengths& lengths, std::span<const std::int64_t> sequences,
             const PartOptions& options) {
  Part part;
  part.sequences.assign(sequences.begin(), sequences.end());
  std::vector<std::int64_t> ids, positions, second, chosen;
  for (const std::int64_t k : sequences) {
    std::int64_t next = options.first_position;
    const std::size_t begin = batch.begin(static_cast<std::size_t>(k));
    const std::int64_t length = lengths[static_cast<std::size_t>(k)];
    for (std::size_t t = begin; t < begin + static_cast<std::size_t>(length); ++t) {
      ids.push_back(batch.ids[t]);
      positions.push_back(batch.ids[t] == options.padding ? options.first_position - 1 : next++);
      if (!batch.second.empty()) second.push_back(batch.second[t] != 0);
    }
    chosen.push_back(length);
  }
  const auto moved = [&](const std::vector<std::int64_t>& numbers) {
    return on_device(torch::tensor(numbers, torch::kInt64), options.layout.device);
  };
  part.ids = moved(ids);
  part.positions = moved(positions);
  if (!second.empty()) part.second = moved(second);
  part.layout = layout_of(chosen, options.layout);
  return part;
}

}  // namespace

void expect_tokens(const TokenBatch& batch, std::int64_t vocabulary, std::int64_t most) {
  std::size_t begin = 0;
  for (const std::size_t end : batch.ends) {
    if (end <= begin || end > batch.ids.size()) throw UsageError("a sequence has no tokens");
    if (end - begin > static_cast<std::size_t>(most))
      throw UsageError("a sequence has " + std::to_string(end - begin) + " tokens, the model takes " +
                       std::to_string(most) + " at most");
    begin = end;
  }
  if (begin != batch.ids.size() || (!batch.second.empty() && batch.second.size() != batch.ids.size()))
    throw UsageError("the sequences do not have all tokens of the batch");
  for (const std::int32_t id : batch.ids) {
    if (id < 0 || id >= vocabulary)
      throw UsageError("found the token " + std::to_string(id) + ", the model has " +
                       std::to_string(vocabulary) + "; does the tokenizer belong to the model?");
  }
}

void for_parts(const TokenBatch& batch, const Lengths& lengths, const PartOptions& options,
               const std::function<void(const Part& part)>& job) {
  Lengths all = lengths;
  for (std::size_t k = all.size(); k < batch.size(); ++k)
    all.push_back(static_cast<std::int64_t>(batch.length(k)));
  std::vector<std::int64_t> order(batch.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return all[static_cast<std::size_t>(a)] < all[static_cast<std::size_t>(b)];
  });
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    std::int64_t tokens = 0;
    do {
      tokens += all[static_cast<std::size_t>(order[end++])];
    } while (end < order.size() &&
             tokens + all[static_cast<std::size_t>(order[end])] <= options.tokens_together);
    job(part_of(batch, all, std::span(order).subspan(begin, end - begin), options));
    begin = end;
  }
}

}  // namespace capella::plugin::encoder
