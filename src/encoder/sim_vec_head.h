// DENEB's head as its authors released it, on the CPU. Tokens are similarities of the candidate's vector to
// another vector: |other - candidate| and other * candidate, each projected, side by side. Those of CLIP (the
// image, the references) make one sequence, those of the sentence encoder (the references) a second; a
// transformer reads each at a token of its own, and what they say goes with the image's token to ScoreLayers.
//
// The order of the references matters: tokens have places. Two variants show what parts are worth: tokens of
// the vectors themselves instead of similarities, and layers without attention, whose tokens have no places.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "encoder/head_samples.h"
#include "encoder/model_folder.h"
#include "encoder/score_layers.h"
#include "encoder/token_joiner.h"

namespace capella::encoder {

struct SimVecShape {
  std::size_t clip_width = 512;      ///< of CLIP's vectors; 0: there are none
  std::size_t sentence_width = 768;  ///< of the sentence encoder's; 0: there are none
  bool image = true;
  std::size_t width = 768;  ///< of a projected difference or product, a multiple of 8
  std::size_t layers = 3;
  std::size_t heads = 8;
  std::size_t inner = 2048;                         ///< in a layer
  std::array<std::size_t, 2> hidden = {1536, 768};  ///< of ScoreLayers
  bool raw = false;                                 ///< tokens are other and candidate themselves
  bool attention = true;
  std::string prefix;               ///< before all names but those of ScoreLayers
  std::string last_prefix = "ff.";  ///< before those
};

/// The shape that the folder's tensors have. Heads, which these do not show, are `heads` of the configuration
/// or of the weight file's metadata, else 8. Throws FileError.
SimVecShape sim_vec_shape(const ModelFolder& folder);

class SimVecHead {
 public:
  explicit SimVecHead(const ModelFolder& folder) : SimVecHead(folder, sim_vec_shape(folder)) {}
  /// Throws FileError that names a tensor which is missing or has another shape.
  SimVecHead(const WeightSource& source, const SimVecShape& shape);

  const SimVecShape& shape() const { return shape_; }

  /// One score in [0, 1] per sample, which depends on that sample alone. Throws UsageError; see
  /// check_samples.
  void scores(const tensor::Kernels& kernels, const HeadSamples& samples, float* out) const;

 private:
  struct Sequence {
    tensor::FloatLinear projection;
    TokenJoiner joiner;
  };
  // Samples [begin, end) of all; their features, [end - begin][feature_stride].
  struct Part {
    const HeadSamples& samples;
    std::size_t begin;
    std::size_t end;
    float* features;
    std::size_t stride;
  };

  Sequence read_sequence(const WeightSource& source, std::size_t inputs, const std::string& number) const;
  void add_place(std::size_t position, float* row) const;
  void read_part(const tensor::Kernels& kernels, const Sequence& sequence, const HeadVectors& vectors,
                 const Part& part, std::size_t at, Workspace& work) const;
  void project_part(const tensor::Kernels& kernels, const Sequence& sequence, const HeadVectors& vectors,
                    const Part& part, Workspace& work) const;

  SimVecShape shape_;
  std::size_t width_;  // of a token
  Sequence clip_;
  Sequence sentence_;
  tensor::AlignedVector<float> places_;  // of the first tokens
  ScoreLayers last_;
};

}  // namespace capella::encoder
