// N-grams as small numbers, and how often each stands in a sentence.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "text/id_table.h"
#include "text/vocabulary.h"

namespace capella::text {

inline constexpr std::size_t kMaxOrder = 4;

using NgramId = std::uint32_t;

/// Gives each distinct n-gram a number: an n-gram is its first n - 1 words (an n-gram again) and one more
/// word. So the numbers are exact, never a hash. May extend a finished index, as a Vocabulary may.
class NgramIndex {
 public:
  static constexpr NgramId kEmpty = IdTable::kNone;  ///< the n-gram of no words

  explicit NgramIndex(const NgramIndex* base = nullptr) : base_(base), first_(base ? base->size() : 0) {}

  NgramId size() const { return first_ + static_cast<NgramId>(keys_.size()); }
  void reserve(std::size_t ngrams) { ids_.reserve(ngrams); }

  /// Lengthens every prefixes[i], an n-gram or kEmpty, by words[i].
  void intern(std::span<NgramId> prefixes, std::span<const WordId> words);

  /// The words of an n-gram, first to last.
  std::vector<WordId> words(NgramId id) const;

 private:
  void prefetch(std::uint64_t key) const;
  NgramId find(std::uint64_t key) const;
  NgramId intern(std::uint64_t key);
  std::uint64_t key(NgramId id) const { return id < first_ ? base_->key(id) : keys_[id - first_]; }

  const NgramIndex* base_;
  NgramId first_;
  std::vector<std::uint64_t> keys_;  // prefix << 32 | word
  IdTable ids_;
};

struct NgramCount {
  NgramId id;
  std::uint32_t count;
};

/// The distinct n-grams of one sentence with their counts, order by order, each order by first occurrence
/// (the order in which the reference programs add, which decides the last bits of their sums).
class NgramProfile {
 public:
  NgramProfile(const NgramCount* all, const std::uint32_t* ends) : all_(all), ends_(ends) {}

  /// The n-grams of order n = 1 ... kMaxOrder.
  std::span<const NgramCount> order(std::size_t n) const {
    const std::uint32_t begin = n == 1 ? 0 : ends_[n - 2];
    return {all_ + begin, ends_[n - 1] - begin};
  }
  std::span<const NgramCount> all() const { return {all_, ends_[kMaxOrder - 1]}; }

 private:
  const NgramCount* all_;
  const std::uint32_t* ends_;
};

/// The profiles of many sentences.
class NgramTable {
 public:
  void reserve(std::size_t sentences, std::size_t ngrams);
  void add(std::span<const WordId> words, NgramIndex& index);
  std::size_t size() const { return begins_.size(); }
  NgramProfile operator[](std::size_t sentence) const {
    return {counts_.data() + begins_[sentence], ends_[sentence].data()};
  }

 private:
  void count_few(std::span<const NgramId> ids);
  void count_many(std::span<const NgramId> ids);

  std::vector<NgramCount> counts_;
  std::vector<std::size_t> begins_;
  std::vector<std::array<std::uint32_t, kMaxOrder>> ends_;  // relative to the sentence's begin
  std::vector<NgramId> scratch_;
};

}  // namespace capella::text
