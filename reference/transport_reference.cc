#include "reference/transport_reference.h"

#include <algorithm>

namespace capella::reference {
namespace {

// Nodes 0 ... n - 1 are sources, n ... n + m - 1 sinks. An edge leads from each source to each sink, and back
// wherever something flows.
template <class Cost, class Wide>
class CycleCanceller {
 public:
  CycleCanceller(const TransportProblem<Cost>& problem, Wide tolerance)
      : problem_(problem),
        n_(problem.supply.size()),
        m_(problem.demand.size()),
        flow_(n_ * m_, 0),
        tolerance_(tolerance) {}

  Wide solve() {
    start_from_the_corner();
    while (cancel_a_cycle()) {
    }
    Wide total = 0;
    for (std::size_t e = 0; e < flow_.size(); ++e) total += Wide(flow_[e]) * Wide(problem_.costs[e]);
    return total;
  }

 private:
  void start_from_the_corner() {
    std::vector<std::int64_t> supply = problem_.supply, demand = problem_.demand;
    for (std::size_t i = 0, j = 0; i < n_ && j < m_;) {
      const std::int64_t amount = std::min(supply[i], demand[j]);
      flow_[i * m_ + j] = amount;
      supply[i] -= amount;
      demand[j] -= amount;
      supply[i] == 0 ? ++i : ++j;
    }
  }

  // Bellman and Ford: if distances still shrink after as many rounds as there are nodes, there is a cycle.
  bool cancel_a_cycle() {
    std::vector<Wide> distance(n_ + m_, 0);
    std::vector<std::size_t> before(n_ + m_, n_ + m_);
    std::size_t changed = n_ + m_;
    for (std::size_t round = 0; round < n_ + m_; ++round) {
      changed = n_ + m_;
      for (std::size_t i = 0; i < n_; ++i) {
        for (std::size_t j = 0; j < m_; ++j) {
          const Wide cost = Wide(problem_.costs[i * m_ + j]);
          if (shrink(i, n_ + j, cost, distance, before)) changed = n_ + j;
          if (flow_[i * m_ + j] > 0 && shrink(n_ + j, i, -cost, distance, before)) changed = i;
        }
      }
      if (changed == n_ + m_) return false;
    }
    for (std::size_t step = 0; step < n_ + m_; ++step) changed = before[changed];
    send_around(changed, before);
    return true;
  }

  bool shrink(std::size_t from, std::size_t to, Wide cost, std::vector<Wide>& distance,
              std::vector<std::size_t>& before) const {
    if (!(distance[from] + cost < distance[to] - tolerance_)) return false;
    distance[to] = distance[from] + cost;
    before[to] = from;
    return true;
  }

  std::int64_t& flow_between(std::size_t a, std::size_t b) {
    return a < n_ ? flow_[a * m_ + (b - n_)] : flow_[b * m_ + (a - n_)];
  }

  void send_around(std::size_t node, const std::vector<std::size_t>& before) {
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    std::size_t at = node;
    do {
      edges.emplace_back(before[at], at);
      at = before[at];
    } while (at != node);
    std::int64_t amount = -1;
    for (const auto& [from, to] : edges) {
      if (from < n_) continue;
      const std::int64_t most = flow_between(from, to);
      amount = amount < 0 ? most : std::min(amount, most);
    }
    for (const auto& [from, to] : edges) flow_between(from, to) += from < n_ ? amount : -amount;
  }

  const TransportProblem<Cost>& problem_;
  std::size_t n_, m_;
  std::vector<std::int64_t> flow_;
  Wide tolerance_;
};

}  // namespace

double least_cost(const TransportProblem<double>& problem) {
  return static_cast<double>(CycleCanceller<double, long double>(problem, 1e-15L).solve());
}

std::int64_t least_cost(const TransportProblem<std::int64_t>& problem) {
  return CycleCanceller<std::int64_t, std::int64_t>(problem, 0).solve();
}

}  // namespace capella::reference
