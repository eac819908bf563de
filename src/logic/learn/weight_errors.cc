#include "logic/learn/weight_errors.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace capella::logic {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::size_t kFewestWorlds = 30;
constexpr std::size_t kWorldsPerWeight = 3;

double precision_of(double prior_sd) {
  return std::isinf(prior_sd) ? 0 : 1 / (prior_sd * prior_sd);
}

Eigen::Index index(std::size_t number) {
  return static_cast<Eigen::Index>(number);
}

// The inverse of a symmetric matrix of which the lower half is given; empty if it has none.
Matrix inverse(const Matrix& lower) {
  const Eigen::LLT<Matrix, Eigen::Lower> factors(lower);
  if (factors.info() != Eigen::Success) return {};
  return factors.solve(Matrix::Identity(lower.rows(), lower.cols()));
}

Matrix information_of(const LogLikelihood& function, std::span<const double> weights, double precision) {
  const std::vector<double> numbers = function.information(weights);
  Matrix matrix = Eigen::Map<const Matrix>(numbers.data(), index(weights.size()), index(weights.size()));
  matrix.diagonal().array() += precision;
  return matrix;
}

std::vector<double> roots(const Eigen::VectorXd& variances) {
  std::vector<double> out;
  for (const double variance : variances)
    out.push_back(variance >= 0 ? std::sqrt(variance) : std::numeric_limits<double>::quiet_NaN());
  return out;
}

WeightErrors no_errors(std::size_t count) {
  return {std::vector<double>(count, std::numeric_limits<double>::quiet_NaN()),
          "none: without a prior the data leave some weight open"};
}

// How worlds' scores vary: the sum of their squares about the mean, times worlds / (worlds - 1).
Matrix variance_of_scores(const PseudoLikelihood& function, std::size_t worlds,
                          std::span<const double> weights) {
  const Eigen::Index size = index(weights.size());
  Matrix squares = Matrix::Zero(size, size);
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(size);
  function.for_each_world(weights, [&](std::span<const RowEntry> score) {
    for (std::size_t a = 0; a < score.size(); ++a) {
      sum[score[a].formula] += score[a].change;
      for (std::size_t b = 0; b <= a; ++b)
        squares(score[a].formula, score[b].formula) += score[a].change * score[b].change;
    }
  });
  const auto count = static_cast<double>(worlds);
  squares.triangularView<Eigen::Lower>() -= sum * sum.transpose() / count;
  return squares * (count / (count - 1));
}

Eigen::VectorXd diagonal_variance_of_scores(const PseudoLikelihood& function, std::size_t worlds,
                                            std::span<const double> weights) {
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(index(weights.size()));
  Eigen::VectorXd sum = squares;
  function.for_each_world(weights, [&](std::span<const RowEntry> score) {
    for (const RowEntry& entry : score) {
      sum[entry.formula] += entry.change;
      squares[entry.formula] += entry.change * entry.change;
    }
  });
  const auto count = static_cast<double>(worlds);
  return (squares.array() - sum.array().square() / count).matrix() * (count / (count - 1));
}

Eigen::VectorXd diagonal_of(const LogLikelihood& function, std::span<const double> weights,
                            double precision) {
  const std::vector<double> numbers = function.information_diagonal(weights);
  return Eigen::Map<const Eigen::VectorXd>(numbers.data(), index(numbers.size())).array() + precision;
}

WeightErrors dense_sandwich(const PseudoLikelihood& function, std::size_t worlds,
                            std::span<const double> weights, double precision) {
  const Matrix bread = inverse(information_of(function, weights, precision));
  if (bread.size() == 0) return no_errors(weights.size());
  const Matrix filling = variance_of_scores(function, worlds, weights).selfadjointView<Eigen::Lower>();
  const Matrix half = bread * filling;
  const Eigen::VectorXd variances = half.cwiseProduct(bread).rowwise().sum();
  return {roots(variances),
          fmt::format("Godambe's sandwich: curvature of the pseudo-likelihood, scores of {} worlds", worlds)};
}

}  // namespace

WeightErrors laplace_errors(const LogLikelihood& function, std::span<const double> weights, double prior_sd,
                            const std::string& what) {
  const double precision = precision_of(prior_sd);
  if (weights.size() > kMostDense) {
    return {roots(diagonal_of(function, weights, precision).cwiseInverse()),
            fmt::format("curvature of the {} and its prior, of each weight by itself (more than {} weights)",
                        what, kMostDense)};
  }
  const Matrix covariance = inverse(information_of(function, weights, precision));
  if (covariance.size() == 0 && !weights.empty()) return no_errors(weights.size());
  return {roots(covariance.diagonal()),
          fmt::format("inverse curvature of the {} and its prior (Laplace)", what)};
}

WeightErrors exact_errors(const LogLikelihood& function, std::span<const double> weights, double prior_sd) {
  if (weights.size() <= kMostExactErrors) return laplace_errors(function, weights, prior_sd, "likelihood");
  return {std::vector<double>(weights.size(), std::numeric_limits<double>::quiet_NaN()),
          fmt::format("none: the exact likelihood's curvature would take {} evaluations for {} weights, and "
                      "is made for {} weights or fewer",
                      2 * weights.size(), weights.size(), kMostExactErrors)};
}

WeightErrors pseudo_likelihood_errors(const PseudoLikelihood& function, std::size_t worlds,
                                      std::span<const double> weights, double prior_sd) {
  if (worlds < std::max(kFewestWorlds, kWorldsPerWeight * weights.size()) || weights.empty())
    return laplace_errors(function, weights, prior_sd, "pseudo-likelihood");
  const double precision = precision_of(prior_sd);
  if (weights.size() <= kMostDense) return dense_sandwich(function, worlds, weights, precision);
  const Eigen::VectorXd bread = diagonal_of(function, weights, precision).cwiseInverse();
  const Eigen::VectorXd filling = diagonal_variance_of_scores(function, worlds, weights);
  return {
      roots(bread.cwiseProduct(filling).cwiseProduct(bread)),
      fmt::format("Godambe's sandwich of each weight by itself (more than {} weights), scores of {} worlds",
                  kMostDense, worlds)};
}

}  // namespace capella::logic
