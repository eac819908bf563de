// The plug-in's side of method/clip_training/trainer.h. The forward pass is that of torch/encoder; weights
// start as OpenAI's do.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <string>
#include <unordered_map>

#include "capella/error.h"

#include "method/clip_training/trainer.h"
#include "torch/boundary.h"
#include "torch/contrastive.h"
#include "torch/encoder/batches.h"
#include "torch/encoder/models.h"
#include "torch/flat_adam.h"
#include "torch/short_products.h"
#include "torch/threads.h"
#include "torch/weights.h"

namespace capella::plugin::clip_training {
namespace {

using capella::encoder::TokenBatch;
using encoder::ClipText;
using encoder::ClipVision;
using encoder::FindArray;
using encoder::Part;
using encoder::PartOptions;
using method::clip_training::NetworkArray;
using method::clip_training::Pairs;
using method::clip_training::Recipe;
using method::clip_training::Steps;
using method::clip_training::TowerSize;
using torch::Tensor;

constexpr const char* kAdvice = "give a smaller --batch or a smaller network";
constexpr const char* kScale = "logit_scale";
constexpr double kMostScale = 100;  // the inverse of the least temperature

std::int64_t signed_size(std::size_t size) {
  return static_cast<std::int64_t>(size);
}

void first_linear(FirstWeights& first, const std::string& name, std::int64_t outputs, std::int64_t inputs,
                  double deviation) {
  first.normal(name + ".weight", {outputs, inputs}, deviation);
  first.constant(name + ".bias", {outputs}, 0);
}

void first_tower(FirstWeights& first, const TowerSize& size, const std::string& name) {
  const std::int64_t width = signed_size(size.width);
  const double narrow = 1 / std::sqrt(static_cast<double>(width));
  const double deep = narrow / std::sqrt(2 * static_cast<double>(size.layers));
  for (std::size_t i = 0; i < size.layers; ++i) {
    const std::string layer = name + ".encoder.layers." + std::to_string(i) + ".";
    first.norm(layer + "layer_norm1", width);
    for (const char* part : {"q_proj", "k_proj", "v_proj"})
      first_linear(first, layer + "self_attn." + part, width, width, narrow);
    first_linear(first, layer + "self_attn.out_proj", width, width, deep);
    first.norm(layer + "layer_norm2", width);
    first_linear(first, layer + "mlp.fc1", 4 * width, width, narrow / std::numbers::sqrt2);
    first_linear(first, layer + "mlp.fc2", width, 4 * width, deep);
  }
}

std::vector<NamedWeight> first_weights(const Recipe& recipe, std::uint64_t seed) {
  FirstWeights first(seed);
  const std::int64_t text = signed_size(recipe.text.width), vision = signed_size(recipe.vision.width);
  const std::int64_t patch = signed_size(recipe.patch), joint = signed_size(recipe.joint);
  const std::int64_t side = signed_size(recipe.image_size) / patch;
  const double scale = 1 / std::sqrt(static_cast<double>(vision));
  first.constant(kScale, {}, std::log(1 / recipe.temperature));
  first.normal("text_model.embeddings.token_embedding.weight", {signed_size(recipe.vocabulary), text}, .02);
  first.normal("text_model.embeddings.position_embedding.weight", {signed_size(recipe.most_tokens), text},
               .01);
  first_tower(first, recipe.text, "text_model");
  first.norm("text_model.final_layer_norm", text);
  first.normal("vision_model.embeddings.class_embedding", {vision}, scale);
  first.uniform("vision_model.embeddings.patch_embedding.weight", {vision, 3, patch, patch},
                1 / std::sqrt(static_cast<double>(3 * patch * patch)));
  first.normal("vision_model.embeddings.position_embedding.weight", {1 + side * side, vision}, scale);
  first.norm("vision_model.pre_layrnorm", vision);
  first_tower(first, recipe.vision, "vision_model");
  first.norm("vision_model.post_layernorm", vision);
  first.normal("text_projection.weight", {joint, text}, 1 / std::sqrt(static_cast<double>(text)));
  first.normal("visual_projection.weight", {joint, vision}, scale);
  return first.arrays();
}

AdamSettings adam_settings(const Recipe& recipe) {
  return {recipe.mean_decay, recipe.square_decay, recipe.epsilon, recipe.weight_decay, recipe.most_gradient};
}

// Of the step after `done` ones: from 0 in equal parts, then like a cosine back to 0.
double rate_after(const Recipe& recipe, std::int64_t done) {
  const auto step = static_cast<double>(done), warm_up = static_cast<double>(recipe.warm_up);
  if (step < warm_up) return recipe.rate * (step + 1) / warm_up;
  const double rest = static_cast<double>(recipe.total_steps) - warm_up;
  if (rest <= 0) return recipe.rate;
  const double way = std::min(1.0, (step - warm_up) / rest);
  return recipe.rate * (1 + std::cos(std::numbers::pi * way)) / 2;
}

// Pictures as bytes to what the vision tower reads.
Tensor pixels_of(const Recipe& recipe, const Tensor& bytes) {
  return encoder::pixels_of(bytes, encoder::by_colour(recipe.mean, bytes.device()),
                            encoder::by_colour(recipe.deviation, bytes.device()));
}

// For each caption the first one that has the same tokens.
Tensor first_alike(const TokenBatch& captions) {
  std::unordered_map<std::u32string, std::int64_t> first;
  std::vector<std::int64_t> found;
  for (std::size_t k = 0; k < captions.size(); ++k) {
    const auto ids = std::span(captions.ids).subspan(captions.begin(k), captions.length(k));
    found.push_back(first.try_emplace({ids.begin(), ids.end()}, static_cast<std::int64_t>(k)).first->second);
  }
  return torch::tensor(found, torch::kInt64);
}

// Of images with their texts, by cosines times exp(scale).
Tensor pair_loss(const Tensor& images, const Tensor& texts, const Tensor& scale, const Tensor& together) {
  const Tensor cosines = torch::matmul(directions(images), directions(texts).t());
  return contrastive_loss(cosines * scale.exp(), together);
}

class TorchNetwork : public method::clip_training::Network {
 public:
  TorchNetwork(const Recipe& recipe, torch::Device device, std::uint64_t seed, std::size_t threads)
      : recipe_(recipe),
        weights_(first_weights(recipe, seed), device),
        adam_(weights_, adam_settings(recipe)),
        threads_(threads) {
    options_.layout.read = encoder::ReadAt::kLast;
    options_.layout.causal = true;
    options_.layout.device = device;
    options_.layout.padded = device.is_cuda();
    options_.tokens_together = std::numeric_limits<std::int64_t>::max();
  }

