// Judges for captions that the world did not write: what a caption claims is read from its words, and it is
// worth to the world's careful judges what a caption of the world with these claims is worth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "world/judges.h"
#include "world/scene.h"

namespace capella::world {

/// In 0 ... 1, as Judged::truth. Of several meanings the one that is true of the scene is meant. Words that
/// are left over or missing cost: from a share of kBroken on, a caption is worth no more than a shuffled one.
double caption_quality(std::string_view caption, const Scene& scene);

inline constexpr double kBroken = .5;

struct JudgedCaption {
  double quality;  ///< without the judges' bias and noise
  double rating;   ///< the mean of kRatingsPerCaption careful judges, in 0 ... 1
};

/// The judges of a world with this seed, so many images and this noise (WorldOptions). What they say depends
/// on these, the image and the caption alone.
class CaptionJudges {
 public:
  CaptionJudges(std::uint64_t seed, std::size_t images, double noise);

  /// `image` counts from 0: one less than its id in the world's files.
  JudgedCaption judge(std::uint64_t image, std::string_view caption) const;

 private:
  std::uint64_t seed_;
  double noise_;
  std::vector<Worker> careful_;
};

}  // namespace capella::world
