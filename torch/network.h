// The four networks: their arrays, how these start, and the loss that training lowers.
//
// The recurrent cell is TensorFlow's GRU, which is not torch's: with input x and state h
//   [r, u] = s([x, h] G + g)   c = tanh([x, r * h] C + c0)   h' = u * h + (1 - u) * c.
// Names, shapes and the order of all parts are those of the authors' files.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <torch/torch.h>

#include "method/pregen/generator.h"

namespace capella::plugin {

using method::pregen::Architecture;
using method::pregen::CaptionData;
using method::pregen::Recipe;
using torch::Tensor;

struct NamedTensor {
  std::string name;
  Tensor value;
};

/// Tensors are handles: copies of a Network share their numbers.
struct Network {
  Recipe recipe;
  torch::Device device = torch::kCPU;
  Tensor image_weight;  ///< [image][size]
  Tensor image_bias;
  Tensor embedding;    ///< [vocabulary][size]
  Tensor first_state;  ///< [1][size]; par and merge only
  Tensor gate_weight;  ///< [inputs + size][2 size], inputs (image before word), then state; reset, update
  Tensor gate_bias;    ///< [2 size]
  Tensor candidate_weight;  ///< [inputs + size][size]
  Tensor candidate_bias;
  Tensor out_weight;  ///< [size, or image and state: 2 size][vocabulary]
  Tensor out_bias;

  /// All arrays, in the order of the authors' files.
  std::vector<NamedTensor> arrays() const;
  /// Numbers that a step of the network reads: a word, or image and word.
  std::int64_t input_size() const;
};

/// Throws UsageError if the recipe cannot be.
void check(const Recipe& recipe);

/// A network as it is before training. The same seed gives the same network on every device.
Network make_network(const Recipe& recipe, torch::Device device, std::uint64_t seed);

/// Captions sorted by length, the longest first, so that those still going on at a step are the first ones.
/// Words stand in order of steps: those of step 0 of all captions, then those of step 1, ...
struct Batch {
  Tensor images;                       ///< [captions][width], of length 1
  std::vector<std::int64_t> rows;      ///< captions that have a word at each step, ends included
  std::vector<std::int64_t> captions;  ///< the caption (of this batch) of each word
  std::vector<std::int64_t> inputs;    ///< the word before each word, the edge at first
  std::vector<std::int64_t> targets;   ///< each word, the edge at last
};

/// Which captions, in any order; `unknown` stands for words beyond the vocabulary.
Batch make_batch(const CaptionData& data, std::span<const std::uint32_t> captions,
                 std::span<const std::uint32_t> image_of, std::size_t vocabulary, bool images);

/// The image that each caption belongs to.
std::vector<std::uint32_t> images_of_captions(const CaptionData& data);

/// Features of images as the networks read them: divided by their lengths. A feature of zeros stays.
Tensor scaled_features(const CaptionData& data, std::span<const std::uint32_t> images);

/// Cross entropy over the batch, divided by captions x longest, plus the penalty of large weights. Dropout is
/// drawn from `key`.
Tensor loss(const Network& network, const Batch& batch, std::size_t longest, std::uint64_t key);

}  // namespace capella::plugin
