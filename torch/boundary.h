// What every part of the plug-in needs where it meets the program: torch's errors as ours, devices by name,
// arrays that go out and come back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <torch/torch.h>

#include "capella/error.h"

#include "tensor/network_array.h"

namespace capella::plugin {

/// Whether a text of torch's says that memory is short, on the GPU or on the CPU.
bool is_about_memory(std::string_view text);

/// Does the job; torch's errors leave as ours. `advice` follows "not enough memory; ".
template <class Job>
auto with_plain_errors(const std::string& advice, const Job& job) {
  try {
    return job();
  } catch (const std::bad_alloc&) {
    throw DataError("not enough memory; " + advice);
  } catch (const c10::Error& error) {
    const std::string text = error.what_without_backtrace();
    throw DataError(is_about_memory(text) ? "not enough memory; " + advice : text);
  }
}

/// "cpu" or "cuda". Throws UsageError for another name, or if there is no GPU.
torch::Device device_named(const std::string& name);

/// A copy on the device. Bytes go to a GPU through memory that it reads by itself, so that nobody waits for
/// them.
torch::Tensor on_device(const torch::Tensor& here, torch::Device device);

/// What is asked for, one per core if that is 0, but not beyond reason.
std::size_t used_threads(std::size_t threads);

/// Which torch, and how many GPUs it sees.
std::string torch_description();

std::vector<std::size_t> shape_of(const torch::Tensor& tensor);

/// "3 x 4".
std::string spelled(std::span<const std::size_t> shape);

/// A copy that leaves the plug-in.
tensor::NetworkArray stored(const std::string& name, const torch::Tensor& value);

/// A copy on the CPU of what came in.
torch::Tensor tensor_of(const tensor::NetworkArray& array);

/// Arrays by name, each taken once.
class GivenArrays {
 public:
  /// Throws DataError if a name is there twice.
  explicit GivenArrays(std::span<const tensor::NetworkArray> arrays);

  bool has(const std::string& name) const { return by_name_.contains(name); }
  bool has_any_beginning(std::string_view prefix) const;

  /// Throws DataError if it is missing or has another shape.
  const tensor::NetworkArray& take(const std::string& name, const std::vector<std::size_t>& shape);

  /// Throws DataError that names an array which was not taken; `kind` says what the network is.
  void expect_none_left(std::string_view kind) const;

 private:
  std::map<std::string, const tensor::NetworkArray*> by_name_;
};

}  // namespace capella::plugin
