// A small encoder with an adapter that can be trained, steps for it to learn from, and their loss by hand.
#pragma once

#include <cmath>
#include <memory>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "encoder/device_model.h"
#include "encoder/model_folder.h"
#include "method/adapter_training/trainer.h"
#include "support/small_encoders.h"
#include "support/temp_dir.h"

extern "C" const capella::method::adapter_training::NetworkMaker* capella_torch_adapter_training(int version);

namespace capella::test {

using encoder::TokenBatch;
using method::adapter_training::Drawn;
using method::adapter_training::Network;
using method::adapter_training::Recipe;
using tensor::NetworkArray;

inline Recipe small_recipe() {
  Recipe recipe;
  recipe.rank = 3;
  recipe.alpha = 6;
  recipe.batch = 6;
  recipe.temperature = .2;
  recipe.warm_up = 1;
  recipe.most_gradient = 0;
  return recipe;
}

// A BERT, or a RoBERTa, whose first position is 2, in a folder.
struct Base {
  explicit Base(const char* kind = "bert") : weights(small_bert()) {
    folder.write("config.json", small_bert_config(kind).dump());
    folder.write("model.safetensors", weights.bytes());
  }
  encoder::BertModel model() const {
    return encoder::read_bert_model(encoder::ModelFolder(folder.path().string()));
  }

  TempDir folder;
  MemoryWeights weights;
};

inline std::unique_ptr<Network> make(const Recipe& recipe, std::uint64_t seed, const Base& base = Base()) {
  return capella_torch_adapter_training(method::adapter_training::kPluginVersion)
      ->make(base.model(), recipe, "cpu", seed, 1);
}

// Captions of several lengths, and a step that takes all of them.
struct Given {
  TokenBatch captions;
  Drawn drawn;

  Given(std::uint32_t images, std::size_t each, std::uint64_t seed) : random_(seed) {
    for (std::uint32_t k = 0; k < images * each; ++k) {
      drawn.captions.push_back(add());
      if (k % each == 0) drawn.images.push_back(k / static_cast<std::uint32_t>(each));
    }
  }

  /// Rated captions with one, two, three, one ... references.
  void add_rated(std::size_t rows) {
    for (std::size_t row = 0; row < rows; ++row) {
      std::vector<std::uint32_t> references;
      for (std::size_t r = 0; r <= row % 3; ++r) references.push_back(add());
      drawn.rated.add(add(), references, static_cast<double>(random_() % 5));
    }
  }

 private:
  std::uint32_t add() {
    std::vector<std::int32_t> ids = {2};
    for (std::size_t w = 1 + random_() % 9; w > 0; --w)
      ids.push_back(static_cast<std::int32_t>(4 + random_() % 56));
    ids.push_back(3);
    captions.add(ids);
    return static_cast<std::uint32_t>(captions.size() - 1);
  }

  std::mt19937_64 random_;
};

inline const NetworkArray& named(const std::vector<NetworkArray>& arrays, const std::string& name) {
  for (const NetworkArray& array : arrays) {
    if (array.name == name) return array;
  }
  throw std::out_of_range(name);
}

// Without this an adapter's first arrays have no slope.
inline void move_from_zero(Network& network, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<NetworkArray> arrays = network.arrays(false);
  for (NetworkArray& array : arrays) {
    if (!array.name.ends_with("lora_B.weight")) continue;
    for (float& value : array.values) value = static_cast<float>(random() % 2001) / 10000.0f - .1f;
  }
  network.set_arrays(arrays);
}

inline std::vector<float> texts_of(const Network& network, const TokenBatch& batch) {
  std::vector<float> out(batch.size() * network.width());
  network.texts(batch, out.data());
  return out;
}

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

// The cosine of a vector with the sum of others' directions.
inline double centroid_cosine(const std::vector<float>& vectors, std::size_t width, std::uint32_t candidate,
                              std::span<const std::uint32_t> references) {
  const auto length = [&](std::uint32_t place) {
    double square = 0;
    for (std::size_t i = 0; i < width; ++i) square += std::pow(vectors[place * width + i], 2);
    return std::sqrt(square);
  };
  double product = 0, square = 0;
  for (std::size_t i = 0; i < width; ++i) {
    double sum = 0;
    for (const std::uint32_t place : references) sum += vectors[place * width + i] / length(place);
    product += sum * vectors[candidate * width + i];
    square += sum * sum;
  }
  return product / (length(candidate) * std::sqrt(square));
}

// -log softmax of each candidate's image, from the vectors alone; `left_out` are not told apart.
inline double loss_by_hand(const Network& network, const Given& given, const Pairs& left_out) {
  const std::size_t width = network.width(), each = 1 + network.recipe().references;
  const std::size_t count = given.drawn.images.size();
  const std::vector<float> vectors = texts_of(network, given.captions);
  const auto exponential = [&](std::size_t candidate, std::size_t image) {
    for (const auto& [a, b] : left_out) {
      if ((candidate == a && image == b) || (candidate == b && image == a)) return 0.0;
    }
    const auto references = std::span(given.drawn.captions).subspan(image * each + 1, each - 1);
    const double score = centroid_cosine(vectors, width, given.drawn.captions[candidate * each], references);
    return std::exp(score / network.recipe().temperature);
  };
  double loss = 0;
  for (std::size_t k = 0; k < count; ++k) {
    double all = 0;
    for (std::size_t image = 0; image < count; ++image) all += exponential(k, image);
    loss -= std::log(exponential(k, k) / all);
  }
  return loss / static_cast<double>(count);
}

}  // namespace capella::test
