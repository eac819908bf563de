// The plug-in's side of method/pregen/generator.h.
#include <cmath>
#include <memory>

#include <torch/torch.h>

#include "method/pregen/generator.h"
#include "torch/adam.h"
#include "torch/beam.h"
#include "torch/boundary.h"
#include "torch/network.h"
#include "torch/score.h"
#include "torch/threads.h"
#include "torch/train.h"

namespace capella::plugin {
namespace {

using method::pregen::BeamOptions;
using method::pregen::GeneratedCaption;
using method::pregen::Generator;
using method::pregen::GeneratorMaker;
using method::pregen::kOptimiser;
using method::pregen::NetworkArray;
using method::pregen::Steps;

constexpr const char* kAdvice = "give a smaller --batch, --beam or --size";

class TorchGenerator : public Generator {
 public:
  TorchGenerator(const Recipe& recipe, torch::Device device, std::uint64_t seed, std::size_t threads)
      : network_(make_network(recipe, device, seed)), adam_(network_), threads_(threads) {}

  const Recipe& recipe() const override { return network_.recipe; }

  std::vector<NetworkArray> arrays(bool optimiser) const override {
    std::vector<NetworkArray> all;
    for (const NamedTensor& array : network_.arrays()) all.push_back(stored(array.name, array.value));
    if (optimiser) {
      for (const NamedTensor& array : adam_.arrays()) all.push_back(stored(array.name, array.value));
    }
    return all;
  }

  void set_arrays(std::span<const NetworkArray> arrays) override {
    with_plain_errors(kAdvice, [&] { take_arrays(arrays); });
  }

  double train_epoch(const CaptionData& data, std::span<const std::uint32_t> order, std::size_t longest,
                     std::uint64_t seed, const Steps& steps) override {
    const auto size = static_cast<double>(recipe().size);
    const double operations = 4 * static_cast<double>(recipe().batch) * size * size;  // of the gates, a step
    const std::size_t threads = threads_for_products(threads_, operations);
    const Threads settings(threads, threads);
    return with_plain_errors(
        kAdvice, [&] { return plugin::train_epoch(network_, adam_, data, order, longest, seed, steps); });
  }

  io::TokenProbabilities probabilities(const CaptionData& data, const Steps& steps) const override {
    return with_plain_errors(kAdvice, [&] { return plugin::probabilities(network_, data, threads_, steps); });
  }

  std::vector<GeneratedCaption> generate(const CaptionData& data, const BeamOptions& options,
                                         const Steps& steps) const override {
    return with_plain_errors(kAdvice,
                             [&] { return plugin::generate(network_, data, options, threads_, steps); });
  }

 private:
  void take_arrays(std::span<const NetworkArray> arrays);

  Network network_;
  Adam adam_;
  std::size_t threads_;
};

// Everything is looked at before anything is changed.
void TorchGenerator::take_arrays(std::span<const NetworkArray> arrays) {
  const torch::NoGradGuard no_gradients;
  GivenArrays given(arrays);
  std::vector<std::pair<Tensor, const NetworkArray*>> changes;
  const auto note = [&](const std::vector<NamedTensor>& own) {
    for (const NamedTensor& array : own)
      changes.emplace_back(array.value, &given.take(array.name, shape_of(array.value)));
  };
  note(network_.arrays());
  const bool has_optimiser = given.has_any_beginning(kOptimiser);
  if (has_optimiser) note(adam_.arrays());
  given.expect_none_left(method::pregen::kArchitectureNames[static_cast<std::size_t>(recipe().architecture)]);
  for (auto& [to, from] : changes) {
    auto* values = const_cast<float*>(from->values.data());
    to.copy_(torch::from_blob(values, to.sizes(), torch::kFloat32));
  }
  if (has_optimiser) {
    adam_.set_steps(std::lround(changes.back().second->values.front()));
  } else {
    adam_.reset();
  }
}

class TorchMaker : public GeneratorMaker {
 public:
  std::unique_ptr<Generator> make(const Recipe& recipe, const std::string& device, std::uint64_t seed,
                                  std::size_t threads) const override {
    return with_plain_errors(kAdvice, [&]() -> std::unique_ptr<Generator> {
      return std::make_unique<TorchGenerator>(recipe, device_named(device), seed, used_threads(threads));
    });
  }

  std::string description() const override { return torch_description(); }
};

}  // namespace
}  // namespace capella::plugin

extern "C" __attribute__((visibility("default"))) const capella::method::pregen::GeneratorMaker*
capella_torch_generators(int version) {
  static const capella::plugin::TorchMaker maker;
  return version == capella::method::pregen::kPluginVersion ? &maker : nullptr;
}
