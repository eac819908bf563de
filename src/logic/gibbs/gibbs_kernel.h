// The inner loops of Gibbs sampling, in the versions that machines have. All give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "logic/gibbs/gibbs_graph.h"
#include "tensor/aligned.h"

namespace capella::logic {

/// Bit l: of the chain in lane l.
using LaneMask = std::uint16_t;
constexpr LaneMask kAllLanes = 0xFFFF;

/// Probabilities are summed in units of 1 / this.
constexpr float kProbabilityUnit = 2147483648.0f;

/// Counters of draws are planes of bits: the sums of up to this many sweeps.
constexpr std::size_t kCounterPlanes = 6;
constexpr std::size_t kMostCounted = (std::size_t{1} << kCounterPlanes) - 1;

/// What sixteen chains work on, by place.
struct LaneArrays {
  LaneMask* states;       ///< [2 x padded_places(places)]: where the literal holds
  float* sums;            ///< [places x 16]: of the probability of true that each draw was made with
  std::uint32_t* random;  ///< [4 x 16]: xoshiro128+, word by word
};

struct GibbsKernel {
  std::string_view name;
  /// Draws every place of the runs in turn.
  void (*draw)(const GibbsGraph&, const GibbsRun* runs, std::size_t count, const LaneArrays&);
  /// The same, and adds to the sums.
  void (*draw_and_sum)(const GibbsGraph&, const GibbsRun* runs, std::size_t count, const LaneArrays&);
  /// Adds to the sums; the states stay.
  void (*sum)(const GibbsGraph&, const GibbsRun* runs, std::size_t count, const LaneArrays&);
  /// Counts the states of every place: planes[p x padded + place] has bit p of the counts, `padded` being
  /// padded_places(places).
  void (*count)(const LaneMask* states, std::size_t places, LaneMask* planes);
  /// Adds counters and sums to those that are kept, [places x 16], and sets them to 0. Floats would do for
  /// a few sums, but not for the thousands of a long run.
  void (*collect)(LaneMask* planes, float* sums, std::size_t places, double* kept_sums,
                  std::uint32_t* kept_ones);
};

constexpr std::size_t padded_places(std::size_t places) {
  return tensor::round_up(places, 16);
}

/// All versions up to cpu_level(), the best last.
std::vector<const GibbsKernel*> gibbs_kernels();

}  // namespace capella::logic