  const Recipe& recipe() const override { return recipe_; }

  std::vector<NetworkArray> arrays(bool optimiser) const override {
    return kept_arrays(weights_.arrays(), optimiser ? &adam_ : nullptr);
  }

  void set_arrays(std::span<const NetworkArray> arrays) override {
    with_plain_errors(kAdvice, [&] { take_arrays(arrays, weights_.arrays(), adam_, "CLIP"); });
  }

  double train(const Pairs& pairs, std::span<const std::uint32_t> order, const Steps& steps) override {
    check(pairs, order);
    const Threads settings(used(), used());
    const ShortProducts rounding;
    return with_plain_errors(kAdvice, [&] { return train_batches(pairs, order, steps); });
  }

  void texts(const TokenBatch& batch, float* out) const override {
    check_captions(batch);
    const Threads settings(used(), used());
    with_plain_errors(kAdvice, [&] {
      const torch::NoGradGuard no_gradients;
      const Tensor found = text_features(text(), batch).to(torch::kCPU).contiguous();
      std::copy_n(found.data_ptr<float>(), found.numel(), out);
    });
  }

  void images(std::span<const std::uint8_t> rgb, float* out) const override {
    const Threads settings(used(), used());
    with_plain_errors(kAdvice, [&] {
      const torch::NoGradGuard no_gradients;
      const ClipVision tower = vision();
      const Tensor bytes = table_of(rgb);
      for (std::int64_t begin = 0; begin < bytes.size(0); begin += 256) {
        const Tensor some = bytes.narrow(0, begin, std::min<std::int64_t>(256, bytes.size(0) - begin));
        const Tensor pixels = pixels_of(recipe_, some.to(weights_.device()));
        const Tensor found =
            tower.features(pixels, tower.layout(pixels.size(0))).to(torch::kCPU).contiguous();
        out = std::copy_n(found.data_ptr<float>(), found.numel(), out);
      }
    });
  }

