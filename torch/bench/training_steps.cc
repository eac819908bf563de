#include "torch/bench/training_steps.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <span>
#include <vector>

#include "method/deneb/trainer.h"

extern "C" const capella::method::deneb::NetworkMaker* capella_torch_deneb(int version);

namespace capella::bench {
namespace {

// Features of samples to train with; the encoders are not asked.
struct TrainingSet {
  std::vector<float> images, captions, sentences;
  std::vector<double> sums, squares;
  std::vector<std::uint32_t> tokens;
  method::deneb::Features features;
  method::deneb::Samples samples;

  TrainingSet(const method::deneb::Recipe& recipe, std::size_t count) {
    std::mt19937 random(3);
    std::normal_distribution<float> normal;
    const std::size_t rows = 6 * count, layers = recipe.sentence_layers;
    const auto fill = [&](std::vector<float>& to, std::size_t size) {
      to.resize(size);
      for (float& value : to) value = normal(random);
    };
    fill(images, count * recipe.clip_width);
    fill(captions, rows * recipe.clip_width);
    fill(sentences, rows * layers * recipe.sentence_width);
    sums.assign(rows * layers, 0.0);
    squares.assign(rows * layers, 14.0 * static_cast<double>(recipe.sentence_width));
    tokens.assign(rows, 14);
    features = {{recipe.clip_width, 1, images, {}},
                {recipe.clip_width, 1, captions, {}},
                {recipe.sentence_width, layers, sentences, {}},
                sums,
                squares,
                tokens};
    for (std::uint32_t k = 0; k < count; ++k) {
      samples.images.push_back(k);
      samples.candidates.push_back(6 * k);
      for (std::uint32_t r = 1; r < 6; ++r) samples.references.push_back(6 * k + r);
      samples.ends.push_back(samples.references.size());
      samples.scores.push_back(static_cast<float>(random() % 5) / 4);
    }
  }

  std::vector<std::uint32_t> order() const {
    std::vector<std::uint32_t> all(samples.size());
    for (std::uint32_t k = 0; k < all.size(); ++k) all[k] = k;
    return all;
  }
};

// Whether losses are the same on both devices, dropout included.
bool compare_training(const std::string& device) {
  method::deneb::Recipe recipe = method::deneb::recipe(method::deneb::Architecture::released);
  recipe.clip_width = 32;
  recipe.sentence_width = 48;
  recipe.width = 64;
  recipe.feed_forward = 96;
  recipe.hidden = {64, 32};
  recipe.rate = 1e-3;
  recipe.warm_up = 0;
  recipe.schedule = method::deneb::Schedule::constant;
  const TrainingSet set(recipe, 64);
  std::vector<double> losses;
  for (const std::string& where : {std::string("cpu"), device}) {
    const auto network = capella_torch_deneb(method::deneb::kPluginVersion)->make(recipe, where, 1, 1);
    const auto tables = network->load(set.features);
    for (std::uint64_t epoch = 0; epoch < 3; ++epoch)
      losses.push_back(network->train(*tables, set.samples, set.order(), epoch, {}));
  }
  std::printf("training with dropout, losses of three epochs: cpu %.6f %.6f %.6f, %s %.6f %.6f %.6f\n",
              losses[0], losses[1], losses[2], device.c_str(), losses[3], losses[4], losses[5]);
  bool same = true;
  for (std::size_t k = 0; k < 3; ++k) same = same && std::fabs(losses[k] - losses[k + 3]) < 1e-4 * losses[k];
  std::printf("  %s\n", same ? "good" : "NOT GOOD: the devices learn differently");
  return same;
}

}  // namespace

bool measure_training(const std::string& device) {
  const bool same = compare_training(device);
  method::deneb::Recipe recipe = method::deneb::recipe(method::deneb::Architecture::released);
  recipe.clip_width = 768;
  recipe.total_steps = 164800;
  const std::size_t steps = device == "cuda" ? 60 : 2;
  const TrainingSet set(recipe, steps * recipe.batch);
  const auto network = capella_torch_deneb(method::deneb::kPluginVersion)->make(recipe, device, 1, 0);
  const auto tables = network->load(set.features);
  network->train(*tables, set.samples, std::span<const std::uint32_t>(set.order()).first(recipe.batch), 1,
                 {});
  const auto begin = std::chrono::steady_clock::now();
  network->train(*tables, set.samples, set.order(), 2, {});  // waits for its loss
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  const double step = time.count() / static_cast<double>(steps);
  std::printf("training, %zu numbers: %.2f ms a step of 16, so %.1f s for an epoch of 26382 samples\n",
              method::deneb::parameter_count(recipe), 1e3 * step, step * 1649);
  return same;
}

}  // namespace capella::bench
