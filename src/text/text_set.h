// Tokenised captions, ready to be compared: their words and n-grams as numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/ngrams.h"
#include "text/string_column.h"
#include "text/vocabulary.h"

namespace capella::text {

/// How far captions are taken apart. Raw captions are the same for every tokenizer.
enum class Detail { captions, tokens, words, ngrams };

/// Immutable once made. A set of candidate captions extends the set of the references (`base`), so that equal
/// words and n-grams have equal numbers in both; the base must outlive it.
class TextSet {
 public:
  /// `tokens`: captions whose tokens are joined by spaces, as tokenize() returns them. What lies beyond
  /// `detail`, words or n-grams, is not there.
  explicit TextSet(StringColumn tokens, Detail detail = Detail::ngrams);
  /// Takes the captions apart as far as the base did.
  TextSet(StringColumn tokens, const TextSet* base);
  TextSet(const TextSet&) = delete;
  TextSet& operator=(const TextSet&) = delete;

  std::size_t size() const { return texts_.size(); }
  std::string_view text(std::size_t i) const { return texts_[i]; }

  /// The words as Python's str.split() cuts them; most metrics count these.
  std::span<const WordId> words(std::size_t i) const { return words_.get(i); }
  /// The pieces between single spaces, as str.split(" ") cuts them: empty ones count, U+00A0 does not cut.
  std::span<const WordId> pieces(std::size_t i) const {
    return pieces_of_[i] == kSameAsWords ? words(i) : pieces_.get(pieces_of_[i]);
  }
  NgramProfile ngrams(std::size_t i) const { return ngrams_[i]; }

  const Vocabulary& vocabulary() const { return vocabulary_; }
  const NgramIndex& ngram_index() const { return ngram_index_; }

  /// The n-gram as text, words joined by single spaces.
  std::string ngram_text(NgramId id) const;
  /// A number for the n-gram that is the same in every run and on every machine (see resource/df_table.h).
  std::uint64_t ngram_hash(NgramId id) const;

 private:
  // Rows of ids, one after the other.
  struct IdRows {
    std::vector<WordId> ids;
    std::vector<std::size_t> ends;
    std::span<const WordId> get(std::size_t row) const {
      const std::size_t begin = row == 0 ? 0 : ends[row - 1];
      return std::span(ids).subspan(begin, ends[row] - begin);
    }
  };
  static constexpr std::uint32_t kSameAsWords = 0xFFFFFFFF;

  void take_apart();
  void add_words(std::string_view text);
  void add_pieces(std::string_view text);

  Detail detail_;
  StringColumn texts_;
  Vocabulary vocabulary_;
  NgramIndex ngram_index_;
  IdRows words_;
  IdRows pieces_;  // only of the sentences whose pieces are not their words
  std::vector<std::uint32_t> pieces_of_;
  NgramTable ngrams_;
};

}  // namespace capella::text
