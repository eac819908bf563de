// How long a step of DENEB's training takes, through the plug-in's interface.
#pragma once

#include <string>

namespace capella::bench {

/// Whether a small network, dropout included, has the same losses on the device as on the CPU; tells that and
/// the times.
bool measure_training(const std::string& device);

}  // namespace capella::bench
