#include "logic/gibbs/diagnostics.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace capella::logic {
namespace {

constexpr std::size_t kChains = 16;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// How often both bits of a chain are set, `lag` draws apart.
std::size_t common_ones(ChainBits bits, std::size_t lag) {
  constexpr std::size_t kAtOnce = 4;
  const std::size_t size = bits.size() - lag;
  std::size_t result = 0;
  std::size_t i = 0;
  for (; i + kAtOnce <= size; i += kAtOnce) {
    std::uint64_t early = 0, late = 0;
    std::memcpy(&early, bits.data() + i, sizeof early);
    std::memcpy(&late, bits.data() + i + lag, sizeof late);
    result += static_cast<std::size_t>(std::popcount(early & late));
  }
  for (; i < size; ++i) {
    const unsigned both = static_cast<unsigned>(bits[i]) & bits[i + lag];
    result += static_cast<std::size_t>(std::popcount(both));
  }
  return result;
}

// The autocovariances of all chains around their common mean.
class Autocovariances {
 public:
  explicit Autocovariances(std::span<const ChainBits> groups) : groups_(groups) {
    for (const ChainBits bits : groups) ones_ += count_ones(bits);
    mean_ = static_cast<double>(ones_) / draws();
  }

  double draws() const { return static_cast<double>(groups_.size() * groups_[0].size() * kChains); }
  double operator[](std::size_t lag) const {
    const std::size_t length = groups_[0].size();
    double both = 0, single = 0;
    for (const ChainBits bits : groups_) {
      both += static_cast<double>(common_ones(bits, lag));
      single += static_cast<double>(count_ones(bits.first(length - lag)) + count_ones(bits.subspan(lag)));
    }
    const double terms = static_cast<double>((length - lag) * groups_.size() * kChains);
    return (both - mean_ * single + terms * mean_ * mean_) / draws();
  }

 private:
  std::span<const ChainBits> groups_;
  std::size_t ones_ = 0;
  double mean_ = 0;
};

void count_chains(ChainBits bits, std::vector<std::uint32_t>& ones) {
  std::array<std::uint32_t, kChains> counts{};
  for (const unsigned mask : bits) {
    for (std::size_t lane = 0; lane < kChains; ++lane) counts[lane] += (mask >> lane) & 1u;
  }
  ones.insert(ones.end(), counts.begin(), counts.end());
}

}  // namespace

double rhat(std::span<const std::uint32_t> ones, std::size_t draws) {
  if (draws < 2 || ones.size() < 2) return kInfinity;
  const double n = static_cast<double>(draws), m = static_cast<double>(ones.size());
  double total = 0, within = 0, between = 0;
  for (const std::uint32_t count : ones) total += count;
  const double mean = total / (n * m);
  for (const std::uint32_t count : ones) {
    const double own = count / n;
    within += own * (1 - own);
    between += (own - mean) * (own - mean);
  }
  within *= n / (n - 1) / m;
  between /= m - 1;  // B / n
  if (within == 0) return total == 0 || total == n * m ? 1 : kInfinity;
  return std::sqrt((n - 1) / n + between / within);
}

double batch_mcse(std::span<const double> means) {
  if (means.size() < 2) return kInfinity;
  const double count = static_cast<double>(means.size());
  double total = 0, squares = 0;
  for (const double mean : means) total += mean;
  for (const double mean : means) squares += (mean - total / count) * (mean - total / count);
  return std::sqrt(squares / (count - 1) / count);
}

double batch_ess(std::span<const std::uint32_t> ones, std::size_t draws) {
  if (ones.size() < 2) return 0;
  const double n = static_cast<double>(draws), m = static_cast<double>(ones.size());
  double total = 0, squares = 0;
  for (const std::uint32_t count : ones) total += count;
  const double mean = total / (n * m);
  for (const std::uint32_t count : ones) squares += (count / n - mean) * (count / n - mean);
  const double of_mean = squares / (m - 1) / m;
  const double of_draw = mean * (1 - mean) * n * m / (n * m - 1);
  return of_mean <= 0 ? n * m : std::min(of_draw / of_mean, n * m);
}

double initial_positive_ess(std::span<const ChainBits> groups) {
  if (groups.empty() || groups[0].empty()) return 0;
  const Autocovariances covariance(groups);
  const double variance = covariance[0];
  if (variance <= 0) return covariance.draws();
  double sum = -0.5;
  for (std::size_t lag = 0; lag + 1 < std::max<std::size_t>(groups[0].size() / 2, 2); lag += 2) {
    const double pair = (covariance[lag] + covariance[lag + 1]) / variance;
    if (pair <= 0) break;
    sum += pair;
  }
  return sum <= 0.5 ? covariance.draws() : covariance.draws() / (2 * sum);
}

double split_rhat(std::span<const ChainBits> groups) {
  if (groups.empty()) return 1;
  const std::size_t half = groups[0].size() / 2;
  std::vector<std::uint32_t> ones;
  for (const ChainBits bits : groups) {
    count_chains(bits.first(half), ones);
    count_chains(bits.last(half), ones);
  }
  return rhat(ones, half);
}

std::size_t count_ones(ChainBits bits) {
  std::size_t result = 0;
  for (const unsigned mask : bits) result += static_cast<std::size_t>(std::popcount(mask));
  return result;
}

}  // namespace capella::logic
