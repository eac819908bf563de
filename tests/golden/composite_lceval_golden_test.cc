// The scorer with the linear weights of LCEval's two published checkpoints, read from the description of that
// metric.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/file.h"
#include "method/composite/network.h"
#include "support/shared.h"

namespace capella::method::composite {
namespace {

// The numbers of `text` from `from` to `to`, written as ".5", "−.5" or "0", and after spaces only: not those
// in names.
std::vector<double> numbers_between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t start = text.find(from);
  const std::size_t end = text.find(to, start);
  if (start == std::string::npos || end == std::string::npos) return {};
  std::string part = text.substr(start + from.size(), end - start - from.size());
  const std::string minus = "\u2212";
  for (std::size_t at; (at = part.find(minus)) != std::string::npos;) part.replace(at, minus.size(), "-");
  std::vector<double> numbers;
  for (std::size_t at = 0; at < part.size();) {
    at = part.find_first_not_of(" ,*:", at);
    if (at == std::string::npos) break;
    const std::size_t stop = std::min(part.find_first_of(" ,*:", at), part.size());
    char* parsed = nullptr;
    const std::string word = part.substr(at, stop - at);
    const double value = std::strtod(word.c_str(), &parsed);
    if (*parsed == '\0') numbers.push_back(value);
    at = stop;
  }
  return numbers;
}

// The bias is the last number.
void expect_sigmoid_of_dot_product(const std::vector<double>& weights) {
  ASSERT_EQ(weights.size(), 17u);
  Layer layer{.inputs = 16, .outputs = 2, .weights = std::vector<float>(16, 0.0f), .biases = {0, 0}};
  layer.weights.insert(layer.weights.end(), weights.begin(), weights.end() - 1);
  layer.biases[1] = static_cast<float>(weights.back());
  const Network network{{layer}};
  std::vector<double> good = {.8, .6, .4, .3, .7, .6, .4, .5, .3, .9, .9, .5, .4, .3, .6, .5};
  std::vector<double> poor = good;
  for (double& value : poor) value /= 10;
  for (const std::vector<double>& features : {good, poor}) {
    long double dot = weights.back();
    for (std::size_t k = 0; k < 16; ++k) dot += static_cast<long double>(weights[k]) * features[k];
    EXPECT_NEAR(probability(network, features), static_cast<double>(1 / (1 + std::exp(-dot))), 1e-6);
  }
  EXPECT_GT(probability(network, good), 0.9);
  EXPECT_LT(probability(network, poor), 0.2);
}

TEST(CompositeLcevalGolden, ScoresWithPublishedWeights) {
  CAPELLA_NEED_SHARED(path, "spec/composite.md");
  const std::string text = read_file(path.string());
  expect_sigmoid_of_dot_product(numbers_between(text, "(step 8010):", ". (ROUGE-1"));
  expect_sigmoid_of_dot_product(numbers_between(text, "Step 9990:", ". These"));
}

}  // namespace
}  // namespace capella::method::composite
