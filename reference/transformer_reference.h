// Transformer layers from their definition: single numbers, in double, one sequence at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace capella::reference {

using Numbers = std::vector<double>;
using Matrix = std::vector<Numbers>;

/// y = W x + b; `weight` is [outputs][inputs].
struct LinearMap {
  Matrix weight;
  Numbers bias;
  /// The weights as 8-bit integers, taken back. If there are any, inputs become such integers, too, but for
  /// the two greatest, which `weight` multiplies.
  Matrix rounded = {};
  /// How near such an input came to where the slightest rounding before decides, in steps of the integers:
  /// the middle between two of them, or the size of the second greatest.
  std::shared_ptr<double> nearest_tie = {};

  Numbers operator()(const Numbers& x) const;
};

/// The map with weights of 8 bits.
LinearMap eight_bit(const LinearMap& map);

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
