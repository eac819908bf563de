// What is kept of the draws: for every variable and chain the ones and the sums of probabilities in a few
// equally long stretches of time. When there is no room for another, neighbours become one, twice as long; so
// memory has a bound however long the chains run, and the stretches serve as batches and as halves of chains.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "logic/gibbs/gibbs_kernel.h"

namespace capella::logic {

class Segments {
 public:
  /// `length` of a segment in sweeps, at first; `most` segments, even.
  Segments(std::size_t places, std::size_t length, std::size_t most);

  std::size_t room() const { return length_ - filled_; }  ///< sweeps that the open segment still takes
  std::size_t complete() const { return complete_; }
  std::size_t length() const { return length_; }  ///< of complete segments
  std::size_t sweeps() const { return complete_ * length_ + filled_; }

  /// Where the next sweeps are added: sums of probabilities and ones, [places x 16]. Then say how many.
  double* open_sums();
  std::uint32_t* open_ones();
  void added(std::size_t sweeps);  ///< at most room()

  /// Of a complete segment.
  std::span<const double> sums(std::size_t segment, std::size_t place) const {
    return std::span(parts_[segment].sums).subspan(place * kGibbsLanes, kGibbsLanes);
  }
  std::span<const std::uint32_t> ones(std::size_t segment, std::size_t place) const {
    return std::span(parts_[segment].ones).subspan(place * kGibbsLanes, kGibbsLanes);
  }
  /// The sum of probabilities over all sweeps and chains, those of the open segment too.
  double total(std::size_t place) const;

 private:
  struct Part {
    tensor::AlignedVector<double> sums;
    tensor::AlignedVector<std::uint32_t> ones;
  };

  Part& open();
  void merge_neighbours();

  std::size_t places_;
  std::size_t length_;
  std::size_t most_;
  std::size_t complete_ = 0;
  std::size_t filled_ = 0;   // sweeps of the open segment
  std::vector<Part> parts_;  // complete ones, the open one, and unused ones behind them
};

}  // namespace capella::logic
