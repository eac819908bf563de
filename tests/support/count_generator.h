// A caption generator that is real and needs no network: it counts which word follows which, and gives words
// the probability (count + 1) / (all counts + vocabulary). Images are not looked at. What it has learnt, and
// from which order and seed, is in its arrays, so that they show whether a training was continued rightly.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "capella/error.h"

#include "method/pregen/generator.h"

namespace capella::test {

namespace pregen = method::pregen;

class CountGenerator final : public pregen::Generator {
 public:
  /// `worse_from`: from this epoch on it unlearns. `before_epoch` is called before each epoch of training.
  explicit CountGenerator(pregen::Recipe recipe, std::size_t worse_from = 1000,
                          std::function<void(std::size_t epoch)> before_epoch = {})
      : recipe_(recipe),
        worse_from_(worse_from),
        before_epoch_(std::move(before_epoch)),
        counts_(pregen::parameter_count(recipe) - trace_.size()) {}

  const pregen::Recipe& recipe() const override { return recipe_; }

  std::vector<pregen::NetworkArray> arrays(bool optimiser) const override {
    std::vector<pregen::NetworkArray> all = {{"nn/trace", {2}, trace_},
                                             {"nn/counts", {counts_.size()}, counts_}};
    if (optimiser) all.push_back({"adam/step", {1}, {step_}});
    return all;
  }

  void set_arrays(std::span<const pregen::NetworkArray> arrays) override {
    take(arrays, "nn/trace", {2}, trace_);
    take(arrays, "nn/counts", {counts_.size()}, counts_);
    for (const pregen::NetworkArray& array : arrays) {
      if (array.name == "adam/step") step_ = array.values.at(0);
    }
  }

  double train_epoch(const pregen::CaptionData& data, std::span<const std::uint32_t> order,
                     std::size_t longest, std::uint64_t seed, const pregen::Steps& steps) override {
    step_ += 1;
    const auto epoch = static_cast<std::size_t>(step_);
    if (before_epoch_) before_epoch_(epoch);
    if (epoch >= worse_from_) std::ranges::fill(counts_, 0.f);
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (epoch < worse_from_) learn(data.caption(order[k]));
      steps(k + 1, order.size());
    }
    trace_[0] = trace_[0] / 2 + static_cast<float>(order.front() + longest);
    trace_[1] = trace_[1] / 2 + static_cast<float>(seed % 65536);
    return 1.0 / step_;
  }

  io::TokenProbabilities probabilities(const pregen::CaptionData& data,
                                       const pregen::Steps& steps) const override {
    io::TokenProbabilities table;
    for (std::size_t i = 0; i < data.image_count(); ++i) {
      for (std::size_t c = data.captions[i]; c < data.captions[i + 1]; ++c) add(data.caption(c), table);
      table.captions.push_back(table.caption_count());
      steps(i + 1, data.image_count());
    }
    return table;
  }

  /// Always the word most often seen; of equal ones the first.
  std::vector<pregen::GeneratedCaption> generate(const pregen::CaptionData& data,
                                                 const pregen::BeamOptions& options,
                                                 const pregen::Steps& steps) const override {
    std::vector<pregen::GeneratedCaption> all(data.image_count());
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::int32_t last = pregen::kEdge;
      while (all[i].ids.size() < options.most_words) {
        const std::int32_t next = best(last, all[i].ids.size() >= options.least_words);
        all[i].log2_probability += std::log2(probability(last, next));
        if (next == pregen::kEdge) break;
        all[i].ids.push_back(last = next);
      }
      steps(i + 1, all.size());
    }
    return all;
  }

 private:
  static void take(std::span<const pregen::NetworkArray> arrays, const std::string& name,
                   const std::vector<std::size_t>& shape, std::vector<float>& values) {
    for (const pregen::NetworkArray& array : arrays) {
      if (array.name != name) continue;
      if (array.shape != shape) throw DataError(fmt::format("array '{}' has another shape", name));
      values = array.values;
      return;
    }
    throw DataError(fmt::format("there is no array '{}'", name));
  }

  float count(std::int32_t last, std::int32_t next) const {
    return counts_[static_cast<std::size_t>(last) * recipe_.vocabulary + static_cast<std::size_t>(next)];
  }

  double probability(std::int32_t last, std::int32_t next) const {
    double all = 0;
    for (std::size_t w = 0; w < recipe_.vocabulary; ++w) all += count(last, static_cast<std::int32_t>(w));
    return (count(last, next) + 1.0) / (all + static_cast<double>(recipe_.vocabulary));
  }

  void learn(std::span<const std::int32_t> caption) {
    std::int32_t last = pregen::kEdge;
    const auto see = [&](std::int32_t next) {
      counts_[static_cast<std::size_t>(last) * recipe_.vocabulary + static_cast<std::size_t>(next)] += 1;
      last = next;
    };
    for (const std::int32_t word : caption) see(word);
    see(pregen::kEdge);
  }

  void add(std::span<const std::int32_t> caption, io::TokenProbabilities& table) const {
    std::int32_t last = pregen::kEdge;
    for (std::size_t k = 0; k <= caption.size(); ++k) {
      const std::int32_t next = k < caption.size() ? caption[k] : pregen::kEdge;
      std::uint32_t rank = 0;
      for (std::size_t w = 0; w < recipe_.vocabulary; ++w)
        rank += count(last, static_cast<std::int32_t>(w)) > count(last, next);
      table.probabilities.push_back(probability(last, next));
      table.ranks.push_back(rank);
      last = next;
    }
    table.words.push_back(table.probabilities.size());
  }

  std::int32_t best(std::int32_t last, bool may_end) const {
    std::int32_t found = may_end ? pregen::kEdge : 2;
    for (auto word = static_cast<std::int32_t>(recipe_.vocabulary) - 1; word >= 2; --word) {
      if (count(last, word) >= count(last, found)) found = word;
    }
    return found;
  }

  pregen::Recipe recipe_;
  std::size_t worse_from_;
  std::function<void(std::size_t epoch)> before_epoch_;
  std::vector<float> trace_ = {0, 0};
  std::vector<float>
      counts_;  // vocabulary x vocabulary, and zeros, as many numbers as the recipe's network has
  float step_ = 0;
};

class CountMaker final : public pregen::GeneratorMaker {
 public:
  explicit CountMaker(std::size_t worse_from = 1000) : worse_from_(worse_from) {}

  std::unique_ptr<pregen::Generator> make(const pregen::Recipe& recipe, const std::string& device,
                                          std::uint64_t, std::size_t) const override {
    if (device != "cpu") throw UsageError("counting needs no device");
    return std::make_unique<CountGenerator>(recipe, worse_from_);
  }
  std::string description() const override { return "counts of words"; }

 private:
  std::size_t worse_from_;
};

}  // namespace capella::test
