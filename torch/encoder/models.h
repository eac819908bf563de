// BERT, RoBERTa and CLIP from their arrays: embeddings before the layers of transformer.h, projections
// behind.
//
// Arrays are looked up by name in whatever holds them, so that networks that are being trained run through
// the same code.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "encoder/device_encoder.h"
#include "torch/encoder/transformer.h"

namespace capella::plugin::encoder {

using capella::encoder::TowerFacts;

/// The array of that name; undefined if there is none.
using FindArray = std::function<Tensor(const std::string& name)>;

struct Bert {
  Tensor words, places, kinds;  ///< of embeddings, float
  Tensor norm_weight, norm_bias;
  Tower tower;
  Tensor pooler_weight, pooler_bias;  ///< undefined without

  /// Rows of packed tokens before the first layer, as numbers of that type.
  Tensor embed(const Tensor& ids, const Tensor& positions, const Tensor& second,
               torch::ScalarType type) const;
};

struct ClipText {
  Tensor words, places;  ///< float
  Tower tower;
  Tensor norm_weight, norm_bias;
  Tensor projection;  ///< [joint][width]

  Tensor embed(const Tensor& ids, const Tensor& positions, torch::ScalarType type) const;
  /// From what was read of each text: [texts][joint].
  Tensor project(const Tensor& read) const;
};

struct ClipVision {
  std::int64_t patch = 0;  ///< pixels on a side
  std::int64_t side = 0;   ///< patches on a side
  Tensor patches;          ///< [width][3 patch patch]
  Tensor first;            ///< [width]
  Tensor places;           ///< [1 + side side][width]
  Tensor first_norm_weight, first_norm_bias;
  Tower tower;
  Tensor norm_weight, norm_bias;
  Tensor projection;

  /// `pixels` [images][3][size][size] in the type of the patches.
  Tensor embed(const Tensor& pixels) const;
  /// All images have the same number of tokens.
  Layout layout(std::int64_t images) const;
  /// [images][joint]. `of_images` is the layout of as many images.
  Tensor features(const Tensor& pixels, const Layout& of_images) const;
};

/// Numbers for the three colours of pictures, one each.
Tensor by_colour(const std::array<float, 3>& values, torch::Device device);

/// Pictures as bytes [n][size][size][3] to (value / 255 - mean) / deviation, [n][3][size][size].
Tensor pixels_of(const Tensor& bytes, const Tensor& mean, const Tensor& deviation);

/// Throws DataError that names an array which is missing or has another shape than the others ask for.
/// Arrays are taken as numbers of that type, but embeddings.
Bert bert_from(const FindArray& find, const TowerFacts& facts, torch::ScalarType type);
ClipText clip_text_from(const FindArray& find, const TowerFacts& facts, torch::ScalarType type);
ClipVision clip_vision_from(const FindArray& find, const TowerFacts& facts, torch::ScalarType type);

}  // namespace capella::plugin::encoder
