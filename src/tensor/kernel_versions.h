// The versions of the kernels, one per source file. Only kernels.cc asks for them, and only for those up to
// cpu_level().
#pragma once

#include "tensor/kernels.h"

namespace capella::tensor {

extern const Kernels kPortableKernels;
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;  // F, BW, VL, VNNI
/// Products of 8-bit matrices on AMX tiles; needs AVX-512 too, and the system's permission.
void multiply_int8_amx(const Int8Product& product);
#endif

}  // namespace capella::tensor
