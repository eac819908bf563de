#include "reference/meteor_reference.h"

#include <cmath>

#include "reference/meteor_reference_normalizer.h"

namespace capella::reference {
namespace {

constexpr double kAlpha = 0.85, kBeta = 0.2, kGamma = 0.6, kDelta = 0.75;
constexpr double kModuleWeights[] = {1.0, 0.6, 0.8, 0.6};

// Where the numbers stand: lengths and function words of caption and reference, then for each module content
// words of both and function words of both, then the chunks, then the matched words of both.
constexpr std::size_t kFunction = 2, kModules = 4, kChunks = 20, kMatched = 21;

std::string replace_all(const std::string& text, const std::string& what, const std::string& by) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (text.compare(i, what.size(), what) == 0) {
      out += by;
      i += what.size();
    } else {
      out += text[i++];
    }
  }
  return out;
}

bool is_perfect(const MeteorNumbers& numbers) {
  return numbers[kMatched] == numbers[0] && numbers[kMatched + 1] == numbers[1] && numbers[kChunks] == 1;
}

/// Matched words by length, each with its weight; `side` 0: the caption, 1: the reference.
double share(const MeteorNumbers& numbers, std::size_t side) {
  const double function = numbers[kFunction + side];
  const double length = kDelta * (numbers[side] - function) + (1 - kDelta) * function;
  double matched = 0;
  for (std::size_t module = 0; module < 4; ++module)
    matched += numbers[kModules + 4 * module + side] * kModuleWeights[module] * kDelta;
  for (std::size_t module = 0; module < 4; ++module)
    matched += numbers[kModules + 4 * module + 2 + side] * kModuleWeights[module] * (1 - kDelta);
  return matched / length;
}

/// Counts one matched word.
void count(const MeteorWord& word, std::size_t side, std::size_t module, const MeteorWords& words,
           MeteorNumbers& numbers) {
  const bool function = words.function_words.contains(word);
  ++numbers[kModules + 4 * module + (function ? 2 : 0) + side];
  ++numbers[kMatched + side];
}

MeteorNumbers count_all(const MeteorSegment& segment, const MeteorWords& words) {
  MeteorNumbers numbers{};
  numbers[0] = static_cast<double>(segment.caption.size());
  numbers[1] = static_cast<double>(segment.reference.size());
  for (const MeteorWord& word : segment.caption) numbers[kFunction] += words.function_words.contains(word);
  for (const MeteorWord& word : segment.reference)
    numbers[kFunction + 1] += words.function_words.contains(word);
  for (const MeteorCandidate& match : segment.matches) {
    for (std::size_t k = 0; k < match.caption_length; ++k)
      count(segment.caption[match.caption_start + k], 0, match.module, words, numbers);
    for (std::size_t k = 0; k < match.reference_length; ++k)
      count(segment.reference[match.reference_start + k], 1, match.module, words, numbers);
  }
  numbers[kChunks] = static_cast<double>(count_meteor_chunks(segment.matches, segment.reference.size()));
  return numbers;
}

}  // namespace

MeteorScore meteor_score(const MeteorNumbers& numbers) {
  MeteorScore value{};
  value.precision = share(numbers, 0);
  value.recall = share(numbers, 1);
  value.f_mean = 1 / ((1 - kAlpha) / value.precision + kAlpha / value.recall);
  const double fragmentation =
      is_perfect(numbers) ? 0 : numbers[kChunks] / ((numbers[kMatched] + numbers[kMatched + 1]) / 2);
  value.penalty = kGamma * std::pow(fragmentation, kBeta);
  value.score = value.f_mean * (1 - value.penalty);
  if (std::isnan(value.score) || value.score < 0) value.score = 0;
  return value;
}

std::string clean_meteor_caption(const std::string& caption) {
  return replace_all(replace_all(caption, "|||", ""), "  ", " ");
}

std::vector<MeteorSegment> compare_by_meteor(const Item& item, const MeteorWords& words, bool paraphrases) {
  std::vector<MeteorSegment> segments;
  for (const std::string& reference : item.references) {
    MeteorSegment& segment = segments.emplace_back();
    segment.caption = meteor_words(meteor_trim(to_meteor_word(item.caption)), words);
    segment.reference = meteor_words(meteor_trim(to_meteor_word(reference)), words);
    segment.matches =
        align_by_meteor(find_meteor_candidates(segment.caption, segment.reference, words, paraphrases),
                        segment.caption.size());
    segment.numbers = count_all(segment, words);
  }
  return segments;
}

std::size_t best_meteor_segment(const std::vector<MeteorSegment>& segments) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < segments.size(); ++i) {
    if (meteor_score(segments[i].numbers).score > meteor_score(segments[best].numbers).score) best = i;
  }
  return best;
}

void add_meteor_numbers(const MeteorNumbers& numbers, MeteorNumbers& sums) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i != kChunks || !is_perfect(numbers)) sums[i] += numbers[i];
  }
}

}  // namespace capella::reference
