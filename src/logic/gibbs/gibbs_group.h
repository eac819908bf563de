// Sixteen chains: their states and what is kept of their draws.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "logic/gibbs/gibbs_query.h"
#include "logic/gibbs/gibbs_segments.h"
#include "logic/gibbs/gibbs_sweeper.h"

namespace capella::logic {

class ChainGroup {
 public:
  /// `segment`: sweeps in a segment at first; `segments`: how many are kept at most.
  ChainGroup(const GibbsModel& model, std::span<const QueryPart> query, std::size_t group,
             std::size_t segment, std::size_t segments);

  void burn_in(std::size_t sweeps);
  void run(std::size_t sweeps);

  const Segments& kept() const { return kept_; }
  std::span<const LaneMask> history(std::size_t part) const { return histories_[part]; }  ///< by sweep
  double swap_rate() const { return sweeper_->swap_rate(); }

 private:
  void record();
  void collect();

  const GibbsModel& model_;
  std::span<const QueryPart> query_;
  LaneStates lanes_;
  std::unique_ptr<Sweeper> sweeper_;
  tensor::AlignedVector<float> sums_;       // since collected
  tensor::AlignedVector<LaneMask> planes_;  // counters since collected
  std::size_t counted_ = 0;                 // sweeps since collected
  Segments kept_;
  std::vector<std::vector<LaneMask>> histories_;
};

}  // namespace capella::logic
