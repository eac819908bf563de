#include "metric/mid_model.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace capella::metric {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

// Columns that are multiplied at once: few enough that Eigen never cuts a sum in two, which it does by the
// size of the machine's caches.
constexpr std::size_t kAtOnce = 64;
// The least square on a factor's diagonal over the greatest, below which a matrix counts as singular.
constexpr double kSingular = 1e-14;

Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

// Of length 1; a vector of zeros stays.
void put_unit(std::span<const float> vector, Eigen::Ref<Vector> out) {
  double square = 0.0;
  for (std::size_t i = 0; i < vector.size(); ++i) {
    out[index(i)] = static_cast<double>(vector[i]);
    square += out[index(i)] * out[index(i)];
  }
  if (square > 0.0) out /= std::sqrt(square);
}

Vector joined(std::span<const float> text, std::span<const float> picture) {
  Vector pair(index(text.size() + picture.size()));
  put_unit(text, pair.head(index(text.size())));
  put_unit(picture, pair.tail(index(picture.size())));
  return pair;
}

class Normal {
 public:
  Normal(Vector mean, const Matrix& covariance) : mean_(std::move(mean)), factor_(covariance) {}

  bool is_singular() const {
    if (factor_.info() != Eigen::Success) return true;
    const auto squares = factor_.matrixLLT().diagonal().array().square();
    return !(squares.minCoeff() > kSingular * squares.maxCoeff());
  }
  double log_determinant() const {
    double sum = 0.0;
    for (const double x : factor_.matrixLLT().diagonal()) sum += std::log(x);
    return 2.0 * sum;
  }
  double trace_of_inverse() const {
    const Matrix half =
        factor_.matrixL().solve(Matrix::Identity(factor_.matrixLLT().rows(), factor_.matrixLLT().cols()));
    return half.squaredNorm();
  }
  double distance(const Eigen::Ref<const Vector>& place) const {
    Vector from_mean = place - mean_;
    factor_.matrixL().solveInPlace(from_mean);
    double sum = 0.0;
    for (const double x : from_mean) sum += x * x;
    return sum;
  }

 private:
  Vector mean_;
  Eigen::LLT<Matrix> factor_;
};

struct Moments {
  Vector mean;
  Matrix covariance;
};

Moments moments_of(std::size_t pairs, std::size_t size, const std::function<Vector(std::size_t)>& pair) {
  Moments moments{Vector::Zero(index(size)), Matrix::Zero(index(size), index(size))};
  for (std::size_t i = 0; i < pairs; ++i) moments.mean += pair(i);
  moments.mean /= static_cast<double>(pairs);
  Matrix sum = moments.covariance;
  for (std::size_t begin = 0; begin < pairs; begin += kAtOnce) {
    Matrix some(index(size), index(std::min(kAtOnce, pairs - begin)));
    for (Eigen::Index i = 0; i < some.cols(); ++i)
      some.col(i) = pair(begin + static_cast<std::size_t>(i)) - moments.mean;
    sum.selfadjointView<Eigen::Lower>().rankUpdate(some);
  }
  moments.covariance = sum.selfadjointView<Eigen::Lower>();
  moments.covariance /= static_cast<double>(pairs - 1);
  return moments;
}

}  // namespace

struct MidModel::Parts {
  Parts(const Moments& moments, Eigen::Index width)
      : text(moments.mean.head(width), moments.covariance.topLeftCorner(width, width)),
        picture(moments.mean.tail(width), moments.covariance.bottomRightCorner(width, width)),
        both(moments.mean, moments.covariance) {}

  Normal text;
  Normal picture;
  Normal both;
};

MidModel::MidModel(std::size_t pairs, std::size_t width, const VectorOf& text, const VectorOf& picture,
                   double epsilon) {
  singular_ = pairs < 2 || (pairs <= 2 * width && epsilon == 0.0);
  if (singular_) return;
  Moments moments = moments_of(pairs, 2 * width, [&](std::size_t i) { return joined(text(i), picture(i)); });
  moments.covariance.diagonal().array() += epsilon;
  parts_ = std::make_unique<const Parts>(moments, index(width));
  singular_ = parts_->text.is_singular() || parts_->picture.is_singular() || parts_->both.is_singular();
  if (singular_) return;
  information_ =
      (parts_->text.log_determinant() + parts_->picture.log_determinant() - parts_->both.log_determinant()) /
      2.0;
  // The trace of (S + epsilon)^-1 S.
  mean_picture_ = static_cast<double>(width);
  if (epsilon > 0.0) mean_picture_ -= epsilon * parts_->picture.trace_of_inverse();
}

MidModel::~MidModel() = default;
MidModel::MidModel(MidModel&&) noexcept = default;

MidModel::Distances MidModel::distances(std::span<const float> text, std::span<const float> picture) const {
  const Vector pair = joined(text, picture);
  return {parts_->text.distance(pair.head(index(text.size()))),
          parts_->picture.distance(pair.tail(index(picture.size()))), parts_->both.distance(pair)};
}

}  // namespace capella::metric
