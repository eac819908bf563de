// What learned heads score: vectors that encoders have made of images and captions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace capella::encoder {

/// Vectors by one encoder, rows of its width one behind the other; null where there is no such encoder.
struct HeadVectors {
  const float* candidates = nullptr;  ///< [samples]
  const float* references = nullptr;  ///< [ends.back()]
  const float* images = nullptr;      ///< [samples]
};

struct HeadSamples {
  HeadVectors clip;                   ///< as projected, not normalised
  HeadVectors sentence;               ///< mixed from the layers
  std::span<const std::size_t> ends;  ///< where each sample's references end; each has at least one
  std::span<const float> added = {};  ///< per sample: goes into the number whose sigmoid is the score

  std::size_t size() const { return ends.size(); }
  std::size_t begin(std::size_t k) const { return k == 0 ? 0 : ends[k - 1]; }
};

/// The added numbers of the samples from `begin` on; null if there are none.
inline const float* added_from(const HeadSamples& samples, std::size_t begin) {
  return samples.added.empty() ? nullptr : samples.added.data() + begin;
}

/// Rows brought to the length of the root of their width; one of zeros stays.
std::vector<float> scaled_rows(const float* rows, std::size_t count, std::size_t width);

/// Half the highest and half the mean cosine of each candidate with its references; a vector of zeros has the
/// cosine 0 with all.
std::vector<float> reference_cosines(const HeadVectors& vectors, std::span<const std::size_t> ends,
                                     std::size_t width);

/// Throws UsageError if vectors are missing that the head needs, or a sample has no reference.
void check_samples(const HeadSamples& samples, bool clip, bool sentence, bool image);

}  // namespace capella::encoder
