// capella score
#include <charconv>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/file.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/result_report.h"

namespace capella::cli {
namespace {

struct ScoreCommand {
  CommonOptions common;
  InputOptions input;
  MetricOptions metrics;
  IntervalFlags intervals;
  std::string per_item;
  bool short_signatures = false;
  bool detail = false;
  std::string shard;
  std::string stats_out;
  Option* tokenizer = nullptr;
};

// "2/7" is the second of seven shards.
Shard parse_shard(const std::string& word) {
  std::size_t index = 0;
  std::size_t count = 0;
  const char* end = word.data() + word.size();
  const auto first = std::from_chars(word.data(), end, index);
  const bool slash = first.ec == std::errc{} && first.ptr != end && *first.ptr == '/';
  const auto second = slash ? std::from_chars(first.ptr + 1, end, count) : first;
  if (!slash || second.ec != std::errc{} || second.ptr != end || index < 1 || index > count) {
    throw UsageError(fmt::format("--shard: found '{}', expected i/n with 1 <= i <= n, e.g. 2/7", word));
  }
  return {index - 1, count};
}

void write_shard(ScoreCommand& command) {
  if (command.shard.empty() || command.stats_out.empty()) {
    throw UsageError("--shard i/n and --stats-out FILE go together; join the files with `capella merge`");
  }
  if (!command.common.output.empty() || !command.per_item.empty() || command.detail ||
      command.intervals.wanted) {
    throw UsageError(
        "a shard has no result of its own: give -o, --per-item, --detail and --ci to `capella merge`");
  }
  const Shard shard = parse_shard(command.shard);
  if (command.tokenizer->count() == 0) {
    command.metrics.tokenizer = "ptb-iso";
    notice(command.common, "shards use the tokenizer ptb-iso, which looks at each caption alone");
  }
  const ScoreOptions options = score_options(command.metrics, command.common);
  write_file_atomically(command.stats_out,
                        shard_statistics(read_input(command.input, command.common), options, shard));
}

void run(ScoreCommand& command) {
  std::vector<std::string> inputs = command.input.systems;
  inputs.push_back(command.input.references);
  check_outputs(std::vector{command.common.output, command.per_item, command.stats_out}, inputs);
  if (!command.shard.empty() || !command.stats_out.empty()) return write_shard(command);
  const report::Format format = result_format(command.common);
  ScoreOptions options = score_options(command.metrics, command.common);
  options.detail = command.detail;
  options.intervals = interval_options(command.intervals, command.common);
  const Result result = score(read_input(command.input, command.common), options);
  for (const std::string& warning : result.warnings) warn(command.common, warning);
  if (!command.per_item.empty()) write_file_atomically(command.per_item, report::item_lines(result));
  emit(command.common, format, report::format_result(result, format, command.short_signatures));
}

constexpr const char* kScoreExamples = R"(Examples:
  capella score refs.json mine.json
  capella score refs.json mine.json --ci    # with 95 % confidence intervals
  capella score refs.json a=run1/out.json b=run2/out.json -m bleu,cider-d
  capella score refs.json mine.json -m all --format latex -o table.tex
  capella score dataset.json out.jsonl.gz --split test --per-item items.jsonl
  capella score refs.json one.json -m cider-d --df coco-val
  capella score refs.json mine.json -m clip-s --images val2014 \
      --set clip-s.model=clip-vit-base-patch32
  capella score refs.json big.jsonl --shard 1/8 --stats-out part1.stats)";

}  // namespace

void add_score(Command& program) {
  const auto command = std::make_shared<ScoreCommand>();
  Command* app = program.add_subcommand("score", "Score the captions of one or more systems");
  add_input(*app, command->input);
  add_images(*app, command->input);
  add_metric_options(*app, command->metrics);
  add_interval_options(*app, command->intervals);
  command->tokenizer = app->get_option("--tokenizer");
  app->add_option("--per-item", command->per_item, "Write the scores of every caption to this file (JSONL)");
  app->add_flag(
      "--detail", command->detail,
      "Add component scores, such as SPICE's categories; JSON, CSV and --per-item also get their counts");
  app->add_option("--shard", command->shard, "Score only part i of n, written i/n; needs --stats-out");
  app->add_option("--stats-out", command->stats_out,
                  "Write the statistics of this shard to a file, for `capella merge`");
  app->add_flag("--short-signatures", command->short_signatures, "Abbreviate the signatures below the table");
  add_common(*app, command->common);
  app->footer(kScoreExamples);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
