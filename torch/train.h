// One pass over the training captions.
#pragma once

#include <cstdint>
#include <span>

#include "torch/adam.h"
#include "torch/network.h"

namespace capella::plugin {

/// See Generator::train_epoch.
double train_epoch(const Network& network, Adam& adam, const CaptionData& data,
                   std::span<const std::uint32_t> order, std::size_t longest, std::uint64_t seed,
                   const method::pregen::Steps& steps);

}  // namespace capella::plugin
