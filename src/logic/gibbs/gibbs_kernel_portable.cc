// The Gibbs kernel in plain C++ (and the compiler's vectors, as wide as every machine of the kind has them).
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "logic/gibbs/gibbs_kernel_versions.h"

#define CAPELLA_NATIVE_LANES 4
#define CAPELLA_NATIVE_MAX(a, b) ((a) > (b) ? (a) : (b))
#define CAPELLA_NATIVE_MIN(a, b) ((a) < (b) ? (a) : (b))

namespace capella::logic {
namespace {

constexpr std::size_t kLanes = kGibbsLanes;

#include "tensor/lanes.inc"

// The sign bits of four lanes.
CAPELLA_INLINE unsigned signs(const NativeInts& lanes) {
#if defined(__SSE2__)
  return static_cast<unsigned>(_mm_movemask_ps(reinterpret_cast<__m128>(lanes)));
#else
  const NativeInts bits = (lanes < 0) & NativeInts{1, 2, 4, 8};
  return static_cast<unsigned>(bits[0] | bits[1] | bits[2] | bits[3]);
#endif
}

CAPELLA_INLINE LaneMask negative(const Floats& z) {
  unsigned result = 0;
  CAPELLA_EACH_PART result |= signs(reinterpret_cast<NativeInts>(z.part[at])) << (4 * at);
  return static_cast<LaneMask>(result);
}

CAPELLA_INLINE LaneMask below(const NativeInts* a, const NativeInts* b) {
  unsigned result = 0;
  CAPELLA_EACH_PART result |= signs(a[at] < b[at]) << (4 * at);
  return static_cast<LaneMask>(result);
}

CAPELLA_INLINE Floats unless_negative(const Floats& z, const Floats& a, const Floats& b) {
  Floats result;
  CAPELLA_EACH_PART {
    const NativeInts sign = reinterpret_cast<NativeInts>(z.part[at]) >> 31;
    result.part[at] = reinterpret_cast<NativeFloats>((sign & reinterpret_cast<NativeInts>(b.part[at])) |
                                                     (~sign & reinterpret_cast<NativeInts>(a.part[at])));
  }
  return result;
}

#include "logic/gibbs/gibbs_spread_masks.inc"
#include "logic/gibbs/gibbs_sweep.inc"

}  // namespace

const GibbsKernel kPortableGibbs = {"portable",       visit<Task::draw>, visit<Task::draw_and_sum>,
                                    visit<Task::sum>, count_states,      collect_draws};

}  // namespace capella::logic
