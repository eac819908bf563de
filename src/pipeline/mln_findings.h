// What a run of Markov-logic verification shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "capella/mln.h"
#include "capella/progress.h"

namespace capella::pipeline {

/// Systems named KIND-RATE, as a generated world has them: can this method see the kind of error?
std::vector<ErrorKindFinding> find_error_kinds(const Verification& verification, std::size_t resamples,
                                               std::uint64_t seed);

/// Learns the weights of a world's known network from what was drawn from it. `folder` is the world's
/// `logic`.
std::vector<ReturnedWeight> learn_known_weights(const std::string& folder, const std::string& output,
                                                std::size_t threads);

/// The systems by BLEU, METEOR, ROUGE-L, CIDEr-D and SPICE, and by log-probability.
RankedSystems rank_beside_metrics(const Verification& verification, const std::string& references,
                                  const std::vector<std::string>& systems, std::size_t threads,
                                  const Progress& progress);

/// Of the system's captions that have a verdict; NaN without any.
double median_log_prob(const Verification& verification, const std::string& system);

struct Example {
  std::string system, image;
};
/// Captions worth explaining: of a generated world a right one, one with a wrong relation, one with an
/// invented thing, all of the first image that has all three; else the most and the least probable of the
/// first system.
std::vector<Example> choose_examples(const Verification& verification, bool generated);

}  // namespace capella::pipeline
