// Maximises smooth concave functions of weights, with a Gaussian prior and, if asked for, an L1 penalty.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace capella::logic {

/// A log likelihood. Numbers that depend on sums are added up in an order that does not depend on threads.
class LogLikelihood {
 public:
  virtual ~LogLikelihood() = default;

  virtual std::size_t size() const = 0;
  /// The value without constant(); its gradient is written to `gradient`.
  virtual double evaluate(std::span<const double> weights, std::span<double> gradient) const = 0;
  /// What no weight moves: it may be so large that the rest would drown in it, so it is kept apart.
  virtual double constant() const { return 0; }
  /// Minus the second derivatives, size() x size(), of which only entries with column <= row are set.
  virtual std::vector<double> information(std::span<const double> weights) const = 0;
  /// The diagonal of that.
  virtual std::vector<double> information_diagonal(std::span<const double> weights) const = 0;
  /// About that diagonal, where it is cheaper: it only tells L-BFGS how long steps should be.
  virtual std::vector<double> rough_curvature(std::span<const double> weights) const {
    return information_diagonal(weights);
  }
  /// At least the largest curvature anywhere: a step of 1 / (it) never overshoots.
  virtual double curvature_bound() const = 0;
};

enum class Optimiser { lbfgs, gradient_ascent, newton };

struct OptimiserOptions {
  Optimiser optimiser = Optimiser::lbfgs;
  double prior_sd = 10;  ///< infinity: no prior
  double l1 = 0;
  double step = 0;                  ///< of gradient ascent; 0: 1 / curvature bound
  std::size_t most_iterations = 0;  ///< 0: 1,000, gradient ascent 10,000
  std::function<void(std::size_t done, std::size_t total)> progress;
};

struct Optimum {
  std::vector<double> weights;
  double objective = 0;       ///< with prior, penalty and constant
  double log_likelihood = 0;  ///< without prior and penalty
  double gradient_max = 0;    ///< of the objective; with L1 of the steepest direction
  std::size_t iterations = 0;
  bool converged = false;
};

/// Most formulas of which dense matrices are made.
inline constexpr std::size_t kMostDense = 2'000;

/// Converged: no entry of the gradient exceeds 1e-10 max(1, |log likelihood without its constant|); by
/// gradient ascent, no weight moved by 1e-6. Throws UsageError for Newton's method with more than kMostDense
/// weights, for L1 with another optimiser than lbfgs, for a negative or zero deviation.
Optimum maximise(const LogLikelihood& function, std::span<const double> start,
                 const OptimiserOptions& options);

}  // namespace capella::logic
