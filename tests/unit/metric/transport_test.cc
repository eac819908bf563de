#include "metric/transport.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>

namespace capella::metric {
namespace {

using Amounts = std::vector<Amount>;

TEST(Transport, TheWorkedExamples) {
  Transport<double> transport;
  const double first[] = {1, 3, 2, 1};
  EXPECT_EQ(transport.solve(Amounts{2, 2}, Amounts{2, 2}, first, 2) / 4, 1.0);
  EXPECT_EQ(transport.flow(0, 0), 2);
  EXPECT_EQ(transport.flow(0, 1), 0);
  EXPECT_EQ(transport.flow(1, 1), 2);
  const double second[] = {0, 2, 1, 1, 4, .5};  // shares of a third against halves, in sixths
  EXPECT_EQ(transport.solve(Amounts{2, 2, 2}, Amounts{3, 3}, second, 2) / 6, 0.5);
  EXPECT_EQ(transport.flow(0, 0), 2);
  EXPECT_EQ(transport.flow(1, 0), 1);
  EXPECT_EQ(transport.flow(1, 1), 1);
  EXPECT_EQ(transport.flow(2, 1), 2);
}

TEST(Transport, NothingToMoveCostsNothing) {
  Transport<double> transport;
  const double costs[] = {1, 2, 3, 4};
  EXPECT_EQ(transport.solve({}, {}, costs, 0), 0.0);
  EXPECT_EQ(transport.solve(Amounts{0, 0}, Amounts{0, 0}, costs, 2), 0.0);
}

TEST(Transport, CostsMayBeColumnsOfALargerMatrix) {
  Transport<std::int64_t> transport;
  const std::int64_t costs[] = {5, 1, 99, 1, 5, 99};
  EXPECT_EQ(transport.solve(Amounts{3, 4}, Amounts{4, 3}, costs, 3), 7);
}

TEST(Transport, WhatFlowsIsTakenBackWhereThatIsCheaper) {
  Transport<std::int64_t> transport;
  const std::int64_t costs[] = {0, 1, 1, 9};  // both want the first sink; the second source cannot do without
  EXPECT_EQ(transport.solve(Amounts{1, 1}, Amounts{1, 1}, costs, 2), 2);
  EXPECT_EQ(transport.flow(0, 1), 1);
  EXPECT_EQ(transport.flow(1, 0), 1);
}

TEST(Transport, CostsThatAreNoNumbersEndTheSearch) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double wrong : {nan, infinite}) {
    Transport<double> transport;
    const double costs[] = {wrong, wrong, wrong, wrong};
    EXPECT_THROW(transport.solve(Amounts{1, 2}, Amounts{2, 1}, costs, 2), std::logic_error) << wrong;
  }
  // With some of them wrong there may be a way around them.
  Transport<double> transport;
  const double costs[] = {1, nan, nan, 1};
  EXPECT_THROW(transport.solve(Amounts{1, 2}, Amounts{2, 1}, costs, 2), std::logic_error);
}

TEST(Transport, SumsThatDifferAreRefused) {
  Transport<std::int64_t> transport;
  const std::int64_t costs[] = {1, 2, 3, 4};
  EXPECT_THROW(transport.solve(Amounts{2, 2}, Amounts{1, 1}, costs, 2), std::logic_error);
}

// On a line the least cost is known: the area between the two cumulated distributions.
TEST(Transport, LongTextsOnALine) {
  constexpr std::size_t kSources = 350, kSinks = 349;
  const auto at_source = [](std::size_t i) { return static_cast<std::int64_t>(i * i * 7919 % 100'003); };
  const auto at_sink = [](std::size_t j) { return static_cast<std::int64_t>(j * j * 104'729 % 99'991); };
  std::vector<std::int64_t> costs;
  std::vector<std::pair<std::int64_t, Amount>> steps;  // of the difference of what was sent and received
  for (std::size_t i = 0; i < kSources; ++i) {
    for (std::size_t j = 0; j < kSinks; ++j) costs.push_back(std::abs(at_source(i) - at_sink(j)));
    steps.emplace_back(at_source(i), kSinks);
  }
  for (std::size_t j = 0; j < kSinks; ++j) steps.emplace_back(at_sink(j), -Amount{kSources});
  std::sort(steps.begin(), steps.end());
  std::int64_t expected = 0;
  Amount more = 0;
  for (std::size_t k = 0; k + 1 < steps.size(); ++k) {
    more += steps[k].second;
    expected += std::abs(more) * (steps[k + 1].first - steps[k].first);
  }
  Transport<std::int64_t> integers;
  const Amounts supply(kSources, kSinks), demand(kSinks, kSources);
  EXPECT_EQ(integers.solve(supply, demand, costs.data(), kSinks), expected);
  Transport<double> real;
  const std::vector<double> real_costs(costs.begin(), costs.end());
  EXPECT_EQ(real.solve(supply, demand, real_costs.data(), kSinks), static_cast<double>(expected));
}

}  // namespace
}  // namespace capella::metric
