#include "method/composite/network.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace capella::method::composite {
namespace {

// Rows that are computed side by side: numbers of the same place of all rows lie together, so that the
// compiler can make vectors of them without changing the order of any sum.
constexpr std::size_t kRowsAtOnce = 16;

bool all_finite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
}

// out[o][r] = bias[o] + sum over k of weights[o][k] * in[k][r], for kOutputs outputs from `first` on. Several
// sums side by side keep the processor busy, and each is in order of k.
template <std::size_t kRows, std::size_t kOutputs>
void apply_some(const Layer& layer, std::size_t first, const double* in, double* out, bool relu) {
  double sums[kOutputs][kRows];
  for (std::size_t o = 0; o < kOutputs; ++o) {
    for (double& sum : sums[o]) sum = layer.biases[first + o];
  }
  const float* weights = layer.weights.data() + first * layer.inputs;
  for (std::size_t k = 0; k < layer.inputs; ++k) {
    for (std::size_t o = 0; o < kOutputs; ++o) {
      const double weight = weights[o * layer.inputs + k];
      for (std::size_t r = 0; r < kRows; ++r) sums[o][r] += weight * in[k * kRows + r];
    }
  }
  for (std::size_t o = 0; o < kOutputs; ++o) {
    for (std::size_t r = 0; r < kRows; ++r)
      out[(first + o) * kRows + r] = relu ? std::max(0.0, sums[o][r]) : sums[o][r];
  }
}

template <std::size_t kRows>
void apply(const Layer& layer, const double* in, double* out, bool relu) {
  constexpr std::size_t kOutputs = kRows == 1 ? 8 : 1;
  std::size_t o = 0;
  for (; o + kOutputs <= layer.outputs; o += kOutputs) apply_some<kRows, kOutputs>(layer, o, in, out, relu);
  for (; o < layer.outputs; ++o) apply_some<kRows, 1>(layer, o, in, out, relu);
}

std::size_t widest_layer(const Network& network) {
  std::size_t widest = network.inputs();
  for (const Layer& layer : network.layers) widest = std::max(widest, layer.outputs);
  return widest;
}

// Log-odds of `rows`, at most kRows.
template <std::size_t kRows>
void log_odds_of_few(const Network& network, std::span<const double> rows, std::span<double> out,
                     std::vector<double>& now, std::vector<double>& next) {
  const std::size_t inputs = network.inputs();
  for (std::size_t r = 0; r < out.size(); ++r) {
    for (std::size_t k = 0; k < inputs; ++k) now[k * kRows + r] = rows[r * inputs + k];
  }
  for (const Layer& layer : network.layers) {
    apply<kRows>(layer, now.data(), next.data(), &layer != &network.layers.back());
    now.swap(next);
  }
  for (std::size_t r = 0; r < out.size(); ++r) out[r] = now[kRows + r] - now[r];
}

}  // namespace

Network make_network(std::span<const std::size_t> sizes, Random& random) {
  assert(sizes.size() >= 2 && sizes.back() == 2);
  Network network;
  for (std::size_t l = 1; l < sizes.size(); ++l) {
    Layer layer{.inputs = sizes[l - 1], .outputs = sizes[l], .weights = {}, .biases = {}};
    const double deviation = std::sqrt(2.0 / static_cast<double>(layer.inputs));
    layer.weights.resize(layer.inputs * layer.outputs);
    for (float& weight : layer.weights) weight = static_cast<float>(deviation * random.normal());
    layer.biases.assign(layer.outputs, 0.0f);
    network.layers.push_back(std::move(layer));
  }
  return network;
}

bool is_finite(const Network& network) {
  return std::all_of(network.layers.begin(), network.layers.end(), [](const Layer& layer) {
    return all_finite(layer.weights) && all_finite(layer.biases);
  });
}

void log_odds(const Network& network, std::span<const double> rows, std::span<double> out) {
  const std::size_t inputs = network.inputs();
  assert(rows.size() == out.size() * inputs);
  const std::size_t at_once = out.size() == 1 ? 1 : kRowsAtOnce;
  std::vector<double> now(widest_layer(network) * at_once);
  std::vector<double> next(now.size());
  if (out.size() == 1) return log_odds_of_few<1>(network, rows, out, now, next);
  for (std::size_t first = 0; first < out.size(); first += kRowsAtOnce) {
    const std::size_t count = std::min(kRowsAtOnce, out.size() - first);
    log_odds_of_few<kRowsAtOnce>(network, rows.subspan(first * inputs, count * inputs),
                                 out.subspan(first, count), now, next);
  }
}

double sigmoid(double log_odds) {
  return 1.0 / (1.0 + std::exp(-log_odds));
}

void probabilities(const Network& network, std::span<const double> rows, std::span<double> out) {
  log_odds(network, rows, out);
  for (double& value : out) value = sigmoid(value);
}

double probability(const Network& network, std::span<const double> inputs) {
  double answer = 0.0;
  probabilities(network, inputs, std::span(&answer, 1));
  return answer;
}

}  // namespace capella::method::composite
