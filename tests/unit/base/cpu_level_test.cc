#include "base/cpu_level.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "capella/error.h"

namespace capella {
namespace {

TEST(CpuLevel, IsTheHighestUnlessOneIsWanted) {
  for (const CpuLevel highest : {CpuLevel::portable, CpuLevel::avx2, CpuLevel::avx512, CpuLevel::amx})
    EXPECT_EQ(choose_cpu_level("", highest), highest);
  EXPECT_EQ(choose_cpu_level("portable", CpuLevel::avx512), CpuLevel::portable);
  EXPECT_EQ(choose_cpu_level("avx2", CpuLevel::avx512), CpuLevel::avx2);
  EXPECT_EQ(choose_cpu_level("avx512", CpuLevel::amx), CpuLevel::avx512);
  EXPECT_EQ(choose_cpu_level("amx", CpuLevel::amx), CpuLevel::amx);
}

TEST(CpuLevel, RefusesWhatIsNotThere) {
  for (const char* unknown : {"avx", "AVX2", "avx2 ", "sse"})
    EXPECT_THROW(choose_cpu_level(unknown, CpuLevel::amx), UsageError) << unknown;
  EXPECT_THROW(choose_cpu_level("avx2", CpuLevel::portable), UsageError);
  EXPECT_THROW(choose_cpu_level("amx", CpuLevel::avx512), UsageError);
}

TEST(CpuLevel, IsTakenFromTheEnvironment) {
  const char* value = std::getenv("CAPELLA_CPU");
  const std::string_view wanted = value == nullptr ? "" : value;
  EXPECT_EQ(cpu_level_is_forced(), !wanted.empty());
  EXPECT_EQ(name(cpu_level()), wanted.empty() ? name(highest_cpu_level()) : wanted);
}

}  // namespace
}  // namespace capella
