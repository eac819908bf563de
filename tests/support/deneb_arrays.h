// Networks of DENEB's kind with random numbers, and random vectors and samples for them.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "method/deneb/trainer.h"

namespace capella::test {

namespace deneb = method::deneb;

/// All arrays that a network of the recipe has, with random numbers.
class DenebArrays {
 public:
  DenebArrays(const deneb::Recipe& recipe, std::uint64_t seed) : recipe_(recipe), random_(seed) {
    const bool clip = recipe.clip_width > 0, sentence = recipe.sentence_width > 0;
    if (sentence && recipe.sentence_layers > 1) add_mix();
    if (recipe.architecture != deneb::Architecture::polos) {
      if (clip) linear("upsampler", recipe.width, recipe.clip_width);
      if (sentence) linear("upsampler2", recipe.width, recipe.sentence_width);
    }
    if (recipe.architecture == deneb::Architecture::released) {
      if (clip) joiner("transformer", "cls_token1", 2 * recipe.width);
      if (sentence) joiner("transformer2", "cls_token2", 2 * recipe.width);
    }
    if (recipe.architecture == deneb::Architecture::paper) {
      add("type_embedding.weight", {6, recipe.width});
      joiner("transformer", "cls_token", recipe.width);
    }
    linear("ff.linear_1", recipe.hidden[0], head_inputs());
    linear("ff.linear_2", recipe.hidden[1], recipe.hidden[0]);
    linear("ff.linear_3", 1, recipe.hidden[1]);
    if (recipe.cosine) add(deneb::kCosineGain, {1}, 5);
  }

  std::vector<deneb::NetworkArray> arrays;

 private:
  void add(const std::string& name, const std::vector<std::size_t>& shape, float middle = 0) {
    std::size_t size = 1;
    for (const std::size_t axis : shape) size *= axis;
    std::normal_distribution<float> normal(middle, .3f);
    arrays.push_back({name, shape, std::vector<float>(size)});
    for (float& value : arrays.back().values) value = normal(random_);
  }

  void linear(const std::string& name, std::size_t outputs, std::size_t inputs) {
    add(name + ".weight", {outputs, inputs});
    add(name + ".bias", {outputs});
  }

  void norm(const std::string& name, std::size_t width) {
    add(name + ".weight", {width}, 1);
    add(name + ".bias", {width});
  }

  void add_mix() {
    for (std::size_t i = 0; i < recipe_.sentence_layers; ++i)
      add("scalar_mix.scalar_parameters." + std::to_string(i), {1});
    add("scalar_mix.gamma", {1}, 1);
    add(deneb::kMixMean, {recipe_.sentence_layers});
    add(deneb::kMixVariance, {recipe_.sentence_layers});
    for (float& value : arrays.back().values) value = .5f + value * value;
  }

  void joiner(const std::string& name, const std::string& own, std::size_t width) {
    const bool attention = recipe_.joiner == deneb::Joiner::transformer;
    if (attention) add(own, {1, 1, width});
    for (std::size_t i = 0; i < recipe_.layers; ++i) {
      const std::string layer = name + ".layers." + std::to_string(i) + ".";
      if (attention) {
        add(layer + "self_attn.in_proj_weight", {3 * width, width});
        add(layer + "self_attn.in_proj_bias", {3 * width});
        linear(layer + "self_attn.out_proj", width, width);
        norm(layer + "norm1", width);
      }
      linear(layer + "linear1", recipe_.feed_forward, width);
      linear(layer + "linear2", width, recipe_.feed_forward);
      norm(layer + "norm2", width);
    }
  }

  std::size_t head_inputs() const {
    const std::size_t clip = recipe_.clip_width, sentence = recipe_.sentence_width;
    if (recipe_.architecture == deneb::Architecture::polos)
      return 4 * sentence + (recipe_.image ? 6 : 3) * clip;
    if (recipe_.architecture == deneb::Architecture::paper) return recipe_.width;
    return 2 * recipe_.width * ((clip > 0 ? 1 : 0) + (sentence > 0 ? 1 : 0) + (recipe_.image ? 1 : 0));
  }

  const deneb::Recipe& recipe_;
  std::mt19937_64 random_;
};

/// Tables of random vectors and the numbers that they point to.
struct DenebTables {
  std::vector<float> images, captions, sentences;
  std::vector<double> sums, squares;
  std::vector<std::uint32_t> tokens;
  deneb::Features features;

  DenebTables(const deneb::Recipe& recipe, std::size_t image_count, std::size_t caption_count,
              std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<float> normal;
    const auto fill = [&](std::vector<float>& values, std::size_t count) {
      values.resize(count);
      for (float& value : values) value = normal(random);
    };
    if (recipe.image) fill(images, image_count * recipe.clip_width);
    fill(captions, caption_count * recipe.clip_width);
    fill(sentences, caption_count * recipe.sentence_layers * recipe.sentence_width);
    for (std::size_t row = 0; row < caption_count; ++row) {
      tokens.push_back(static_cast<std::uint32_t>(2 + random() % 9));
      for (std::size_t l = 0; l < recipe.sentence_layers; ++l) {
        const double count = tokens.back() * static_cast<double>(recipe.sentence_width);
        const double mean = .3 * static_cast<double>(l) + .1 * static_cast<double>(random() % 10);
        sums.push_back(mean * count);
        squares.push_back((mean * mean + .5 + .1 * static_cast<double>(random() % 10)) * count);
      }
    }
    features = {{recipe.clip_width, 1, images},
                {recipe.clip_width, 1, captions},
                {recipe.sentence_width, recipe.sentence_layers, sentences},
                sums,
                squares,
                tokens};
  }
  DenebTables(const DenebTables&) = delete;
};

/// Samples with one to `most` references.
inline deneb::Samples deneb_samples(std::size_t count, std::size_t images, std::size_t captions,
                                    std::size_t most, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  deneb::Samples samples;
  for (std::size_t k = 0; k < count; ++k) {
    samples.images.push_back(static_cast<std::uint32_t>(random() % images));
    samples.candidates.push_back(static_cast<std::uint32_t>(random() % captions));
    for (std::size_t r = 1 + random() % most; r > 0; --r)
      samples.references.push_back(static_cast<std::uint32_t>(random() % captions));
    samples.ends.push_back(samples.references.size());
    samples.scores.push_back(static_cast<float>(random() % 5) / 4);
  }
  return samples;
}

}  // namespace capella::test
