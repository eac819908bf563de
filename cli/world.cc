// capella world
#include "capella/world.h"

#include <fmt/format.h>

#include "capella/error.h"

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"

namespace capella::cli {
namespace {

struct WorldCommand {
  CommonOptions common;
  WorldOptions options;
};

void run(WorldCommand& command) {
  report::format_by_name(command.common.format);
  WorldOptions& options = command.options;
  options.folder = command.common.output;
  options.seed = command.common.seed;
  options.threads = command.common.threads;
  options.progress = progress_bar(command.common);
  const WorldSummary made = make_world(options);
  notice(
      command.common,
      fmt::format(
          "{}: {} images ({} train, {} val, {} test), {} objects, {} captions, {} systems, {} ratings; all "
          "generated, see {}/README.md",
          options.folder, options.images, made.splits[0], made.splits[1], made.splits[2], made.objects,
          made.captions, made.systems, made.ratings, options.folder));
}

constexpr const char* kExamples = R"(Examples:
  capella world -o world                                 1000 images, their captions, systems and judges
  capella world --images 10000 --seed 7 -o big
  capella score world/references.json world/systems/wrong-attribute-*.json
  capella meta nebula world/judgements.json

Everything in the folder is generated and its truth is known. The same options make the same bytes.)";

}  // namespace

void add_world(CLI::App& program) {
  const auto command = std::make_shared<WorldCommand>();
  WorldOptions& options = command->options;
  CLI::App* app = program.add_subcommand(
      "world", "Make a generated world with known truth: pictures, captions, systems, judges");
  app->add_option("--images", options.images, "How many images")->capture_default_str();
  app->add_option("--size", options.size, "Pixels a side, 32 to 128")->capture_default_str();
  app->add_option("--references", options.references, "Reference captions per image, 5 to 20")
      ->capture_default_str();
  app->add_option("--splits", options.splits, "Shares of train, val and test")
      ->delimiter(',')
      ->capture_default_str();
  app->add_option("--noise", options.noise, "Deviation of a careful judge's error, in points of 1 to 5")
      ->capture_default_str();
  add_common(*app, command->common);
  app->get_option("--output")->description("The folder to make; it must not hold anything yet")->required();
  app->footer(kExamples);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
