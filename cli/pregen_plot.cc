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
  expect_no_format(command.common, "pictures are SVG");
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
    R"(Writes pictures (SVG) into a folder, for each post-gen score: bars of the best metrics' R^2 beside perplexity, R^2
of all metrics by their tiers, and scatter plots of the best metric (or --metric) and of perplexity, with lines of least squares.

Examples:
  capella pregen plot data.txt -o pictures
  capella pregen plot data.txt --post CIDEr --metric mean_min_count_filter0 -o pictures)";

}  // namespace

void add_pregen_plot(Command& pregen) {
  const auto command = std::make_shared<PlotCommand>();
  Command* app = pregen.add_subcommand("plot", "Pictures of how pre-gen metrics go with post-gen scores");
  app->add_option("DATA", command->data, "Files of strata; several are taken together")->required();
  app->add_option("--post", command->post, "A post-gen score of the files: CIDEr, METEOR ...; default: all");
  app->add_option("--metric", command->options.metrics,
                  "A pre-gen metric to draw instead of the best one; may be repeated")
      ->repeated();
  app->add_option("--top", command->top, "How many metrics the bars show")
      ->check(not_negative)
      ->show_default();
  add_resamples(*app, command->options.resamples, "How often systems are drawn anew for intervals");
  add_common(*app, command->common);
  app->get_option("--format")->description("Not for pictures, which are SVG");
  app->get_option("--output")->description("The folder for the pictures")->required();
  app->footer(kPregenPlotFooter);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
