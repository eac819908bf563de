#include "metric/wmd_distances.h"

#include <cmath>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/cpu_level.h"
#include "tensor/target_region.h"

namespace capella::metric {
namespace {

constexpr std::size_t kSums = kDistanceSums;

inline double distance_of(const double (&sum)[kSums]) {
  return std::sqrt(((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7])));
}

namespace portable {
#define CAPELLA_NATIVE 2
#define CAPELLA_WIDEN(from) (Doubles{(from)[0], (from)[1]})
constexpr std::size_t kLeft = 1;
constexpr std::size_t kRight = 2;
#include "metric/wmd_distances.inc"
#undef CAPELLA_NATIVE
#undef CAPELLA_WIDEN
}  // namespace portable

#if defined(__x86_64__)
CAPELLA_TARGET("avx2")
namespace avx2 {
#define CAPELLA_NATIVE 4
#define CAPELLA_WIDEN(from) _mm256_cvtps_pd(_mm_loadu_ps(from))
constexpr std::size_t kLeft = 2;
constexpr std::size_t kRight = 2;
#include "metric/wmd_distances.inc"
#undef CAPELLA_NATIVE
#undef CAPELLA_WIDEN
}  // namespace avx2
CAPELLA_TARGET_END

CAPELLA_TARGET("avx512f")
namespace avx512 {
#define CAPELLA_NATIVE 8
#define CAPELLA_WIDEN(from) _mm512_maskz_cvtps_pd(0xFF, _mm256_loadu_ps(from))
constexpr std::size_t kLeft = 4;
constexpr std::size_t kRight = 4;
#include "metric/wmd_distances.inc"
#undef CAPELLA_NATIVE
#undef CAPELLA_WIDEN
}  // namespace avx512
CAPELLA_TARGET_END
#endif

std::vector<DistanceKernel> kernels_here() {
  std::vector<DistanceKernel> kernels = {{"portable", portable::find}};
#if defined(__x86_64__)
  if (cpu_level() >= CpuLevel::avx2) kernels.push_back({"avx2", avx2::find});
  if (cpu_level() >= CpuLevel::avx512) kernels.push_back({"avx512", avx512::find});
#endif
  return kernels;
}

}  // namespace

const std::vector<DistanceKernel>& distance_kernels() {
  static const std::vector<DistanceKernel> kernels = kernels_here();
  return kernels;
}

void find_distances(VectorList a, VectorList b, double* out, std::size_t stride) {
  static const auto find = distance_kernels().back().find;
  if (!a.vectors.empty() && !b.vectors.empty()) find(a, b, out, stride);
}

}  // namespace capella::metric
