// METEOR's comparisons beside those of its slow twin.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <rapidcheck.h>

#include "metric/meteor_comparison.h"
#include "property/meteor_generator.h"
#include "reference/meteor_reference.h"

namespace capella::test {

inline std::vector<std::string> in_utf8(const reference::MeteorPhrase& words) {
  std::vector<std::string> texts;
  for (const reference::MeteorWord& word : words) texts.push_back(reference::to_utf8(word));
  return texts;
}

inline std::vector<metric::MeteorMatch> as_matches(
    const std::vector<reference::MeteorCandidate>& candidates) {
  std::vector<metric::MeteorMatch> matches;
  for (const reference::MeteorCandidate& candidate : candidates) {
    const auto number = [](std::size_t n) { return static_cast<std::uint32_t>(n); };
    matches.push_back({number(candidate.reference_start), number(candidate.reference_length),
                       number(candidate.caption_start), number(candidate.caption_length),
                       static_cast<metric::MeteorModule>(candidate.module)});
  }
  return matches;
}

/// What the metric and its twin find different in the item; empty if words, matches, statistics and scores
/// are the same.
inline std::string difference(const reference::Item& item, const MeteorLexicon& lexicon, bool paraphrases) {
  const std::vector<std::string_view> references(item.references.begin(), item.references.end());
  const auto fast = metric::compare_by_meteor(item.caption, references, lexicon.data(), paraphrases);
  const auto slow = reference::compare_by_meteor(item, lexicon.words(), paraphrases);
  if (fast.size() != slow.size()) return "number of references";
  for (std::size_t i = 0; i < slow.size(); ++i) {
    const auto found = [&](const char* what) {
      return std::string(what) + " of \"" + item.caption + "\" and \"" + item.references[i] + '"';
    };
    if (fast[i].caption != in_utf8(slow[i].caption)) return found("caption's words");
    if (fast[i].reference != in_utf8(slow[i].reference)) return found("reference's words");
    if (fast[i].matches != as_matches(slow[i].matches)) return found("matches");
    if (fast[i].statistics != slow[i].numbers) return found("statistics");
    if (metric::meteor_value(fast[i].statistics).score != reference::meteor_score(slow[i].numbers).score)
      return found("score");
  }
  return "";
}

/// For use in a property.
inline void expect_same_comparisons(const reference::Item& item, const MeteorLexicon& lexicon,
                                    bool paraphrases) {
  RC_ASSERT(difference(item, lexicon, paraphrases) == "");
}

}  // namespace capella::test
