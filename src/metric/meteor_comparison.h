// One caption against references by METEOR: aligned, counted and scored.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metric/meteor_alignment.h"
#include "metric/meteor_candidates.h"
#include "metric/meteor_lexicon.h"
#include "metric/meteor_statistics.h"

namespace capella::metric {

/// For one caption after the other, and for one thread.
class MeteorComparer {
 public:
  /// `lexicon` knows the words of captions and references.
  MeteorComparer(const MeteorLexicon& lexicon, bool paraphrases)
      : lexicon_(lexicon), matcher_(lexicon, paraphrases) {}

  void set_caption(const MeteorText& caption);
  /// The statistics of the caption against this reference.
  MeteorStatistics compare(const MeteorText& reference);
  /// The matches behind the last statistics, by place in the reference.
  std::span<const MeteorMatch> matches() const { return matches_; }

 private:
  void count_match(const MeteorMatch& match, const MeteorText& reference, MeteorStatistics& statistics) const;
  double function_words(const MeteorText& text) const;

  const MeteorLexicon& lexicon_;
  MeteorMatcher matcher_;
  MeteorAligner aligner_;
  MeteorText caption_{};
  std::span<const MeteorMatch> matches_;
};

/// Whether a match goes on, in both sentences, where the one before it in the reference ends.
bool continues_chunk(const MeteorMatch& before, const MeteorMatch& match);

/// How many runs of matches stand together in both sentences. `matches` are sorted by place in the reference.
std::size_t count_chunks(std::span<const MeteorMatch> matches);

/// All that explains a score, for people and tests.
struct MeteorComparison {
  std::vector<std::string> caption;  ///< the words METEOR compares
  std::vector<std::string> reference;
  std::vector<MeteorMatch> matches;  ///< by place in the reference
  MeteorStatistics statistics;
};

/// One comparison per reference; the first of those with the highest score counts.
std::vector<MeteorComparison> compare_by_meteor(std::string_view caption,
                                                std::span<const std::string_view> references,
                                                const resource::MeteorData& data, bool paraphrases);

}  // namespace capella::metric
