#include "logic/exact/elimination_order_large.h"

#include <algorithm>
#include <utility>

namespace capella::logic {
namespace {

// Nodes in the order of their degrees, poorest first.
struct ByDegree {
  explicit ByDegree(const Neighbours& neighbours);
  void lose_one(std::uint32_t node);

  std::vector<std::size_t> degrees;  // of nodes
  std::vector<std::size_t> starts;   // where each degree begins in the order
  std::vector<std::uint32_t> order;  // nodes
  std::vector<std::size_t> places;   // of nodes in the order
};

ByDegree::ByDegree(const Neighbours& neighbours)
    : degrees(neighbours.size()), order(neighbours.size()), places(neighbours.size()) {
  std::size_t most = 0;
  for (const auto& list : neighbours) most = std::max(most, list.size());
  starts.assign(most + 2, 0);
  for (const auto& list : neighbours) ++starts[list.size() + 1];
  for (std::size_t k = 1; k < starts.size(); ++k) starts[k] += starts[k - 1];
  std::vector<std::size_t> ends = starts;
  for (std::uint32_t node = 0; node < neighbours.size(); ++node) {
    degrees[node] = neighbours[node].size();
    places[node] = ends[degrees[node]]++;
    order[places[node]] = node;
  }
}

// It changes places with the first of its degree, and then is the last of the degree below.
void ByDegree::lose_one(std::uint32_t node) {
  const std::size_t first = starts[degrees[node]]++, place = places[node];
  std::swap(order[first], order[place]);
  places[order[place]] = place;
  places[node] = first;
  --degrees[node];
}

}  // namespace

// A poorest node is taken out again and again. One that is poorer by then than one that went before does not
// matter, so its degree is left alone.
std::size_t degeneracy(const Neighbours& neighbours) {
  ByDegree left(neighbours);
  std::size_t result = 0;
  for (std::size_t at = 0; at < left.order.size(); ++at) {
    const std::uint32_t node = left.order[at];
    result = std::max(result, left.degrees[node]);
    for (const std::uint32_t other : neighbours[node]) {
      if (left.degrees[other] > left.degrees[node]) left.lose_one(other);
    }
  }
  return result;
}

LeastFill::LeastFill(Neighbours neighbours, std::size_t most_steps)
    : neighbours_(std::move(neighbours)),
      most_steps_(most_steps),
      degrees_(neighbours_.size()),
      fills_(neighbours_.size()),
      open_(neighbours_.size(), 1) {
  for (std::size_t node = 0; node < neighbours_.size(); ++node)
    degrees_[node] = static_cast<std::uint32_t>(neighbours_[node].size());
  if (steps_to_begin() > static_cast<double>(most_steps_)) {
    go_by_degree();
    return;
  }
  for (std::uint32_t node = 0; node < neighbours_.size(); ++node) {
    fills_[node] = count_fill(node);
    changed(node);
  }
}

// How many neighbours count_fill() of all nodes would look at.
double LeastFill::steps_to_begin() const {
  double sum = 0;
  for (std::size_t node = 0; node < neighbours_.size(); ++node) {
    for (const std::uint32_t other : neighbours_[node]) sum += std::min(degrees_[node], degrees_[other]);
  }
  return sum;
}

void LeastFill::go_by_degree() {
  by_degree_ = true;
  candidates_ = {};
  for (std::uint32_t node = 0; node < neighbours_.size(); ++node) {
    fills_[node] = degrees_[node];
    if (open_[node]) changed(node);
  }
}

bool LeastFill::joined(std::uint32_t a, std::uint32_t b) const {
  if (neighbours_[a].size() > neighbours_[b].size()) std::swap(a, b);
  return std::ranges::binary_search(neighbours_[a], b);
}

// How many open nodes are joined with both; they lose one of their fill if asked for.
std::int64_t LeastFill::common(std::uint32_t a, std::uint32_t b, bool less_fill) {
  if (neighbours_[a].size() > neighbours_[b].size()) std::swap(a, b);
  steps_ += neighbours_[a].size();
  std::int64_t count = 0;
  for (const std::uint32_t node : neighbours_[a]) {
    if (!open_[node] || !std::ranges::binary_search(neighbours_[b], node)) continue;
    ++count;
    if (!less_fill) continue;
    --fills_[node];
    changed(node);
  }
  return count;
}

// Pairs of neighbours, less those that are joined: twice as many as there are neighbours in common with each.
std::int64_t LeastFill::count_fill(std::uint32_t node) {
  const auto degree = static_cast<std::int64_t>(neighbours_[node].size());
  std::int64_t joined_twice = 0;
  for (const std::uint32_t other : neighbours_[node]) joined_twice += common(node, other, false);
  return (degree * (degree - 1) - joined_twice) / 2;
}

void LeastFill::changed(std::uint32_t node) {
  candidates_.push({fills_[node], node});
}

std::uint32_t LeastFill::next() {
  for (;;) {
    const Candidate best = candidates_.top();
    if (open_[best.node] && best.fill == fills_[best.node]) return best.node;
    candidates_.pop();
  }
}

// The new edge is no longer missing to the nodes that both ends have in common, and each end's other
// neighbours are missing one to the other end.
void LeastFill::add_edge(std::uint32_t a, std::uint32_t b) {
  constexpr std::size_t kMovedInAStep = 16;  // neighbours, to make room for another
  if (!by_degree_ && steps_ > most_steps_) go_by_degree();
  if (!by_degree_) {
    const std::int64_t shared = common(a, b, true);
    fills_[a] += degrees_[a] - shared;
    fills_[b] += degrees_[b] - shared;
  }
  for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
    auto& list = neighbours_[from];
    list.insert(std::ranges::upper_bound(list, to), to);
    steps_ += 1 + list.size() / kMovedInAStep;
    ++degrees_[from];
  }
}

std::span<const std::uint32_t> LeastFill::eliminate(std::uint32_t node) {
  around_.clear();
  for (const std::uint32_t other : neighbours_[node]) {
    if (open_[other]) around_.push_back(other);
  }
  for (std::size_t i = 0; i < around_.size(); ++i) {
    for (std::size_t j = i + 1; j < around_.size(); ++j) {
      if (!joined(around_[i], around_[j])) add_edge(around_[i], around_[j]);
    }
  }
  steps_ += neighbours_[node].size();
  open_[node] = 0;
  for (const std::uint32_t other : around_) {
    fills_[other] -= static_cast<std::int64_t>(degrees_[other]) - static_cast<std::int64_t>(around_.size());
    --degrees_[other];
    if (by_degree_) fills_[other] = degrees_[other];
    changed(other);
  }
  return around_;
}

}  // namespace capella::logic
