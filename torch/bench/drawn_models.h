// Encoders and heads of the sizes that people use, with drawn weights: as fast as trained ones.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <torch/torch.h>

#include "torch/deneb/network.h"
#include "torch/encoder/models.h"
#include "torch/weights.h"

namespace capella::bench {

/// Arrays of CLIP ViT-B/32 and of RoBERTa-base under Hugging Face's names, on the CPU.
using DrawnArrays = std::map<std::string, torch::Tensor>;
DrawnArrays drawn_clip();
DrawnArrays drawn_roberta();

/// All networks that it takes to score a caption, on one device, in one type.
struct Models {
  torch::Device device;
  torch::ScalarType type;
  plugin::encoder::ClipText text;
  plugin::encoder::ClipVision vision;
  plugin::encoder::Bert roberta;
  plugin::deneb::Recipe recipe;  ///< DENEB's as released, for B/32
  plugin::Weights head;
  plugin::Weights mixer;  ///< the same in float, to mix layers with
  torch::Tensor mix_mean, mix_variance;

  Models(const DrawnArrays& clip, const DrawnArrays& roberta_arrays, torch::Device where,
         torch::ScalarType as);
};

}  // namespace capella::bench
