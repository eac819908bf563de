#include "reference/composite_network_reference.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace capella::reference {
namespace {

using method::composite::Examples;

LongRow layer_sums(const LongLayer& layer, const LongRow& in) {
  LongRow out;
  for (std::size_t o = 0; o < layer.biases.size(); ++o) {
    long double sum = layer.biases[o];
    for (std::size_t k = 0; k < in.size(); ++k) sum += layer.weights[o][k] * in[k];
    out.push_back(sum);
  }
  return out;
}

// What goes into each layer, and at the end what comes out of the last.
std::vector<LongRow> all_values(const LongNetwork& network, const LongRow& inputs) {
  std::vector<LongRow> values = {inputs};
  for (std::size_t l = 0; l < network.size(); ++l) {
    LongRow out = layer_sums(network[l], values.back());
    if (l + 1 < network.size()) {
      for (long double& value : out) value = value > 0 ? value : 0;
    }
    values.push_back(out);
  }
  return values;
}

LongRow softmax(const LongRow& values) {
  const long double most = *std::max_element(values.begin(), values.end());
  LongRow out;
  long double sum = 0;
  for (const long double value : values) sum += std::exp(value - most);
  for (const long double value : values) out.push_back(std::exp(value - most) / sum);
  return out;
}

LongRow long_row(const Examples& examples, std::size_t row) {
  const auto values = examples.row(row);
  return {values.begin(), values.end()};
}

std::size_t right_class(const Examples& examples, std::size_t row) {
  return examples.targets[row] == 1 ? 1 : 0;
}

// Adds one row's slopes, times `factor`, to `sum`.
void add_row(const LongNetwork& network, const LongRow& inputs, std::size_t right, long double factor,
             LongNetwork& sum) {
  const std::vector<LongRow> values = all_values(network, inputs);
  LongRow slopes = softmax(values.back());
  slopes[right] -= 1;
  for (std::size_t l = network.size(); l-- > 0;) {
    LongRow earlier(values[l].size(), 0);
    for (std::size_t o = 0; o < slopes.size(); ++o) {
      sum[l].biases[o] += factor * slopes[o];
      for (std::size_t k = 0; k < earlier.size(); ++k) {
        sum[l].weights[o][k] += factor * slopes[o] * values[l][k];
        if (values[l][k] > 0) earlier[k] += slopes[o] * network[l].weights[o][k];
      }
    }
    slopes = earlier;
  }
}

}  // namespace

LongNetwork composite_network(const method::composite::Network& network) {
  LongNetwork out;
  for (const method::composite::Layer& layer : network.layers) {
    LongLayer longer;
    for (std::size_t o = 0; o < layer.outputs; ++o) {
      const auto row = layer.weights.begin() + static_cast<std::ptrdiff_t>(o * layer.inputs);
      longer.weights.emplace_back(row, row + static_cast<std::ptrdiff_t>(layer.inputs));
    }
    longer.biases.assign(layer.biases.begin(), layer.biases.end());
    out.push_back(longer);
  }
  return out;
}

LongRow composite_answer(const LongNetwork& network, const LongRow& inputs) {
  return softmax(all_values(network, inputs).back());
}

long double composite_loss(const LongNetwork& network, const Examples& examples, long double l2) {
  long double loss = 0;
  for (std::size_t row = 0; row < examples.rows(); ++row)
    loss -= std::log(composite_answer(network, long_row(examples, row))[right_class(examples, row)]);
  loss /= static_cast<long double>(examples.rows());
  for (const LongLayer& layer : network) {
    for (const LongRow& weights : layer.weights) {
      for (const long double weight : weights) loss += l2 / 2 * weight * weight;
    }
  }
  return loss;
}

LongNetwork composite_gradient(const LongNetwork& network, const Examples& examples, long double l2) {
  LongNetwork sum = network;
  for (LongLayer& layer : sum) {
    for (LongRow& weights : layer.weights) {
      for (long double& weight : weights) weight *= l2;
    }
    std::fill(layer.biases.begin(), layer.biases.end(), 0);
  }
  for (std::size_t row = 0; row < examples.rows(); ++row) {
    add_row(network, long_row(examples, row), right_class(examples, row),
            1 / static_cast<long double>(examples.rows()), sum);
  }
  return sum;
}

LongRow shares_over_all_orders(std::size_t inputs,
                               const std::function<long double(const std::vector<bool>&)>& value) {
  std::vector<std::size_t> order(inputs);
  std::iota(order.begin(), order.end(), std::size_t{0});
  LongRow shares(inputs, 0);
  long double orders = 0;
  do {
    std::vector<bool> set(inputs, false);
    for (const std::size_t input : order) {
      const long double before = value(set);
      set[input] = true;
      shares[input] += value(set) - before;
    }
    ++orders;
  } while (std::next_permutation(order.begin(), order.end()));
  for (long double& share : shares) share /= orders;
  return shares;
}

}  // namespace capella::reference
