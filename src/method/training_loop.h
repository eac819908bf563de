// What the training loops of networks have in common: the order of an epoch, and the checkpoint from which a
// run that was killed goes on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "capella/progress.h"

namespace capella::method {

inline constexpr std::size_t kMostEpochs = 1'000'000;

/// Which seed an epoch has.
std::uint64_t epoch_seed(std::uint64_t seed, std::size_t epoch);

/// 0 ... count - 1, shuffled by the epoch's seed.
std::vector<std::uint32_t> epoch_order(std::size_t count, std::uint64_t seed);

/// Which of `count` samples an epoch, from 1 on, goes through if it has `rows` of them: all are shuffled,
/// gone through, shuffled again, and so on, and every epoch goes on where the one before has ended. With as
/// many rows as samples each epoch is one shuffle, epoch_order() of its seed.
std::vector<std::uint32_t> epoch_rows(std::size_t count, std::size_t rows, std::uint64_t seed,
                                      std::size_t epoch);

/// Whether there is something of that name; never for an empty one.
bool has_checkpoint(const std::string& path);

/// What a checkpoint that was found has in common with the training that is asked for.
struct CheckpointFit {
  std::string difference;       ///< what it is of instead, e.g. "another seed"; empty: the same training
  std::size_t epochs = 0;       ///< that it has been trained for
  std::size_t most_epochs = 0;  ///< that are asked for
};
/// Throws FileError that says what to do if training cannot go on from the checkpoint.
void expect_fit(const std::string& path, const CheckpointFit& fit);

/// Puts a checkpoint's arrays into a network by `set`; what DataError that throws names the checkpoint then.
void restore_arrays(const std::string& path, const std::function<void()>& set);

/// Reports steps of one stage to a progress that may be empty; it must outlive the function.
std::function<void(std::size_t done, std::size_t total)> steps_of(const Progress& progress,
                                                                  std::string stage);
std::function<void(std::size_t done, std::size_t total)> steps_of(Progress&&, std::string) = delete;

}  // namespace capella::method
