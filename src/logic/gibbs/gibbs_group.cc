#include "logic/gibbs/gibbs_group.h"

#include <algorithm>

namespace capella::logic {

ChainGroup::ChainGroup(const GibbsModel& model, std::span<const QueryPart> query, std::size_t group,
                       std::size_t segment, std::size_t segments)
    : model_(model),
      query_(query),
      lanes_(model, group, 0),
      sweeper_(make_sweeper(model, group)),
      sums_(model.graph.size() * kGibbsLanes, 0.0f),
      planes_(kCounterPlanes * padded_places(model.graph.size()), LaneMask{0}),
      kept_(model.graph.size(), segment, segments),
      histories_(query.size()) {}

void ChainGroup::burn_in(std::size_t sweeps) {
  const LaneArrays arrays = lanes_.arrays(sums_.data());
  for (std::size_t k = 0; k < sweeps; ++k) sweeper_->sweep(arrays, false);
}

void ChainGroup::run(std::size_t sweeps) {
  const LaneArrays arrays = lanes_.arrays(sums_.data());
  for (std::size_t k = 0; k < sweeps; ++k) {
    sweeper_->sweep(arrays, true);
    record();
  }
  collect();
}

void ChainGroup::record() {
  model_.kernel.count(lanes_.states(), model_.graph.size(), planes_.data());
  for (std::size_t part = 0; part < query_.size(); ++part) {
    histories_[part].push_back(holding(query_[part], lanes_.states()));
  }
  ++counted_;
  if (counted_ == std::min(kMostCounted, kept_.room())) collect();
}

void ChainGroup::collect() {
  if (counted_ == 0) return;
  model_.kernel.collect(planes_.data(), sums_.data(), model_.graph.size(), kept_.open_sums(),
                        kept_.open_ones());
  kept_.added(counted_);
  counted_ = 0;
}

}  // namespace capella::logic
