// The plug-in's side of method/pregen/generator.h.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <new>
#include <sstream>
#include <string_view>

#include <torch/torch.h>
#include <torch/version.h>

#include "capella/error.h"

#include "method/pregen/generator.h"
#include "torch/adam.h"
#include "torch/beam.h"
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

// Texts of torch's errors when memory is short, on the GPU and on the CPU. Their types differ by version.
constexpr std::string_view kShortOfMemory[] = {"out of memory", "not enough memory", "can't allocate memory",
                                               "DefaultCPUAllocator"};

// Does the job; torch's errors leave as ours.
template <class Job>
auto with_plain_errors(const Job& job) {
  const char* const memory = "not enough memory; give a smaller --batch, --beam or --size";
  try {
    return job();
  } catch (const std::bad_alloc&) {
    throw DataError(memory);
  } catch (const c10::Error& error) {
    const std::string_view text = error.what_without_backtrace();
    const bool is_short = std::any_of(std::begin(kShortOfMemory), std::end(kShortOfMemory),
                                      [&](std::string_view part) { return text.find(part) != text.npos; });
    throw DataError(is_short ? memory : std::string(text));
  }
}

std::string spelled(std::span<const std::size_t> shape) {
  std::string text;
  for (const std::size_t extent : shape) text += (text.empty() ? "" : " x ") + std::to_string(extent);
  return text.empty() ? "a single number" : text;
}

std::vector<std::size_t> shape_of(const Tensor& tensor) {
  return {tensor.sizes().begin(), tensor.sizes().end()};
}

NetworkArray stored(const NamedTensor& array) {
  const Tensor here = array.value.detach().to(torch::kCPU).contiguous();
  const auto* values = here.data_ptr<float>();
  return {array.name, shape_of(here), std::vector<float>(values, values + here.numel())};
}

class TorchGenerator : public Generator {
 public:
  TorchGenerator(const Recipe& recipe, torch::Device device, std::uint64_t seed, std::size_t threads)
      : network_(make_network(recipe, device, seed)), adam_(network_), threads_(threads) {}

  const Recipe& recipe() const override { return network_.recipe; }

  std::vector<NetworkArray> arrays(bool optimiser) const override {
    std::vector<NetworkArray> all;
    for (const NamedTensor& array : network_.arrays()) all.push_back(stored(array));
    if (optimiser) {
      for (const NamedTensor& array : adam_.arrays()) all.push_back(stored(array));
    }
    return all;
  }

  void set_arrays(std::span<const NetworkArray> arrays) override {
    with_plain_errors([&] { take_arrays(arrays); });
  }

  double train_epoch(const CaptionData& data, std::span<const std::uint32_t> order, std::size_t longest,
                     std::uint64_t seed, const Steps& steps) override {
    const auto size = static_cast<double>(recipe().size);
    const double operations = 4 * static_cast<double>(recipe().batch) * size * size;  // of the gates, a step
    const std::size_t threads = threads_for_products(threads_, operations);
    const Threads settings(threads, threads);
    return with_plain_errors(
        [&] { return plugin::train_epoch(network_, adam_, data, order, longest, seed, steps); });
  }

  io::TokenProbabilities probabilities(const CaptionData& data, const Steps& steps) const override {
    return with_plain_errors([&] { return plugin::probabilities(network_, data, threads_, steps); });
  }

  std::vector<GeneratedCaption> generate(const CaptionData& data, const BeamOptions& options,
                                         const Steps& steps) const override {
    return with_plain_errors([&] { return plugin::generate(network_, data, options, threads_, steps); });
  }

 private:
  void take_arrays(std::span<const NetworkArray> arrays);

  Network network_;
  Adam adam_;
  std::size_t threads_;
};

// Arrays by name, each taken once.
class Given {
 public:
  explicit Given(std::span<const NetworkArray> arrays) {
    for (const NetworkArray& array : arrays) {
      if (!by_name_.emplace(array.name, &array).second)
        throw DataError("array '" + array.name + "' is there twice; a network has each once");
    }
  }

  bool has_optimiser() const {
    const auto first = by_name_.lower_bound(std::string(kOptimiser));
    return first != by_name_.end() && first->first.starts_with(kOptimiser);
  }

  const NetworkArray& take(const std::string& name, const std::vector<std::size_t>& shape) {
    const auto found = by_name_.find(name);
    if (found == by_name_.end())
      throw DataError("array '" + name + "' is missing; the network needs it with the shape " +
                      spelled(shape));
    const NetworkArray& array = *found->second;
    std::size_t count = 1;
    for (const std::size_t extent : shape) count *= extent;
    if (array.shape != shape || array.values.size() != count)
      throw DataError("array '" + name + "' has the shape " + spelled(array.shape) + " (" +
                      std::to_string(array.values.size()) + " numbers), expected " + spelled(shape) +
                      "; is it of a network of another kind, size or vocabulary?");
    by_name_.erase(found);
    return array;
  }

  void expect_none_left(std::string_view kind) const {
    if (!by_name_.empty())
      throw DataError("array '" + by_name_.begin()->first + "' is not one that a network of the kind '" +
                      std::string(kind) + "' has");
  }

 private:
  std::map<std::string, const NetworkArray*> by_name_;
};

// Everything is looked at before anything is changed.
void TorchGenerator::take_arrays(std::span<const NetworkArray> arrays) {
  const torch::NoGradGuard no_gradients;
  Given given(arrays);
  std::vector<std::pair<Tensor, const NetworkArray*>> changes;
  const auto note = [&](const std::vector<NamedTensor>& own) {
    for (const NamedTensor& array : own)
      changes.emplace_back(array.value, &given.take(array.name, shape_of(array.value)));
  };
  note(network_.arrays());
  const bool has_optimiser = given.has_optimiser();
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

constexpr std::size_t kMostThreads = 1024;

torch::Device device_named(const std::string& name) {
  if (name == "cpu") return torch::kCPU;
  if (name != "cuda") throw UsageError("device '" + name + "' is not known; there are cpu and cuda");
  if (!torch::cuda::is_available())
    throw UsageError("device 'cuda': this machine has no GPU that torch can use; give --device cpu");
  at::globalContext().setAllowTF32CuBLAS(false);  // products of whole floats, as on the CPU
  return {torch::kCUDA, 0};
}

class TorchMaker : public GeneratorMaker {
 public:
  std::unique_ptr<Generator> make(const Recipe& recipe, const std::string& device, std::uint64_t seed,
                                  std::size_t threads) const override {
    const std::size_t used = std::min(threads == 0 ? core_count() : threads, kMostThreads);
    return with_plain_errors([&]() -> std::unique_ptr<Generator> {
      return std::make_unique<TorchGenerator>(recipe, device_named(device), seed, used);
    });
  }

  std::string description() const override {
    std::ostringstream text;
    text << "libtorch " << TORCH_VERSION << ", ";
    const auto devices = torch::cuda::is_available() ? torch::cuda::device_count() : 0;
    if (devices == 0) text << "no GPU";
    if (devices > 0) text << devices << (devices == 1 ? " GPU" : " GPUs");
    return text.str();
  }
};

}  // namespace
}  // namespace capella::plugin

extern "C" __attribute__((visibility("default"))) const capella::method::pregen::GeneratorMaker*
capella_torch_generators(int version) {
  static const capella::plugin::TorchMaker maker;
  return version == capella::method::pregen::kPluginVersion ? &maker : nullptr;
}
