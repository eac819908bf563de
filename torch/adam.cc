#include "torch/adam.h"

#include <cmath>

namespace capella::plugin {
namespace {

constexpr double kMeanDecay = .9;
constexpr double kSquareDecay = .999;
constexpr double kEpsilon = 1e-8;

}  // namespace

Adam::Adam(const Network& network) : weights_(network.arrays()) {
  const torch::NoGradGuard no_gradients;
  for (const NamedTensor& weight : weights_) {
    means_.push_back(torch::zeros_like(weight.value));
    squares_.push_back(torch::zeros_like(weight.value));
  }
}

void Adam::step(double rate) {
  const torch::NoGradGuard no_gradients;
  ++steps_;
  const auto t = static_cast<double>(steps_);
  const double scaled = rate * std::sqrt(1 - std::pow(kSquareDecay, t)) / (1 - std::pow(kMeanDecay, t));
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    Tensor& weight = weights_[i].value;
    Tensor& gradient = weight.mutable_grad();
    if (!gradient.defined()) continue;
    means_[i].mul_(kMeanDecay).add_(gradient, 1 - kMeanDecay);
    squares_[i].mul_(kSquareDecay).addcmul_(gradient, gradient, 1 - kSquareDecay);
    weight.addcdiv_(means_[i], squares_[i].sqrt().add_(kEpsilon), -scaled);
    gradient.reset();
  }
}

std::vector<NamedTensor> Adam::arrays() const {
  std::vector<NamedTensor> all;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    all.push_back({"adam/m/" + weights_[i].name, means_[i]});
    all.push_back({"adam/v/" + weights_[i].name, squares_[i]});
  }
  all.push_back({"adam/steps", torch::full({1}, static_cast<double>(steps_), torch::kFloat32)});
  return all;
}

void Adam::reset() {
  const torch::NoGradGuard no_gradients;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    means_[i].zero_();
    squares_[i].zero_();
  }
  steps_ = 0;
}

}  // namespace capella::plugin
