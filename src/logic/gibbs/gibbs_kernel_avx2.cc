// The Gibbs kernel for AVX2: two registers are the sixteen lanes, and masks are spread out to all bits of a
// lane.
#if defined(__x86_64__)
#include <immintrin.h>

#include "logic/gibbs/gibbs_kernel_versions.h"
#include "tensor/target_region.h"

#define CAPELLA_NATIVE_LANES 8
#define CAPELLA_NATIVE_MAX(a, b) _mm256_max_ps(a, b)
#define CAPELLA_NATIVE_MIN(a, b) _mm256_min_ps(a, b)

namespace capella::logic {
CAPELLA_TARGET("avx2")
namespace {

constexpr std::size_t kLanes = kGibbsLanes;

#include "tensor/lanes.inc"

CAPELLA_INLINE LaneMask join(const NativeFloats& left, const NativeFloats& right) {
  const int bits = _mm256_movemask_ps(left) | (_mm256_movemask_ps(right) << 8);
  return static_cast<LaneMask>(bits);
}

CAPELLA_INLINE LaneMask negative(const Floats& z) {
  return join(z.part[0], z.part[1]);
}

CAPELLA_INLINE LaneMask below(const NativeInts* a, const NativeInts* b) {
  return join(reinterpret_cast<NativeFloats>(a[0] < b[0]), reinterpret_cast<NativeFloats>(a[1] < b[1]));
}

CAPELLA_INLINE Floats unless_negative(const Floats& z, const Floats& a, const Floats& b) {
  return {_mm256_blendv_ps(a.part[0], b.part[0], z.part[0]),
          _mm256_blendv_ps(a.part[1], b.part[1], z.part[1])};
}

#include "logic/gibbs/gibbs_spread_masks.inc"
#include "logic/gibbs/gibbs_sweep.inc"

}  // namespace
CAPELLA_TARGET_END

const GibbsKernel kAvx2Gibbs = {"avx2",           visit<Task::draw>, visit<Task::draw_and_sum>,
                                visit<Task::sum>, count_states,      collect_draws};

}  // namespace capella::logic
#endif
