#include "metric/transport.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace capella::metric {

template <class Cost>
Cost Transport<Cost>::solve(std::span<const Amount> supply, std::span<const Amount> demand, const Cost* costs,
                            std::size_t stride) {
  costs_ = costs;
  stride_ = stride;
  sources_ = supply.size();
  sinks_ = demand.size();
  supply_.assign(supply.begin(), supply.end());
  demand_.assign(demand.begin(), demand.end());
  if (sources_ == 0 || sinks_ == 0) return 0;
  start();
  send_along_cheapest_edges();
  for (std::size_t i = 0; i < sources_; ++i) {
    while (supply_[i] > 0) send(i, find_nearest_open_sink(i));
  }
  return total();
}

// Potentials such that no edge costs less than nothing, and each source and sink has an edge that costs
// nothing.
template <class Cost>
void Transport<Cost>::start() {
  flow_.assign(sources_ * sinks_, 0);
  source_potential_.resize(sources_);
  sink_potential_.assign(sinks_, std::numeric_limits<Cost>::max());
  for (std::size_t i = 0; i < sources_; ++i) {
    const Cost* row = costs_ + i * stride_;
    const Cost least = *std::min_element(row, row + sinks_);
    source_potential_[i] = least;
    for (std::size_t j = 0; j < sinks_; ++j) {
      sink_potential_[j] = std::min(sink_potential_[j], row[j] - least);
    }
  }
  distance_.resize(sinks_);
  from_.resize(sinks_);
  visited_.resize(sinks_);
  source_distance_.resize(sources_);
  back_.resize(sources_);
  is_reached_.resize(sources_);
}

template <class Cost>
void Transport<Cost>::send_along_cheapest_edges() {
  for (std::size_t i = 0; i < sources_; ++i) {
    const Cost* row = costs_ + i * stride_;
    for (std::size_t j = 0; j < sinks_ && supply_[i] > 0; ++j) {
      if (demand_[j] == 0 || row[j] - source_potential_[i] != sink_potential_[j]) continue;
      const Amount amount = std::min(supply_[i], demand_[j]);
      flow_[j * sources_ + i] = amount;
      supply_[i] -= amount;
      demand_[j] -= amount;
    }
  }
}

// A sink that still wants something. What flows already can be taken back, at no cost beyond the potentials.
template <class Cost>
std::size_t Transport<Cost>::find_nearest_open_sink(std::size_t source) {
  std::fill(distance_.begin(), distance_.end(), std::numeric_limits<Cost>::max());
  std::fill(visited_.begin(), visited_.end(), std::uint8_t{0});
  std::fill(is_reached_.begin(), is_reached_.end(), std::uint8_t{0});
  reached_.clear();
  closed_.clear();
  reach_source(source, 0);
  while (true) {
    const std::size_t sink = nearest_unvisited();
    if (demand_[sink] > 0) {
      raise_potentials(distance_[sink]);
      return sink;
    }
    visited_[sink] = 1;
    closed_.push_back(static_cast<std::uint32_t>(sink));
    const Amount* column = flow_.data() + sink * sources_;
    for (std::size_t i = 0; i < sources_; ++i) {
      if (column[i] == 0 || is_reached_[i]) continue;
      back_[i] = static_cast<std::uint32_t>(sink);
      reach_source(i, distance_[sink]);
    }
  }
}

template <class Cost>
void Transport<Cost>::reach_source(std::size_t source, Cost distance) {
  is_reached_[source] = 1;
  reached_.push_back(static_cast<std::uint32_t>(source));
  source_distance_[source] = distance;
  const Cost* row = costs_ + source * stride_;
  const Cost potential = source_potential_[source];
  for (std::size_t j = 0; j < sinks_; ++j) {
    const Cost through = distance + ((row[j] - potential) - sink_potential_[j]);
    if (through < distance_[j] && !visited_[j]) {
      distance_[j] = through;
      from_[j] = static_cast<std::uint32_t>(source);
    }
  }
}

template <class Cost>
std::size_t Transport<Cost>::nearest_unvisited() const {
  std::size_t nearest = sinks_;
  for (std::size_t j = 0; j < sinks_; ++j) {
    if (!visited_[j] && (nearest == sinks_ || distance_[j] < distance_[nearest])) nearest = j;
  }
  if (nearest == sinks_ || distance_[nearest] == std::numeric_limits<Cost>::max()) {
    throw std::logic_error("transport: supply and demand have different sums, or costs are not finite");
  }
  return nearest;
}

template <class Cost>
void Transport<Cost>::raise_potentials(Cost distance) {
  for (const std::uint32_t i : reached_) source_potential_[i] += distance - source_distance_[i];
  for (const std::uint32_t j : closed_) sink_potential_[j] -= distance - distance_[j];
}

// Sends as much as the path that was found last can take.
template <class Cost>
void Transport<Cost>::send(std::size_t source, std::size_t sink) {
  Amount amount = std::min(supply_[source], demand_[sink]);
  for (std::size_t i = from_[sink]; i != source; i = from_[back_[i]]) {
    amount = std::min(amount, flow_[back_[i] * sources_ + i]);
  }
  supply_[source] -= amount;
  demand_[sink] -= amount;
  std::size_t i = from_[sink];
  flow_[sink * sources_ + i] += amount;
  while (i != source) {
    const std::size_t j = back_[i];
    flow_[j * sources_ + i] -= amount;
    i = from_[j];
    flow_[j * sources_ + i] += amount;
  }
}

template <class Cost>
Cost Transport<Cost>::total() const {
  Cost total = 0;
  for (std::size_t i = 0; i < sources_; ++i) {
    for (std::size_t j = 0; j < sinks_; ++j) {
      if (const Amount amount = flow(i, j)) total += static_cast<Cost>(amount) * costs_[i * stride_ + j];
    }
  }
  return total;
}

template class Transport<double>;
template class Transport<std::int64_t>;

}  // namespace capella::metric
