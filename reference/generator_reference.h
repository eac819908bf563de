// Caption generators from their definition: single numbers, in double, one caption at a time; a word's
// probability always from the whole caption before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "method/pregen/generator.h"

namespace capella::reference {

using Vector = std::vector<double>;

struct GeneratorNetwork {
  method::pregen::Architecture architecture = method::pregen::Architecture::init;
  std::size_t size = 0;
  std::size_t vocabulary = 0;
  std::map<std::string, Vector> arrays;  ///< matrices row by row

  GeneratorNetwork(const method::pregen::Recipe& recipe, std::span<const method::pregen::NetworkArray> given);
};

/// TensorFlow's GRU: reset and update from [input, state], the candidate from [input, reset * state].
Vector gru_step(const GeneratorNetwork& network, const Vector& input, const Vector& state);

/// Logits of all words after the edge and each of the `words` (one row more than words).
std::vector<Vector> generator_logits(const GeneratorNetwork& network, std::span<const float> image,
                                     std::span<const std::int32_t> words);

Vector natural_softmax(const Vector& logits);

/// The loss of these captions as one batch, without dropout.
double generator_loss(const GeneratorNetwork& network, const method::pregen::CaptionData& data,
                      std::span<const std::uint32_t> captions, std::size_t longest, double l2);

/// All words tried after every caption of the beam.
method::pregen::GeneratedCaption beam_search(const GeneratorNetwork& network, std::span<const float> image,
                                             const method::pregen::BeamOptions& options);

}  // namespace capella::reference
