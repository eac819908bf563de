// Transformer layers from their definition: single numbers, in double, one sequence at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace capella::reference {

using Numbers = std::vector<double>;
using Matrix = std::vector<Numbers>;

/// y = W x + b; `weight` is [outputs][inputs].
struct LinearMap {
  Matrix weight;
  Numbers bias;

  Numbers operator()(const Numbers& x) const;
};

struct NormMap {
  Numbers weight;
  Numbers bias;
  double epsilon = 0;

  Numbers operator()(const Numbers& x) const;
};

struct TransformerLayer {
  LinearMap query, key, value, out;
  NormMap first_norm;
  LinearMap up, down;
  NormMap second_norm;
};

struct TransformerRules {
  std::size_t heads = 1;
  bool norm_first = false;
  bool causal = false;
  std::function<double(double)> activation;
};

double gelu(double x);
double quick_gelu(double x);

/// What becomes of a sequence's rows.
Matrix transformer_layer(const Matrix& rows, const TransformerLayer& layer, const TransformerRules& rules);

}  // namespace capella::reference
