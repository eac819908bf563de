// The distance that MoverScore is made of: exact transport between the tokens of two texts.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "encoder/sentence_encoder.h"
#include "metric/token_vectors.h"
#include "metric/transport.h"

namespace capella::metric {

/// Which tokens count, and what is between two of them.
struct MoverOptions {
  bool squared = false;        ///< squared distances, as version 1 has them
  bool drops_subwords = true;  ///< pieces that begin inside a word
};

class MoverDistance {
 public:
  MoverDistance(const TokenState& state, const MoverOptions& options) : state_(state), options_(options) {}

  /// What moves: `amount` of the caption's whole from a token of the caption to one of the reference.
  struct Move {
    std::size_t from;
    std::size_t to;
    double amount;
    double distance;
  };

  /// Nothing if one of the texts has no token that counts.
  std::optional<double> find(const encoder::EncodedText& caption, const encoder::EncodedText& reference);
  /// Of the last distance that was found.
  std::vector<Move> moves() const;

 private:
  // The tokens of a text that count, and how much.
  struct Side {
    std::vector<std::size_t> tokens;
    std::vector<double> weights;
  };
  Side read(const encoder::EncodedText& text) const;
  bool counts(std::int32_t token) const;

  const TokenState& state_;
  MoverOptions options_;
  Transport<double> transport_;
  Side caption_;
  Side reference_;
  std::vector<double> costs_;  // [caption_][reference_]
  double whole_ = 1.0;         // what the amounts of the solver add up to
};

}  // namespace capella::metric
