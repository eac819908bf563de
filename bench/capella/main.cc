// Capella as a contender of all tasks: reads captions, times one part of the work, writes times and answers
// as JSON. The arguments are those of the other contenders (bench/harness/contender.py).
#include <cstdio>
#include <exception>
#include <fstream>

#include <CLI/CLI.hpp>

#include "measure.h"

namespace capella::bench {
namespace {

nlohmann::json run_part(const std::string& part, const Job& job) {
  if (part == "tokenizer") return run_tokenizer(job);
  if (part == "parser") return run_parser(job);
  if (part == "trees") return run_trees(job);
  return part == "reward" ? run_reward(job) : run_scorers(job);
}

int run(int argc, char** argv) {
  Job job;
  std::string part;
  std::string out;
  CLI::App program("Times one part of Capella");
  program.add_option("PART", part)
      ->required()
      ->check(CLI::IsMember({"scorers", "tokenizer", "reward", "parser", "trees"}));
  program.add_option("--references", job.references)->required();
  program.add_option("--captions", job.captions);
  program.add_option("--metrics", job.metrics)->delimiter(',');
  program.add_option("--tokenizer", job.tokenizer);
  program.add_option("--threads", job.threads);
  program.add_option("--repetitions", job.repetitions)->check(CLI::PositiveNumber);
  program.add_option("--out", out)->required();
  program.add_flag("--wait", job.wait, "The reward stays in memory, once done, until standard input ends");
  CLI11_PARSE(program, argc, argv);
  std::ofstream file(out);
  file << run_part(part, job);
  return file.flush() ? 0 : 1;
}

}  // namespace
}  // namespace capella::bench

int main(int argc, char** argv) {
  try {
    return capella::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_capella: %s\n", error.what());
    return 1;
  }
}
