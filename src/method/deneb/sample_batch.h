// Vectors of some samples, gathered from tables and mixed, as heads on the CPU want them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "encoder/head_samples.h"
#include "encoder/scalar_mix.h"
#include "method/deneb/trainer.h"

namespace capella::method::deneb {

/// Whether vectors of sentences are mixed from several layers.
bool mixes_layers(const Recipe& recipe);

/// Throws DataError if tables or samples do not fit the recipe.
void check_samples(const Recipe& recipe, const Features& features, const Samples& samples);

/// Rows of one width, one behind the other.
class RowList {
 public:
  explicit RowList(std::size_t width) : width_(width) {}

  float* next() {
    values_.resize(values_.size() + width_);
    return values_.data() + values_.size() - width_;
  }
  /// Null for rows of no width.
  const float* data() const { return width_ == 0 ? nullptr : values_.data(); }

 private:
  std::size_t width_;
  std::vector<float> values_;
};

/// How the layers of sentences become one vector.
struct LayerMix {
  const encoder::ScalarMix* mix = nullptr;       ///< null: there is one layer only
  const encoder::MixStatistics* kept = nullptr;  ///< null: statistics of the batch are taken
};

class SampleBatch {
 public:
  /// Samples [begin, end), which are one batch.
  SampleBatch(const Recipe& recipe, const Features& features, const Samples& samples, std::size_t begin,
              std::size_t end, const LayerMix& mix);

  /// Seen as long as the batch lives.
  encoder::HeadSamples samples() const;

 private:
  // Candidates and references, by one encoder.
  struct Texts {
    explicit Texts(std::size_t width) : candidates(width), references(width) {}
    RowList candidates;
    RowList references;
  };

  void gather_sentences(const Features& features, const Samples& samples, std::size_t begin,
                        const LayerMix& mix);
  // Calls take(caption, place, is candidate) for every caption of the batch: the i-th references of all
  // samples have the place i, from 1 on, the candidates the place 0.
  template <class Take>
  void for_each_caption(const Samples& samples, std::size_t begin, const Take& take) const;
  std::vector<encoder::MixStatistics> place_statistics(const Features& features, const Samples& samples,
                                                       std::size_t begin) const;

  const Recipe& recipe_;
  std::vector<std::size_t> counts_;  // of each sample's references that count
  std::vector<std::size_t> ends_;
  Texts clip_;
  Texts sentence_;
  RowList images_;
};

}  // namespace capella::method::deneb
