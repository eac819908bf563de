// Captions for images, by the authors' beam search.
//
// Every step keeps the `width` best of all captions that end here, went on by one word, or had ended before;
// it is over when the best one has ended. Better is: more probable; then, ended; then, greater word ids from
// the left (the authors compare tuples, and so do we). The unknown word is never taken.
// On a GPU, which of a row's equally likely words are among its `width` best is up to torch's topk; that
// matters only where exactly equal logits meet at the edge of the beam.
#pragma once

#include <cstddef>
#include <vector>

#include "torch/network.h"

namespace capella::plugin {

/// See Generator::generate.
std::vector<method::pregen::GeneratedCaption> generate(const Network& network, const CaptionData& data,
                                                       const method::pregen::BeamOptions& options,
                                                       std::size_t threads,
                                                       const method::pregen::Steps& steps);

}  // namespace capella::plugin
