// capella world
#include "capella/world.h"

#include <array>
#include <charconv>
#include <string>

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
  std::string splits = "0.8,0.1,0.1";
};

// Three numbers; whether they are shares is for make_world to say.
std::array<double, 3> read_splits(const std::string& text) {
  std::array<double, 3> shares{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const auto [stop, problem] = std::from_chars(at, end, shares[i]);
    const bool last = i + 1 == shares.size();
    if (problem != std::errc{} || (last ? stop != end : stop == end || *stop != ','))
      throw UsageError(
          fmt::format("--splits '{}': expected three shares of train, val and test, e.g. 0.8,0.1,0.1", text));
    at = stop + 1;
  }
  return shares;
}

void run(WorldCommand& command) {
  expect_no_format(command.common, "the folder's files have one layout each");
  WorldOptions& options = command.options;
  options.folder = folder_name(command.common.output);
  options.splits = read_splits(command.splits);
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

constexpr const char* kWorldExamples =
    R"(Everything in the folder is generated, and its truth is known. The same options always make the same files.

Examples:
  capella world -o world    # images, captions, systems and judges
  capella world --images 10000 --seed 7 -o big
  capella score world/references.json world/systems/wrong-attribute-*.json
  capella meta nebula world/judgements_test.json)";

}  // namespace

void add_world(Command& program) {
  const auto command = std::make_shared<WorldCommand>();
  WorldOptions& options = command->options;
  Command* app =
      program.add_subcommand("world", "Generate images, captions, systems and judges with known truth");
  app->add_option("--images", options.images, "Number of images")->show_default();
  app->add_option("--size", options.size, "Width and height of an image in pixels, 32 to 128")
      ->show_default();
  app->add_option("--references", options.references, "Number of references per image, 5 to 20")
      ->show_default();
  app->add_option("--splits", command->splits, "Shares of the splits train, val and test")->show_default();
  app->add_option("--noise", options.noise,
                  "Standard deviation of a careful judge's error, on the scale 1 to 5")
      ->show_default();
  add_common(*app, command->common);
  app->get_option("--format")->description("Not used: each file of the folder has one layout");
  app->get_option("--output")->description("Folder to make; it must be empty or not exist")->required();
  app->footer(kWorldExamples);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
