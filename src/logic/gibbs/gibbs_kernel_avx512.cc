// The Gibbs kernel for AVX-512: the lanes' masks are mask registers.
#if defined(__x86_64__)
#include <immintrin.h>

#include "logic/gibbs/gibbs_kernel_versions.h"
#include "tensor/target_region.h"

#define CAPELLA_NATIVE_LANES 16
#define CAPELLA_NATIVE_MAX(a, b) _mm512_maskz_max_ps(0xFFFF, a, b)
#define CAPELLA_NATIVE_MIN(a, b) _mm512_maskz_min_ps(0xFFFF, a, b)

namespace capella::logic {
CAPELLA_TARGET("avx512f,avx512bw,avx512dq,avx512vl")
namespace {

constexpr std::size_t kLanes = kGibbsLanes;

#include "tensor/lanes.inc"

CAPELLA_INLINE Floats add_where(const Floats& z, LaneMask where, float weight) {
  return {_mm512_mask_add_ps(z.part[0], where, z.part[0], _mm512_set1_ps(weight))};
}

CAPELLA_INLINE LaneMask negative(const Floats& z) {
  return _mm512_movepi32_mask(_mm512_castps_si512(z.part[0]));
}

CAPELLA_INLINE Floats unless_negative(const Floats& z, const Floats& a, const Floats& b) {
  return {_mm512_mask_mov_ps(a.part[0], negative(z), b.part[0])};
}

CAPELLA_INLINE LaneMask below(const NativeInts* a, const NativeInts* b) {
  return _mm512_cmplt_epi32_mask(reinterpret_cast<__m512i>(*a), reinterpret_cast<__m512i>(*b));
}

#include "logic/gibbs/gibbs_sweep.inc"

}  // namespace
CAPELLA_TARGET_END

const GibbsKernel kAvx512Gibbs = {"avx512",         visit<Task::draw>, visit<Task::draw_and_sum>,
                                  visit<Task::sum>, count_states,      collect_draws};

}  // namespace capella::logic
#endif
