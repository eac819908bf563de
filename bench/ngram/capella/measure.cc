#include "measure.h"

#include <fstream>

namespace capella::bench {

// VmHWM belongs to the process alone; getrusage would also count what its parent held at the fork.
double peak_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kibibytes = 0;
    if (word == "VmHWM:" && status >> kibibytes) return kibibytes * 1024 / 1e6;
  }
  return 0;
}

nlohmann::json measured(std::vector<double> seconds) {
  return {{"seconds", std::move(seconds)}, {"peak_mb", peak_megabytes()}};
}

}  // namespace capella::bench
