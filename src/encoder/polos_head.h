// Polos' head on the CPU: each reference gives vectors of its own, side by side, to ScoreLayers; the best
// score counts.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "encoder/head_samples.h"
#include "encoder/model_folder.h"
#include "encoder/score_layers.h"

namespace capella::encoder {

struct PolosShape {
  std::size_t clip_width = 512;      ///< of CLIP's vectors; 0: there are none
  std::size_t sentence_width = 768;  ///< of the sentence encoder's; 0: there are none
  bool image = true;
  std::array<std::size_t, 2> hidden = {2304, 1152};
  std::string prefix = "ff.";  ///< before all names
};

/// The shape that the folder's tensors have, for encoders of these widths, which they do not show. Throws
/// FileError if they do not belong together.
PolosShape polos_shape(const ModelFolder& folder, std::size_t clip_width, std::size_t sentence_width);

class PolosHead {
 public:
  /// Throws FileError that names a tensor which is missing or has another shape.
  PolosHead(const WeightSource& source, const PolosShape& shape);

  const PolosShape& shape() const { return shape_; }

  /// One score in [0, 1] per sample. Throws UsageError; see check_samples.
  void scores(const tensor::Kernels& kernels, const HeadSamples& samples, float* out) const;

 private:
  void features(const HeadSamples& samples, std::size_t sample, std::size_t reference, float* out) const;

  PolosShape shape_;
  ScoreLayers last_;
};

}  // namespace capella::encoder
