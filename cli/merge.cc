// capella merge
#include "base/file.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/result_report.h"

namespace capella::cli {
namespace {

struct MergeCommand {
  CommonOptions common;
  std::vector<std::string> files;
  std::string per_item;
  bool short_signatures = false;
  bool detail = false;
  IntervalFlags intervals;
};

void run(const MergeCommand& command) {
  check_outputs(std::vector{command.common.output, command.per_item}, command.files);
  const report::Format format = result_format(command.common);
  std::vector<std::string> statistics;
  for (const std::string& file : command.files) statistics.push_back(read_file(file));
  ScoreOptions options;
  options.detail = command.detail;
  options.intervals = interval_options(command.intervals, command.common);
  options.threads = command.common.threads;
  const Result result = merge_statistics(statistics, command.files, options);
  for (const std::string& warning : result.warnings) warn(command.common, warning);
  if (!command.per_item.empty()) write_file_atomically(command.per_item, report::item_lines(result));
  emit(command.common, format, report::format_result(result, format, command.short_signatures));
}

constexpr const char* kMergeExamples = R"(Examples:
  capella merge part*.stats
  capella merge part1.stats part2.stats --format json -o result.json)";

}  // namespace

void add_merge(Command& program) {
  const auto command = std::make_shared<MergeCommand>();
  Command* app = program.add_subcommand("merge", "Combine the shards of a run into its result");
  app->add_option("STATS", command->files,
                  "Files written by `capella score --shard i/n --stats-out FILE`, in any order")
      ->required();
  app->add_option("--per-item", command->per_item, "Write the scores of every caption to this file (JSONL)");
  app->add_flag("--detail", command->detail, "Add component scores, as `capella score --detail` does");
  add_interval_options(*app, command->intervals);
  app->add_flag("--short-signatures", command->short_signatures, "Abbreviate the signatures below the table");
  add_common(*app, command->common);
  app->footer(kMergeExamples);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
