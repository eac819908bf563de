// Comparing a run with the values that a reference program gave.
#pragma once

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capella/pipeline.h"

#include "base/file.h"

namespace capella::test {

using Json = nlohmann::json;

// BLEU and ROUGE-L are promised to the last bit, the CIDEr family to 1e-12: its logarithms differ in the last
// bit between mathematics libraries.
inline constexpr double kExact = 0.0;
inline constexpr double kCider = 1e-12;
inline constexpr double kPercent = 1e-9;  // scores from 0 to 100

inline Json read_json(const std::filesystem::path& path) {
  return Json::parse(read_file(path.string()));
}

/// Runs `metrics` with a tokenizer; other options are the defaults.
inline Result score_golden(const Dataset& dataset, std::vector<std::string> metrics,
                           const std::string& tokenizer, std::vector<std::string> settings = {},
                           const std::string& df = "refs") {
  ScoreOptions options;
  options.metrics = std::move(metrics);
  options.tokenizer = tokenizer;
  options.settings = std::move(settings);
  options.df = df;
  return score(dataset, options);
}

inline std::size_t column_of(const Result& result, const std::string& name) {
  for (std::size_t i = 0; i < result.columns.size(); ++i) {
    if (result.columns[i].name == name) return i;
  }
  throw std::out_of_range("no score is called " + name);
}

inline double corpus_value(const Result& result, const std::string& name, std::size_t system = 0) {
  return result.systems.at(system).values[column_of(result, name)];
}

/// Fails the test, saying which score and item, unless |found - expected| <= tolerance.
inline void expect_value(double found, double expected, double tolerance, const std::string& what) {
  EXPECT_LE(std::abs(found - expected), tolerance)
      << what << ": found " << found << ", expected " << expected;
}

/// Compares item values with expected(item) for every item.
template <class Expected>
void expect_items(const Result& result, const std::string& name, double tolerance, Expected expected) {
  const std::size_t column = column_of(result, name);
  for (std::size_t item = 0; item < result.ids.size() && !::testing::Test::HasFailure(); ++item) {
    expect_value(result.item_value(0, item, column), expected(item), tolerance,
                 name + " of item " + result.ids[item]);
  }
}

}  // namespace capella::test
