// The ways to make a sweep: every variable of sixteen chains drawn anew.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "logic/factor_graph.h"
#include "logic/gibbs/block_gibbs.h"
#include "logic/gibbs/gibbs.h"
#include "logic/gibbs/gibbs_graph.h"
#include "logic/gibbs/gibbs_kernel.h"
#include "logic/gibbs/start_state.h"

namespace capella::logic {

/// What all groups of chains share.
struct GibbsModel {
  GibbsModel(const FactorGraph& factor_graph, const GibbsOptions& given, const GibbsKernel& version);

  const FactorGraph& factors;
  const GibbsOptions& options;
  const GibbsKernel& kernel;
  GibbsGraph graph;
  StartSearch start;
  FactorsOfVariables incident;
  std::vector<GibbsGraph> hot;    ///< at the temperatures above 1, if chains are tempered
  std::vector<double> inverse;    ///< 1 / temperature of each, 1 first
  std::vector<TreeBlock> blocks;  ///< if drawn by blocks
};

/// The states and generators of sixteen chains.
class LaneStates {
 public:
  /// Places of lanes are 16 x rung + 0 ... 15. Throws DataError if no start is found.
  LaneStates(const GibbsModel& model, std::size_t group, std::size_t rung);

  LaneMask* states() { return states_.data(); }
  const LaneMask* states() const { return states_.data(); }
  LaneArrays arrays(float* sums) { return {states_.data(), sums, random_.data()}; }

 private:
  tensor::AlignedVector<LaneMask> states_;
  tensor::AlignedVector<std::uint32_t> random_;
};

class Sweeper {
 public:
  virtual ~Sweeper() = default;
  /// `sum`: adds the probabilities to the sums.
  virtual void sweep(const LaneArrays& lanes, bool sum) = 0;
  /// The lowest share of accepted swaps between temperatures; 1 without them.
  virtual double swap_rate() const { return 1; }
};

/// As the options say, for one group.
std::unique_ptr<Sweeper> make_sweeper(const GibbsModel& model, std::size_t group);

std::unique_ptr<Sweeper> make_block_sweeper(const GibbsModel& model, std::size_t group);
std::unique_ptr<Sweeper> make_tempered_sweeper(const GibbsModel& model, std::size_t group);
std::unique_ptr<Sweeper> make_sum_exp_sweeper(const GibbsModel& model, std::size_t group);

/// Sets a place's value in one lane.
inline void set_lane(LaneMask* states, std::size_t place, std::size_t lane, bool value) {
  const unsigned bit = 1u << lane;
  const unsigned with = states[2 * place] | bit, without = states[2 * place] & ~bit;
  states[2 * place] = static_cast<LaneMask>(value ? with : without);
  states[2 * place + 1] = static_cast<LaneMask>(~states[2 * place]);
}

}  // namespace capella::logic
