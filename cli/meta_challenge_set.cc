// capella meta challenge-set
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/challenge_set.h"
#include "capella/error.h"

#include "base/names.h"
#include "cli/meta.h"
#include "cli/options.h"
#include "cli/output.h"

namespace capella::cli {
namespace {

struct ChallengeSetCommand {
  CommonOptions common;
  std::string references;
  std::string world;
  std::string kinds;
  ChallengeSetOptions options;
  ReadOptions read;
};

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// "truncated: 500 pairs from 512 images; 9 lack ..., 3 have only edits that may be true".
std::string tally_line(const ChallengeTally& tally) {
  std::vector<std::string> others;
  if (tally.lacking > 0)
    others.push_back(fmt::format("{} {}", counted(tally.lacking, "lacks", "lack"), tally.needs));
  if (tally.doubtful > 0)
    others.push_back(counted(tally.doubtful, "has", "have") + " only edits that may be true");
  if (tally.few_captions > 0)
    others.push_back(counted(tally.few_captions, "has", "have") + " no other caption");
  return fmt::format("{}: {} from {}{}{}", tally.kind, counted(tally.made, "pair", "pairs"),
                     counted(tally.looked_at, "image", "images"), others.empty() ? "" : "; ",
                     fmt::join(others, ", "));
}

void check_source(const ChallengeSetCommand& command) {
  if (command.references.empty() == command.world.empty())
    throw UsageError(
        "meta challenge-set: give a file of captions, or --world with a folder that capella world made");
  const ReadOptions& read = command.read;
  const bool of_file =
      read.skip_bad || !read.split.empty() || !read.id_column.empty() || !read.caption_column.empty();
  if (!command.world.empty() && of_file)
    throw UsageError(
        "meta challenge-set: --skip-bad, --split, --id-column and --caption-column are about a file of "
        "captions, not --world");
}

ChallengeSet make_set(const ChallengeSetCommand& command, const ChallengeSetOptions& options) {
  if (!command.world.empty()) return make_world_challenge_set(command.world, options);
  ReadOptions read = command.read;
  read.threads = command.common.threads;
  const Dataset dataset = read_dataset(command.references, {}, read);
  warn_of_skipped(dataset, command.common);
  return make_challenge_set(dataset, options);
}

void run(const ChallengeSetCommand& command) {
  expect_no_format(command.common, "pairs are lines of JSON");
  check_source(command);
  std::vector inputs = {command.references};
  if (!command.world.empty()) inputs = {command.world + "/truth.json", command.world + "/references.json"};
  check_outputs(std::vector{command.common.output}, inputs);
  ChallengeSetOptions options = command.options;
  for (const std::string_view kind : split_list(command.kinds, ',')) options.kinds.emplace_back(kind);
  options.seed = command.common.seed;
  options.threads = command.common.threads;
  options.progress = progress_bar(command.common);
  const ChallengeSet set = make_set(command, options);
  emit(command.common, challenge_set_lines(set.pairs));
  for (const ChallengeTally& tally : set.kinds) notice(command.common, tally_line(tally));
  if (!command.world.empty()) notice(command.common, "all captions are generated: say so beside the numbers");
}

constexpr const char* kMetaChallengeSetExamples =
    R"(Each caption is edited in one known way, so a metric that prefers the edited caption fails in a known way. The edited
caption is never among the references. docs/human-judgement.md describes the kinds.

Examples:
  capella meta challenge-set coco_refs.json -o challenge.jsonl
  capella meta challenge challenge.jsonl    # evaluate metrics on it
  capella meta challenge-set Flickr8k.token.txt --kinds negation,truncated \
      --pairs 1000 -o challenge.jsonl
  capella meta challenge-set --world world -o challenge.jsonl)";

}  // namespace

void add_meta_challenge_set(Command& meta) {
  const auto command = std::make_shared<ChallengeSetCommand>();
  Command* app = meta.add_subcommand("challenge-set", "Make caption pairs that show where metrics fail");
  app->add_option("REFS", command->references, "References, in any format that `capella score` reads");
  app->add_option("--world", command->world, "Folder made by `capella world`, to use instead of REFS");
  app->add_option("--pairs", command->options.pairs,
                  "Number of pairs of each kind, at most one per image (two for length)")
      ->check(above_zero)
      ->show_default();
  app->add_option("--kinds", command->kinds,
                  fmt::format("Kinds of edits, separated by commas; default: all of {}",
                              fmt::join(challenge_kinds(), ", ")));
  add_read_options(*app, command->read);
  add_common(*app, command->common);
  app->get_option("--format")->description("Not used: pairs are lines of JSON");
  app->footer(kMetaChallengeSetExamples);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
