// The transport solver against its slow twin: small problems with many ties, zeros and empty ends.
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "metric/transport.h"
#include "reference/transport_reference.h"

namespace capella::test {
namespace {

using Amounts = std::vector<std::int64_t>;

// Both sides get the same sum: what is missing is added to one of them, drawn at random.
template <class Cost>
reference::TransportProblem<Cost> problem_of(const rc::Gen<Cost>& cost, int most) {
  const auto side = rc::gen::mapcat(rc::gen::inRange<std::size_t>(1, 9), [most](std::size_t size) {
    return rc::gen::container<Amounts>(size, rc::gen::inRange<std::int64_t>(0, most));
  });
  reference::TransportProblem<Cost> problem{*side, *side, {}};
  const auto sum = [](const Amounts& amounts) {
    return std::accumulate(amounts.begin(), amounts.end(), std::int64_t{0});
  };
  const std::int64_t more = sum(problem.supply) - sum(problem.demand);
  Amounts& smaller = more > 0 ? problem.demand : problem.supply;
  smaller[*rc::gen::inRange<std::size_t>(0, smaller.size())] += std::abs(more);
  problem.costs = *rc::gen::container<std::vector<Cost>>(problem.supply.size() * problem.demand.size(), cost);
  return problem;
}

template <class Cost>
Cost solve(metric::Transport<Cost>& transport, const reference::TransportProblem<Cost>& problem) {
  return transport.solve(problem.supply, problem.demand, problem.costs.data(), problem.demand.size());
}

template <class Cost>
void expect_plan(const metric::Transport<Cost>& transport, const reference::TransportProblem<Cost>& problem) {
  Amounts sent(problem.supply.size()), received(problem.demand.size());
  for (std::size_t i = 0; i < sent.size(); ++i) {
    for (std::size_t j = 0; j < received.size(); ++j) {
      RC_ASSERT(transport.flow(i, j) >= 0);
      sent[i] += transport.flow(i, j);
      received[j] += transport.flow(i, j);
    }
  }
  RC_ASSERT(sent == problem.supply);
  RC_ASSERT(received == problem.demand);
}

TEST(TransportProperty, IntegerCostsAreTheLeast) {
  EXPECT_TRUE(rc::check("integers", [] {
    const auto cost =
        rc::gen::oneOf(rc::gen::inRange<std::int64_t>(0, 4), rc::gen::inRange<std::int64_t>(0, 1'000'001));
    const auto problem = problem_of<std::int64_t>(cost, *rc::gen::element(2, 8, 1'000'000));
    metric::Transport<std::int64_t> transport;
    RC_ASSERT(solve(transport, problem) == reference::least_cost(problem));
    expect_plan(transport, problem);
  }));
}

TEST(TransportProperty, RealCostsAreTheLeast) {
  EXPECT_TRUE(rc::check("real numbers", [] {
    const auto tenths = rc::gen::map(rc::gen::inRange(0, 21), [](int x) { return x / 10.0; });
    const auto any = rc::gen::map(rc::gen::inRange(0, 1 << 30), [](int x) { return x * 0x1p-29; });
    const auto problem =
        problem_of<double>(rc::gen::oneOf(tenths, any, rc::gen::just(0.0)), *rc::gen::element(2, 8, 500));
    metric::Transport<double> transport;
    const double expected = reference::least_cost(problem);
    RC_ASSERT(std::abs(solve(transport, problem) - expected) <= 1e-12 * (1 + expected));
    expect_plan(transport, problem);
  }));
}

TEST(TransportProperty, AWorkspaceRemembersNothing) {
  EXPECT_TRUE(rc::check("workspace", [] {
    const auto cost = rc::gen::map(rc::gen::inRange(0, 1 << 30), [](int x) { return x * 0x1p-29; });
    metric::Transport<double> used, fresh;
    for (int i = 0; i < 3; ++i) solve(used, problem_of<double>(cost, 8));
    const auto problem = problem_of<double>(cost, 8);
    RC_ASSERT(solve(used, problem) == solve(fresh, problem));
  }));
}

}  // namespace
}  // namespace capella::test
