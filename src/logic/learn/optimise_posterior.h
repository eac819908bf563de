// A log likelihood with its prior, as the optimisers see it, and the parts of `maximise`.
#pragma once

#include <cmath>
#include <limits>

#include "logic/learn/optimise.h"

namespace capella::logic {

/// The function that is maximised, without the L1 penalty.
class Posterior {
 public:
  Posterior(const LogLikelihood& function, double prior_sd)
      : function_(function), precision_(std::isinf(prior_sd) ? 0 : 1 / (prior_sd * prior_sd)) {}

  const LogLikelihood& function() const { return function_; }
  double precision() const { return precision_; }
  /// Of the last call, without the prior and the constant.
  double log_likelihood() const { return log_likelihood_; }

  double evaluate(std::span<const double> weights, std::span<double> gradient) {
    log_likelihood_ = function_.evaluate(weights, gradient);
    double squares = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      squares += weights[k] * weights[k];
      gradient[k] -= precision_ * weights[k];
    }
    return log_likelihood_ - precision_ * squares / 2;
  }

  /// How small the gradient must be where the likelihood is that of the last call. Not a number, which no
  /// gradient is below, if that is none.
  double tolerance() const {
    if (!std::isfinite(log_likelihood_)) return std::numeric_limits<double>::quiet_NaN();
    return 1e-10 * std::fmax(1, std::fabs(log_likelihood_));
  }

 private:
  const LogLikelihood& function_;
  double precision_;
  double log_likelihood_ = 0;
};

double largest(std::span<const double> numbers);  ///< absolute

/// The direction of steepest ascent of `function - l1 |weights|`.
void add_l1(std::span<const double> weights, double l1, std::span<double> gradient);

/// Each moves optimum.weights and counts optimum.iterations up to `most`; `maximise` fills in the rest. They
/// return whether they converged.
bool climb_lbfgs(Posterior& posterior, const OptimiserOptions& options, std::size_t most, Optimum& optimum);
bool climb_newton(Posterior& posterior, const OptimiserOptions& options, std::size_t most, Optimum& optimum);

}  // namespace capella::logic
