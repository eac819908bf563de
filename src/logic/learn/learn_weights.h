// Weights from worlds: maximum pseudo-likelihood, or maximum likelihood where it can be computed exactly.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capella/progress.h"

#include "logic/ground/ground_network.h"
#include "logic/learn/optimise.h"
#include "logic/learn/pseudo_likelihood_rows.h"

namespace capella::logic {

/// Ground formulas and the one world that was seen.
struct TrainingWorld {
  std::string name;                        ///< an image or file, for messages
  const GroundNetwork* network = nullptr;  ///< formulas have the same numbers in every world
  std::vector<bool> truth;                 ///< one per atom
};

enum class Objective { pseudo_likelihood, likelihood };

struct WeightOptions {
  Objective objective = Objective::pseudo_likelihood;
  Optimiser optimiser = Optimiser::lbfgs;
  double prior_sd = 10;             ///< of a Gaussian with mean 0; infinity: none
  double l1 = 0;                    ///< > 0: L1 penalty, by OWL-QN (lbfgs only)
  bool per_predicate = false;       ///< divides a predicate's terms by its number of atoms
  double step = 0;                  ///< of gradient ascent; 0: 1 / L
  std::size_t most_iterations = 0;  ///< 0: 1,000 (lbfgs, newton) or 10,000
  bool intervals = true;            ///< standard errors of the weights
  std::size_t threads = 1;
  Progress progress;
};

struct LearnedWeights {
  std::vector<double> weights;          ///< one per formula; hard ones stay as they are
  std::vector<double> standard_errors;  ///< NaN for hard formulas, or if not asked for
  std::vector<bool> idle;     ///< no world says anything about the formula: its weight is the prior's mean
  double objective = 0;       ///< with the prior
  double log_likelihood = 0;  ///< (pseudo-)likelihood without the prior
  double gradient_max = 0;    ///< at the end
  std::size_t iterations = 0;
  bool converged = false;
  std::string errors_from;  ///< how standard errors were made, for people
  std::size_t atoms = 0;
  std::size_t rows = 0;  ///< distinct rows after merging
  std::size_t nonzeros = 0;
};

/// Starts from the weights that the first world's formulas have. Throws DataError without data, and if a
/// world breaks a hard formula (it names both).
LearnedWeights learn_weights(std::span<const TrainingWorld> worlds, const WeightOptions& options);

/// The same from rows that were made without grounding everything. `start` has one weight per formula; hard
/// formulas (kHard) take no part. Only for the pseudo-likelihood.
LearnedWeights learn_weights(const PseudoRows& rows, std::span<const double> start,
                             const WeightOptions& options);

}  // namespace capella::logic
