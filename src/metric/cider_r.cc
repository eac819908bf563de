#include "metric/cider_r.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <string_view>
#include <utility>
#include <vector>

#include <tsl/robin_map.h>

#include "base/hash.h"
#include "base/pairwise_sum.h"
#include "text/word_characters.h"

namespace capella::metric {
namespace {

// How the published code weighs repetition against length.
constexpr double kRepetitionPower = 0.8;
constexpr double kLengthPower = 0.2;

// The words (runs of letters, digits and underscores) of a text in order of first occurrence, and how often
// each stands.
class WordCounts {
 public:
  explicit WordCounts(std::string_view text) {
    text::for_each_word_run(text, [this](std::string_view word) {
      const auto [place, is_new] = places_.try_emplace(word, counts_.size());
      if (is_new) counts_.emplace_back(word, 0);
      ++counts_[place->second].second;
    });
  }

  const std::vector<std::pair<std::string_view, int>>& in_order() const { return counts_; }
  int count(std::string_view word) const {
    const auto found = places_.find(word);
    return found == places_.end() ? 0 : counts_[found->second].second;
  }

 private:
  std::vector<std::pair<std::string_view, int>> counts_;
  tsl::robin_map<std::string_view, std::size_t, StringHash> places_;
};

// Geometric mean over the caption's words of 1 / (1 + x), x being how far its count is from the reference's.
// A word the reference lacks may stand once. A caption without words gets 0, where the published code gives
// not-a-number.
double repetition_factor(std::string_view caption, std::string_view reference) {
  const WordCounts words(caption);
  if (words.in_order().empty()) return 0.0;
  const WordCounts expected(reference);
  std::vector<double> logs;
  for (const auto& [word, count] : words.in_order()) {
    const int wanted = expected.count(word);
    const int excess = wanted > 0 ? std::abs(wanted - count) : count - 1;
    logs.push_back(std::log(1.0 / (1.0 + excess)));
  }
  return std::exp(pairwise_sum(logs.data(), logs.size()) / static_cast<double>(logs.size()));
}

double length_factor(double caption, double reference) {
  const double difference = std::abs(reference - caption);
  return std::pow(std::numbers::e, -(difference * difference) / (reference * reference));
}

class CiderR final : public CiderMetric {
 public:
  explicit CiderR(const Settings& settings) : CiderMetric("cider-r", "CIDEr-R", settings) {}

  std::string choices(const State* state) const override { return "n:4|rep:0.8|len:0.2|" + df_choice(state); }

 protected:
  double product(double candidate, double reference) const override {
    return std::min(candidate, reference) * reference;
  }

  double factor(const Pair& pair) const override {
    const double repetition = repetition_factor(pair.batch.tokens.text(pair.caption),
                                                pair.batch.references.tokens.text(pair.reference));
    const double length = length_factor(pair.caption_length() + 1, pair.reference_length() + 1);
    return std::pow(repetition, kRepetitionPower) * std::pow(length, kLengthPower);
  }
};

}  // namespace

std::unique_ptr<Metric> make_cider_r(const Settings& settings) {
  return std::make_unique<CiderR>(settings);
}

}  // namespace capella::metric
