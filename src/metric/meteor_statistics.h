// METEOR's 23 statistics and the score they give (docs/metrics/meteor.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace capella::metric {

/// How two words or phrases match, in the order in which METEOR looks for it.
enum class MeteorModule : std::uint8_t { exact, stem, synonym, paraphrase };
inline constexpr std::size_t kMeteorModules = 4;
inline constexpr std::string_view kMeteorModuleNames[kMeteorModules] = {"exact", "stem", "synonym",
                                                                        "paraphrase"};

/// Words of the reference that match words of the caption.
struct MeteorMatch {
  std::uint32_t reference_start;
  std::uint32_t reference_length;
  std::uint32_t caption_start;
  std::uint32_t caption_length;
  MeteorModule module;

  bool operator==(const MeteorMatch&) const = default;
};

/// In METEOR's order: lengths and numbers of function words of caption and reference; for each module the
/// matched content words of caption and reference, then the matched function words; chunks; matched words.
using MeteorStatistics = std::array<double, 23>;
enum MeteorColumn : std::size_t {
  kCaptionWords,
  kReferenceWords,
  kCaptionFunction,
  kReferenceFunction,
  kModules,  ///< four numbers for each module
  kChunks = kModules + 4 * kMeteorModules,
  kCaptionMatched,
  kReferenceMatched,
};

struct MeteorValue {
  double precision;
  double recall;
  double f_mean;
  double penalty;  ///< for fragmentation: 0 if the caption is the reference
  double score;
};

/// The score of one segment's statistics or of the sums over a corpus.
MeteorValue meteor_value(std::span<const double, 23> statistics);

/// Whether all words of both match in one chunk; such a segment's chunk does not count in a
/// corpus.
bool is_perfect(std::span<const double, 23> statistics);

}  // namespace capella::metric
