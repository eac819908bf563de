// The versions of the kernel, one per source file. Only gibbs_kernel.cc asks for them, after it has asked the
// machine what it can do.
#pragma once

#include "logic/gibbs/gibbs_kernel.h"

namespace capella::logic {

alignas(64) inline constexpr std::int32_t kLaneBits[kGibbsLanes] = {
    1 << 0, 1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
    1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};

extern const GibbsKernel kPortableGibbs;
#if defined(__x86_64__)
extern const GibbsKernel kAvx2Gibbs;
extern const GibbsKernel kAvx512Gibbs;  // F, BW, DQ, VL
#endif

}  // namespace capella::logic
