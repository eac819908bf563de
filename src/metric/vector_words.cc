#include "metric/vector_words.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "base/pairwise_sum.h"
#include "tensor/kernels.h"
#include "text/stop_words.h"

namespace capella::metric {
namespace {

constexpr double kManyMissing = 0.1;  // of the references' words, stop words aside

// As numpy computes vector / sqrt((vector ** 2).sum()) on 32-bit floats. A vector of zeros stays.
void normalize(std::span<float> vector, std::vector<float>& scratch) {
  scratch.resize(vector.size());
  std::ranges::transform(vector, scratch.begin(), [](float x) { return x * x; });
  const float norm = std::sqrt(pairwise_sum(scratch.data(), scratch.size()));
  if (norm == 0.0f) return;
  for (float& x : vector) x /= norm;
}

// What to tell if many words of the references, counted as often as they come, have no vector; empty if not.
std::vector<std::string> warn_of_missing_vectors(const References& references, const VectorWords& words,
                                                 const resource::WordVectors& vectors,
                                                 std::string_view metric) {
  const text::Vocabulary& vocabulary = references.tokens.vocabulary();
  std::vector<std::uint8_t> told(vocabulary.size(), 0);
  std::vector<std::string_view> examples;
  std::size_t all = 0, missing = 0;
  for (std::size_t r = 0; r < references.tokens.size(); ++r) {
    for (const text::WordId id : references.tokens.pieces(r)) {
      if (words.row(id) == VectorWords::kStopWord || vocabulary.word(id).empty()) continue;
      ++all;
      if (words.counts(id)) continue;
      ++missing;
      if (!told[id]) examples.push_back(vocabulary.word(id));
      told[id] = 1;
    }
  }
  if (static_cast<double>(missing) <= kManyMissing * static_cast<double>(all)) return {};
  return {
      fmt::format("{}: {} of the references' {} words, stop words aside, have no vector in {} and do not "
                  "count: {}",
                  metric, missing, all, vectors.description(), list_names(examples))};
}

}  // namespace

VectorWords::VectorWords(const resource::WordVectors& vectors, VectorNorm norm,
                         const text::Vocabulary& vocabulary)
    : vectors_(vectors),
      norm_(norm),
      dimensions_(vectors.dimensions()),
      width_(tensor::round_up(dimensions_, tensor::kLanes)) {
  look_up_all(vocabulary);
  read_vectors();
}

VectorWords::VectorWords(const resource::WordVectors& vectors, VectorNorm norm, const text::TextSet& texts,
                         const text::TextSet& more)
    : vectors_(vectors),
      norm_(norm),
      dimensions_(vectors.dimensions()),
      width_(tensor::round_up(dimensions_, tensor::kLanes)) {
  rows_.assign(more.vocabulary().size(), kNotLookedUp);
  look_up_words_of(texts);
  look_up_words_of(more);
  read_vectors();
}

VectorWords::VectorWords(const VectorWords& base, const text::Vocabulary& vocabulary)
    : vectors_(base.vectors_),
      norm_(base.norm_),
      base_(&base),
      first_(base.first_ + static_cast<text::WordId>(base.rows_.size())),
      dimensions_(base.dimensions_),
      width_(base.width_) {
  look_up_all(vocabulary);
  read_vectors();
}

// Returns the row that the word's vector will have.
std::uint32_t VectorWords::look_up(std::string_view word) {
  if (text::is_stop_word(word)) return kStopWord;
  const std::uint32_t number = word.empty() ? resource::WordVectors::kNone : vectors_.find(word);
  if (number == resource::WordVectors::kNone) return kNoVector;
  numbers_.push_back(number);
  return static_cast<std::uint32_t>(numbers_.size() - 1);
}

void VectorWords::look_up_all(const text::Vocabulary& vocabulary) {
  rows_.reserve(vocabulary.size() - first_);
  for (text::WordId id = first_; id < vocabulary.size(); ++id) rows_.push_back(look_up(vocabulary.word(id)));
}

void VectorWords::look_up_words_of(const text::TextSet& texts) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (const text::WordId id : texts.pieces(i)) {
      if (rows_[id] == kNotLookedUp) rows_[id] = look_up(texts.vocabulary().word(id));
    }
  }
}

void VectorWords::read_vectors() {
  values_.resize(numbers_.size() * width_);
  std::vector<float> scratch;
  for (std::size_t row = 0; row < numbers_.size(); ++row) {
    const std::span vector(values_.data() + row * width_, dimensions_);
    vectors_.read(numbers_[row], vector);
    if (norm_ == VectorNorm::unit) normalize(vector, scratch);
  }
}

VectorState::VectorState(const References& references, const resource::WordVectors& with, VectorNorm how,
                         std::string_view metric)
    : vectors(with),
      norm(how),
      words(with, how, references.tokens.vocabulary()),
      warnings(warn_of_missing_vectors(references, words, with, metric)),
      prepared_from_(&references.tokens) {}

VectorWords VectorState::words_of(const Batch& batch) const {
  if (has(batch.references)) return VectorWords(words, batch.tokens.vocabulary());
  return VectorWords(vectors, norm, batch.references.tokens, batch.tokens);
}

const std::string& vectors_setting(const Settings& settings) {
  const std::string& which = settings.text("vectors");
  if (which.empty()) {
    throw UsageError(settings.metric() + ".vectors: found '', expected captions or the path of a file");
  }
  return which;
}

}  // namespace capella::metric
