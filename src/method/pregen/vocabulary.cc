#include "method/pregen/vocabulary.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "method/pregen/generator.h"

namespace capella::method::pregen {
namespace {

bool is_special(std::string_view word) {
  return word == kEdgeWord || word == kUnknownWord;
}

}  // namespace

Vocabulary::Vocabulary() : Vocabulary({std::string(kEdgeWord), std::string(kUnknownWord)}) {}

Vocabulary::Vocabulary(std::vector<std::string> words) : words_(std::move(words)) {
  constexpr std::size_t kSpecial = 2;
  if (words_.size() > std::numeric_limits<std::int32_t>::max())
    throw DataError(fmt::format("a vocabulary of {} words is too large", words_.size()));
  if (words_.size() < kSpecial || words_[kEdge] != kEdgeWord || words_[kUnknown] != kUnknownWord) {
    throw DataError(fmt::format("the vocabulary has {} words, expected {} and {} as the first", words_.size(),
                                kEdgeWord, kUnknownWord));
  }
  for (std::size_t k = kSpecial; k < words_.size(); ++k) {
    if (is_special(words_[k])) throw DataError(fmt::format("the vocabulary has '{}' twice", words_[k]));
    if (k > kSpecial && words_[k - 1] >= words_[k]) {
      throw DataError(fmt::format("the vocabulary has '{}' behind '{}', expected rising words",
                                  excerpt(words_[k]), excerpt(words_[k - 1])));
    }
    ids_.emplace(words_[k], static_cast<std::int32_t>(k));
  }
}

std::int32_t Vocabulary::id(std::string_view word) const {
  const auto found = ids_.find(word);
  return found == ids_.end() ? kUnknown : found->second;
}

Vocabulary make_vocabulary(const io::CaptionSets& sets, std::span<const std::size_t> images,
                           std::size_t least_count) {
  std::vector<std::size_t> counts(sets.words.size());
  for (const std::size_t image : images) {
    for (std::size_t k = sets.tokens[sets.captions[image]]; k < sets.tokens[sets.captions[image + 1]]; ++k)
      ++counts[sets.ids[k]];
  }
  std::vector<std::string> kept;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] > 0 && counts[k] >= least_count && !is_special(sets.words[k]))
      kept.push_back(sets.words[k]);
  }
  if (kept.empty()) {
    throw DataError(
        fmt::format("{}: no word stands {} times or more in the captions of {} training images; "
                    "give more captions or a lower --least-count",
                    sets.source, least_count, images.size()));
  }
  std::ranges::sort(kept);
  kept.insert(kept.begin(), {std::string(kEdgeWord), std::string(kUnknownWord)});
  return Vocabulary(std::move(kept));
}

}  // namespace capella::method::pregen
