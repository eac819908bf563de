#include "metric/wmd_gensim3.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/pairwise_sum.h"

namespace capella::metric {
namespace {

constexpr double kSteps = 1e6;  // into which pyemd cuts the larger mass and the largest cost

std::int64_t quantize(double value, double scale) {
  return static_cast<std::int64_t>(std::floor(value * scale + 0.5));
}

}  // namespace

// The first text's words as they come, then the second's others. In which order shares are summed decides no
// more than the last bit.
void Gensim3Distance::list_words(const WmdBag& first, const WmdBag& second) {
  words_.clear();
  for (const WmdWord& word : first.words) {
    words_.push_back({word.word, {static_cast<double>(word.count) / first.length, 0.0}});
  }
  for (const WmdWord& word : second.words) {
    const double share = static_cast<double>(word.count) / second.length;
    const auto same = std::ranges::find(words_, word.word, &Word::id);
    if (same == words_.end()) {
      words_.push_back({word.word, {0.0, share}});
    } else {
      same->shares[1] = share;
    }
  }
  for (std::size_t side = 0; side < 2; ++side) {
    sides_[side].clear();
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (words_[i].shares[side] > 0.0) sides_[side].push_back(i);
    }
  }
}

float Gensim3Distance::distance(text::WordId a, text::WordId b) {
  const float* x = known_.vector(a);
  const float* y = known_.vector(b);
  squares_.resize(known_.dimensions());
  for (std::size_t k = 0; k < squares_.size(); ++k) {
    const float difference = x[k] - y[k];
    squares_[k] = difference * difference;
  }
  return std::sqrt(pairwise_sum(squares_.data(), squares_.size()));
}

// Returns the largest.
double Gensim3Distance::find_costs() {
  costs_.clear();
  for (const std::size_t a : sides_[0]) {
    for (const std::size_t b : sides_[1]) costs_.push_back(distance(words_[a].id, words_[b].id));
  }
  return *std::ranges::max_element(costs_);
}

void Gensim3Distance::take_common_shares() {
  for (Word& word : words_) {
    const double common = std::min(word.shares[0], word.shares[1]);
    for (double& share : word.shares) share -= common;
  }
}

// Rounded masses of the two sides may differ; what is left over costs nothing.
double Gensim3Distance::move(double mass_scale, double cost_scale) {
  Amount sums[2];
  for (std::size_t side = 0; side < 2; ++side) {
    amounts_[side].clear();
    for (const std::size_t i : sides_[side])
      amounts_[side].push_back(quantize(words_[i].shares[side], mass_scale));
    sums[side] = std::accumulate(amounts_[side].begin(), amounts_[side].end(), Amount{0});
  }
  amounts_[0].push_back(std::max<Amount>(sums[1] - sums[0], 0));
  amounts_[1].push_back(std::max<Amount>(sums[0] - sums[1], 0));
  const std::size_t columns = sides_[1].size();
  integer_costs_.clear();
  for (std::size_t i = 0; i < costs_.size(); ++i) {
    integer_costs_.push_back(quantize(costs_[i], cost_scale));
    if (i % columns == columns - 1) integer_costs_.push_back(0);
  }
  integer_costs_.insert(integer_costs_.end(), columns + 1, 0);
  return static_cast<double>(transport_.solve(amounts_[0], amounts_[1], integer_costs_.data(), columns + 1));
}

double Gensim3Distance::find(const WmdBag& first, const WmdBag& second) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if (first.empty() || second.empty()) return kInfinite;
  list_words(first, second);
  if (words_.size() == 1) return 0.0;
  const double largest_cost = find_costs();
  if (largest_cost == 0.0) return kInfinite;
  double sums[2] = {0.0, 0.0};
  for (const Word& word : words_) {
    for (std::size_t side = 0; side < 2; ++side) sums[side] += word.shares[side];
  }
  take_common_shares();
  const double mass_scale = kSteps / std::max(sums[0], sums[1]);
  const double cost_scale = kSteps / largest_cost;
  return move(mass_scale, cost_scale) / mass_scale / cost_scale + std::abs(sums[0] - sums[1]) * largest_cost;
}

}  // namespace capella::metric
