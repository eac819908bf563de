#include "tensor/kernels.h"

#include "tensor/aligned.h"
#include "tensor/kernel_versions.h"

namespace capella::tensor {
namespace {

#if defined(__x86_64__)
Kernels amx_kernels() {
  Kernels kernels = kAvx512Kernels;
  kernels.level = CpuLevel::amx;
  kernels.multiply_int8 = multiply_int8_amx;
  return kernels;
}
#endif

std::vector<const Kernels*> find_kernels() {
  std::vector<const Kernels*> found = {&kPortableKernels};
#if defined(__x86_64__)
  static const Kernels amx = amx_kernels();
  const CpuLevel level = cpu_level();
  if (level >= CpuLevel::avx2) found.push_back(&kAvx2Kernels);
  if (level >= CpuLevel::avx512 && __builtin_cpu_supports("avx512vnni")) found.push_back(&kAvx512Kernels);
  if (level >= CpuLevel::amx) found.push_back(&amx);
#endif
  return found;
}

}  // namespace

const std::vector<const Kernels*>& all_kernels() {
  static const std::vector<const Kernels*> all = find_kernels();
  return all;
}

const Kernels& kernels() {
  static const Kernels& best = *all_kernels().back();
  return best;
}

std::size_t attention_scratch(std::size_t queries, std::size_t positions, std::size_t width) {
  return round_up(queries, kLanes) * (positions + width);
}

void pack_weights(const std::int8_t* weights, std::size_t outputs, std::size_t inputs, std::int8_t* packed) {
  const std::size_t depth = round_up(inputs, kDepth);
  for (std::size_t o = 0; o < outputs; ++o) {
    std::int8_t* panel = packed + o / kLanes * kLanes * depth + o % kLanes * 4;
    for (std::size_t k = 0; k < inputs; ++k) panel[k / 4 * kLanes * 4 + k % 4] = weights[o * inputs + k];
  }
}

void pack_panels(const float* weights, std::size_t outputs, std::size_t inputs, float* packed) {
  for (std::size_t o = 0; o < outputs; ++o) {
    float* panel = packed + o / kLanes * kLanes * inputs + o % kLanes;
    for (std::size_t k = 0; k < inputs; ++k) panel[k * kLanes] = weights[o * inputs + k];
  }
}

}  // namespace capella::tensor
