#include "metric/meteor_comparison.h"

#include <algorithm>

namespace capella::metric {
namespace {

std::vector<std::string> words_of(const MeteorText& text, const MeteorLexicon& lexicon) {
  std::vector<std::string> words;
  for (const text::WordId word : text.words) words.emplace_back(lexicon.text(word));
  return words;
}

}  // namespace

void MeteorComparer::set_caption(const MeteorText& caption) {
  caption_ = caption;
  matcher_.set_caption(caption);
}

MeteorStatistics MeteorComparer::compare(const MeteorText& reference) {
  matches_ = aligner_.align(matcher_.match(reference));
  MeteorStatistics statistics{};
  statistics[kCaptionWords] = static_cast<double>(caption_.words.size());
  statistics[kReferenceWords] = static_cast<double>(reference.words.size());
  statistics[kCaptionFunction] = function_words(caption_);
  statistics[kReferenceFunction] = function_words(reference);
  for (const MeteorMatch& match : matches_) count_match(match, reference, statistics);
  statistics[kChunks] = static_cast<double>(count_chunks(matches_));
  return statistics;
}

void MeteorComparer::count_match(const MeteorMatch& match, const MeteorText& reference,
                                 MeteorStatistics& statistics) const {
  double* counts = statistics.data() + kModules + 4 * static_cast<std::size_t>(match.module);
  const auto count = [&](std::span<const text::WordId> words, std::size_t side) {
    for (const text::WordId word : words)
      counts[(lexicon_.word(word).is_function_word ? 2 : 0) + side] += 1.0;
  };
  count(caption_.words.subspan(match.caption_start, match.caption_length), 0);
  count(reference.words.subspan(match.reference_start, match.reference_length), 1);
  statistics[kCaptionMatched] += match.caption_length;
  statistics[kReferenceMatched] += match.reference_length;
}

double MeteorComparer::function_words(const MeteorText& text) const {
  return static_cast<double>(std::ranges::count_if(
      text.words, [&](text::WordId word) { return lexicon_.word(word).is_function_word; }));
}

bool continues_chunk(const MeteorMatch& before, const MeteorMatch& match) {
  return match.reference_start == before.reference_start + before.reference_length &&
         match.caption_start == before.caption_start + before.caption_length;
}

std::size_t count_chunks(std::span<const MeteorMatch> matches) {
  std::size_t chunks = 0;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    if (i == 0 || !continues_chunk(matches[i - 1], matches[i])) ++chunks;
  }
  return chunks;
}

std::vector<MeteorComparison> compare_by_meteor(std::string_view caption,
                                                std::span<const std::string_view> references,
                                                const resource::MeteorData& data, bool paraphrases) {
  MeteorLexicon lexicon(data);
  MeteorTexts texts(lexicon, paraphrases);
  texts.add(caption);
  for (const std::string_view reference : references) texts.add(reference);
  MeteorComparer comparer(lexicon, paraphrases);
  comparer.set_caption(texts.get(0));
  std::vector<MeteorComparison> comparisons;
  for (std::size_t i = 1; i < texts.size(); ++i) {
    MeteorComparison& comparison = comparisons.emplace_back();
    comparison.caption = words_of(texts.get(0), lexicon);
    comparison.reference = words_of(texts.get(i), lexicon);
    comparison.statistics = comparer.compare(texts.get(i));
    comparison.matches.assign(comparer.matches().begin(), comparer.matches().end());
  }
  return comparisons;
}

}  // namespace capella::metric
