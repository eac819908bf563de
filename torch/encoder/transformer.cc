#include "torch/encoder/transformer.h"

#include <algorithm>
#include <limits>

#include "torch/attention.h"
#include "torch/boundary.h"

namespace capella::plugin::encoder {
namespace {

Tensor norm(const Tower& tower, const Tensor& rows, const Tensor& weight, const Tensor& bias) {
  return torch::layer_norm(rows, {rows.size(-1)}, weight, bias, tower.epsilon);
}

Tensor activated(const Tower& tower, const Tensor& rows) {
  if (tower.activation == tensor::After::kQuickGelu) return torch::silu(rows);
  return tower.activation == tensor::After::kRelu ? torch::relu(rows) : torch::gelu(rows);
}

// `q` are rows of tokens that read their own sequences, of all or of one for each sequence; `k` and `v` are
// of all tokens.
Tensor attention(const Tower& tower, const Layout& layout, const Tensor& q, const Tensor& k, const Tensor& v,
                 bool of_one) {
  std::vector<Tensor> parts;
  std::int64_t sequence = 0;
  for (const auto& [rows, sequences, fold, one_fold] : layout.attended) {
    const std::int64_t begin = rows.begin, count = rows.count * rows.length;
    const Tensor queries = of_one ? q.narrow(0, sequence, sequences) : q.narrow(0, begin, count);
    parts.push_back(attend_rows(queries, k.narrow(0, begin, count), v.narrow(0, begin, count), rows.count,
                                tower.heads, of_one ? one_fold : fold, tower.causal && !of_one));
    sequence += sequences;
  }
  return parts.size() == 1 ? parts.front() : torch::cat(parts);
}

// What comes behind attention: `rows` are what went into the layer, `read` what attention read.
Tensor finished(const Tower& tower, const Layer& layer, const Tensor& rows, const Tensor& read) {
  Tensor x = product(read, layer.out_weight, layer.out_bias, layer.out_update).add_(rows);
  if (!tower.norm_first) x = norm(tower, x, layer.norm1_weight, layer.norm1_bias);
  const Tensor in = tower.norm_first ? norm(tower, x, layer.norm2_weight, layer.norm2_bias) : x;
  const Tensor inner = activated(tower, product(in, layer.up_weight, layer.up_bias, layer.up_update));
  const Tensor y = product(inner, layer.down_weight, layer.down_bias, layer.down_update).add_(x);
  return tower.norm_first ? y : norm(tower, y, layer.norm2_weight, layer.norm2_bias);
}

Tensor attention_input(const Tower& tower, const Layer& layer, const Tensor& rows) {
  return tower.norm_first ? norm(tower, rows, layer.norm1_weight, layer.norm1_bias) : rows;
}

Tensor layer_for_all(const Tower& tower, const Layer& layer, const Layout& layout, const Tensor& rows) {
  const Tensor in = attention_input(tower, layer, rows);
  const std::vector<Tensor> qkv = product(in, layer.qkv_weight, layer.qkv_bias, layer.qkv_update).chunk(3, 1);
  return finished(tower, layer, rows, attention(tower, layout, qkv[0], qkv[1], qkv[2], false));
}

Tensor layer_for_one(const Tower& tower, const Layer& layer, const Layout& layout, const Tensor& rows) {
  const Tensor in = attention_input(tower, layer, rows);
  const std::int64_t width = rows.size(1);
  const auto part = [&](const Tensor& of, std::int64_t begin, std::int64_t count) {
    return product(of, layer.qkv_weight.narrow(0, begin, count), layer.qkv_bias.narrow(0, begin, count),
                   layer.qkv_update.rows(begin, count));
  };
  const Tensor q = part(in.index_select(0, layout.read), 0, width);
  const std::vector<Tensor> kv = part(in, width, 2 * width).chunk(2, 1);
  const Tensor seen = attention(tower, layout, q, kv[0], kv[1], true);
  return finished(tower, layer, rows.index_select(0, layout.read), seen);
}

// All sequences as one: 0 where a token sees another, -inf where not.
Tensor mask_of(const Layout& layout, const LayoutOptions& options) {
  const std::int64_t tokens = layout.tokens;
  Tensor mask = torch::full({tokens, tokens}, -std::numeric_limits<float>::infinity(), torch::kFloat32);
  auto* values = mask.data_ptr<float>();
  for (const Group& group : layout.groups) {
    for (std::int64_t row = group.begin; row < group.begin + group.count * group.length; ++row) {
      const std::int64_t first = row - (row - group.begin) % group.length;
      const std::int64_t end = options.causal ? row + 1 : first + group.length;
      std::fill(values + row * tokens + first, values + row * tokens + end, 0.0f);
    }
  }
  return on_device(mask.to(options.type), options.device);
}

// One group of sequences that are filled up: 0 where a place is a token of its own, -inf where it is not.
Attended filled_up(std::span<const std::int64_t> lengths, std::int64_t longest,
                   const LayoutOptions& options) {
  const auto count = static_cast<std::int64_t>(lengths.size());
  const Tensor own =
      on_device(torch::tensor(std::vector<std::int64_t>(lengths.begin(), lengths.end()), torch::kInt64),
                options.device);
  const Tensor places = torch::arange(longest, own.options());
  const Tensor mask =
      torch::zeros({count, 1, 1, longest}, own.options().dtype(options.type))
          .masked_fill_(places >= own.view({count, 1, 1, 1}), -std::numeric_limits<float>::infinity());
  // A causal token sees nothing that stands behind it.
  return {{0, count, longest}, count, options.causal ? Fold{} : Fold{1, mask}, {1, mask}};
}

}  // namespace

void fold_quick_gelu(Layer& layer) {
  layer.up_weight = layer.up_weight * kQuickFactor;
  layer.up_bias = layer.up_bias * kQuickFactor;
  layer.down_weight = layer.down_weight / kQuickFactor;
}

std::int64_t longest_of(std::span<const std::int64_t> lengths) {
  constexpr std::int64_t kMultiple = 8;
  const std::int64_t longest = lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
  return (longest + kMultiple - 1) / kMultiple * kMultiple;
}

Layout layout_of(std::span<const std::int64_t> lengths, const LayoutOptions& options) {
  Layout layout;
  std::vector<std::int64_t> read;
  const std::int64_t longest = options.padded ? longest_of(lengths) : 0;
  for (const std::int64_t length : lengths) {
    const std::int64_t taken = options.padded ? longest : length;
    if (layout.groups.empty() || layout.groups.back().length != taken)
      layout.groups.push_back({layout.tokens, 0, taken});
    ++layout.groups.back().count;
    read.push_back(options.read == ReadAt::kFirst ? layout.tokens : layout.tokens + length - 1);
    layout.tokens += taken;
  }
  layout.read = on_device(torch::tensor(read, torch::kInt64), options.device);
  if (options.padded) {
    layout.attended = {filled_up(lengths, longest, options)};
    return layout;
  }
  if (layout.groups.size() > 1 && layout.tokens <= options.masked_tokens) {
    const Tensor mask = mask_of(layout, options);
    const auto all = static_cast<std::int64_t>(lengths.size());
    layout.attended = {{{0, 1, layout.tokens}, all, {1, mask}, {1, mask.index_select(0, layout.read)}}};
    return layout;
  }
  const auto like = torch::TensorOptions(options.device).dtype(options.type);
  for (const Group& group : layout.groups) {
    layout.attended.push_back({group, group.count,
                               fold_of(group.count, group.length, group.length, options.causal, like),
                               fold_of(group.count, 1, group.length, false, like)});
  }
  return layout;
}

Tensor run(const Tower& tower, const Layout& layout, Tensor rows, std::size_t layers,
           const AfterLayer& after) {
  if (after) after(0, rows);
  for (std::size_t i = 0; i < layers; ++i) {
    rows = layer_for_all(tower, tower.layers[i], layout, rows);
    if (after) after(i + 1, rows);
  }
  return rows;
}

Tensor run_and_read(const Tower& tower, const Layout& layout, Tensor rows, const AfterLayer& after) {
  rows = run(tower, layout, rows, tower.layers.size() - 1, after);
  return layer_for_one(tower, tower.layers.back(), layout, rows);
}

}  // namespace capella::plugin::encoder
