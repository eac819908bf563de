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
  for (const std::int64_t k : sequences) chosen.push_back(lengths[static_cast<std::size_t>(k)]);
  const std::int64_t longest = options.layout.padded ? longest_of(chosen) : 0;
  for (const std::int64_t k : sequences) {
    std::int64_t next = options.first_position;
    const std::size_t begin = batch.begin(static_cast<std::size_t>(k));
    const std::int64_t length = lengths[static_cast<std::size_t>(k)];
    for (std::size_t t = begin; t < begin + static_cast<std::size_t>(length); ++t) {
      ids.push_back(batch.ids[t]);
      positions.push_back(batch.ids[t] == options.padding ? options.first_position - 1 : next++);
      if (!batch.second.empty()) second.push_back(batch.second[t] != 0);
    }
    // What fills a sequence is seen by none: any token at any place.
    for (std::int64_t t = length; t < longest; ++t) {
      ids.push_back(ids.back());
      positions.push_back(positions.back());
      if (!second.empty()) second.push_back(second.back());
    }
  }
  const auto moved = [&](const std::vector<std::int64_t>& numbers) {
    return on_device(torch::tensor(numbers, torch::kInt64), options.layout.device);
  };
  part.ids = moved(ids);
  part.positions = moved(positions);
  if (!second.empty()) part.second = moved(second);
  part.layout = layout_of(chosen, options.layout);
  part.lengths = std::move(chosen);
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

Tensor sequence_means(const Part& part, const Tensor& rows) {
  std::vector<Tensor> means;
  auto own = part.lengths.begin();
  for (const Group& group : part.layout.groups) {
    const std::vector<std::int64_t> lengths(own, own + group.count);
    own += group.count;
    const Tensor some = rows.narrow(0, group.begin, group.count * group.length)
                            .view({group.count, group.length, rows.size(1)});
    if (std::all_of(lengths.begin(), lengths.end(), [&](std::int64_t one) { return one == group.length; })) {
      means.push_back(some.mean(1));
      continue;
    }
    const Tensor counts = on_device(torch::tensor(lengths, torch::kInt64), rows.device()).unsqueeze(1);
    const Tensor is_own = (torch::arange(group.length, counts.options()) < counts).to(rows.scalar_type());
    means.push_back((some * is_own.unsqueeze(2)).sum(1) / counts);
  }
  return means.size() == 1 ? means.front() : torch::cat(means);
}

}  // namespace capella::plugin::encoder
