// CLIP's two towers on the CPU: images and texts to vectors of one width. Layouts: Hugging Face's CLIPModel,
// OpenAI's and OpenCLIP's names.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "encoder/model_folder.h"
#include "encoder/token_batch.h"
#include "tensor/kernels.h"

namespace capella::encoder {

class Clip {
 public:
  /// Throws FileError if a tensor is missing or has another shape than expected.
  explicit Clip(const ModelFolder& folder);
  ~Clip();
  Clip(Clip&&) noexcept;

  std::size_t width() const;       ///< of both results
  std::size_t image_size() const;  ///< pixels on a side
  std::size_t vocabulary() const;  ///< tokens that it has vectors for
  std::size_t most_tokens() const;
  std::int32_t end_token() const;

  /// Features as projected, not normalised: [batch.size()][width()]. The text is read at its end token and
  /// tokens behind it are left out. Any thread may call it at any time.
  void texts(const tensor::Kernels& kernels, const TokenBatch& batch, float* out) const;
  /// `pixels` is [count][3][image_size][image_size], normalised.
  void images(const tensor::Kernels& kernels, const float* pixels, std::size_t count, float* out) const;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

}  // namespace capella::encoder
