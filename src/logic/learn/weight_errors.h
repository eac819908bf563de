// How sure weights are.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "logic/learn/optimise.h"
#include "logic/learn/pseudo_likelihood.h"

namespace capella::logic {

struct WeightErrors {
  std::vector<double> standard_errors;
  std::string from;  ///< how they were made, for people
};

/// At the optimum. Pseudo-likelihood counts an atom's neighbours more than once, so its curvature alone is no
/// measure of sureness: with many worlds (three times as many as weights, at least 30) the worlds' scores
/// correct it (Godambe's sandwich), else it is taken as it is (Laplace).
WeightErrors pseudo_likelihood_errors(const PseudoLikelihood& function, std::size_t worlds,
                                      std::span<const double> weights, double prior_sd);

/// Most weights whose errors are made with the exact likelihood: it is evaluated twice for each.
inline constexpr std::size_t kMostExactErrors = 200;

/// Of the exact likelihood: the inverse curvature, or none for more than kMostExactErrors weights.
WeightErrors exact_errors(const LogLikelihood& function, std::span<const double> weights, double prior_sd);

/// The inverse curvature of a likelihood and its prior; `what` names it for people.
WeightErrors laplace_errors(const LogLikelihood& function, std::span<const double> weights, double prior_sd,
                            const std::string& what);

}  // namespace capella::logic
