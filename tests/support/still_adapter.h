// A network that learns nothing but adds up what it is given, so that its arrays show from what it has been
// trained; its vectors are counts of tokens. For tests of the training of adapters without the plug-in.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "capella/error.h"

#include "method/adapter_training/trainer.h"

namespace capella::test {

namespace adapter = method::adapter_training;

class StillAdapter final : public adapter::Network {
 public:
  static constexpr const char* kArray = "base_model.model.encoder.layer.0.output.dense.lora_A.weight";
  static constexpr const char* kSecond = "base_model.model.encoder.layer.0.output.dense.lora_B.weight";

  explicit StillAdapter(const adapter::Recipe& recipe, std::function<void(std::size_t)> before_step = {})
      : recipe_(recipe), before_step_(std::move(before_step)) {}

  const adapter::Recipe& recipe() const override { return recipe_; }
  std::size_t width() const override { return 2; }

  std::vector<tensor::NetworkArray> arrays(bool optimiser) const override {
    std::vector<tensor::NetworkArray> all = {{kArray, {1, 2}, {sum_, tenth_}}, {kSecond, {1, 1}, {second_}}};
    if (optimiser) all.push_back({"adam/steps", {1}, {static_cast<float>(steps_)}});
    return all;
  }

  void set_arrays(std::span<const tensor::NetworkArray> arrays) override {
    steps_ = 0;
    bool found = false;
    for (const tensor::NetworkArray& array : arrays) {
      if (array.name == "adam/steps") steps_ = static_cast<std::size_t>(array.values.at(0));
      if (array.name == kSecond) second_ = array.values.at(0);
      if (array.name != kArray) continue;
      sum_ = array.values.at(0);
      tenth_ = array.values.at(1);
      found = true;
    }
    if (!found) throw DataError("there are no updates");
  }

  double step(const encoder::TokenBatch& captions, const adapter::Drawn& drawn) override {
    if (before_step_) before_step_(taken.size() + 1);
    taken.push_back(drawn);
    float own = 0;
    for (std::size_t k = 0; k < drawn.captions.size(); ++k)
      own += static_cast<float>(k + 1) *
             static_cast<float>(captions.ids[captions.begin(drawn.captions[k]) + 1] % 100);
    sum_ = sum_ / 2 + own / 1000;
    second_ += 1;
    return 5.0 / static_cast<double>(++steps_);
  }

  // The number of tokens, and 1: the more alike the lengths, the higher the cosine.
  void texts(const encoder::TokenBatch& batch, float* out) const override {
    for (std::size_t k = 0; k < batch.size(); ++k) {
      *out++ = static_cast<float>(batch.length(k));
      *out++ = 1;
    }
  }

  std::vector<adapter::Drawn> taken;  ///< step by step

 private:
  adapter::Recipe recipe_;
  std::function<void(std::size_t)> before_step_;
  float sum_ = 0;
  float tenth_ = .1f;  // which a file of halves does not have
  float second_ = 0;   // the number of steps
  std::size_t steps_ = 0;
};

class StillAdapterMaker final : public adapter::NetworkMaker {
 public:
  std::unique_ptr<adapter::Network> make(const encoder::BertModel& base, const adapter::Recipe& recipe,
                                         const std::string&, std::uint64_t, std::size_t) const override {
    arrays = base.arrays.size();
    asked = recipe;
    return std::make_unique<StillAdapter>(recipe, before_step);
  }

  std::function<void(std::size_t)> before_step;
  mutable std::size_t arrays = 0;  ///< of the base that was given last
  mutable adapter::Recipe asked;
};

}  // namespace capella::test
