// Captions scored by DENEB as released, from pictures and ids of tokens to the score, by the networks of
// drawn_models.h.
#pragma once

#include <cstdint>

#include <torch/torch.h>

#include "torch/bench/drawn_models.h"
#include "torch/encoder/batches.h"

namespace capella::bench {

using plugin::encoder::Layout;
using plugin::encoder::Part;
using plugin::encoder::TokenBatch;
using torch::Tensor;

inline constexpr std::int64_t kReferences = 5;
inline constexpr std::int64_t kCaptions = 1 + kReferences;

/// How many samples there are, and how many are scored in one go.
struct Amount {
  std::int64_t samples;
  std::int64_t together;
};

/// Captions as ids, with the tokens at both ends. Those of a sample stand one behind the other, the candidate
/// first.
struct Captions {
  TokenBatch clip;
  TokenBatch roberta;
};
/// Of 14 words; with `spread`, 10 to 18.
Captions drawn_captions(std::int64_t count, bool spread, std::uint32_t seed);

/// Pictures as bytes, [pictures][224][224][3], in memory that a GPU reads by itself.
Tensor drawn_pictures(std::int64_t count, torch::Device device);

/// Captions for one encoder, which must be few enough for one part.
Part text_part(const Models& models, const TokenBatch& clip);
Part sentence_part(const Models& models, const TokenBatch& roberta);

/// Vectors of a part's captions, in the order of its sequences: [captions][512] and, mixed, [captions][768].
Tensor text_features(const Models& models, const Part& part);
Tensor sentence_features(const Models& models, const Part& part);

/// Where the batch's sequences are in a part.
Tensor places_in(const Part& part, torch::Device device);

/// Vectors of pictures, [count][512]. If there are fewer than `count`, they are shown again.
Tensor image_features(const Models& models, const Tensor& pictures, std::int64_t count, const Layout& layout);

/// Vectors of captions by both encoders, and the scores of samples made of them.
struct Encoded {
  Tensor clip;       ///< [captions][512]
  Tensor sentences;  ///< [captions][768]
};
Tensor head_scores(const Models& models, const Encoded& captions, const Tensor& images);

/// How far a score may be from that of another way to compute it.
double tolerance(const Models& models);

/// The scores of all samples, on the CPU. Everything is encoded.
Tensor score_cold(const Amount& amount, const Models& models, const Captions& captions,
                  const Tensor& pictures);

/// What is known of all samples but the candidates.
struct Known {
  Tensor clip;       ///< [samples][references][512]
  Tensor sentences;  ///< [samples][references][768]
  Tensor images;     ///< [samples][512]
};
Known drawn_knowledge(std::int64_t samples, const Models& models);

/// Likewise; `captions` are candidates alone.
Tensor score_cached(const Amount& amount, const Models& models, const Captions& captions, const Known& known);

}  // namespace capella::bench
