// A network laid out for asking it: dropout off, no gradients, sizes rounded up to whole vectors (what is
// added stays 0), and what words and images add to the gates multiplied once instead of at every step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "torch/linear_map.h"
#include "torch/network.h"

namespace capella::plugin {

/// What images bring in.
struct ImageParts {
  Tensor projected;  ///< [images][size]
  Tensor inputs;     ///< [images][3 size], what they add to reset, update and candidate; pre and par only

  ImageParts select(const std::vector<std::int64_t>& rows) const;
};

class Inference {
 public:
  explicit Inference(const Network& network);
  /// Operations of the largest product that making one takes.
  static double word_operations(const Recipe& recipe);

  Architecture architecture() const { return architecture_; }
  torch::Device device() const { return device_; }
  std::int64_t vocabulary() const { return vocabulary_; }
  std::int64_t size() const { return size_; }
  /// Width of rows of logits; beyond the vocabulary they are hugely negative.
  std::int64_t columns() const { return out_bias_.size(0); }
  /// Width of what the output layer reads: a state, or image and state.
  std::int64_t shown_size() const { return out_.inputs(); }

  ImageParts images(const CaptionData& data) const;

  /// What of the images of these rows is asked for at every step.
  ImageParts step_parts(const ImageParts& images, const std::vector<std::int64_t>& rows) const;

  /// States before the first word.
  Tensor first_states(const ImageParts& images) const;
  /// States after one more word each. `images`: of the same rows.
  Tensor next_states(const Tensor& words, const ImageParts& images, const Tensor& states) const;

  /// shown [rows][shown_size] to logits [rows][columns], without their bias.
  void multiply_out(const Tensor& shown, const Tensor& logits) const;

  const Tensor& out_bias() const { return out_bias_; }

 private:
  Tensor step(const Tensor& inputs, const Tensor& states) const;
  Tensor step_with_torch(const Tensor& inputs, const Tensor& states) const;
  Tensor step_on_cpu(const Tensor& inputs, const Tensor& states) const;

  Architecture architecture_;
  torch::Device device_;
  std::int64_t vocabulary_;
  std::int64_t image_width_;
  std::int64_t size_;
  LinearMap image_;            // features, rounded up to whole vectors, to [size]
  LinearMap image_inputs_;     // [size] to [3 size]
  Tensor word_inputs_;         // [vocabulary][3 size], biases added
  LinearMap state_gates_;      // [size] to [2 size]
  LinearMap state_candidate_;  // [size] to [size]
  Tensor first_state_;         // [size]
  LinearMap out_;              // [shown] to [columns]
  Tensor out_bias_;            // [columns]
};

}  // namespace capella::plugin
