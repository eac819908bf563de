#include "reference/tensor_reference.h"

#include <algorithm>
#include <cmath>

namespace capella::reference {

QuantizedRow quantize(const Row& row) {
  float most = 0;
  for (const float x : row) most = std::max(most, std::fabs(x));
  QuantizedRow result{.values = std::vector<int>(row.size(), 0), .scale = most / 127.0f};
  if (result.scale == 0) return result;
  for (std::size_t i = 0; i < row.size(); ++i) {
    result.values[i] = static_cast<int>(std::nearbyint(row[i] / result.scale));
  }
  return result;
}

Row linear(const Row& row, const std::vector<std::vector<int>>& weights, const Row& scale, const Row& bias) {
  const QuantizedRow inputs = quantize(row);
  Row out;
  for (std::size_t o = 0; o < weights.size(); ++o) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < row.size(); ++i) sum += inputs.values[i] * weights[o][i];
    out.push_back(static_cast<float>(static_cast<double>(sum) * inputs.scale * scale[o] + bias[o]));
  }
  return out;
}

Row layer_norm(const Row& row, const Row& weight, const Row& bias, double epsilon) {
  const auto size = static_cast<double>(row.size());
  double mean = 0;
  for (const float x : row) mean += x / size;
  double variance = 0;
  for (const float x : row) variance += (x - mean) * (x - mean) / size;
  Row out;
  for (std::size_t i = 0; i < row.size(); ++i) {
    out.push_back(static_cast<float>((row[i] - mean) / std::sqrt(variance + epsilon) * weight[i] + bias[i]));
  }
  return out;
}

Row softmax(const Row& row) {
  const double most = *std::max_element(row.begin(), row.end());
  double sum = 0;
  for (const float x : row) sum += std::exp(x - most);
  Row out;
  for (const float x : row) out.push_back(static_cast<float>(std::exp(x - most) / sum));
  return out;
}

double dot(const Row& a, const Row& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

Rows product(const Rows& a, const Rows& b) {
  Rows out(a.size(), Row(b.front().size()));
  for (std::size_t r = 0; r < a.size(); ++r) {
    for (std::size_t c = 0; c < b.front().size(); ++c) {
      double sum = 0;
      for (std::size_t k = 0; k < b.size(); ++k) sum += static_cast<double>(a[r][k]) * b[k][c];
      out[r][c] = static_cast<float>(sum);
    }
  }
  return out;
}

Rows attention(const Rows& query, const Rows& key, const Rows& value, float scale, bool causal) {
  Rows weights;
  for (std::size_t i = 0; i < query.size(); ++i) {
    const std::size_t seen = causal ? key.size() - query.size() + i + 1 : key.size();
    Row scores;
    for (std::size_t j = 0; j < seen; ++j)
      scores.push_back(static_cast<float>(dot(query[i], key[j]) * scale));
    weights.push_back(softmax(scores));
    weights.back().resize(key.size(), 0.0f);
  }
  return product(weights, value);
}

Row lstm_step(const Row& gates, Row& memory) {
  const std::size_t size = memory.size();
  const auto sigmoid = [](double x) { return 1.0 / (1.0 + std::exp(-x)); };
  Row out;
  for (std::size_t i = 0; i < size; ++i) {
    const double next =
        sigmoid(gates[size + i]) * memory[i] + sigmoid(gates[i]) * std::tanh(double{gates[2 * size + i]});
    memory[i] = static_cast<float>(next);
    out.push_back(static_cast<float>(sigmoid(gates[3 * size + i]) * std::tanh(next)));
  }
  return out;
}

GruGates gru_reset(const Row& gates, const Row& state) {
  const auto sigmoid = [](double x) { return 1.0 / (1.0 + std::exp(-x)); };
  GruGates out;
  for (std::size_t i = 0; i < state.size(); ++i) {
    out.kept.push_back(static_cast<float>(sigmoid(gates[i]) * state[i]));
    out.update.push_back(static_cast<float>(sigmoid(gates[state.size() + i])));
  }
  return out;
}

Row gru_update(const Row& candidate, const Row& update, const Row& state) {
  Row out;
  for (std::size_t i = 0; i < state.size(); ++i) {
    const double share = update[i];
    out.push_back(static_cast<float>(share * state[i] + (1 - share) * std::tanh(double{candidate[i]})));
  }
  return out;
}

LogitFacts logit_facts(const Row& logits, std::size_t target) {
  LogitFacts facts{.highest = *std::max_element(logits.begin(), logits.end())};
  for (const float logit : logits) {
    facts.exponentials += std::exp(static_cast<double>(logit) - facts.highest);
    facts.greater += logit > logits[target] ? 1 : 0;
  }
  return facts;
}

}  // namespace capella::reference
