// Scores the captions of a batch by Word Mover's Distance, with either solver.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "metric/metric.h"
#include "metric/vector_words.h"
#include "metric/wmd_bags.h"
#include "metric/wmd_comparison.h"
#include "metric/wmd_gensim3.h"

namespace capella::metric {

enum class WmdSolver : std::uint8_t { exact, gensim3 };

/// References and the vectors of their words.
class WmdPrepared final : public VectorState {
 public:
  WmdPrepared(const References& references, const resource::WordVectors& with, VectorNorm how,
              ItemRange range)
      : VectorState(references, with, how, "wmd"), bags(references, words, range) {}

  const WmdReferences bags;
};

/// Captions are taken one after the other.
class WmdScorer {
 public:
  WmdScorer(const Batch& batch, const WmdPrepared& prepared, WmdSolver solver);

  /// The distance of caption k to the nearest of its references.
  double nearest(std::size_t k);

  /// Of caption k to each of its references.
  std::vector<double> distances(std::size_t k);
  /// Whether caption k and one of its references, at least, have words that count.
  bool has_words(std::size_t k);
  /// What moves between caption k and a reference of its item, by exact transport whichever the solver.
  std::vector<WmdMove> moves(std::size_t k, std::size_t reference);

  const VectorWords& words() const { return words_; }
  /// The word that stands for `from` of a move of caption k.
  text::WordId caption_word(const WmdMove& move) const { return comparer_.caption().words[move.from].word; }
  text::WordId reference_word(std::size_t k, const WmdMove& move) const {
    return bags_.words(batch_.items[k])[move.to];
  }

 private:
  void set_caption(std::size_t k);
  double distance(std::size_t k, std::size_t reference);

  const Batch& batch_;
  WmdSolver solver_;
  VectorWords words_;
  std::optional<WmdReferences> own_;  // when the references are not the prepared ones
  const WmdReferences& bags_;
  WmdComparer comparer_;
  Gensim3Distance gensim3_;
  std::vector<WmdWord> reference_;  // by ids
};

}  // namespace capella::metric
