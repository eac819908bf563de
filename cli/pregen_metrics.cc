// capella pregen metrics
#include <memory>
#include <string>
#include <vector>

#include "capella/pregen.h"

#include "cli/options.h"
#include "cli/output.h"
#include "cli/pregen.h"
#include "io/system_name.h"
#include "report/pregen_metrics_report.h"

namespace capella::cli {
namespace {

struct PregenMetricsCommand {
  CommonOptions common;
  std::vector<std::string> files;
  std::string filter0 = "code";
  bool all = false;
};

void run(const PregenMetricsCommand& command) {
  const report::Format format = result_format(command.common);
  const std::vector<io::SystemFile> files = io::name_systems(command.files);
  std::vector<std::string> inputs;
  for (const io::SystemFile& file : files) inputs.push_back(file.path);
  check_outputs(std::vector{command.common.output}, inputs);
  std::vector<PregenMetrics> systems;
  for (const io::SystemFile& file : files) {
    systems.push_back(pregen_metrics(file.path, command.filter0 == "paper"));
    systems.back().system = file.name;  // its folder in front where two files have one name
  }
  emit(command.common, format,
       report::format_pregen_metrics(systems, pregen_metric_names(), format, command.all));
}

constexpr const char* kPregenMetricsFooter =
    R"(A file holds, for every token of the human captions, the probability that the generator assigns to it and its rank: JSON
(a list of images, each a list of captions, each a list of [probability, rank] with the end of the caption as the last
token), or what `capella pregen probs` writes, either also gzipped.

A metric is named TIER4_TIER3_TIER2_TIER1, e.g. mean_max_normcount_prefix0:
  tier 1  which tokens count      none (all), filter0, prefix0 (up to the first
                                  that is not the most probable)
  tier 2  score of a caption      prob (product), pplx (perplexity), count,
                                  normcount (share of tokens)
  tier 3  score of an image       sum, mean, median, geomean, max, min over its
                                  captions; join: captions are pooled
  tier 4  score of the data set   sum, mean, median, geomean, max, min

filter0 keeps the tokens that are not the most probable, as the authors' program and all published values do; their
paper says the opposite: --filter0 paper.

Examples:
  capella pregen metrics init_1.bin
  capella pregen metrics init_1.bin merge_1.bin --all
  capella pregen metrics init_1.json --format json -o metrics.json    # all 504)";

}  // namespace

void add_pregen_metrics(Command& pregen) {
  const auto command = std::make_shared<PregenMetricsCommand>();
  Command* app = pregen.add_subcommand("metrics", "Compute the 504 pre-gen metrics from token probabilities");
  app->add_option("PROBS", command->files, "Token probabilities, one FILE or NAME=FILE per generator")
      ->required();
  app->add_option("--filter0", command->filter0, "Definition of filter0: the authors' code or their paper")
      ->one_of({"code", "paper"})
      ->show_default();
  app->add_flag("--all", command->all,
                "Show all metrics, not only the best known; JSON and CSV always have all");
  add_common(*app, command->common);
  app->footer(kPregenMetricsFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
