// Encoders and heads of the sizes that people use, with drawn weights: as fast as trained ones. Another
// program may have drawn them, so that both can be asked the same.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <torch/torch.h>

#include "torch/deneb/network.h"
#include "torch/encoder/models.h"
#include "torch/weights.h"

namespace capella::bench {

using DrawnArrays = std::map<std::string, torch::Tensor>;

/// Arrays on the CPU: of CLIP ViT-B/32 and of RoBERTa-base under Hugging Face's names, of DENEB's head as
/// released, for B/32, under its authors'.
struct Drawing {
  DrawnArrays clip;
  DrawnArrays roberta;
  DrawnArrays head;
};
Drawing drawn_here();

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
  torch::Tensor colour_mean, colour_deviation;  ///< of pictures

  Models(const Drawing& drawing, torch::Device where, torch::ScalarType as);
};

}  // namespace capella::bench