 private:
  FindArray finder() const {
    return [this](const std::string& name) { return weights_.has(name) ? weights_[name] : Tensor(); };
  }
  ClipText text() const {
    return encoder::clip_text_from(finder(), {recipe_.text.heads, tensor::After::kQuickGelu, 1e-5f},
                                   torch::kFloat32);
  }
  ClipVision vision() const {
    return encoder::clip_vision_from(finder(), {recipe_.vision.heads, tensor::After::kQuickGelu, 1e-5f},
                                     torch::kFloat32);
  }

  std::size_t used() const {
    const double tokens = static_cast<double>(recipe_.batch * (recipe_.image_size / recipe_.patch));
    const auto width = static_cast<double>(recipe_.vision.width);
    return threads_for_products(threads_, 8 * tokens * width * width);
  }

  Tensor table_of(std::span<const std::uint8_t> rgb) const {
    const std::int64_t size = signed_size(recipe_.image_size);
    const auto bytes = static_cast<std::int64_t>(rgb.size());
    if (bytes % (3 * size * size) != 0)
      throw UsageError("pictures have " + std::to_string(bytes) + " bytes, expected a multiple of 3 x " +
                       std::to_string(size) + " x " + std::to_string(size));
    return torch::from_blob(const_cast<std::uint8_t*>(rgb.data()), {bytes / (3 * size * size), size, size, 3},
                            torch::kUInt8);
  }

  void check_captions(const TokenBatch& batch) const {
    encoder::expect_tokens(batch, signed_size(recipe_.vocabulary), signed_size(recipe_.most_tokens));
    for (std::size_t k = 0; k < batch.size(); ++k) {
      const auto first = batch.ids.begin() + static_cast<std::ptrdiff_t>(batch.begin(k));
      const auto last = batch.ids.begin() + static_cast<std::ptrdiff_t>(batch.end(k));
      if (std::find(first, last, recipe_.end) == last)
        throw UsageError("caption " + std::to_string(k) + " has no end token (" +
                         std::to_string(recipe_.end) + ")");
    }
  }

  void check(const Pairs& pairs, std::span<const std::uint32_t> order) const {
    check_captions(pairs.captions);
    const auto images = static_cast<std::uint32_t>(table_of(pairs.rgb).size(0));
    if (pairs.image_of.size() != pairs.captions.size())
      throw UsageError("there are " + std::to_string(pairs.captions.size()) + " captions, but images of " +
                       std::to_string(pairs.image_of.size()));
    for (const std::uint32_t k : order) {
      if (k >= pairs.captions.size() || pairs.image_of[k] >= images)
        throw UsageError("pair " + std::to_string(k) + " has no caption or no image");
    }
  }

  // In the order of the batch.
  Tensor text_features(const ClipText& tower, const TokenBatch& batch) const {
    encoder::Lengths lengths;
    for (std::size_t k = 0; k < batch.size(); ++k) {
      const auto first = batch.ids.begin() + static_cast<std::ptrdiff_t>(batch.begin(k));
      lengths.push_back(std::find(first, batch.ids.end(), recipe_.end) - first + 1);
    }
    Tensor found;
    encoder::for_parts(batch, lengths, options_, [&](const Part& part) {
      const Tensor rows = tower.embed(part.ids, part.positions, torch::kFloat32);
      const Tensor sorted = tower.project(encoder::run_and_read(tower.tower, part.layout, rows, {}));
      std::vector<std::int64_t> places(part.sequences.size());
      for (std::size_t i = 0; i < places.size(); ++i)
        places[static_cast<std::size_t>(part.sequences[i])] = static_cast<std::int64_t>(i);
      found = sorted.index_select(0, torch::tensor(places, torch::kInt64).to(sorted.device()));
    });
    return found;
  }

