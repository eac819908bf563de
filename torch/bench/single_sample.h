// How long one sample takes alone, from bytes and ids to the score on the CPU.
#pragma once

#include <string>

#include "torch/bench/drawn_models.h"

namespace capella::bench {

/// Tells the times: the encoders one after the other; and, where this was built with CAPELLA_CUDA_GRAPHS, all
/// three at the same time, and everything as a CUDA graph. Whether all ways give the same score.
bool measure_single_sample(const Models& models, const std::string& name);

}  // namespace capella::bench
