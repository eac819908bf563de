// Capella as a contender of all tasks: reads captions, times one part of the work, writes times and answers
// as JSON. The arguments are those of the other contenders (bench/harness/contender.py).
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>

#include <CLI/CLI.hpp>

#include "measure.h"

namespace capella::bench {
namespace {

using RunPart = nlohmann::json (*)(const Job& job);

const std::map<std::string, RunPart> kParts = {
    {"scorers", run_scorers},
    {"tokenizer", run_tokenizer},
    {"reward", run_reward},
    {"parser", run_parser},
    {"trees", run_trees},
    {"kendall", run_kendall},
    {"means", run_means},
    {"correlations", run_correlations},
    {"paired", run_paired},
    {"intervals", run_intervals},
    {"wmd", run_wmd},
    {"vectors", run_vectors},
    {"sentences", run_sentences},
    {"reference-sentences", run_reference_sentences},
    {"kept-sentences", run_kept_sentences},
    {"reference-tokens", run_reference_tokens},
    {"kept-tokens", run_kept_tokens},
    {"networks", run_networks},
    {"pictures", run_pictures},
    {"pregen-metrics", run_pregen_metrics},
    {"gibbs", run_gibbs},
    {"exact-networks", run_exact_networks},
    {"mln-gibbs", run_mln_gibbs},
    {"mln-gradient", run_mln_gradient},
};

int run(int argc, char** argv) {
  Job job;
  std::string part;
  std::string out;
  CLI::App program("Times one part of Capella");
  program.add_option("PART", part)->required()->check(CLI::IsMember(kParts));
  program.add_option("--references", job.references)->required();
  program.add_option("--captions", job.captions);
  program.add_option("--others", job.others)->delimiter(',');
  program.add_option("--metrics", job.metrics)->delimiter(',');
  program.add_option("--tokenizer", job.tokenizer);
  program.add_option("--threads", job.threads);
  program.add_option("--repetitions", job.repetitions)->check(CLI::PositiveNumber);
  program.add_option("--out", out)->required();
  program.add_flag("--wait", job.wait, "The reward stays in memory, once done, until standard input ends");
  CLI11_PARSE(program, argc, argv);
  std::ofstream file(out);
  file << kParts.at(part)(job);
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
