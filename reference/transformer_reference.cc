#include "reference/transformer_reference.h"

#include <algorithm>
#include <cmath>

#include "reference/tensor_reference.h"

namespace capella::reference {
namespace {

Numbers sum(const Numbers& a, const Numbers& b) {
  Numbers result = a;
  for (std::size_t i = 0; i < b.size(); ++i) result[i] += b[i];
  return result;
}

// What position `at` gets of the others, all heads side by side.
Numbers attend(std::size_t at, const Matrix& query, const Matrix& key, const Matrix& value,
               const TransformerRules& rules) {
  const std::size_t width = query[at].size(), head = width / rules.heads;
  const std::size_t seen = rules.causal ? at + 1 : key.size();
  Numbers result(width, 0.0);
  for (std::size_t begin = 0; begin < width; begin += head) {
    Numbers scores(seen, 0.0);
    for (std::size_t j = 0; j < seen; ++j) {
      for (std::size_t i = begin; i < begin + head; ++i) scores[j] += query[at][i] * key[j][i];
      scores[j] /= std::sqrt(static_cast<double>(head));
    }
    const double most = *std::max_element(scores.begin(), scores.end());
    double total = 0;
    for (double& score : scores) total += score = std::exp(score - most);
    for (std::size_t j = 0; j < seen; ++j) {
      for (std::size_t i = begin; i < begin + head; ++i) result[i] += scores[j] / total * value[j][i];
    }
  }
  return result;
}

// The row as 8-bit integers, taken back.
Numbers in_steps(const Numbers& row) {
  const QuantizedRow steps = quantize({row.begin(), row.end()});
  Numbers result;
  for (const int value : steps.values) result.push_back(value * static_cast<double>(steps.scale));
  return result;
}

double size_of(const Numbers& row) {
  double most = 0;
  for (const double x : row) most = std::max(most, std::fabs(x));
  return most;
}

// Takes the greatest number by size out of the row.
Numbers without_greatest(Numbers row) {
  for (double& x : row) {
    if (std::fabs(x) != size_of(row)) continue;
    x = 0;
    break;
  }
  return row;
}

double distance_to_tie(const Numbers& rest, double second) {
  const double step = size_of(rest) / 127;
  if (step == 0) return 0.5;
  double nearest = std::min(0.5, (second - size_of(rest)) / step);
  for (const double x : rest)
    nearest = std::min(nearest, 0.5 - std::fabs(x / step - std::nearbyint(x / step)));
  return nearest;
}

}  // namespace

LinearMap eight_bit(const LinearMap& map) {
  LinearMap result = {map.weight, map.bias, {}, std::make_shared<double>(0.5)};
  for (const Numbers& row : map.weight) result.rounded.push_back(in_steps(row));
  return result;
}

Numbers LinearMap::operator()(const Numbers& x) const {
  Numbers taken = x, rest(x.size(), 0.0);
  if (!rounded.empty()) {
    const Numbers one_less = without_greatest(x), others = without_greatest(one_less);
    *nearest_tie = std::min(*nearest_tie, distance_to_tie(others, size_of(one_less)));
    rest = in_steps(others);
    for (std::size_t i = 0; i < x.size(); ++i) taken[i] -= others[i];
  }
  Numbers result;
  for (std::size_t o = 0; o < weight.size(); ++o) {
    double total = bias.empty() ? 0.0 : bias[o];
    for (std::size_t i = 0; i < x.size(); ++i) {
      total += weight[o][i] * taken[i];
      if (!rounded.empty()) total += rounded[o][i] * rest[i];
    }
    result.push_back(total);
  }
  return result;
}

Numbers NormMap::operator()(const Numbers& x) const {
  const auto size = static_cast<double>(x.size());
  double mean = 0, variance = 0;
  for (const double value : x) mean += value / size;
  for (const double value : x) variance += (value - mean) * (value - mean) / size;
  Numbers result;
  for (std::size_t i = 0; i < x.size(); ++i)
    result.push_back((x[i] - mean) / std::sqrt(variance + epsilon) * weight[i] + bias[i]);
  return result;
}

double gelu(double x) {
  return x * 0.5 * std::erfc(-x / std::sqrt(2.0));
}

double quick_gelu(double x) {
  return x / (1.0 + std::exp(-1.702 * x));
}

Matrix transformer_layer(const Matrix& rows, const TransformerLayer& layer, const TransformerRules& rules) {
  Matrix query, key, value, result;
  for (const Numbers& row : rows) {
    const Numbers input = rules.norm_first ? layer.first_norm(row) : row;
    query.push_back(layer.query(input));
    key.push_back(layer.key(input));
    value.push_back(layer.value(input));
  }
  for (std::size_t at = 0; at < rows.size(); ++at) {
    Numbers row = sum(rows[at], layer.out(attend(at, query, key, value, rules)));
    if (!rules.norm_first) row = layer.first_norm(row);
    Numbers inner = layer.up(rules.norm_first ? layer.second_norm(row) : row);
    for (double& x : inner) x = rules.activation(x);
    row = sum(row, layer.down(inner));
    result.push_back(rules.norm_first ? row : layer.second_norm(row));
  }
  return result;
}

}  // namespace capella::reference
