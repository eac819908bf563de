// The mix of a sentence encoder's layers that DENEB and Polos learn: each layer's hidden states are normed by
// one mean and one variance, weighed and added, and the sentence's vector is the mix at its first token.
//
// The authors take mean and variance over all tokens of the batch, so that a caption's vector depends on its
// neighbours; statistics of the training set, kept with the network, make it depend on the caption alone.
// Both come from sums that each caption has of its own: captions that are known need no encoding again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "encoder/bert.h"
#include "encoder/weight_source.h"
#include "tensor/kernels.h"

namespace capella::encoder {

/// What the mix needs of captions: of every layer (that of the embeddings first) the sums of all tokens'
/// numbers and of their squares, and the first token's hidden state.
struct SentenceSums {
  std::size_t layers = 0;
  std::size_t width = 0;
  std::span<const double> sums;           ///< [captions][layers]
  std::span<const double> squares;        ///< [captions][layers]
  std::span<const std::uint32_t> tokens;  ///< [captions]
};
struct SentenceStates {
  std::size_t layers = 0;
  std::size_t width = 0;
  std::vector<float> first;           ///< [captions][layers][width]
  std::vector<double> sums;           ///< [captions][layers]
  std::vector<double> squares;        ///< [captions][layers]
  std::vector<std::uint32_t> tokens;  ///< [captions]

  std::size_t size() const { return tokens.size(); }
  operator SentenceSums() const { return {layers, width, sums, squares, tokens}; }
};

/// Encodes the captions and adds them to `states`. A caption's numbers depend on that caption alone.
void add_states(const tensor::Kernels& kernels, const Bert& bert, const TokenBatch& batch,
                SentenceStates& states);

/// Mean and variance of each layer.
struct MixStatistics {
  std::vector<double> mean;
  std::vector<double> variance;
};

/// Over all tokens of these captions; of a caption that is named twice, twice.
MixStatistics mix_statistics(const SentenceSums& states, std::span<const std::size_t> captions);

class ScalarMix {
 public:
  ScalarMix(std::span<const float> weights, float factor);
  /// PREFIXscalar_mix.scalar_parameters.0, .1, ... and PREFIXscalar_mix.gamma. Throws FileError.
  explicit ScalarMix(const WeightSource& source, const std::string& prefix = "");

  std::size_t layers() const { return shares_.size(); }

  /// The vector of one caption, [width].
  void mix(const SentenceStates& states, std::size_t caption, const MixStatistics& statistics,
           float* out) const;
  /// ... whose first token has these hidden states, [layers][width].
  void mix(const float* states, std::size_t width, const MixStatistics& statistics, float* out) const;

 private:
  std::vector<double> shares_;  // of the layers, times the factor
};

/// The statistics that a network keeps: PREFIXscalar_mix.mean and .variance, [layers]. Throws FileError.
MixStatistics kept_statistics(const WeightSource& source, std::size_t layers, const std::string& prefix = "");

}  // namespace capella::encoder
