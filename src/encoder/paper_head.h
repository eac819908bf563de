// DENEB's head as its paper has it, on the CPU: one sequence for all. Each product and each difference of the
// candidate's vector and another is a token by itself, projected, plus a learnt vector for what kind it is; a
// transformer reads them at a token of its own, and what it says goes to ScoreLayers.
//
// The paper leaves open what makes tokens differ. Kinds instead of places make the score independent of the
// references' order, but for rounding.
#pragma once

#include <cstddef>

#include "encoder/head_samples.h"
#include "encoder/score_layers.h"
#include "encoder/sim_vec_head.h"
#include "encoder/token_joiner.h"

namespace capella::encoder {

class PaperHead {
 public:
  static constexpr std::size_t kKinds = 6;

  /// Throws FileError that names an array which is missing or has another shape.
  PaperHead(const WeightSource& source, const SimVecShape& shape);

  /// One score in [0, 1] per sample, which depends on that sample alone. Throws UsageError; see
  /// check_samples.
  void scores(const tensor::Kernels& kernels, const HeadSamples& samples, float* out) const;

 private:
  class Tokens;

  // To work.hidden: the sequences of samples [begin, end). Returns where they end.
  std::vector<std::size_t> write_sequences(const tensor::Kernels& kernels, const HeadSamples& samples,
                                           std::size_t begin, std::size_t end, Workspace& work) const;

  SimVecShape shape_;
  tensor::FloatLinear clip_;
  tensor::FloatLinear sentence_;
  std::vector<float> kinds_;  // [kKinds][width]
  TokenJoiner joiner_;
  ScoreLayers last_;
};

}  // namespace capella::encoder
