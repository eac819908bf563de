// How alike two vectors of an encoder are.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace capella::metric {

/// The cosine of the angle between two vectors, 0 if one of them has no direction. Sums are taken in 64 bits,
/// in order; with one root instead of two, a vector's cosine with itself is exactly 1.
inline double cosine(std::span<const float> a, std::span<const float> b) {
  double product = 0.0, square_a = 0.0, square_b = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
    product += x * y;
    square_a += x * x;
    square_b += y * y;
  }
  if (square_a == 0.0 || square_b == 0.0) return 0.0;
  return std::clamp(product / std::sqrt(square_a * square_b), -1.0, 1.0);
}

}  // namespace capella::metric
