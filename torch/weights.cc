#include "torch/weights.h"

#include <algorithm>
#include <cmath>

#include <ATen/Parallel.h>

#include "torch/draw.h"

namespace capella::plugin {
namespace {

constexpr std::int64_t kArrayAlignment = 64;  // numbers; arrays begin at multiples of it

template <class Draw>
torch::Tensor drawn(const std::vector<std::int64_t>& shape, const Draw& draw) {
  torch::Tensor values = torch::empty(shape, torch::kFloat32);
  auto* out = values.data_ptr<float>();
  at::parallel_for(0, values.numel(), 1 << 14, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      out[i] = static_cast<float>(draw(static_cast<std::uint64_t>(i)));
  });
  return values;
}

}  // namespace

Weights::Weights(const std::vector<NamedWeight>& first, torch::Device device) {
  const torch::NoGradGuard no_gradients;
  lay_out(first);
  block_ = block_.to(device);
  gradients_ = torch::zeros_like(block_);
  arrays_ = cut(block_);
  const std::vector<NamedWeight> gradients = cut(gradients_);
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    arrays_[i].value.requires_grad_();
    arrays_[i].value.mutable_grad() = gradients[i].value;
    by_name_[arrays_[i].name] = arrays_[i].value;
  }
}

void Weights::lay_out(const std::vector<NamedWeight>& first) {
  begins_.resize(first.size());
  std::int64_t end = 0;
  for (const bool matrices : {true, false}) {
    for (std::size_t i = 0; i < first.size(); ++i) {
      if ((first[i].value.dim() >= 2) != matrices) continue;
      begins_[i] = end;
      end += (first[i].value.numel() + kArrayAlignment - 1) / kArrayAlignment * kArrayAlignment;
    }
    if (matrices) matrix_numbers_ = end;
  }
  block_ = torch::zeros({end}, torch::kFloat32);
  arrays_ = first;
  for (const NamedWeight& part : cut(block_)) {
    const auto given = std::find_if(first.begin(), first.end(),
                                    [&](const NamedWeight& array) { return array.name == part.name; });
    part.value.copy_(given->value);
  }
}

std::vector<NamedWeight> Weights::cut(const torch::Tensor& block) const {
  std::vector<NamedWeight> parts;
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    const torch::Tensor& like = arrays_[i].value;
    parts.push_back({arrays_[i].name, block.narrow(0, begins_[i], like.numel()).view(like.sizes()).detach()});
  }
  return parts;
}

Weights Weights::copied_as(torch::ScalarType type) const {
  const torch::NoGradGuard no_gradients;
  Weights copy;
  copy.begins_ = begins_;
  copy.matrix_numbers_ = matrix_numbers_;
  copy.block_ = block_.to(type, false, true);
  copy.arrays_ = cut(copy.block_);
  for (const NamedWeight& array : copy.arrays_) copy.by_name_[array.name] = array.value;
  return copy;
}

void FirstWeights::uniform(const std::string& name, const std::vector<std::int64_t>& shape, double bound) {
  const std::uint64_t key = mixed(seed_, drawn_++);
  arrays_.push_back({name, drawn(shape, [&](std::uint64_t n) { return bound * plugin::uniform(key, n); })});
}

void FirstWeights::normal(const std::string& name, const std::vector<std::int64_t>& shape, double deviation) {
  const std::uint64_t key = mixed(seed_, drawn_++);
  arrays_.push_back(
      {name, drawn(shape, [&](std::uint64_t n) { return deviation * plugin::normal(key, n); })});
}

void FirstWeights::constant(const std::string& name, const std::vector<std::int64_t>& shape, double value) {
  arrays_.push_back({name, torch::full(shape, value, torch::kFloat32)});
}

void FirstWeights::linear(const std::string& name, std::int64_t outputs, std::int64_t inputs) {
  const double bound = 1 / std::sqrt(static_cast<double>(inputs));
  uniform(name + ".weight", {outputs, inputs}, bound);
  uniform(name + ".bias", {outputs}, bound);
}

void FirstWeights::norm(const std::string& name, std::int64_t width) {
  constant(name + ".weight", {width}, 1);
  constant(name + ".bias", {width}, 0);
}

void FirstWeights::copies(const std::string& from, const std::string& to) {
  const std::size_t count = arrays_.size();
  for (std::size_t i = 0; i < count; ++i) {
    const NamedWeight array = arrays_[i];
    if (array.name.starts_with(from)) arrays_.push_back({to + array.name.substr(from.size()), array.value});
  }
}

}  // namespace capella::plugin
