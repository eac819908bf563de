#include "logic/gibbs/gibbs_statistics.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "logic/gibbs/diagnostics.h"

namespace capella::logic {
namespace {

// Kernels add up to 63 conditional probabilities as floats. Where these are equal, as those of an atom
// without neighbours are, additions err in the same direction time after time; of no float is the mean of 63
// further away than this times it.
constexpr double kFloatError = 1e-6;

}  // namespace

PlaceStatistics GibbsStatistics::of_place(std::size_t place) {
  PlaceStatistics result;
  ones_.clear();
  means_.clear();
  chain_means_.clear();
  const std::size_t length = groups_[0]->kept().length();
  for (const auto& group : groups_) {
    const Segments& kept = group->kept();
    result.marginal += kept.total(place);
    add_chain_means(kept, place);
    for (std::size_t k = 0; k < kept.complete(); ++k) {
      const auto ones = kept.ones(k, place);
      ones_.insert(ones_.end(), ones.begin(), ones.end());
      for (const double sum : kept.sums(k, place)) means_.push_back(sum / static_cast<double>(length));
    }
  }
  const std::size_t draws = groups_.size() * kGibbsLanes * groups_[0]->kept().sweeps();
  result.marginal = std::min(result.marginal / static_cast<double>(draws), 1.0);
  result.mcse = std::max({batch_mcse(means_), batch_mcse(chain_means_), kFloatError * result.marginal});
  result.ess = batch_ess(ones_, length);
  result.rhat = split_rhat_of(place);
  return result;
}

// A chain is a batch, too: few ones, so their spread is known less well, but they are independent even where
// segments are too short to be.
void GibbsStatistics::add_chain_means(const Segments& kept, std::size_t place) {
  std::array<double, kGibbsLanes> sums{};
  for (std::size_t k = 0; k < kept.complete(); ++k) {
    const auto segment = kept.sums(k, place);
    for (std::size_t lane = 0; lane < kGibbsLanes; ++lane) sums[lane] += segment[lane];
  }
  const auto draws = static_cast<double>(std::max<std::size_t>(kept.complete() * kept.length(), 1));
  for (const double sum : sums) chain_means_.push_back(sum / draws);
}

// The complete segments are halved; the middle one of an odd number is left out.
double GibbsStatistics::split_rhat_of(std::size_t place) {
  ones_.clear();
  const std::size_t complete = groups_[0]->kept().complete(), half = complete / 2;
  for (const auto& group : groups_) {
    for (const std::size_t begin : {std::size_t{0}, complete - half}) {
      const std::size_t at = ones_.size();
      ones_.resize(at + kGibbsLanes, 0);
      for (std::size_t k = begin; k < begin + half; ++k) {
        const auto ones = group->kept().ones(k, place);
        for (std::size_t lane = 0; lane < kGibbsLanes; ++lane) ones_[at + lane] += ones[lane];
      }
    }
  }
  return rhat(ones_, half * groups_[0]->kept().length());
}

// A part that never held, or always, says nothing of how fast the chains move: then its variables do.
QueryStatistics GibbsStatistics::of_part(const QueryPart& part, std::size_t number) {
  QueryStatistics result;
  std::vector<ChainBits> bits;
  for (const auto& group : groups_) {
    bits.push_back(group->history(number));
    result.seen += count_ones(bits.back());
  }
  const double draws = static_cast<double>(bits.size() * bits[0].size() * kGibbsLanes);
  result.p = static_cast<double>(result.seen) / draws;
  result.rhat = split_rhat(bits);
  result.ess = initial_positive_ess(bits);
  if (result.p == 0 || result.p == 1) {
    for (const std::uint32_t place : part.places) result.ess = std::min(result.ess, of_place(place).ess);
  }
  result.mcse = std::sqrt(result.p * (1 - result.p) / std::max(result.ess, 1.0));
  return result;
}

QueryStatistics GibbsStatistics::of_query(std::span<const QueryPart> parts) {
  QueryStatistics whole;
  double relative = 0;  // variance, of a product of independent estimates
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const QueryStatistics part = of_part(parts[k], k);
    whole.p *= part.p;
    relative += part.p > 0 ? part.mcse * part.mcse / (part.p * part.p) : 0;
    whole.rhat = std::max(whole.rhat, part.rhat);
    whole.ess = k == 0 ? part.ess : std::min(whole.ess, part.ess);
    whole.seen = k == 0 ? part.seen : std::min(whole.seen, part.seen);
  }
  whole.mcse = whole.p * std::sqrt(relative);
  return whole;
}

}  // namespace capella::logic