  double train_batches(const Pairs& pairs, std::span<const std::uint32_t> order, const Steps& steps);
  // What is learnt from, on the device.
  struct Source {
    const Pairs& pairs;
    Tensor bytes;     // [images][size][size][3]
    Tensor image_of;  // of each caption
    Tensor alike;     // first_alike()
  };
  Tensor batch_loss(const Source& source, std::span<const std::uint32_t> chosen) const;

  Recipe recipe_;
  Weights weights_;
  FlatAdam adam_;
  std::size_t threads_;
  PartOptions options_;
};

Tensor TorchNetwork::batch_loss(const Source& source, std::span<const std::uint32_t> chosen) const {
  TokenBatch captions;
  const TokenBatch& all = source.pairs.captions;
  for (const std::uint32_t k : chosen) captions.add(std::span(all.ids).subspan(all.begin(k), all.length(k)));
  const Tensor rows =
      on_device(torch::tensor(std::vector<std::int64_t>(chosen.begin(), chosen.end()), torch::kInt64),
                weights_.device());
  const Tensor image_of = source.image_of.index_select(0, rows);
  const Tensor pictures = source.bytes.index_select(0, image_of);
  const ClipVision tower = vision();
  const Tensor images = tower.features(pixels_of(recipe_, pictures), tower.layout(pictures.size(0)));
  const Tensor together = also_together(image_of, source.alike.index_select(0, rows).unsqueeze(1));
  return pair_loss(images, text_features(text(), captions), weights_[kScale], together);
}

double TorchNetwork::train_batches(const Pairs& pairs, std::span<const std::uint32_t> order,
                                   const Steps& steps) {
  const torch::Device device = weights_.device();
  const std::vector<std::int64_t> images(pairs.image_of.begin(), pairs.image_of.end());
  const Source source{pairs, table_of(pairs.rgb).to(device), torch::tensor(images, torch::kInt64).to(device),
                      first_alike(pairs.captions).to(device)};
  Tensor total = torch::zeros({}, torch::TensorOptions(device).dtype(torch::kFloat64));
  std::size_t learnt = 0;
  for (std::size_t begin = 0; begin < order.size(); begin += recipe_.batch) {
    const auto chosen = order.subspan(begin, std::min(recipe_.batch, order.size() - begin));
    if (chosen.size() >= 2) {
      const Tensor loss = batch_loss(source, chosen);
      loss.backward();
      adam_.step(rate_after(recipe_, adam_.steps()));
      const torch::NoGradGuard no_gradients;
      Tensor scale = weights_[kScale];
      scale.clamp_max_(std::log(kMostScale));
      total += loss.detach() * static_cast<double>(chosen.size());
      learnt += chosen.size();
    }
    if (steps) steps(begin + chosen.size(), order.size());
  }
  const double sum = total.item<double>();
  if (!std::isfinite(sum))
    throw DataError("training went astray: the loss is no number after " + std::to_string(adam_.steps()) +
                    " steps; give a smaller --rate");
  return learnt == 0 ? 0 : sum / static_cast<double>(learnt);
}

class TorchMaker : public method::clip_training::NetworkMaker {
 public:
  std::unique_ptr<method::clip_training::Network> make(const Recipe& recipe, const std::string& device,
                                                       std::uint64_t seed,
                                                       std::size_t threads) const override {
    if (const std::string problem = method::clip_training::recipe_problem(recipe); !problem.empty())
      throw UsageError("CLIP: " + problem);
    return with_plain_errors(kAdvice, [&]() -> std::unique_ptr<method::clip_training::Network> {
      return std::make_unique<TorchNetwork>(recipe, device_named(device), seed, used_threads(threads));
    });
  }
};

}  // namespace
}  // namespace capella::plugin::clip_training

extern "C" __attribute__((visibility("default"))) const capella::method::clip_training::NetworkMaker*
capella_torch_clip_training(int version) {
  static const capella::plugin::clip_training::TorchMaker maker;
  return version == capella::method::clip_training::kPluginVersion ? &maker : nullptr;
}
