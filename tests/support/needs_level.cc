// needs_level LEVEL PROGRAM [ARGUMENT...]: runs the program. Where the processor lacks the level, it says so
// and exits with 77, which CTest reports as skipped.
#include <cstdio>

#include <unistd.h>

#include "base/cpu_level.h"

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const capella::CpuLevel level = capella::choose_cpu_level(arguments[1], capella::CpuLevel::amx);
  if (level > capella::highest_cpu_level()) {
    std::printf("skipped: this processor lacks %s\n", arguments[1]);
    return 77;
  }
  ::execv(arguments[2], arguments + 2);
  std::perror(arguments[2]);
  return 1;
}
