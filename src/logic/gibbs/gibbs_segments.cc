#include "logic/gibbs/gibbs_segments.h"

#include <algorithm>
#include <utility>

namespace capella::logic {

Segments::Segments(std::size_t places, std::size_t length, std::size_t most)
    : places_(places), length_(length), most_(most) {}

Segments::Part& Segments::open() {
  if (complete_ == most_) merge_neighbours();
  if (parts_.size() == complete_) {
    Part& fresh = parts_.emplace_back();
    fresh.sums.resize(places_ * kGibbsLanes);
    fresh.ones.resize(places_ * kGibbsLanes);
  }
  return parts_[complete_];
}

double* Segments::open_sums() {
  return open().sums.data();
}

std::uint32_t* Segments::open_ones() {
  return open().ones.data();
}

void Segments::added(std::size_t sweeps) {
  filled_ += sweeps;
  if (filled_ < length_) return;
  filled_ = 0;
  ++complete_;
}

void Segments::merge_neighbours() {
  for (std::size_t k = 0; k < most_ / 2; ++k) {
    Part& into = parts_[2 * k];
    const Part& from = parts_[2 * k + 1];
    for (std::size_t i = 0; i < into.sums.size(); ++i) into.sums[i] += from.sums[i];
    for (std::size_t i = 0; i < into.ones.size(); ++i) into.ones[i] += from.ones[i];
    if (k > 0) std::swap(parts_[k], into);
  }
  complete_ = most_ / 2;
  length_ *= 2;
  for (std::size_t k = complete_; k < parts_.size(); ++k) {
    std::fill(parts_[k].sums.begin(), parts_[k].sums.end(), 0.0);
    std::fill(parts_[k].ones.begin(), parts_[k].ones.end(), 0u);
  }
}

double Segments::total(std::size_t place) const {
  double result = 0;
  for (std::size_t k = 0; k < parts_.size() && k <= complete_; ++k) {
    for (const double sum : sums(k, place)) result += sum;
  }
  return result;
}

}  // namespace capella::logic
