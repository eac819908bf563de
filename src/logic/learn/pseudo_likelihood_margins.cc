// With e = exp(-|u|): ln(1 + e^-u) = ln(1 + e) + max(-u, 0), and ln(1 + e) = 2 artanh(e / (2 + e)), whose
// argument is at most 1/3, so that a short series in its square is exact. exp(-|u|) = 2^-k exp(r), |r| <=
// ln(2)/2. Only additions, multiplications and divisions: every machine gives the same bits.
#include "logic/learn/pseudo_likelihood_margins.h"

#include <cstdint>

#include "base/cpu_level.h"
#include "tensor/target_region.h"

namespace capella::logic {
namespace {

constexpr double kLargest = 708;  // e^-708 is still a normal number
constexpr double kLog2e = 1.4426950408889634;
constexpr double kLn2High = 6.93147180369123816490e-01;  // its last bits are 0: products with k are exact
constexpr double kLn2Low = 1.90821492927058770002e-10;
constexpr double kRound = 6755399441055744;  // 1.5 x 2^52: adding it leaves a whole number in the last bits

constexpr double kExp[] = {
    1. / 6227020800, 1. / 479001600, 1. / 39916800, 1. / 3628800, 1. / 362880, 1. / 40320, 1. / 5040,
    1. / 720,        1. / 120,       1. / 24,       1. / 6,       .5,          1,          1};
constexpr double kArtanh[] = {1. / 33, 1. / 31, 1. / 29, 1. / 27, 1. / 25, 1. / 23, 1. / 21, 1. / 19, 1. / 17,
                              1. / 15, 1. / 13, 1. / 11, 1. / 9,  1. / 7,  1. / 5,  1. / 3,  1};

namespace portable {
#define CAPELLA_NATIVE 2
#include "logic/learn/pseudo_likelihood_margins.inc"
#undef CAPELLA_NATIVE
}  // namespace portable

#if defined(__x86_64__)
CAPELLA_TARGET("avx2")
namespace avx2 {
#define CAPELLA_NATIVE 4
#include "logic/learn/pseudo_likelihood_margins.inc"
#undef CAPELLA_NATIVE
}  // namespace avx2
CAPELLA_TARGET_END

CAPELLA_TARGET("avx512f")
namespace avx512 {
#define CAPELLA_NATIVE 8
#include "logic/learn/pseudo_likelihood_margins.inc"
#undef CAPELLA_NATIVE
}  // namespace avx512
CAPELLA_TARGET_END
#endif

std::vector<LossKernel> kernels_here() {
  std::vector<LossKernel> kernels = {{"portable", portable::find}};
#if defined(__x86_64__)
  if (cpu_level() >= CpuLevel::avx2) kernels.push_back({"avx2", avx2::find});
  if (cpu_level() >= CpuLevel::avx512) kernels.push_back({"avx512", avx512::find});
#endif
  return kernels;
}

}  // namespace

const std::vector<LossKernel>& loss_kernels() {
  static const std::vector<LossKernel> kernels = kernels_here();
  return kernels;
}

void logistic_losses(const double* margins, std::size_t count, double* losses, double* shortfalls) {
  static const auto find = loss_kernels().back().find;
  find(margins, count, losses, shortfalls);
}

}  // namespace capella::logic
