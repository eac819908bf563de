#include "logic/gibbs/gibbs_kernel.h"

#include "base/cpu_level.h"
#include "logic/gibbs/gibbs.h"
#include "logic/gibbs/gibbs_kernel_versions.h"

namespace capella::logic {

std::vector<const GibbsKernel*> gibbs_kernels() {
  std::vector<const GibbsKernel*> found = {&kPortableGibbs};
#if defined(__x86_64__)
  if (cpu_level() >= CpuLevel::avx2) found.push_back(&kAvx2Gibbs);
  if (cpu_level() >= CpuLevel::avx512) found.push_back(&kAvx512Gibbs);
#endif
  return found;
}

std::string_view gibbs_kernel() {
  return gibbs_kernels().back()->name;
}

}  // namespace capella::logic
