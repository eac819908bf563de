// A picture as CLIP wants it: short side to `size` (Pillow's bicubic, to the bit), centre crop, normalised.
#pragma once

#include <array>
#include <cstddef>

#include "encoder/model_folder.h"
#include "io/image/image.h"

namespace capella::encoder {

enum class Crop { kRoundHalfEven, kFloor };  ///< torchvision's and Hugging Face's centre of an odd margin

struct ImageInput {
  std::size_t size = 224;
  std::array<float, 3> mean = {0.48145466f, 0.4578275f, 0.40821073f};
  std::array<float, 3> deviation = {0.26862954f, 0.26130258f, 0.27577711f};
  Crop crop = Crop::kRoundHalfEven;

  /// What the folder says (preprocessor_config.json, open_clip_config.json), else OpenAI's numbers.
  static ImageInput from(const ModelFolder& folder, std::size_t size);
};

/// Resized and cropped, 8 bits: [size][size][3].
io::Image resize_and_crop(const io::Image& image, const ImageInput& input);
/// [3][size][size].
void image_pixels(const io::Image& image, const ImageInput& input, float* out);

}  // namespace capella::encoder
