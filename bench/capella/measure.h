// What every part of this program measures, and the parts: each reads its input into memory, repeats its work
// and returns the answer of the last repetition beside the times.
#pragma once

#include <chrono>
#include <cstddef>
#include <ctime>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace capella::bench {

struct Job {
  std::string references;  ///< [{"image_id": ..., "captions": [...]}, ...]; CoNLL for trees, else numbers
  std::string captions;    ///< [{"image_id": ..., "caption": ...}, ...]; batches for the reward
  std::vector<std::string> others;  ///< captions of more systems
  std::vector<std::string> metrics;
  std::string tokenizer = "none";
  std::size_t threads = 1;
  std::size_t repetitions = 1;
  bool wait = false;
};

/// Seconds of each repetition, by the clock and on the processor.
struct Times {
  std::vector<double> wall;
  std::vector<double> processor;
};

/// Calls work(k) for k = 0 ... count - 1.
template <class Work>
Times time_each(std::size_t count, Work work) {
  Times times;
  for (std::size_t k = 0; k < count; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    const std::clock_t used = std::clock();
    work(k);
    times.processor.push_back(static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC);
    times.wall.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return times;
}

/// The most memory this process has held so far, in units of 10^6 bytes.
double peak_megabytes();

/// {"seconds": [...], "cpu_seconds": [...], "peak_mb": ...}; the caller adds "values" or "lines".
nlohmann::json measured(Times times);

/// Prints a line and waits until standard input ends, so that others can look at this process.
void wait_to_be_looked_at();

nlohmann::json run_scorers(const Job& job);
nlohmann::json run_tokenizer(const Job& job);
nlohmann::json run_reward(const Job& job);
nlohmann::json run_parser(const Job& job);
nlohmann::json run_trees(const Job& job);
nlohmann::json run_kendall(const Job& job);
nlohmann::json run_correlations(const Job& job);
nlohmann::json run_means(const Job& job);
nlohmann::json run_paired(const Job& job);
nlohmann::json run_intervals(const Job& job);
nlohmann::json run_wmd(const Job& job);
nlohmann::json run_vectors(const Job& job);
nlohmann::json run_sentences(const Job& job);
nlohmann::json run_reference_sentences(const Job& job);
nlohmann::json run_kept_sentences(const Job& job);
nlohmann::json run_reference_tokens(const Job& job);
nlohmann::json run_kept_tokens(const Job& job);
nlohmann::json run_networks(const Job& job);
nlohmann::json run_pictures(const Job& job);
nlohmann::json run_pregen_metrics(const Job& job);
nlohmann::json run_gibbs(const Job& job);
nlohmann::json run_exact_networks(const Job& job);
nlohmann::json run_mln_gibbs(const Job& job);
nlohmann::json run_mln_gradient(const Job& job);

}  // namespace capella::bench
