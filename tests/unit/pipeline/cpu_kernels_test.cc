// Every kernel is of the level in use. Each program of the tests runs once more under each CAPELLA_CPU.
#include <algorithm>

#include <gtest/gtest.h>

#include "base/cpu_level.h"
#include "logic/gibbs/gibbs.h"
#include "logic/learn/pseudo_likelihood_margins.h"
#include "metric/wmd_distances.h"
#include "tensor/kernels.h"

namespace capella {
namespace {

TEST(CpuLevel, ChoosesEveryKernel) {
  const std::string_view vectors = name(std::min(cpu_level(), CpuLevel::avx512));
  EXPECT_EQ(logic::gibbs_kernel(), vectors);
  EXPECT_EQ(logic::loss_kernels().back().name, vectors);
  EXPECT_EQ(metric::distance_kernels().back().name, vectors);
#if defined(__x86_64__)
  const bool vnni = __builtin_cpu_supports("avx512vnni");
#else
  const bool vnni = false;
#endif
  const CpuLevel products = vnni ? cpu_level() : std::min(cpu_level(), CpuLevel::avx2);
  EXPECT_EQ(name(tensor::kernels().level), name(products));
}

}  // namespace
}  // namespace capella
