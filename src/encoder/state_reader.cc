#include "encoder/state_reader.h"

#include <algorithm>
#include <cmath>

namespace capella::encoder {

void bring_to_length_1(float* vector, std::size_t width) {
  double square = 0.0;
  for (std::size_t i = 0; i < width; ++i)
    square += static_cast<double>(vector[i]) * static_cast<double>(vector[i]);
  if (square == 0.0) return;
  const double length = std::sqrt(square);
  for (std::size_t i = 0; i < width; ++i)
    vector[i] = static_cast<float>(static_cast<double>(vector[i]) / length);
}

StateReader::StateReader(const StateReading& reading, std::size_t tokens, std::size_t width)
    : tokens_(tokens),
      width_(width),
      spread_(reading.spread != 0),
      unit_(reading.unit),
      layers_(std::max<std::size_t>(reading.spread, 1)),
      first_layer_(reading.layer + 1 - layers_),
      states_(tokens * layers_ * width) {}

void StateReader::add(std::size_t layer, const float* rows, std::size_t stride) {
  if (layer < first_layer_ || layer >= first_layer_ + layers_) return;
  for (std::size_t t = 0; t < tokens_; ++t) {
    float* place = states_.data() + (t * layers_ + layer - first_layer_) * width_;
    std::copy_n(rows + t * stride, width_, place);
    if (spread_) bring_to_length_1(place, width_);
  }
}

void StateReader::read(std::size_t token, float* out) const {
  if (spread_)
    read_spread(token, out);
  else
    std::copy_n(state(token, 0), width_, out);
  if (unit_) bring_to_length_1(out, width());
}

void StateReader::read_spread(std::size_t token, float* out) const {
  for (std::size_t i = 0; i < width_; ++i) {
    float least = state(token, 0)[i];
    float most = least;
    double sum = 0.0;
    for (std::size_t layer = 0; layer < layers_; ++layer) {
      const float value = state(token, layer)[i];
      least = std::min(least, value);
      most = std::max(most, value);
      sum += static_cast<double>(value);
    }
    out[i] = least;
    out[width_ + i] = static_cast<float>(sum / static_cast<double>(layers_));
    out[2 * width_ + i] = most;
  }
}

}  // namespace capella::encoder
