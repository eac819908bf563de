// The networks of method/deneb/trainer.h: their arrays, how these start, and the way from vectors to a score.
// Names, shapes and the order of all parts are those of the authors' program, where it has them.
#pragma once

#include <cstdint>
#include <vector>

#include "method/deneb/trainer.h"
#include "torch/dropout.h"
#include "torch/weights.h"

namespace capella::plugin::deneb {

using method::deneb::Architecture;
using method::deneb::Joiner;
using method::deneb::kCosineGain;
using method::deneb::Recipe;
using method::deneb::References;
using method::deneb::TokenKind;
using torch::Tensor;

/// The arrays that are learnt, as they are before training.
std::vector<NamedWeight> first_weights(const Recipe& recipe, std::uint64_t seed);

/// The vectors of one encoder for a batch of samples.
struct Vectors {
  Tensor candidate;   ///< [samples][width]; undefined if there is no such encoder
  Tensor references;  ///< [samples][references][width]
  Tensor image;       ///< [samples][width]; undefined without
};

struct Inputs {
  Vectors clip;
  Vectors sentence;
  Tensor valid;  ///< [samples][references], which references are there; undefined: all
};

/// The scores, [samples].
Tensor scores(const Recipe& recipe, const Weights& weights, const Inputs& inputs, Dropout& dropout);

}  // namespace capella::plugin::deneb
