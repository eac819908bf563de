// Everything that is told of one image: references, a system's caption, the same with each kind of error, a
// foil.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "world/caption.h"
#include "world/errors.h"
#include "world/scene.h"

namespace capella::world {

struct Story {
  Scene scene;
  std::vector<Plan> references;
  std::vector<std::string> reference_texts;  ///< sentences; all different
  Caption system;                            ///< differs from all references
  std::array<Caption, kErrorNames.size()> errors;
  std::array<double, kErrorNames.size()> thresholds;  ///< a system of a higher rate makes the error

  std::optional<Foil> foil;

  /// The caption of the system with this kind and rate of errors.
  const Caption& caption(std::size_t kind, double rate) const {
    return thresholds[kind] < rate ? errors[kind] : system;
  }
};

/// In 0 ... 1; the image's caption has the error in systems of a higher rate.
double error_threshold(std::uint64_t seed, std::uint64_t kind, std::uint64_t image);

Story make_story(std::uint64_t seed, std::uint64_t image, std::size_t references);

}  // namespace capella::world
