// Newton's method with halved steps. The information is positive definite with a prior; without one it may be
// singular, then a little is added to its diagonal.
#include "capella/error.h"

#include "logic/learn/optimise_posterior.h"
#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace capella::logic {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::Map<Eigen::VectorXd>;

constexpr int kHalvings = 40;

Eigen::VectorXd direction(const Posterior& posterior, std::vector<double>& weights,
                          std::vector<double>& gradient) {
  const auto size = static_cast<Eigen::Index>(weights.size());
  std::vector<double> information = posterior.function().information(weights);
  Eigen::Map<Matrix> matrix(information.data(), size, size);
  matrix.diagonal().array() += posterior.precision();
  const double scale = std::fmax(matrix.diagonal().maxCoeff(), 1e-300);
  const Vector slope(gradient.data(), size);
  for (double ridge = 0;; ridge = ridge == 0 ? 1e-14 * scale : 100 * ridge) {
    if (!std::isfinite(ridge)) throw DataError("the likelihood's second derivatives are no finite numbers");
    Matrix lifted = matrix;
    lifted.diagonal().array() += ridge;
    const Eigen::LLT<Matrix, Eigen::Lower> factors(lifted);
    if (factors.info() != Eigen::Success) continue;
    Eigen::VectorXd step = factors.solve(slope);
    if (step.allFinite()) return step;
  }
}

// One more full step at the goal doubles the number of right digits.
void finish(Posterior& posterior, std::vector<double>& weights, std::vector<double>& gradient) {
  const double before = largest(gradient);
  const Eigen::VectorXd step = direction(posterior, weights, gradient);
  std::vector<double> next = weights;
  for (std::size_t k = 0; k < next.size(); ++k) next[k] += step[static_cast<Eigen::Index>(k)];
  posterior.evaluate(next, gradient);
  if (largest(gradient) < before) weights = std::move(next);
}

}  // namespace

bool climb_newton(Posterior& posterior, const OptimiserOptions& options, std::size_t most, Optimum& optimum) {
  std::vector<double>& weights = optimum.weights;
  std::vector<double> gradient(weights.size());
  double value = posterior.evaluate(weights, gradient);
  while (optimum.iterations < most) {
    if (largest(gradient) <= posterior.tolerance()) {
      finish(posterior, weights, gradient);
      return true;
    }
    ++optimum.iterations;
    const Eigen::VectorXd step = direction(posterior, weights, gradient);
    const double slope = step.dot(Vector(gradient.data(), step.size()));
    const double slack = 1e-14 * std::fmax(1, std::fabs(value));  // what rounding may cost
    std::vector<double> next(weights.size());
    double reached = 0;
    double length = 1;
    int halvings = 0;
    do {
      for (std::size_t k = 0; k < next.size(); ++k)
        next[k] = weights[k] + length * step[static_cast<Eigen::Index>(k)];
      reached = posterior.evaluate(next, gradient);
      length /= 2;
    } while (!(reached >= value + 1e-4 * 2 * length * slope - slack) && ++halvings < kHalvings);
    if (halvings == kHalvings) return false;
    weights = std::move(next);
    value = reached;
    if (options.progress) options.progress(optimum.iterations, most);
  }
  return largest(gradient) <= posterior.tolerance();
}

}  // namespace capella::logic
