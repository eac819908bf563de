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

Row layer_norm(const Row& row, const Row& weight, const Row& bias);

Row softmax(const Row& row);

double dot(const Row& a, const Row& b);

/// a [rows][depth] times b [depth][columns].
Rows product(const Rows& a, const Rows& b);

/// One attention head; `bias[i][j]` is added to the scaled score of query i and key j.
Rows attention(const Rows& query, const Rows& key, const Rows& value, float scale, const Rows& bias);

/// One step of an LSTM on gates in the order input, forget, new, output: changes the memory, returns the
/// state.
Row lstm_step(const Row& gates, Row& memory);

}  // namespace capella::reference
