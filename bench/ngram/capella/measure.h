// What every part of this program measures, and the parts: each reads its input into memory, repeats its work
// and returns the answer of the last repetition beside the times.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace capella::bench {

struct Job {
  std::string references;  ///< [{"image_id": ..., "captions": [...]}, ...]
  std::string captions;    ///< [{"image_id": ..., "caption": ...}, ...]; batches for the reward
  std::vector<std::string> metrics;
  std::string tokenizer = "none";
  std::size_t threads = 1;
  std::size_t repetitions = 1;
};

/// Calls work(k) for k = 0 ... count - 1 and returns the seconds of each call.
template <class Work>
std::vector<double> time_each(std::size_t count, Work work) {
  std::vector<double> seconds;
  for (std::size_t k = 0; k < count; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    work(k);
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return seconds;
}

/// The most memory this process has held so far, in units of 10^6 bytes.
double peak_megabytes();

/// {"seconds": [...], "peak_mb": ...}; the caller adds "values" or "lines".
nlohmann::json measured(std::vector<double> seconds);

nlohmann::json run_scorers(const Job& job);
nlohmann::json run_tokenizer(const Job& job);
nlohmann::json run_reward(const Job& job);

}  // namespace capella::bench
