#include "stats/agreement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "stats/correlation.h"

namespace capella::stats {
namespace {

constexpr double kNotDefined = std::numeric_limits<double>::quiet_NaN();

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

// The sum of distances over all ordered pairs of different places.
double nominal_distances(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  double equal = 0;
  for (auto begin = values.begin(); begin != values.end();) {
    const auto end = std::upper_bound(begin, values.end(), *begin);
    equal += static_cast<double>(end - begin) * static_cast<double>(end - begin);
    begin = end;
  }
  return count * count - equal;
}

// The same for squared differences, by way of the mean.
double squared_distances(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  double mean = 0;
  for (const double value : values) mean += value / count;
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
    if (pairs_ == 0) return {kNotDefined, kNotDefined, 0};
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
  const auto distances = [&](const std::vector<double>& values) {
    return level == RatingLevel::nominal ? nominal_distances(values) : squared_distances(values);
  };
  double observed = 0;
  for (const auto& unit : units) observed += distances(unit) / static_cast<double>(unit.size() - 1);
  const std::vector<double> values = all_values(units);
  const double expected = distances(values);
  if (!(expected > 0)) return kNotDefined;
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
