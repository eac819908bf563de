// Captions as bags of words, as Word Mover's Distance compares them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "metric/metric.h"
#include "metric/vector_words.h"

namespace capella::metric {

/// A word of a caption and how often it comes.
struct WmdWord {
  std::uint32_t word;  ///< its id, or its place in a list of words
  std::uint32_t count;
};

/// A caption as the words that count, each once.
struct WmdBag {
  std::span<const WmdWord> words;
  std::uint32_t length;  ///< the sum of counts

  bool empty() const { return length == 0; }
};

/// The caption's words that count, in the order in which they first come; `words` is cleared before. Returns
/// the sum of counts.
std::uint32_t collect_words(std::span<const text::WordId> caption, const VectorWords& known,
                            std::vector<WmdWord>& words);

/// References as bags. Those of one item share a list of words, so that distances to a word which comes in
/// several of them are taken once.
class WmdReferences {
 public:
  /// References of items outside `range` stay without words.
  WmdReferences(const References& references, const VectorWords& known, ItemRange range);

  /// The distinct words of an item's references.
  std::span<const text::WordId> words(std::size_t item) const { return item_words_.get(item); }
  /// A bag whose words are places in words(item).
  WmdBag bag(std::size_t reference) const { return {bags_.get(reference), lengths_[reference]}; }

 private:
  template <class T>
  struct Rows {
    std::vector<T> values;
    std::vector<std::size_t> ends;
    std::span<const T> get(std::size_t row) const {
      const std::size_t begin = row == 0 ? 0 : ends[row - 1];
      return std::span(values).subspan(begin, ends[row] - begin);
    }
  };

  void add_reference(std::span<const text::WordId> caption, const VectorWords& known);

  Rows<text::WordId> item_words_;
  Rows<WmdWord> bags_;
  std::vector<std::uint32_t> lengths_;
  std::vector<WmdWord> scratch_;
};

}  // namespace capella::metric
