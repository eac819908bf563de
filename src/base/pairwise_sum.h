// Pairwise summation in the order numpy uses, so that means over images agree with numpy's to the last bit.
//
// Fewer than 8 numbers are added left to right; up to 128 in eight lanes that are joined at the end; more are
// halved (at a multiple of 8) and the halves summed. The order depends on the count alone, never on threads.
#pragma once

#include <cstddef>

namespace capella {

/// Sum of values[0], values[stride], values[2 * stride], ... (`count` of them).
template <class T>
T pairwise_sum(const T* values, std::size_t count, std::size_t stride = 1) {
  if (count < 8) {
    T sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += values[i * stride];
    return sum;
  }
  if (count <= 128) {
    T lane[8];
    for (std::size_t k = 0; k < 8; ++k) lane[k] = values[k * stride];
    std::size_t i = 8;
    for (; i + 8 <= count; i += 8) {
      for (std::size_t k = 0; k < 8; ++k) lane[k] += values[(i + k) * stride];
    }
    T sum = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
    for (; i < count; ++i) sum += values[i * stride];
    return sum;
  }
  const std::size_t half = count / 2 - count / 2 % 8;
  return pairwise_sum(values, half, stride) + pairwise_sum(values + half * stride, count - half, stride);
}

}  // namespace capella
