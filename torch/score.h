// What a network thinks of captions: the probability of each word, and how many words it finds more probable.
#pragma once

#include <cstddef>

#include "torch/network.h"

namespace capella::plugin {

/// See Generator::probabilities.
io::TokenProbabilities probabilities(const Network& network, const CaptionData& data, std::size_t threads,
                                     const method::pregen::Steps& steps);

}  // namespace capella::plugin
