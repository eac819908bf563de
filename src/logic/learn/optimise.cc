#include "logic/learn/optimise.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "capella/error.h"

#include "logic/learn/optimise_posterior.h"

namespace capella::logic {
namespace {

constexpr double kStill = 1e-6;  // gradient ascent stops when no weight moves by more

// As the paper does it, with a step that never overshoots.
bool climb_by_gradient(Posterior& posterior, const OptimiserOptions& options, std::size_t most,
                       Optimum& optimum) {
  std::vector<double>& weights = optimum.weights;
  std::vector<double> gradient(weights.size());
  const double curvature = posterior.function().curvature_bound() + posterior.precision();
  if (!(curvature > 0)) return true;  // nothing moves
  const double step = options.step > 0 ? options.step : 1 / curvature;
  while (optimum.iterations < most) {
    posterior.evaluate(weights, gradient);
    ++optimum.iterations;
    for (std::size_t k = 0; k < weights.size(); ++k) weights[k] += step * gradient[k];
    const double moved = step * largest(gradient);
    if (options.progress) options.progress(optimum.iterations, most);
    if (moved < kStill) return true;
    if (!std::isfinite(moved))
      throw DataError(fmt::format(
          "gradient ascent with step {} ran away to infinity; give a smaller step, or none", step));
  }
  return false;
}

void check(const LogLikelihood& function, const OptimiserOptions& options) {
  if (!(options.prior_sd > 0))
    throw UsageError(fmt::format("a prior with deviation {}, expected more than 0", options.prior_sd));
  if (!(options.l1 >= 0) || std::isinf(options.l1))
    throw UsageError(fmt::format("an L1 penalty of {}, expected 0 or more", options.l1));
  if (!(options.step >= 0) || std::isinf(options.step))
    throw UsageError(fmt::format("a step of {}, expected more than 0", options.step));
  if (options.l1 > 0 && options.optimiser != Optimiser::lbfgs)
    throw UsageError("an L1 penalty goes with the optimiser lbfgs only");
  if (options.optimiser == Optimiser::newton && function.size() > kMostDense)
    throw UsageError(fmt::format("Newton's method with {} weights, expected {} or fewer; take lbfgs",
                                 function.size(), kMostDense));
}

// An infinite objective would be as good as any, and no gradient would be too steep.
void check_finite(const Posterior& posterior, std::span<const double> gradient, const char* where) {
  if (std::isfinite(posterior.log_likelihood()) && std::isfinite(largest(gradient))) return;
  throw DataError(fmt::format(
      "the logarithm of the likelihood is {} {}, and its steepest slope {}; expected finite numbers. Give "
      "formulas smaller weights to start from, or a prior with a smaller deviation",
      posterior.log_likelihood(), where, largest(gradient)));
}

bool climb(Posterior& posterior, const OptimiserOptions& options, Optimum& optimum) {
  const bool slow = options.optimiser == Optimiser::gradient_ascent;
  const std::size_t most = options.most_iterations > 0 ? options.most_iterations : slow ? 10'000 : 1'000;
  if (slow) return climb_by_gradient(posterior, options, most, optimum);
  if (options.optimiser == Optimiser::newton) return climb_newton(posterior, options, most, optimum);
  if (climb_lbfgs(posterior, options, most, optimum)) return true;
  // Where rounding stops a line search short of the goal, Newton's method still gets there.
  if (options.l1 > 0 || optimum.weights.size() > kMostDense || optimum.iterations >= most) return false;
  return climb_newton(posterior, options, most, optimum);
}

}  // namespace

double largest(std::span<const double> numbers) {
  double most = 0;
  for (const double number : numbers) {
    if (std::isnan(number)) return number;
    most = std::max(most, std::fabs(number));
  }
  return most;
}

void add_l1(std::span<const double> weights, double l1, std::span<double> gradient) {
  if (l1 == 0) return;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    double& slope = gradient[k];
    if (weights[k] != 0) {
      slope -= weights[k] > 0 ? l1 : -l1;
    } else {
      slope = slope > l1 ? slope - l1 : slope < -l1 ? slope + l1 : 0;
    }
  }
}

Optimum maximise(const LogLikelihood& function, std::span<const double> start,
                 const OptimiserOptions& options) {
  check(function, options);
  Optimum optimum;
  optimum.weights.assign(start.begin(), start.end());
  Posterior posterior(function, options.prior_sd);
  std::vector<double> gradient(start.size());
  posterior.evaluate(optimum.weights, gradient);
  check_finite(posterior, gradient, "at the first weights");
  optimum.converged = start.empty() || climb(posterior, options, optimum);
  optimum.objective = posterior.evaluate(optimum.weights, gradient) + function.constant();
  check_finite(posterior, gradient, "at the last weights");
  optimum.log_likelihood = posterior.log_likelihood() + function.constant();
  if (options.l1 > 0) {
    for (const double weight : optimum.weights) optimum.objective -= options.l1 * std::fabs(weight);
    add_l1(optimum.weights, options.l1, gradient);
  }
  optimum.gradient_max = largest(gradient);
  return optimum;
}

}  // namespace capella::logic
