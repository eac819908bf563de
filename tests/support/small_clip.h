// The small CLIP model with a tokenizer, in a folder as Hugging Face writes it, and what it says of single
// texts and pictures.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "base/random.h"
#include "encoder/clip.h"
#include "encoder/image_input.h"
#include "encoder/model_folder.h"
#include "encoder/tokenizer/tokenizer.h"
#include "io/image/image.h"
#include "io/png.h"
#include "support/small_encoders.h"
#include "support/small_vocabularies.h"
#include "support/temp_dir.h"

namespace capella::test {

class SmallClip {
 public:
  static constexpr std::size_t kWidth = 10;   ///< of its vectors
  static constexpr std::size_t kTokens = 40;  ///< that a text may have

  /// Other seeds give other models.
  explicit SmallClip(unsigned seed = 3) {
    const MergePairs merges = {{"d", "o"}, {"do", "g</w>"}, {"a", "t</w>"}, {"c", "at</w>"}};
    const nlohmann::json pieces = byte_vocabulary(merges, "</w>", {"<|startoftext|>", "<|endoftext|>"});
    nlohmann::json config = small_clip_config();
    config["text_config"]["eos_token_id"] = pieces.size() - 1;
    MemoryWeights weights = test::small_clip();
    std::mt19937_64 random(seed);
    weights.fill("text_model.embeddings.token_embedding.weight", {pieces.size(), kSmallWidth}, random, 1.0f);
    weights.fill("text_model.embeddings.position_embedding.weight", {kTokens, kSmallWidth}, random, 1.0f);
    folder_.write("vocab.json", pieces.dump());
    folder_.write("merges.txt", merge_lines(merges));
    folder_.write("config.json", config.dump());
    folder_.write("model.safetensors", weights.bytes());
  }

  std::string path() const { return folder_.path().string(); }
  const TempDir& folder() const { return folder_; }

  /// The vector of one text, encoded alone.
  std::vector<float> text(const std::string& text) const {
    const encoder::ModelFolder folder(path());
    const auto batch = token_batch({encoder::open_tokenizer(folder)->tokens(text, kTokens).ids});
    std::vector<float> out(kWidth);
    encoder::Clip(folder).texts(tensor::kernels(), batch, out.data());
    return out;
  }

  /// The vector of one picture, encoded alone.
  std::vector<float> picture(const std::string& file) const {
    const encoder::ModelFolder folder(path());
    const encoder::Clip clip(folder);
    const auto input = encoder::ImageInput::from(folder, clip.image_size());
    std::vector<float> pixels(3 * input.size * input.size), out(kWidth);
    encoder::image_pixels(io::read_image(file), input, pixels.data());
    clip.images(tensor::kernels(), pixels.data(), 1, out.data());
    return out;
  }

 private:
  TempDir folder_;
};

/// A PNG file with pixels drawn at random.
inline std::string random_picture(std::uint64_t seed, std::size_t width = 17, std::size_t height = 13) {
  Random random(seed);
  io::RgbImage image{width, height, {}};
  for (std::size_t i = 0; i < 3 * width * height; ++i)
    image.pixels.push_back(static_cast<std::uint8_t>(random.below(256)));
  return io::png_bytes(image);
}

}  // namespace capella::test
