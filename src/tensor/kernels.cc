#include "tensor/kernels.h"

#include <cassert>
#include <optional>

#include "tensor/aligned.h"
#include "tensor/kernel_versions.h"

#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace capella::tensor {
namespace {

#if defined(__x86_64__)
bool has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni");
}
#endif

#if defined(__x86_64__) && defined(__linux__)
// Tiles are large registers: Linux saves them only for programs that ask.
bool allowed_tiles() {
  constexpr long kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr long kTileData = 18;               // XFEATURE_XTILEDATA
  return ::syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

bool has_amx() {
  constexpr unsigned kTile = 1u << 24;
  constexpr unsigned kInt8 = 1u << 25;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!has_avx512() || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
  return (d & kTile) && (d & kInt8) && allowed_tiles();
}
#else
bool has_amx() {
  return false;
}
#endif

std::optional<Kernels> find(InstructionSet set) {
  if (set == InstructionSet::kPortable) return kPortableKernels;
#if defined(__x86_64__)
  if (set == InstructionSet::kAvx2 && has_avx2()) return kAvx2Kernels;
  if (set == InstructionSet::kAvx512 && has_avx512()) return kAvx512Kernels;
  if (set == InstructionSet::kAmx && has_amx()) {
    Kernels amx = kAvx512Kernels;
    amx.set = InstructionSet::kAmx;
    amx.multiply_int8 = multiply_int8_amx;
    return amx;
  }
#endif
  return std::nullopt;
}

constexpr InstructionSet kSets[] = {InstructionSet::kPortable, InstructionSet::kAvx2, InstructionSet::kAvx512,
                                    InstructionSet::kAmx};

}  // namespace

std::string_view name(InstructionSet set) {
  constexpr std::string_view kNames[] = {"portable", "avx2", "avx512", "amx"};
  return kNames[static_cast<std::size_t>(set)];
}

const Kernels* kernels(InstructionSet set) {
  static const std::optional<Kernels> found[] = {find(kSets[0]), find(kSets[1]), find(kSets[2]),
                                                 find(kSets[3])};
  const std::optional<Kernels>& one = found[static_cast<std::size_t>(set)];
  return one ? &*one : nullptr;
}

std::vector<const Kernels*> all_kernels() {
  std::vector<const Kernels*> all;
  for (const InstructionSet set : kSets) {
    if (const Kernels* found = kernels(set)) all.push_back(found);
  }
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
