#include "torch/flat_adam.h"

#include <cmath>

#include "torch/boundary.h"

namespace capella::plugin {

FlatAdam::FlatAdam(const Weights& weights, const AdamSettings& settings)
    : weights_(weights),
      settings_(settings),
      means_(torch::zeros_like(weights.block())),
      squares_(torch::zeros_like(weights.block())) {}

void FlatAdam::step(double rate) {
  const torch::NoGradGuard no_gradients;
  ++steps_;
  const AdamSettings& s = settings_;
  torch::Tensor block = weights_.block(), gradients = weights_.gradients();
  if (s.most_gradient > 0) {
    const torch::Tensor length = gradients.norm();
    gradients.mul_((s.most_gradient / (length + 1e-6)).clamp_max(1));
  }
  if (s.weight_decay > 0) block.narrow(0, 0, weights_.matrix_numbers()).mul_(1 - rate * s.weight_decay);
  means_.mul_(s.mean_decay).add_(gradients, 1 - s.mean_decay);
  squares_.mul_(s.square_decay).addcmul_(gradients, gradients, 1 - s.square_decay);
  const auto t = static_cast<double>(steps_);
  const double root = std::sqrt(1 - std::pow(s.square_decay, t));
  const torch::Tensor below = squares_.sqrt().div_(root).add_(s.epsilon);
  block.addcdiv_(means_, below, -rate / (1 - std::pow(s.mean_decay, t)));
  gradients.zero_();
}

void FlatAdam::reset() {
  const torch::NoGradGuard no_gradients;
  means_.zero_();
  squares_.zero_();
  steps_ = 0;
}

std::vector<NamedWeight> FlatAdam::arrays() const {
  std::vector<NamedWeight> all;
  for (const NamedWeight& part : weights_.cut(means_)) all.push_back({"adam/m/" + part.name, part.value});
  for (const NamedWeight& part : weights_.cut(squares_)) all.push_back({"adam/v/" + part.name, part.value});
  all.push_back({"adam/steps", torch::full({1}, static_cast<double>(steps_), torch::kFloat32)});
  return all;
}

std::vector<tensor::NetworkArray> kept_arrays(const std::vector<NamedWeight>& own, const FlatAdam* adam) {
  std::vector<tensor::NetworkArray> all;
  for (const NamedWeight& array : own) all.push_back(stored(array.name, array.value));
  if (adam == nullptr) return all;
  for (const NamedWeight& array : adam->arrays()) all.push_back(stored(array.name, array.value));
  return all;
}

void take_arrays(std::span<const tensor::NetworkArray> given_arrays, const std::vector<NamedWeight>& own,
                 FlatAdam& adam, std::string_view kind) {
  const torch::NoGradGuard no_gradients;
  GivenArrays given(given_arrays);
  std::vector<std::pair<torch::Tensor, const tensor::NetworkArray*>> changes;
  const auto note = [&](const std::vector<NamedWeight>& arrays) {
    for (const NamedWeight& array : arrays)
      changes.emplace_back(array.value, &given.take(array.name, shape_of(array.value)));
  };
  note(own);
  const bool has_optimiser = given.has_any_beginning(kAdamPrefix);
  if (has_optimiser) note(adam.arrays());
  given.expect_none_left(kind);
  for (auto& [to, from] : changes) to.copy_(tensor_of(*from));
  if (has_optimiser) {
    adam.set_steps(std::lround(changes.back().second->values.front()));
  } else {
    adam.reset();
  }
}

}  // namespace capella::plugin
