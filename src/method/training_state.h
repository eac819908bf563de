// What a checkpoint holds of a training whose results are rows of numbers, one per epoch or step: whose it
// is, the rows so far, and the network with its optimiser.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "method/network_file.h"

namespace capella::method {

/// A row's numbers may be NaN or infinite.
using ResultRows = std::vector<std::vector<double>>;

struct TrainingState {
  std::uint64_t fingerprint = 0;  ///< of all that the training depends on
  ResultRows rows;                ///< at least one: before the first epoch or step
  std::vector<NetworkArray> arrays;
};

/// Throws FileError that names the file and says what to do if it is no checkpoint of this format, or its
/// rows do not have so many columns.
TrainingState read_training_state(const std::string& path, const NetworkFormat& format, std::size_t columns);

/// Writes the file, whole or not at all.
void write_training_state(const std::string& path, const NetworkFormat& format, std::uint64_t fingerprint,
                          const ResultRows& rows, std::span<const NetworkArray> arrays);

}  // namespace capella::method
