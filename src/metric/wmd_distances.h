// Euclidean distances between the vectors of two lists of words.
//
// Vectors are 32-bit floats, distances 64-bit. All versions give the same bits: squares go to eight sums,
// element k to sum k mod 8, which are added by halves in the end; nothing is contracted.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace capella::metric {

/// How many sums there are.
inline constexpr std::size_t kDistanceSums = 8;

struct VectorList {
  std::span<const float* const> vectors;
  std::size_t width;  ///< floats of each, a multiple of kDistanceSums
};

/// out[i * stride + j] = the distance of a.vectors[i] and b.vectors[j]; both have the same width.
void find_distances(VectorList a, VectorList b, double* out, std::size_t stride);

/// One way to compute them, for one set of instructions.
struct DistanceKernel {
  std::string_view name;  ///< "portable", "avx2", "avx512"
  void (*find)(VectorList a, VectorList b, double* out, std::size_t stride);
};

/// All versions up to cpu_level(), the portable one first, the best one last.
const std::vector<DistanceKernel>& distance_kernels();

}  // namespace capella::metric
