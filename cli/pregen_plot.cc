// capella pregen plot
#include <fmt/format.h>

#include "capella/pregen.h"

#include "base/file.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/pregen.h"
#include "report/pregen_pictures.h"

namespace capella::cli {
namespace {

struct PlotCommand {
  CommonOptions common;
  std::vector<std::string> data;
  std::string post;
  std::size_t top = 5;
  PregenCorrelationOptions options;
};

void run(PlotCommand& command) {
  expect_no_format(command.common, "figures are SVG");
  const std::string& folder = command.common.output;
  check_folder("-o", folder);
  command.options.seed = command.common.seed;
  command.options.threads = command.common.threads;
  command.options.scatters = true;
  const std::vector<std::string> posts(command.post.empty() ? 0 : 1, command.post);
  const std::vector<PregenCorrelations> results =
      correlate_pregen_scores(command.data, posts, command.options);
  for (const std::string& warning : results[0].warnings) warn(command.common, warning);
  const std::vector<NamedContent> pictures = report::draw_correlations(results, command.top);
  write_into_folder(folder, pictures);
  notice(command.common, fmt::format("{}: {} pictures", folder, pictures.size()));
}

constexpr const char* kPregenPlotFooter =
    R"(Draws figures (SVG) for each post-gen score: bars of the best metrics' R^2 next to perplexity, R^2 of all metrics by
their tiers, and scatter plots of the best metric (or --metric) and of perplexity with least-squares lines.

Examples:
  capella pregen plot data.txt -o figures
  capella pregen plot data.txt --post CIDEr --metric mean_min_count_filter0 \
      -o figures)";

}  // namespace

void add_pregen_plot(Command& pregen) {
  const auto command = std::make_shared<PlotCommand>();
  Command* app = pregen.add_subcommand("plot", "Plot pre-gen metrics against post-gen scores");
  app->add_option("DATA", command->data, "Strata files, pooled")->required();
  app->add_option("--post", command->post, "Post-gen score in the files, e.g. CIDEr or METEOR; default: all");
  app->add_option("--metric", command->options.metrics,
                  "Pre-gen metric to plot instead of the best one; may be repeated")
      ->repeated();
  app->add_option("--top", command->top, "Number of metrics in the bar charts")
      ->check(not_negative)
      ->show_default();
  add_resamples(*app, command->options.resamples, "Number of bootstrap resamples of systems");
  add_common(*app, command->common);
  app->get_option("--format")->description("Not used: figures are SVG");
  app->get_option("--output")->description("Folder for the figures")->required();
  app->footer(kPregenPlotFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
