// The tensor kernels from their definitions: loops over single numbers, sums in double.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace capella::reference {

using Row = std::vector<float>;
using Rows = std::vector<Row>;

struct QuantizedRow {
  std::vector<int> values;
  float scale = 0;
};

QuantizedRow quantize(const Row& row);

/// One row of an 8-bit linear map: weights[output][input].
Row linear(const Row& row, const std::vector<std::vector<int>>& weights, const Row& scale, const Row& bias);

Row layer_norm(const Row& row, const Row& weight, const Row& bias, double epsilon = 1e-5);

Row softmax(const Row& row);

double dot(const Row& a, const Row& b);

/// a [rows][depth] times b [depth][columns].
Rows product(const Rows& a, const Rows& b);

/// One attention head for the last positions, as many as there are queries; `causal`: a position sees itself
/// and those before it.
Rows attention(const Rows& query, const Rows& key, const Rows& value, float scale, bool causal);

/// One step of an LSTM on gates in the order input, forget, new, output: changes the memory, returns the
/// state.
Row lstm_step(const Row& gates, Row& memory);

/// One step of a GRU on gates in the order reset, update; the candidate's sum is asked for with what reset
/// keeps of the state.
struct GruGates {
  Row kept;    ///< s(reset) * state
  Row update;  ///< s(update)
};
GruGates gru_reset(const Row& gates, const Row& state);
Row gru_update(const Row& candidate, const Row& update, const Row& state);

/// A row of logits seen from one of them.
struct LogitFacts {
  float highest = 0;
  double exponentials = 0;  ///< the sum of exp(logit - highest)
  std::size_t greater = 0;  ///< how many are greater than the target's
};
LogitFacts logit_facts(const Row& logits, std::size_t target);

}  // namespace capella::reference
