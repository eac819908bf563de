// The torch plug-in is also built where fmt is missing, so that messages are put together with plain strings.
#include "base/cpu_level.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#if defined(__x86_64__) && defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "capella/error.h"

namespace capella {
namespace {

constexpr std::string_view kCpuLevels[] = {"portable", "avx2", "avx512", "amx"};

std::string_view wanted_cpu_level() {
  const char* value = std::getenv("CAPELLA_CPU");
  return value == nullptr ? "" : value;
}

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
  if (!__builtin_cpu_supports("avx512vnni") || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
  return (d & kTile) && (d & kInt8) && allowed_tiles();
}
#else
bool has_amx() {
  return false;
}
#endif

}  // namespace

std::string_view name(CpuLevel level) {
  return kCpuLevels[static_cast<std::size_t>(level)];
}

CpuLevel highest_cpu_level() {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return CpuLevel::portable;
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl"))
    return CpuLevel::avx2;
  return has_amx() ? CpuLevel::amx : CpuLevel::avx512;
#else
  return CpuLevel::portable;
#endif
}

CpuLevel choose_cpu_level(std::string_view wanted, CpuLevel highest) {
  if (wanted.empty()) return highest;
  const auto* const found = std::find(std::begin(kCpuLevels), std::end(kCpuLevels), wanted);
  const auto level = static_cast<CpuLevel>(found - std::begin(kCpuLevels));
  if (found != std::end(kCpuLevels) && level <= highest) return level;
  std::string offered;
  for (int each = 0; each <= static_cast<int>(highest); ++each)
    offered += (each == 0 ? "" : ", ") + std::string(kCpuLevels[each]);
  throw UsageError("CAPELLA_CPU: found '" + std::string(wanted) + "', " +
                   (found == std::end(kCpuLevels) ? "which is not a level" : "which this processor lacks") +
                   "; expected one of: " + offered + ". Set it to one of these, or unset it");
}

CpuLevel cpu_level() {
  static const CpuLevel level = choose_cpu_level(wanted_cpu_level(), highest_cpu_level());
  return level;
}

bool cpu_level_is_forced() {
  return !wanted_cpu_level().empty();
}

}  // namespace capella
