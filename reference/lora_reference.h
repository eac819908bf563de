// A matrix with a low-rank update, from its definition: W + s B A, one number at a time in 64 bits.
#pragma once

#include <cstddef>
#include <vector>

namespace capella::reference {

struct LowRankUpdate {
  std::size_t rank = 0;
  double scale = 1;
  std::vector<float> first;   ///< A, [rank][columns]
  std::vector<float> second;  ///< B, [rows][rank]
};

/// `matrix` is [rows][columns].
std::vector<double> lora_reference(const std::vector<float>& matrix, const LowRankUpdate& update);

}  // namespace capella::reference
