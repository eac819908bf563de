// A generated world whose truth is known: scenes, pictures, captions, systems with graded errors, judges. See
// docs/world.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "capella/progress.h"

namespace capella {

struct WorldOptions {
  std::string folder;  ///< to be made; may exist if it is empty
  std::size_t images = 1000;
  std::uint64_t seed = 12345;
  std::size_t size = 96;                        ///< pixels a side, 32 ... 128
  std::size_t references = 5;                   ///< captions per image, 5 ... 20
  std::array<double, 3> splits = {.8, .1, .1};  ///< shares of train, val and test; their sum is 1
  double noise = .5;        ///< deviation of a careful judge's error, in points of 1 ... 5
  std::size_t threads = 0;  ///< 0: one per core; never changes a byte
  Progress progress;
};

/// What was made.
struct WorldSummary {
  std::array<std::size_t, 3> splits{};  ///< images of train, val and test
  std::size_t objects = 0;
  std::size_t captions = 0;  ///< references
  std::size_t systems = 0;
  std::size_t ratings = 0;
};

/// Makes the folder; it appears whole or not at all. Throws UsageError if the options cannot be run or the
/// folder holds something already, FileError if it cannot be written.
WorldSummary make_world(const WorldOptions& options);

}  // namespace capella
