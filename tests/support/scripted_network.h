// A network that learns nothing and says after each epoch what a script tells it to, so that a training loop
// can be tested against known agreements. From which orders and seeds it was trained is in its arrays, so
// that they show whether a training was continued rightly.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "capella/error.h"

#include "method/deneb/trainer.h"

namespace capella::test {

namespace deneb = method::deneb;

/// A recipe of nine numbers: sentences alone, of one number each.
inline deneb::Recipe nine_numbers() {
  deneb::Recipe recipe = deneb::recipe(deneb::Architecture::polos);
  recipe.image = false;
  recipe.clip_width = 0;
  recipe.sentence_width = 1;
  recipe.sentence_layers = 1;
  recipe.hidden = {1, 1};
  return recipe;
}

class ScriptedNetwork final : public deneb::Network {
 public:
  /// The scores of the validation samples in epochs 0, 1, ...; the last ones go on. `before_epoch` is called
  /// before each epoch of training.
  explicit ScriptedNetwork(std::vector<std::vector<double>> script,
                           std::function<void(std::size_t epoch)> before_epoch = {})
      : script_(std::move(script)), before_epoch_(std::move(before_epoch)) {}

  const deneb::Recipe& recipe() const override { return recipe_; }

  std::vector<deneb::NetworkArray> arrays(bool optimiser) const override {
    std::vector<deneb::NetworkArray> all = {{"trace", {9}, trace_}};
    if (optimiser) all.push_back({"adam/epoch", {1}, {static_cast<float>(epoch_)}});
    return all;
  }

  void set_arrays(std::span<const deneb::NetworkArray> arrays) override {
    bool found = false;
    for (const deneb::NetworkArray& array : arrays) {
      if (array.name == "adam/epoch") epoch_ = static_cast<std::size_t>(array.values.at(0));
      if (array.name != "trace") continue;
      trace_ = array.values;
      found = true;
    }
    if (!found) throw DataError("there is no array 'trace'");
  }

  std::unique_ptr<const deneb::LoadedFeatures> load(const deneb::Features&) const override {
    return std::make_unique<deneb::LoadedFeatures>();
  }

  void freeze_statistics(const deneb::Features&, const deneb::Samples&) override { ++frozen; }

  double train(const deneb::LoadedFeatures&, const deneb::Samples&, std::span<const std::uint32_t> order,
               std::uint64_t seed, const deneb::Steps& steps) override {
    ++epoch_;
    if (before_epoch_) before_epoch_(epoch_);
    rows.insert(rows.end(), order.begin(), order.end());
    for (std::size_t k = 0; k < trace_.size(); ++k)
      trace_[k] = trace_[k] / 2 + static_cast<float>(order[k % order.size()] + (seed >> (6 * k)) % 64);
    steps(order.size(), order.size());
    return 3.0 / static_cast<double>(epoch_) * static_cast<double>(order.size());
  }

  std::vector<double> predict(const deneb::LoadedFeatures&, const deneb::Samples&,
                              const deneb::PredictOptions&, const deneb::Steps&) const override {
    return script_.at(std::min(epoch_, script_.size() - 1));
  }

  std::size_t frozen = 0;           ///< how often statistics were asked for
  std::vector<std::uint32_t> rows;  ///< that it was trained with, epoch after epoch

 private:
  deneb::Recipe recipe_ = nine_numbers();
  std::vector<std::vector<double>> script_;
  std::function<void(std::size_t)> before_epoch_;
  std::vector<float> trace_ = std::vector<float>(9);
  std::size_t epoch_ = 0;
};

}  // namespace capella::test
