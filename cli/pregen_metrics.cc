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
    R"(A file holds, for every word of captions that people wrote, the probability a generator gives to it and how many
words it finds more probable: JSON, lists of images, of captions, of [probability, rank], the end of a caption counted as a
word; or what `capella pregen probs` writes. Either may be packed with gzip.

A metric is named TIER4_TIER3_TIER2_TIER1, e.g. mean_max_normcount_prefix0:
  tier 1, which words count          none (all), filter0, prefix0 (up to the first that is not the most probable)
  tier 2, a caption's score          prob (product), pplx (perplexity), count (how many words), normcount (which share)
  tier 3, an image's, of captions'   sum, mean, median, geomean, max, min; join: captions are pooled
  tier 4, the data set's             sum, mean, median, geomean, max, min
filter0 keeps the words that are not the most probable, as the authors' program does and every published figure has it;
their paper says the opposite: --filter0 paper.

Examples:
  capella pregen metrics init_1.bin
  capella pregen metrics init_1.bin merge_1.bin --all
  capella pregen metrics init_1.json --format json -o metrics.json        all 504 by name)";

}  // namespace

void add_pregen_metrics(Command& pregen) {
  const auto command = std::make_shared<PregenMetricsCommand>();
  Command* app =
      pregen.add_subcommand("metrics", "The 504 pre-gen metrics from the probabilities of captions' words");
  app->add_option("PROBS", command->files, "Files of token probabilities, one per generator; or NAME=FILE")
      ->required();
  app->add_option("--filter0", command->filter0, "What filter0 keeps: as the authors' code or their paper")
      ->one_of({"code", "paper"})
      ->show_default();
  app->add_flag("--all", command->all, "Show all metrics, not only the best known (JSON and CSV have all)");
  add_common(*app, command->common);
  app->footer(kPregenMetricsFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
