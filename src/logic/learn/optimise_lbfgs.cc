// L-BFGS by liblbfgs, OWL-QN where there is an L1 penalty. The library minimises, is written in C and knows
// other tests for the end, so ours stand in its callbacks, which keep exceptions until it has returned.
//
// Some formulas have millions of groundings and others ten, so steps are taken in weights times the roots of
// their curvatures. Not with L1, whose penalty is the same for all weights.
#include <algorithm>
#include <array>
#include <exception>
#include <limits>

#include <lbfgs.h>

#include "logic/learn/optimise_posterior.h"

namespace capella::logic {
namespace {

constexpr int kMemory = 10;
constexpr std::size_t kRuns = 6;
// Curvatures change on the way, so the first runs are short. Later ones are for line searches that fail and
// may only need a fresh start from where they came to.
constexpr std::array<std::size_t, 3> kFirstRuns = {20, 60, 200};

struct Climb {
  Posterior& posterior;
  const OptimiserOptions& options;
  std::size_t most;
  Optimum& optimum;
  std::size_t run_end = 0;          // iterations
  std::vector<double> scales = {};  // what weights are multiplied by
  std::vector<double> weights = {};
  bool converged = false;
  std::exception_ptr problem = nullptr;

  // For liblbfgs: minus the value, and its gradient.
  static double evaluate(void* self, const double* scaled, double* gradient, int size, double) {
    auto& climb = *static_cast<Climb*>(self);
    const auto count = static_cast<std::size_t>(size);
    try {
      climb.unscale({scaled, count});
      const double value = climb.posterior.evaluate(climb.weights, {gradient, count});
      for (std::size_t k = 0; k < count; ++k) gradient[k] /= -climb.scales[k];
      return -value;
    } catch (...) {
      climb.problem = std::current_exception();
      std::fill_n(gradient, count, 0.);
      return std::numeric_limits<double>::quiet_NaN();
    }
  }

  // Called after each step; anything but 0 ends the climb.
  static int after_step(void* self, const double* scaled, const double* gradient, double, double, double,
                        double, int size, int, int) {
    auto& climb = *static_cast<Climb*>(self);
    if (climb.problem) return 1;
    ++climb.optimum.iterations;
    const auto count = static_cast<std::size_t>(size);
    climb.unscale({scaled, count});
    climb.converged = climb.is_top({gradient, count});
    if (climb.options.progress) climb.options.progress(climb.optimum.iterations, climb.most);
    return climb.converged || climb.optimum.iterations >= climb.run_end ? 1 : 0;
  }

  void unscale(std::span<const double> scaled) {
    for (std::size_t k = 0; k < scaled.size(); ++k) weights[k] = scaled[k] / scales[k];
  }

  // Whether the weights that were unscaled last are the optimum; `downhill` is liblbfgs's gradient there.
  bool is_top(std::span<const double> downhill) const {
    std::vector<double> uphill(downhill.size());
    for (std::size_t k = 0; k < uphill.size(); ++k) uphill[k] = -downhill[k] * scales[k];
    add_l1(weights, options.l1, uphill);
    return largest(uphill) <= posterior.tolerance();
  }
};

lbfgs_parameter_t parameters_of(const OptimiserOptions& options, std::size_t left) {
  lbfgs_parameter_t parameters;
  lbfgs_parameter_init(&parameters);
  parameters.m = kMemory;
  parameters.epsilon = 0;
  parameters.ftol = 1e-4;
  parameters.gtol = .9;
  parameters.max_iterations = static_cast<int>(std::min<std::size_t>(left, std::numeric_limits<int>::max()));
  if (options.l1 > 0) {
    parameters.orthantwise_c = options.l1;
    parameters.linesearch = LBFGS_LINESEARCH_BACKTRACKING;
  }
  return parameters;
}

std::vector<double> scales_at(const Posterior& posterior, const OptimiserOptions& options,
                              std::span<const double> weights) {
  if (options.l1 > 0) return std::vector<double>(weights.size(), 1.);
  std::vector<double> scales = posterior.function().rough_curvature(weights);
  for (double& scale : scales) {
    scale = std::sqrt(scale + posterior.precision());
    if (!(scale > 1e-6)) scale = 1;  // flat here
  }
  return scales;
}

}  // namespace

bool climb_lbfgs(Posterior& posterior, const OptimiserOptions& options, std::size_t most, Optimum& optimum) {
  Climb climb{posterior, options, most, optimum};
  const auto size = static_cast<int>(optimum.weights.size());
  std::vector<double> gradient(optimum.weights.size());
  for (std::size_t run = 0; run < kRuns; ++run) {
    climb.weights = optimum.weights;
    climb.scales = scales_at(posterior, options, optimum.weights);
    std::vector<double> scaled = optimum.weights;
    for (std::size_t k = 0; k < scaled.size(); ++k) scaled[k] *= climb.scales[k];
    Climb::evaluate(&climb, scaled.data(), gradient.data(), size, 0);
    if (climb.problem) std::rethrow_exception(climb.problem);
    if (climb.is_top(gradient)) return true;
    const std::size_t before = optimum.iterations;
    if (before >= most) return false;
    const bool short_run = run < kFirstRuns.size() && options.l1 == 0;
    climb.run_end = short_run ? std::min(most, before + kFirstRuns[run]) : most;
    lbfgs_parameter_t parameters = parameters_of(options, climb.run_end - before);
    lbfgs(size, scaled.data(), nullptr, Climb::evaluate, Climb::after_step, &climb, &parameters);
    if (climb.problem) std::rethrow_exception(climb.problem);
    climb.unscale(scaled);
    optimum.weights = climb.weights;
    if (climb.converged) return true;
    if (optimum.iterations == before) return false;
  }
  return false;
}

}  // namespace capella::logic
