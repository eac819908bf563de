// Beam search as the authors' program does it, with torch's own operations: every step runs all captions of
// the beam from their beginning, computes the probabilities of all words at all places, and tries all of
// them.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include <torch/torch.h>

#include "method/pregen/generator.h"

namespace capella::bench {

class SlowSearch {
 public:
  /// Logarithm, whether it is complete, words: compares as the authors' tuples do.
  using Prefix = std::tuple<double, bool, std::vector<std::int32_t>>;

  SlowSearch(const method::pregen::Generator& generator, torch::Device device);

  /// `images_at_once`: 1, or as many as fit the authors' batch of 400 captions.
  std::vector<method::pregen::GeneratedCaption> run(const method::pregen::CaptionData& data,
                                                    std::size_t images, std::size_t images_at_once,
                                                    const method::pregen::BeamOptions& options) const;

  /// Of all words after each word of the captions, which have the same length: [captions][words][vocabulary].
  torch::Tensor probabilities(const torch::Tensor& images, const torch::Tensor& words) const;

 private:
  void advance(const torch::Tensor& features, const std::vector<std::size_t>& open,
               std::vector<std::vector<Prefix>>& beams, const method::pregen::BeamOptions& options) const;
  torch::Tensor step(const torch::Tensor& input, const torch::Tensor& state) const;

  method::pregen::Architecture architecture_;
  torch::Device device_;
  torch::Tensor image_weight_, image_bias_, embedding_, first_, gate_weight_, gate_bias_, candidate_weight_,
      candidate_bias_, out_weight_, out_bias_;
};

}  // namespace capella::bench
