// Where several vectors point together.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace capella::metric {

/// The sum of vectors of length 1, in 64 bits, in order.
class Centroid {
 public:
  explicit Centroid(std::size_t width) : sum_(width, 0.0) {}

  /// A vector of any length; one without direction adds nothing.
  void add(std::span<const float> vector) {
    const double length = std::sqrt(square(vector));
    if (length == 0.0) return;
    for (std::size_t i = 0; i < sum_.size(); ++i) sum_[i] += static_cast<double>(vector[i]) / length;
  }

  /// Of the angle with a vector, 0 if one of both has no direction.
  double cosine(std::span<const float> vector) const {
    double product = 0.0;
    for (std::size_t i = 0; i < sum_.size(); ++i) product += static_cast<double>(vector[i]) * sum_[i];
    const double squares = square(vector) * square(sum_);
    return squares == 0.0 ? 0.0 : std::clamp(product / std::sqrt(squares), -1.0, 1.0);
  }

 private:
  template <class Numbers>
  static double square(const Numbers& numbers) {
    double sum = 0.0;
    for (const double x : numbers) sum += x * x;
    return sum;
  }

  std::vector<double> sum_;
};

}  // namespace capella::metric
