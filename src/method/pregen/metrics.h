// The 504 pre-gen metrics (Tanti, Gatt, Muscat 2018): how well a caption generator knows captions that people
// wrote, before it writes any itself. A metric is named by its four tiers, TIER4_TIER3_TIER2_TIER1:
//   tier 1  which words of a caption count: none (all), filter0, prefix0
//   tier 2  a caption's score: prob, pplx, count, normcount
//   tier 3  an image's score from its captions': sum, mean, median, geomean, max, min; join: none, captions
//           are pooled
//   tier 4  the data set's score: sum, mean, median, geomean, max, min
// mean_max_normcount_prefix0 predicts best; geomean_join_pplx_none is the perplexity of language models.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "io/token_probabilities.h"

namespace capella::method::pregen {

inline constexpr std::size_t kMetricCount = 504;
inline constexpr std::array kTier4 = {"sum", "mean", "median", "geomean", "max", "min"};
inline constexpr std::array kTier3 = {"sum", "mean", "median", "geomean", "max", "min", "join"};
inline constexpr std::array kTier2 = {"prob", "pplx", "count", "normcount"};
inline constexpr std::array kTier1 = {"none", "filter0", "prefix0"};

/// In the order of the published files: tier 4 outermost, tier 1 innermost.
const std::vector<std::string>& metric_names();

/// Which words filter0 keeps. The authors' program keeps those that are not the most probable, their paper
/// says the opposite; every published figure comes from the program.
enum class Filter0 { code, paper };

/// Everything the metrics need of the captions, so that those of any subset of images are quick.
class CaptionScores {
 public:
  explicit CaptionScores(const io::TokenProbabilities& table, Filter0 filter0 = Filter0::code);

  std::size_t image_count() const { return first_caption_.size() - 1; }

  /// All metrics over all images, in the order of metric_names().
  std::vector<double> metrics() const;
  /// ... over some images, given by their places (each at most once). Throws DataError if there are none.
  std::vector<double> metrics(std::span<const std::size_t> images) const;

 private:
  static constexpr std::size_t kScores = kTier2.size() * kTier1.size();

  void score_images();

  std::vector<std::size_t> first_caption_;
  std::array<std::vector<double>, kScores> caption_scores_;                    // [tier 2 x tier 1][caption]
  std::array<std::vector<double>, kScores*(kTier3.size() - 1)> image_scores_;  // [tier 3 x those][image]
};

}  // namespace capella::method::pregen
