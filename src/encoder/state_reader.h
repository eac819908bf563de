// Takes the vectors of tokens out of a batch's hidden states.
#pragma once

#include <cstddef>
#include <vector>

#include "encoder/sentence_encoder.h"

namespace capella::encoder {

/// Scales the vector to length 1; one that has no direction stays.
void bring_to_length_1(float* vector, std::size_t width);

class StateReader {
 public:
  /// For so many tokens, whose hidden states have `width` numbers.
  StateReader(const StateReading& reading, std::size_t tokens, std::size_t width);

  std::size_t first_layer() const { return first_layer_; }
  /// Numbers in a vector that read() writes.
  std::size_t width() const { return spread_ ? 3 * width_ : width_; }
  /// To be called with the states after each layer, from the first on.
  void add(std::size_t layer, const float* rows, std::size_t stride);
  /// Writes a token's vector when all layers are there.
  void read(std::size_t token, float* out) const;

 private:
  void read_spread(std::size_t token, float* out) const;
  const float* state(std::size_t token, std::size_t layer) const {
    return states_.data() + (token * layers_ + layer) * width_;
  }

  std::size_t tokens_;
  std::size_t width_;
  bool spread_;
  bool unit_;
  std::size_t layers_;
  std::size_t first_layer_;
  std::vector<float> states_;  // [tokens][layers][width]
};

}  // namespace capella::encoder
