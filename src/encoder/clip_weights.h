// CLIP's weights as the folder has them, ready to compute with: Hugging Face's names, or OpenAI's, which
// OpenCLIP has too. Sizes come from the tensors; heads and activation, which these do not show, from the
// configuration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "encoder/clip.h"
#include "encoder/transformer.h"

namespace capella::encoder {

struct ClipText {
  std::size_t vocabulary = 0;
  std::size_t positions = 0;
  std::int32_t end = 0;
  /// Whether a text is read at its greatest id, as OpenAI does, rather than at the first `end`.
  bool end_is_greatest = true;
  tensor::AlignedVector<float> words;   ///< [vocabulary][width]
  tensor::AlignedVector<float> places;  ///< [positions][width]
  Transformer layers;
  tensor::FloatNorm norm;
  tensor::FloatLinear projection;
};

struct ClipVision {
  std::size_t patch = 0;  ///< pixels on a side
  std::size_t side = 0;   ///< patches on a side
  tensor::FloatLinear patches;
  tensor::AlignedVector<float> first;   ///< [width], before the patches
  tensor::AlignedVector<float> places;  ///< [1 + side * side][width]
  tensor::FloatNorm first_norm;
  Transformer layers;
  tensor::FloatNorm last_norm;
  tensor::FloatLinear projection;
};

struct Clip::Parts {
  explicit Parts(const ModelFolder& folder);

  std::size_t width = 0;
  ClipText text;
  ClipVision vision;
};

}  // namespace capella::encoder
