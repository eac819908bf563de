// How a folder holds a CLIP: what its tensors are called (Hugging Face's names, or OpenAI's, which OpenCLIP
// has too), and what only the configuration tells. Sizes come from the tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "encoder/model_folder.h"
#include "encoder/transformer.h"

namespace capella::encoder {

struct ClipTower {
  TransformerShape shape;
  std::vector<LayerNames> layers;
  std::string places;  ///< positions, [rows][width]
  std::string last_norm;
  std::string projection;
  bool fused = false;  ///< OpenAI: one projection for query, key and value; the last projection transposed
};

struct ClipLayout {
  std::size_t joint = 0;  ///< width of both results
  ClipTower text;
  ClipTower vision;
  std::string words;    ///< [vocabulary][width]
  std::string patches;  ///< [width][3][patch][patch]
  std::string first;    ///< the row before the patches, [width]
  std::string first_norm;
  std::size_t vocabulary = 0;
  std::int32_t end = 0;
  /// Whether a text is read at its greatest id, as OpenAI does, rather than at the first `end`.
  bool end_is_greatest = true;
};

/// Throws FileError if the folder has no CLIP with both towers.
ClipLayout clip_layout(const ModelFolder& folder);

/// Size `axis` of a tensor that must have `axes`; throws FileError.
std::size_t size_of(const ModelFolder& folder, const std::string& name, std::size_t axes, std::size_t axis);

/// The last projection as [joint][width], which OpenAI has the other way round.
std::vector<float> read_projection(const ModelFolder& folder, const ClipTower& tower, std::size_t joint);

}  // namespace capella::encoder
