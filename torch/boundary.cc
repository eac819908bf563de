#include "torch/boundary.h"

#include <sstream>

#include <torch/version.h>

#include "torch/threads.h"

namespace capella::plugin {
namespace {

constexpr std::size_t kMostThreads = 1024;

// Texts of torch's errors when memory is short. Their types differ by version.
constexpr std::string_view kShortOfMemory[] = {"out of memory", "not enough memory", "can't allocate memory",
                                               "DefaultCPUAllocator"};

}  // namespace

bool is_about_memory(std::string_view text) {
  return std::any_of(std::begin(kShortOfMemory), std::end(kShortOfMemory),
                     [&](std::string_view part) { return text.find(part) != text.npos; });
}

torch::Device device_named(const std::string& name) {
  if (name == "cpu") return torch::kCPU;
  if (name != "cuda") throw UsageError("device '" + name + "' is not known; there are cpu and cuda");
  if (!torch::cuda::is_available())
    throw UsageError("device 'cuda': this machine has no GPU that torch can use; give --device cpu");
  at::globalContext().setAllowTF32CuBLAS(false);  // products of whole floats, as on the CPU
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 5)
  // Captions are short. One kind of attention plans anew for every number and length of sequences, another
  // works on tiles of 128 tokens and is half as fast as the third.
  at::globalContext().setSDPUseCuDNN(false);
  at::globalContext().setSDPUseFlash(false);
#endif
  return {torch::kCUDA, 0};
}

torch::Tensor on_device(const torch::Tensor& here, torch::Device device) {
  return device.is_cuda() ? here.pin_memory().to(device, true) : here;
}

std::size_t used_threads(std::size_t threads) {
  return std::min(threads == 0 ? core_count() : threads, kMostThreads);
}

std::string torch_description() {
  std::ostringstream text;
  text << "libtorch " << TORCH_VERSION << ", ";
  const auto devices = torch::cuda::is_available() ? torch::cuda::device_count() : 0;
  if (devices == 0) text << "no GPU";
  if (devices > 0) text << devices << (devices == 1 ? " GPU" : " GPUs");
  return text.str();
}

std::vector<std::size_t> shape_of(const torch::Tensor& tensor) {
  return {tensor.sizes().begin(), tensor.sizes().end()};
}

std::string spelled(std::span<const std::size_t> shape) {
  std::string text;
  for (const std::size_t extent : shape) text += (text.empty() ? "" : " x ") + std::to_string(extent);
  return text.empty() ? "a single number" : text;
}

tensor::NetworkArray stored(const std::string& name, const torch::Tensor& value) {
  const torch::Tensor here = value.detach().to(torch::kCPU, torch::kFloat32).contiguous();
  const auto* values = here.data_ptr<float>();
  return {name, shape_of(here), std::vector<float>(values, values + here.numel())};
}

torch::Tensor tensor_of(const tensor::NetworkArray& array) {
  const std::vector<std::int64_t> shape(array.shape.begin(), array.shape.end());
  auto* values = const_cast<float*>(array.values.data());  // read once, by clone()
  return torch::from_blob(values, shape, torch::kFloat32).clone();
}

GivenArrays::GivenArrays(std::span<const tensor::NetworkArray> arrays) {
  for (const tensor::NetworkArray& array : arrays) {
    if (!by_name_.emplace(array.name, &array).second)
      throw DataError("array '" + array.name + "' is there twice; a network has each once");
  }
}

bool GivenArrays::has_any_beginning(std::string_view prefix) const {
  const auto first = by_name_.lower_bound(std::string(prefix));
  return first != by_name_.end() && first->first.starts_with(prefix);
}

const tensor::NetworkArray& GivenArrays::take(const std::string& name,
                                              const std::vector<std::size_t>& shape) {
  const auto found = by_name_.find(name);
  if (found == by_name_.end())
    throw DataError("array '" + name + "' is missing; the network needs it with the shape " + spelled(shape));
  const tensor::NetworkArray& array = *found->second;
  std::size_t count = 1;
  for (const std::size_t extent : shape) count *= extent;
  if (array.shape != shape || array.values.size() != count)
    throw DataError("array '" + name + "' has the shape " + spelled(array.shape) + " (" +
                    std::to_string(array.values.size()) + " numbers), expected " + spelled(shape) +
                    "; is it of a network of another kind, size or vocabulary?");
  by_name_.erase(found);
  return array;
}

void GivenArrays::expect_none_left(std::string_view kind) const {
  if (!by_name_.empty())
    throw DataError("array '" + by_name_.begin()->first + "' is not one that a network of the kind '" +
                    std::string(kind) + "' has");
}

}  // namespace capella::plugin
