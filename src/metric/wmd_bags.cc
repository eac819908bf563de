#include "metric/wmd_bags.h"

#include <algorithm>

namespace capella::metric {

std::uint32_t collect_words(std::span<const text::WordId> caption, const VectorWords& known,
                            std::vector<WmdWord>& words) {
  words.clear();
  std::uint32_t length = 0;
  for (const text::WordId id : caption) {
    if (!known.counts(id)) continue;
    ++length;
    const auto same = std::ranges::find(words, id, &WmdWord::word);
    if (same == words.end()) {
      words.push_back({id, 1});
    } else {
      ++same->count;
    }
  }
  return length;
}

WmdReferences::WmdReferences(const References& references, const VectorWords& known, ItemRange range) {
  for (std::size_t item = 0; item < references.items(); ++item) {
    const bool wanted = range.begin <= item && item < range.end;
    for (std::size_t r = references.begin(item); r < references.end(item); ++r) {
      add_reference(wanted ? references.tokens.pieces(r) : std::span<const text::WordId>(), known);
    }
    item_words_.ends.push_back(item_words_.values.size());
  }
}

void WmdReferences::add_reference(std::span<const text::WordId> caption, const VectorWords& known) {
  lengths_.push_back(collect_words(caption, known, scratch_));
  auto& words = item_words_.values;
  const std::size_t begin = item_words_.ends.empty() ? 0 : item_words_.ends.back();
  for (const WmdWord& word : scratch_) {
    const auto first = words.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto place = static_cast<std::size_t>(std::find(first, words.end(), word.word) - first);
    if (begin + place == words.size()) words.push_back(word.word);
    bags_.values.push_back({static_cast<std::uint32_t>(place), word.count});
  }
  bags_.ends.push_back(bags_.values.size());
}

}  // namespace capella::metric
