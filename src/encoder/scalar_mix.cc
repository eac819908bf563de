#include "encoder/scalar_mix.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

namespace capella::encoder {
namespace {

constexpr std::size_t kMaxMixedLayers = 1000;
constexpr double kEpsilon = 1e-12;  // added to a variance

void add_layer(const TokenBatch& batch, const float* rows, std::size_t stride, std::size_t before,
               std::size_t layer, SentenceStates& states) {
  for (std::size_t k = 0; k < batch.size(); ++k) {
    const std::size_t at = (before + k) * states.layers + layer;
    double sum = 0, squares = 0;
    for (std::size_t t = batch.begin(k); t < batch.end(k); ++t) {
      for (std::size_t i = 0; i < states.width; ++i) {
        const double value = rows[t * stride + i];
        sum += value;
        squares += value * value;
      }
    }
    states.sums[at] = sum;
    states.squares[at] = squares;
    std::copy_n(rows + batch.begin(k) * stride, states.width, states.first.data() + at * states.width);
  }
}

std::vector<float> read_weights(const WeightSource& source, const std::string& prefix) {
  std::vector<float> weights;
  const auto name = [&] { return fmt::format("{}scalar_mix.scalar_parameters.{}", prefix, weights.size()); };
  do {
    weights.push_back(source.floats(name(), {1}).front());
  } while (weights.size() < kMaxMixedLayers && source.has(name()));
  return weights;
}

}  // namespace

void add_states(const tensor::Kernels& kernels, const Bert& bert, const TokenBatch& batch,
                SentenceStates& states) {
  states.layers = bert.layers() + 1;
  states.width = bert.width();
  const std::size_t before = states.size(), after = before + batch.size();
  states.first.resize(after * states.layers * states.width);
  states.sums.resize(after * states.layers);
  states.squares.resize(after * states.layers);
  bert.run(kernels, batch, bert.layers(), [&](std::size_t layer, const float* rows, std::size_t stride) {
    add_layer(batch, rows, stride, before, layer, states);
  });
  for (std::size_t k = 0; k < batch.size(); ++k)
    states.tokens.push_back(static_cast<std::uint32_t>(batch.length(k)));
}

MixStatistics mix_statistics(const SentenceSums& states, std::span<const std::size_t> captions) {
  MixStatistics statistics;
  for (std::size_t layer = 0; layer < states.layers; ++layer) {
    double sum = 0, squares = 0, count = 0;
    for (const std::size_t caption : captions) {
      sum += states.sums[caption * states.layers + layer];
      squares += states.squares[caption * states.layers + layer];
      count += static_cast<double>(states.tokens[caption]) * static_cast<double>(states.width);
    }
    const double mean = count > 0 ? sum / count : 0;
    statistics.mean.push_back(mean);
    statistics.variance.push_back(count > 0 ? std::max(squares / count - mean * mean, 0.0) : 0);
  }
  return statistics;
}

ScalarMix::ScalarMix(std::span<const float> weights, float factor) {
  const float most = weights.empty() ? 0 : *std::max_element(weights.begin(), weights.end());
  double total = 0;
  for (const float weight : weights) {
    shares_.push_back(std::exp(static_cast<double>(weight) - static_cast<double>(most)));
    total += shares_.back();
  }
  for (double& share : shares_) share *= static_cast<double>(factor) / total;
}

ScalarMix::ScalarMix(const WeightSource& source, const std::string& prefix)
    : ScalarMix(read_weights(source, prefix), source.floats(prefix + "scalar_mix.gamma", {1}).front()) {}

void ScalarMix::mix(const SentenceStates& states, std::size_t caption, const MixStatistics& statistics,
                    float* out) const {
  assert(states.layers == layers());
  mix(states.first.data() + caption * states.layers * states.width, states.width, statistics, out);
}

void ScalarMix::mix(const float* states, std::size_t width, const MixStatistics& statistics,
                    float* out) const {
  assert(statistics.mean.size() == layers());
  std::vector<double> sum(width);
  for (std::size_t layer = 0; layer < layers(); ++layer) {
    const double factor = shares_[layer] / std::sqrt(statistics.variance[layer] + kEpsilon);
    const float* row = states + layer * width;
    for (std::size_t i = 0; i < width; ++i)
      sum[i] += factor * (static_cast<double>(row[i]) - statistics.mean[layer]);
  }
  for (std::size_t i = 0; i < width; ++i) out[i] = static_cast<float>(sum[i]);
}

MixStatistics kept_statistics(const WeightSource& source, std::size_t layers, const std::string& prefix) {
  const std::vector<float> mean = source.floats(prefix + "scalar_mix.mean", {layers});
  const std::vector<float> variance = source.floats(prefix + "scalar_mix.variance", {layers});
  if (std::ranges::any_of(variance, [](float value) { return value < 0; }))
    source.reject(fmt::format("tensor '{}scalar_mix.variance' has a number below 0", prefix));
  return {{mean.begin(), mean.end()}, {variance.begin(), variance.end()}};
}

}  // namespace capella::encoder
