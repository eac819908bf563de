#include "base/thread_pool.h"

#include <atomic>
#include <numeric>
#include <set>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "support/message_of.h"

namespace capella {
namespace {

class ThreadPoolOf : public ::testing::TestWithParam<std::size_t> {};

TEST_P(ThreadPoolOf, DoesEveryPieceOnce) {
  ThreadPool pool(GetParam());
  EXPECT_EQ(pool.threads(), GetParam());
  for (const std::size_t count : {0u, 1u, 2u, 3u, 10'000u}) {
    std::vector<std::atomic<int>> done(count);
    pool.parallel_for(count, [&](std::size_t piece) { ++done[piece]; });
    for (const auto& times : done) EXPECT_EQ(times, 1);
  }
}

TEST_P(ThreadPoolOf, ResultsDoNotDependOnTheOrderOfWork) {
  ThreadPool pool(GetParam());
  std::vector<std::size_t> squares(1000);
  pool.parallel_for(squares.size(), [&](std::size_t piece) { squares[piece] = piece * piece; });
  for (std::size_t i = 0; i < squares.size(); ++i) EXPECT_EQ(squares[i], i * i);
}

TEST_P(ThreadPoolOf, ThrowsTheFirstFailureByPieceNumber) {
  ThreadPool pool(GetParam());
  for (int repeat = 0; repeat < 20; ++repeat) {
    const auto work = [](std::size_t piece) {
      if (piece >= 5) throw std::runtime_error("piece " + std::to_string(piece));
    };
    EXPECT_EQ(test::message_of<std::runtime_error>([&] { pool.parallel_for(500, work); }), "piece 5");
  }
}

TEST_P(ThreadPoolOf, WorksOnAfterAFailure) {
  ThreadPool pool(GetParam());
  EXPECT_THROW(pool.parallel_for(100, [](std::size_t) { throw std::runtime_error("no"); }),
               std::runtime_error);
  std::atomic<std::size_t> sum = 0;
  pool.parallel_for(101, [&](std::size_t piece) { sum += piece; });
  EXPECT_EQ(sum, 5050u);
}

TEST_P(ThreadPoolOf, LeavesOutPiecesAfterAFailure) {
  ThreadPool pool(GetParam());
  std::atomic<std::size_t> begun = 0;
  const auto work = [&](std::size_t piece) {
    ++begun;
    if (piece == 0) throw std::runtime_error("stop");
  };
  constexpr std::size_t kMany = 100'000'000;
  EXPECT_THROW(pool.parallel_for(kMany, work), std::runtime_error);
  EXPECT_LT(begun, kMany);
}

INSTANTIATE_TEST_SUITE_P(Threads, ThreadPoolOf, ::testing::Values(1, 2, 4, 13));

TEST(ThreadPool, ZeroMeansOnePerCore) {
  EXPECT_EQ(ThreadPool(0).threads(), std::max(1u, std::thread::hardware_concurrency()));
}

TEST(ThreadPool, AsksForNoAbsurdNumberOfThreads) {
  ThreadPool pool(1'000'000'000);
  EXPECT_LE(pool.threads(), 1024u);
  std::atomic<std::size_t> sum = 0;
  pool.parallel_for(101, [&](std::size_t piece) { sum += piece; });
  EXPECT_EQ(sum, 5050u);
}

}  // namespace
}  // namespace capella
