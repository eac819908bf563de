// The cheapest way to move goods from sources to sinks: how Word Mover's Distance moves words.
//
// Amounts are integers, so no flow is ever "nearly zero"; only costs are real. Sources are served one after
// the other along shortest paths (Dijkstra with potentials, as in the Hungarian method); what can go along
// edges that are cheapest for both ends goes first. One path takes O(sources x sinks), and there are few more
// paths than sources and sinks. Nothing is allocated once a workspace has seen its largest problem.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace capella::metric {

using Amount = std::int64_t;

/// A workspace for many problems, one after the other. Cost is double or std::int64_t.
template <class Cost>
class Transport {
 public:
  /// Moves all of `supply` so that each sink gets its `demand`; both have the same sum and no negative
  /// number. costs[i * stride + j] >= 0 is what a unit from source i to sink j costs. Returns the least
  /// total, summed source by source, so that it is the same bits on every machine. Throws std::logic_error,
  /// rather than search forever, if the sums differ or costs are not finite.
  Cost solve(std::span<const Amount> supply, std::span<const Amount> demand, const Cost* costs,
             std::size_t stride);

  /// How much goes from source i to sink j in the last solution.
  Amount flow(std::size_t i, std::size_t j) const { return flow_[j * sources_ + i]; }

 private:
  void start();
  void send_along_cheapest_edges();
  std::size_t find_nearest_open_sink(std::size_t source);
  void reach_source(std::size_t source, Cost distance);
  std::size_t nearest_unvisited() const;
  void raise_potentials(Cost distance);
  void send(std::size_t source, std::size_t sink);
  Cost total() const;

  const Cost* costs_ = nullptr;
  std::size_t stride_ = 0;
  std::size_t sources_ = 0;
  std::size_t sinks_ = 0;
  std::vector<Amount> supply_;  // what is still to be sent and received
  std::vector<Amount> demand_;
  std::vector<Amount> flow_;  // sink by sink
  std::vector<Cost> source_potential_;
  std::vector<Cost> sink_potential_;

  // Of the search for one path.
  std::vector<Cost> distance_;            // of sinks
  std::vector<std::uint32_t> from_;       // the source before a sink
  std::vector<std::uint8_t> visited_;     // sinks
  std::vector<Cost> source_distance_;     // of sources reached
  std::vector<std::uint32_t> back_;       // the sink before a source
  std::vector<std::uint8_t> is_reached_;  // sources
  std::vector<std::uint32_t> reached_;
  std::vector<std::uint32_t> closed_;  // sinks visited, in order
};

extern template class Transport<double>;
extern template class Transport<std::int64_t>;

}  // namespace capella::metric
