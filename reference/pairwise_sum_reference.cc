#include "reference/pairwise_sum_reference.h"

#include <numeric>

namespace capella::reference {
namespace {

using Numbers = std::vector<double>;

Numbers slice(const Numbers& values, std::size_t begin, std::size_t end) {
  return {values.begin() + static_cast<std::ptrdiff_t>(begin),
          values.begin() + static_cast<std::ptrdiff_t>(end)};
}

double left_to_right(const Numbers& values, double start) {
  return std::accumulate(values.begin(), values.end(), start);
}

// Every eighth value belongs to the same lane; neighbouring lanes are added first.
double sum_of_lanes(const Numbers& values) {
  Numbers lanes;
  for (std::size_t lane = 0; lane < 8; ++lane) {
    double sum = values[lane];
    for (std::size_t i = lane + 8; i < values.size(); i += 8) sum += values[i];
    lanes.push_back(sum);
  }
  while (lanes.size() > 1) {
    Numbers pairs;
    for (std::size_t i = 0; i < lanes.size(); i += 2) pairs.push_back(lanes[i] + lanes[i + 1]);
    lanes = pairs;
  }
  return lanes[0];
}

}  // namespace

double pairwise_sum(const Numbers& values) {
  const std::size_t count = values.size();
  if (count < 8) return left_to_right(values, 0.0);
  if (count <= 128) {
    const std::size_t whole = count - count % 8;
    return left_to_right(slice(values, whole, count), sum_of_lanes(slice(values, 0, whole)));
  }
  const std::size_t half = count / 2 / 8 * 8;
  return pairwise_sum(slice(values, 0, half)) + pairwise_sum(slice(values, half, count));
}

double mean(const Numbers& values) {
  return pairwise_sum(values) / static_cast<double>(values.size());
}

}  // namespace capella::reference
