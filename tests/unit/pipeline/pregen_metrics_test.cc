// The pre-gen metrics of probabilities in files and in memory.
#include <algorithm>

#include <gtest/gtest.h>

#include "capella/error.h"
#include "capella/pregen.h"

#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella {
namespace {

// Two images, with two captions and one.
TokenProbabilities small_table() {
  return {{0, 2, 3}, {0, 2, 3, 5}, {.5, 1, .25, .125, .75}, {0, 3, 1, 0, 0}};
}

double value_of(const PregenMetrics& metrics, const std::string& name) {
  const auto& names = pregen_metric_names();
  return metrics.values.at(static_cast<std::size_t>(std::ranges::find(names, name) - names.begin()));
}

TEST(PregenMetrics, OfMemoryAreThoseOfTheFile) {
  const test::TempDir folder;
  const std::string path =
      folder.write("init_1.json", "[[[[0.5, 0], [1, 3]], [[0.25, 1]]], [[[0.125, 0], [0.75, 0]]]]");
  for (const bool paper : {false, true}) {
    const PregenMetrics in_file = pregen_metrics(path, paper);
    const PregenMetrics in_memory = pregen_metrics(small_table(), "init_1", paper);
    EXPECT_EQ(in_memory.system, in_file.system);
    EXPECT_EQ(in_memory.values, in_file.values);
  }
  const PregenMetrics found = pregen_metrics(small_table(), "x");
  EXPECT_EQ(value_of(found, "mean_max_normcount_prefix0"), (.5 + 1) / 2);
  EXPECT_EQ(value_of(found, "sum_sum_prob_none"), .5 + .25 + .125 * .75);
  EXPECT_EQ(value_of(found, "sum_join_count_filter0"), 2);
  EXPECT_EQ(value_of(pregen_metrics(small_table(), "x", true), "sum_join_count_filter0"), 3);
}

TEST(PregenMetrics, WhatIsNoProbabilityIsNamed) {
  TokenProbabilities table = small_table();
  table.probabilities[4] = -1;
  const std::string message = test::message_of<DataError>([&] { pregen_metrics(table, "mine"); });
  EXPECT_TRUE(message.starts_with("mine: image 2, caption 1, word 2: the probability -1 ")) << message;
}

}  // namespace
}  // namespace capella
