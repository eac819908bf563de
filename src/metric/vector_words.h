// The words of captions as metrics of word vectors see them: those that are no stop words and have a vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "metric/metric.h"
#include "metric/settings.h"
#include "resource/word_vectors.h"
#include "tensor/aligned.h"
#include "text/text_set.h"
#include "text/vocabulary.h"

namespace capella::metric {

/// What is done to vectors.
enum class VectorNorm : std::uint8_t {
  unit,  ///< divided by their length, in 32-bit floats, as gensim does
  raw,   ///< taken as they are
};

/// The vectors of words, each looked up once. Words of a batch extend those of the references.
class VectorWords {
 public:
  static constexpr std::uint32_t kStopWord = 0xFFFFFFFE;
  static constexpr std::uint32_t kNoVector = 0xFFFFFFFF;

  /// All words of the vocabulary.
  VectorWords(const resource::WordVectors& vectors, VectorNorm norm, const text::Vocabulary& vocabulary);
  /// Only the words of these texts, whose vocabulary may be that of a whole corpus; `more` extends `texts`.
  VectorWords(const resource::WordVectors& vectors, VectorNorm norm, const text::TextSet& texts,
              const text::TextSet& more);
  /// `vocabulary` extends the one of `base`, which must outlive this.
  VectorWords(const VectorWords& base, const text::Vocabulary& vocabulary);

  std::size_t dimensions() const { return dimensions_; }
  /// How many floats a vector takes: dimensions() and zeros behind them.
  std::size_t width() const { return width_; }

  /// Where the word's vector is, or kStopWord or kNoVector.
  std::uint32_t row(text::WordId word) const {
    return word < first_ ? base_->row(word) : rows_[word - first_];
  }
  bool counts(text::WordId word) const { return row(word) < kStopWord; }
  /// Of a word that counts.
  const float* vector(text::WordId word) const {
    return word < first_ ? base_->vector(word) : values_.data() + rows_[word - first_] * width_;
  }

 private:
  static constexpr std::uint32_t kNotLookedUp = 0xFFFFFFFD;

  std::uint32_t look_up(std::string_view word);
  void look_up_all(const text::Vocabulary& vocabulary);
  void look_up_words_of(const text::TextSet& texts);
  void read_vectors();

  const resource::WordVectors& vectors_;
  VectorNorm norm_;
  const VectorWords* base_ = nullptr;
  text::WordId first_ = 0;  // words before it are those of the base
  std::size_t dimensions_;
  std::size_t width_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> numbers_;  // row by row: which vector of the file
  tensor::AlignedVector<float> values_;
};

/// What metrics of word vectors learn from the references.
class VectorState : public State {
 public:
  /// `metric` is for warnings.
  VectorState(const References& references, const resource::WordVectors& with, VectorNorm how,
              std::string_view metric);

  /// Whether these are the references that were prepared; a caller may bring others.
  bool has(const References& references) const { return prepared_from_ == &references.tokens; }

  /// The words of a batch and its references, whichever they are. Must not outlive this.
  VectorWords words_of(const Batch& batch) const;

  const resource::WordVectors& vectors;
  const VectorNorm norm;
  const VectorWords words;  ///< of the references
  const std::vector<std::string> warnings;

 private:
  const text::TextSet* prepared_from_;
};

/// The setting `vectors`; throws UsageError if it is empty.
const std::string& vectors_setting(const Settings& settings);

}  // namespace capella::metric
