// Which of the processor's instructions Capella's kernels use.
//
// Every kernel has a version per level and takes its best one that is not above cpu_level(). All versions
// give the same bits; CAPELLA_CPU selects a lower level to check just that.
#pragma once

#include <string>
#include <string_view>

namespace capella {

/// Each level includes the ones before it.
enum class CpuLevel {
  portable,  ///< whatever every processor of the architecture has
  avx2,      ///< AVX2 and FMA
  avx512,    ///< AVX-512 F, BW, DQ and VL
  amx,       ///< AVX-512 VNNI, and AMX tiles of 8-bit integers
};

/// "portable", "avx2", "avx512", "amx".
std::string_view name(CpuLevel level);

/// The highest level of this processor.
CpuLevel highest_cpu_level();

/// The level called `wanted`, or `highest` if that is empty. Throws UsageError for an unknown name and for a
/// level above `highest`.
CpuLevel choose_cpu_level(std::string_view wanted, CpuLevel highest);

/// The level in use: the processor's highest, or the one in CAPELLA_CPU. Throws as choose_cpu_level does.
CpuLevel cpu_level();

/// Whether CAPELLA_CPU selects the level.
bool cpu_level_is_forced();

}  // namespace capella
