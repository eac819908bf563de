// capella pregen correlate
#include <fmt/format.h>

#include "capella/error.h"
#include "capella/pregen.h"

#include "base/file.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/pregen.h"
#include "report/pregen_report.h"

namespace capella::cli {
namespace {

struct CorrelateCommand {
  CommonOptions common;
  std::vector<std::string> data;
  std::string post;
  std::size_t top = 5;
  PregenCorrelationOptions options;
};

void run(CorrelateCommand& command) {
  const report::Format format = summary_format(command.common);
  const std::string& output = command.common.output;
  if (!output.empty() && command.post.empty())
    throw UsageError("-o takes the correlations with one post-gen score; name it, e.g. --post CIDEr");
  check_outputs(std::vector{output}, command.data);
  command.options.seed = command.common.seed;
  command.options.threads = command.common.threads;
  const std::vector<std::string> posts(command.post.empty() ? 0 : 1, command.post);
  const std::vector<PregenCorrelations> results =
      correlate_pregen_scores(command.data, posts, command.options);
  for (const std::string& warning : results[0].warnings) warn(command.common, warning);
  if (!output.empty()) emit(command.common, report::correlation_file(results[0]));
  emit_beside_file(command.common, format, report::format_correlations(results, format, command.top));
}

constexpr const char* kPregenCorrelateFooter =
    R"(DATA has one row per stratum of a generator's images, as `capella pregen strata` writes it: post-gen scores of its
captions and pre-gen metrics of its probabilities. Metrics that are constant or not finite in a data set are left out.
Tables show the best metrics by R^2, JSON and CSV all of them; -o writes the file in the authors' published layout.

Examples:
  capella pregen correlate data.txt
  capella pregen correlate data.txt --post CIDEr --top 10
  capella pregen correlate data.txt --post CIDEr -o correlations_CIDEr.txt)";

}  // namespace

void add_pregen_correlate(Command& pregen) {
  const auto command = std::make_shared<CorrelateCommand>();
  Command* app = pregen.add_subcommand("correlate", "Find the pre-gen metrics that best predict a score");
  app->add_option("DATA", command->data, "Strata files, pooled")->required();
  app->add_option("--post", command->post, "Post-gen score in the files, e.g. CIDEr or METEOR; default: all");
  app->add_option("--top", command->top, "Number of metrics in the tables")
      ->check(not_negative)
      ->show_default();
  add_resamples(*app, command->options.resamples, "Number of bootstrap resamples of systems");
  add_common(*app, command->common);
  app->get_option("--output")
      ->description("File for R^2, R and p of all metrics, in the published layout; needs --post");
  app->footer(kPregenCorrelateFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
