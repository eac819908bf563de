#include "logic/learn/learn_weights.h"

#include <cmath>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/thread_pool.h"
#include "logic/learn/likelihood.h"
#include "logic/learn/pseudo_likelihood.h"
#include "logic/learn/weight_errors.h"

namespace capella::logic {
namespace {

OptimiserOptions optimiser_options(const WeightOptions& options) {
  OptimiserOptions out;
  out.optimiser = options.optimiser;
  out.prior_sd = options.prior_sd;
  out.l1 = options.l1;
  out.step = options.step;
  out.most_iterations = options.most_iterations;
  if (options.progress)
    out.progress = [&options](std::size_t done, std::size_t total) {
      options.progress("weights", done, total);
    };
  return out;
}

// Formulas that rows mention; the others are idle, or hard.
std::vector<std::uint32_t> active_formulas(const PseudoRows& rows, std::span<const double> start) {
  std::vector<bool> seen(rows.formulas());
  for (const std::uint32_t formula : rows.columns()) seen[formula] = true;
  std::vector<std::uint32_t> active;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i] && start[i] != kHard) active.push_back(static_cast<std::uint32_t>(i));
  }
  return active;
}

std::vector<double> picked(std::span<const double> all, std::span<const std::uint32_t> places) {
  std::vector<double> out;
  for (const std::uint32_t place : places) out.push_back(all[place]);
  return out;
}

// Hard formulas keep their weight and have no error; idle ones are as the prior has them.
LearnedWeights unlearned(std::span<const double> start, const WeightOptions& options) {
  LearnedWeights learned;
  for (const double weight : start) {
    const bool hard = weight == kHard;
    learned.weights.push_back(hard ? kHard : 0);
    learned.idle.push_back(!hard);
    learned.standard_errors.push_back(hard || !options.intervals ? std::nan("") : options.prior_sd);
  }
  return learned;
}

void put_optimum(const Optimum& optimum, std::span<const std::uint32_t> active, LearnedWeights& learned) {
  for (std::size_t k = 0; k < active.size(); ++k) {
    learned.weights[active[k]] = optimum.weights[k];
    learned.idle[active[k]] = false;
  }
  learned.objective = optimum.objective;
  learned.log_likelihood = optimum.log_likelihood;
  learned.gradient_max = optimum.gradient_max;
  learned.iterations = optimum.iterations;
  learned.converged = optimum.converged;
}

// A weight that the L1 penalty holds at 0 has no curvature to speak of.
void put_errors(const WeightErrors& errors, std::span<const std::uint32_t> active, double l1,
                LearnedWeights& learned) {
  for (std::size_t k = 0; k < active.size(); ++k) {
    const bool held = l1 > 0 && learned.weights[active[k]] == 0;
    learned.standard_errors[active[k]] = held ? std::nan("") : errors.standard_errors[k];
  }
  learned.errors_from = errors.from;
}

std::vector<double> start_weights(const GroundNetwork& network) {
  std::vector<double> start;
  for (const FormulaSource& formula : network.formulas) start.push_back(formula.weight);
  return start;
}

LearnedWeights learn_from_rows(const PseudoRows& rows, std::span<const double> start,
                               const WeightOptions& options, ThreadPool& pool) {
  if (rows.atoms() == 0 && rows.unmentioned_atoms() == 0)
    throw DataError("no atoms to learn from; the worlds hold no constant that a formula could speak of");
  const std::vector<std::uint32_t> active = active_formulas(rows, start);
  const PseudoLikelihood function(rows, active, options.per_predicate, pool);
  const Optimum optimum = maximise(function, picked(start, active), optimiser_options(options));
  LearnedWeights learned = unlearned(start, options);
  put_optimum(optimum, active, learned);
  learned.atoms = rows.atoms();
  learned.rows = rows.rows();
  learned.nonzeros = rows.nonzeros();
  if (options.intervals)
    put_errors(pseudo_likelihood_errors(function, rows.worlds(), optimum.weights, options.prior_sd), active,
               options.l1, learned);
  return learned;
}

LearnedWeights learn_by_likelihood(std::span<const TrainingWorld> worlds, const WeightOptions& options,
                                   const PseudoRows& rows, ThreadPool& pool) {
  if (options.per_predicate)
    throw UsageError("terms per predicate are part of the pseudo-likelihood, expected that objective");
  const std::vector<double> start = start_weights(*worlds[0].network);
  const Likelihood function(worlds, pool);
  const std::span<const std::uint32_t> active = function.active();
  const Optimum optimum = maximise(function, picked(start, active), optimiser_options(options));
  LearnedWeights learned = unlearned(start, options);
  put_optimum(optimum, active, learned);
  learned.atoms = rows.atoms();
  learned.rows = rows.rows();
  learned.nonzeros = rows.nonzeros();
  if (options.intervals)
    put_errors(exact_errors(function, optimum.weights, options.prior_sd), active, options.l1, learned);
  return learned;
}

}  // namespace

LearnedWeights learn_weights(std::span<const TrainingWorld> worlds, const WeightOptions& options) {
  ThreadPool pool(options.threads);
  const PseudoRows rows = collect_rows(worlds, options.per_predicate, pool);
  if (options.objective == Objective::likelihood) return learn_by_likelihood(worlds, options, rows, pool);
  return learn_from_rows(rows, start_weights(*worlds[0].network), options, pool);
}

LearnedWeights learn_weights(const PseudoRows& rows, std::span<const double> start,
                             const WeightOptions& options) {
  if (options.objective != Objective::pseudo_likelihood)
    throw UsageError("the likelihood needs ground networks, expected the pseudo-likelihood");
  ThreadPool pool(options.threads);
  return learn_from_rows(rows, start, options, pool);
}

}  // namespace capella::logic
