// The composite metrics that have a name: which scores go in, in which order and scale, and which network
// they meet.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace capella::method::composite {

/// What CIDEr's scores are multiplied by, as NNEval does, so that they lie in 0..1 as others do.
inline constexpr double kCiderScale = 0.1;

struct PresetInput {
  std::string_view score;  ///< e.g. "METEOR"
  double scale = 1.0;
};

struct Preset {
  std::string_view name;        ///< as the user types it, e.g. "eval-ms"
  std::string_view score_name;  ///< as tables print it, e.g. "Eval-MS"
  std::string_view summary;
  std::vector<PresetInput> inputs;
  std::vector<std::size_t> hidden;  ///< sizes of the hidden layers
};

/// Eval_* of Sharif et al. 2018 in the order of that paper, then NNEval and LCEval.
std::span<const Preset> presets();

/// Null if there is none of that name.
const Preset* find_preset(std::string_view name);

/// Throws UsageError, with the nearest name, if there is none.
const Preset& preset_by_name(std::string_view name);

}  // namespace capella::method::composite
