#include "stats/agreement.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "base/pairwise_sum.h"
#include "stats/correlation.h"
#include "stats/nan.h"

namespace capella::stats {
namespace {

using Units = std::vector<std::vector<double>>;

// The ratings of each unit that has more than one.
Units paired_units(std::span<const JudgedUnit> ratings) {
  std::map<std::uint32_t, std::vector<double>> by_unit;
  for (const JudgedUnit& one : ratings) by_unit[one.unit].push_back(one.rating);
  Units units;
  for (auto& [unit, values] : by_unit) {
    if (values.size() > 1) units.push_back(std::move(values));
  }
  return units;
}

std::vector<double> all_values(const Units& units) {
  std::vector<double> values;
  for (const auto& unit : units) values.insert(values.end(), unit.begin(), unit.end());
  return values;
}

bool all_equal(const std::vector<double>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
}

// The sum of squared differences over all ordered pairs of different places, by way of the mean.
double squared_distances(const std::vector<double>& values) {
  if (all_equal(values)) return 0;
  const auto count = static_cast<double>(values.size());
  const double mean = pairwise_sum(values.data(), values.size()) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return 2 * count * squares;
}

// The ordinal distance of two ratings is the number of ratings between them, with half of those equal to
// either: the difference of their mean ranks.
void replace_by_ranks(Units& units) {
  const std::vector<double> ranks = average_ranks(all_values(units));
  std::size_t next = 0;
  for (auto& unit : units) {
    for (double& value : unit) value = ranks[next++];
  }
}

// Sums over the pairs of judges, filled judge by judge.
class PairMeans {
 public:
  void add(const std::vector<double>& x, const std::vector<double>& y) {
    const double r = pearson(x, y).value;
    const double tau = kendall(x, y).tau_b;
    if (std::isnan(r) || std::isnan(tau)) return;
    pearson_ += r;
    kendall_ += tau;
    ++pairs_;
  }

  PairwiseAgreement result() const {
    if (pairs_ == 0) return {kNan, kNan, 0};
    const auto count = static_cast<double>(pairs_);
    return {pearson_ / count, kendall_ / count, pairs_};
  }

 private:
  double pearson_ = 0;
  double kendall_ = 0;
  std::size_t pairs_ = 0;
};

}  // namespace

double krippendorff_alpha(std::span<const JudgedUnit> ratings, RatingLevel level) {
  Units units = paired_units(ratings);
  if (level == RatingLevel::ordinal) replace_by_ranks(units);
  double observed = 0;
  for (const auto& unit : units) observed += squared_distances(unit) / static_cast<double>(unit.size() - 1);
  const std::vector<double> values = all_values(units);
  if (all_equal(values)) return kNan;
  const double expected = squared_distances(values);
  return 1 - static_cast<double>(values.size() - 1) * observed / expected;
}

PairwiseAgreement pairwise_agreement(std::span<const JudgedUnit> ratings, std::size_t least) {
  std::map<std::uint32_t, std::vector<const JudgedUnit*>> by_unit;
  std::map<std::uint32_t, std::vector<const JudgedUnit*>> by_judge;
  for (const JudgedUnit& one : ratings) {
    by_unit[one.unit].push_back(&one);
    by_judge[one.judge].push_back(&one);
  }
  PairMeans means;
  for (const auto& [judge, own] : by_judge) {
    std::map<std::uint32_t, std::pair<std::vector<double>, std::vector<double>>> common;
    for (const JudgedUnit* const mine : own) {
      for (const JudgedUnit* const other : by_unit[mine->unit]) {
        if (other->judge <= judge) continue;
        auto& [x, y] = common[other->judge];
        x.push_back(mine->rating);
        y.push_back(other->rating);
      }
    }
    for (const auto& [other, series] : common) {
      if (series.first.size() >= least) means.add(series.first, series.second);
    }
  }
  return means.result();
}

}  // namespace capella::stats
