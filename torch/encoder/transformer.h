// The layers that BERT, RoBERTa and CLIP's two towers are made of, on any device, in float or bfloat16; the
// other engine's are in src/encoder/transformer.h.
//
// Sequences lie packed one behind the other, without padding. Those of equal length stand together, so that
// attention takes each such group in one go; or, where there are few tokens on a GPU, which waits for
// launches, all of them with a mask between sequences. Where a GPU learns, which triples the launches, all
// sequences are filled up to the longest instead, and nobody sees what fills them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <torch/torch.h>

#include "tensor/kernels.h"
#include "torch/attention.h"
#include "torch/low_rank.h"

namespace capella::plugin::encoder {

using torch::Tensor;

struct Layer {
  Tensor qkv_weight;  ///< [3 width][width]: query, key, value
  Tensor qkv_bias;
  Tensor out_weight, out_bias;  ///< of attention
  Tensor norm1_weight, norm1_bias;
  Tensor up_weight, up_bias;
  Tensor down_weight, down_bias;
  Tensor norm2_weight, norm2_bias;
  LowRank qkv_update, out_update, up_update,
      down_update;  ///< where they are learnt; weights have them in them
};

struct Tower {
  std::vector<Layer> layers;
  std::int64_t heads = 1;
  double epsilon = 1e-5;
  bool norm_first = false;  ///< before attention and the linear maps, as in CLIP, else behind, as in BERT
  bool causal = false;      ///< whether a token sees only itself and those before it
  /// kGelu or kRelu; or kQuickGelu, whose factor fold_quick_gelu() has put into the weights.
  tensor::After activation = tensor::After::kGelu;
};

inline constexpr double kQuickFactor = 1.702;

/// x s(1.702 x) = silu(1.702 x) / 1.702: puts the factors into the linear maps before and behind it.
void fold_quick_gelu(Layer& layer);

/// Sequences of one length: rows `begin` ... `begin + count * length - 1`.
struct Group {
  std::int64_t begin;
  std::int64_t count;
  std::int64_t length;
};

/// What attention takes in one go: a group, or all sequences as one.
struct Attended {
  Group rows;
  std::int64_t sequences;  ///< in truth
  Fold fold;               ///< for queries of all tokens
  Fold one_fold;           ///< for those of one token of each sequence
};

/// Which token of a sequence is read.
enum class ReadAt { kFirst, kLast };

/// How a batch of packed sequences lies.
struct Layout {
  std::vector<Group> groups;
  std::vector<Attended> attended;
  std::int64_t tokens = 0;
  Tensor read;  ///< [sequences]: the row of each that is read
};

struct LayoutOptions {
  ReadAt read = ReadAt::kFirst;
  bool causal = false;
  std::int64_t masked_tokens = 0;  ///< up to so many tokens of several lengths are taken as one sequence
  torch::Device device = torch::kCPU;
  torch::ScalarType type = torch::kFloat32;  ///< of masks
  bool padded = false;                       ///< sequences are filled up to longest_of() their lengths
};

/// How long padded sequences are: the greatest of `lengths` or a little more, as kernels like it.
std::int64_t longest_of(std::span<const std::int64_t> lengths);

/// `lengths` of sequences in their order, without what fills them; equal ones stand together.
Layout layout_of(std::span<const std::int64_t> lengths, const LayoutOptions& options);

/// Called with rows [tokens][width] before the first layer (layer 0) and behind each.
using AfterLayer = std::function<void(std::size_t layer, const Tensor& rows)>;

/// Runs the first `layers` layers on all rows.
Tensor run(const Tower& tower, const Layout& layout, Tensor rows, std::size_t layers,
           const AfterLayer& after);

/// Runs all layers, the last one only for the row of each sequence that is read: [sequences][width]. `after`
/// is not called for the last layer.
Tensor run_and_read(const Tower& tower, const Layout& layout, Tensor rows, const AfterLayer& after);

}  // namespace capella::plugin::encoder
