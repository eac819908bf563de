// A network of DENEB's kind that never learns but scores as such networks do: for tests of what is around
// training, where torch need not be.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "method/deneb/scorer.h"
#include "support/deneb_arrays.h"

namespace capella::test {

class StillNetwork final : public deneb::Network {
 public:
  StillNetwork(const deneb::Recipe& recipe, std::uint64_t seed) {
    model_.recipe = recipe;
    model_.arrays = DenebArrays(recipe, seed).arrays;
  }

  const deneb::Recipe& recipe() const override { return model_.recipe; }

  std::vector<deneb::NetworkArray> arrays(bool optimiser) const override {
    std::vector<deneb::NetworkArray> all = model_.arrays;
    if (optimiser) all.push_back({"adam/steps", {1}, {steps_}});
    return all;
  }

  void set_arrays(std::span<const deneb::NetworkArray> arrays) override {
    model_.arrays.clear();
    for (const deneb::NetworkArray& array : arrays) {
      if (!array.name.starts_with("adam/")) model_.arrays.push_back(array);
    }
  }

  std::unique_ptr<const deneb::LoadedFeatures> load(const deneb::Features& features) const override {
    auto loaded = std::make_unique<Loaded>();
    loaded->features = features;
    return loaded;
  }

  void freeze_statistics(const deneb::Features&, const deneb::Samples&) override {}

  double train(const deneb::LoadedFeatures&, const deneb::Samples&, std::span<const std::uint32_t> order,
               std::uint64_t, const deneb::Steps&) override {
    steps_ += 1;
    return static_cast<double>(order.size());
  }

  std::vector<double> predict(const deneb::LoadedFeatures& features, const deneb::Samples& samples,
                              const deneb::PredictOptions& options,
                              const deneb::Steps& steps) const override {
    ThreadPool pool(1);
    return deneb::Scorer(model_, "still")
        .scores(static_cast<const Loaded&>(features).features, samples, options, pool, steps);
  }

 private:
  struct Loaded : deneb::LoadedFeatures {
    deneb::Features features;
  };

  deneb::Model model_;
  float steps_ = 0;
};

/// Makes such networks and remembers what for.
class StillMaker final : public deneb::NetworkMaker {
 public:
  std::unique_ptr<deneb::Network> make(const deneb::Recipe& recipe, const std::string&, std::uint64_t seed,
                                       std::size_t) const override {
    asked = recipe;
    return std::make_unique<StillNetwork>(recipe, seed);
  }
  std::string description() const override { return "still"; }

  mutable deneb::Recipe asked;
};

}  // namespace capella::test
