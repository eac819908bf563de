// capella meta prepare
#include <charconv>

#include <fmt/format.h>

#include "capella/error.h"
#include "capella/ratings.h"

#include "base/file.h"
#include "cli/meta.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/ratings_report.h"

namespace capella::cli {
namespace {

struct PrepareCommand {
  CommonOptions common;
  PrepareOptions options;
  std::string raw;
  std::string scale = "1-5";
  std::string report;
};

// "1-5", "0-100", "-2-2".
void read_scale(const std::string& scale, PrepareOptions& options) {
  const char* const end = scale.data() + scale.size();
  const auto low = std::from_chars(scale.data(), end, options.lowest);
  const bool dash = low.ec == std::errc() && low.ptr != end && *low.ptr == '-';
  const auto high = dash ? std::from_chars(low.ptr + 1, end, options.highest) : low;
  if (dash && high.ec == std::errc() && high.ptr == end) return;
  throw UsageError(fmt::format("--scale {}: expected the lowest and the highest rating, e.g. 1-5", scale));
}

void run(const PrepareCommand& command) {
  report::check_prepared_format(command.common.format);
  PrepareOptions options = command.options;
  read_scale(command.scale, options);
  check_options(options);
  check_outputs(std::vector{command.common.output, command.report},
                std::vector{command.raw, options.references});
  const PreparedRatings ratings = prepare_ratings(command.raw, options);
  if (!command.report.empty()) {
    write_file_atomically(command.report, report::preparation_json(ratings.report));
  } else if (!command.common.quiet) {
    say(report::preparation_text(ratings.report));
  }
  emit(command.common, report::format_prepared(ratings, command.common.format));
}

constexpr const char* kMetaPrepareExamples =
    R"(RAW has one rating per row, in CSV, TSV, JSONL or a JSON list, with the columns worker, imgid, caption and rating,
optionally seconds, and refs (a list) unless --references is given.

Examples:
  capella meta prepare raw.csv -o benchmark.json
  capella meta nebula benchmark.json    # evaluate metrics on it
  capella meta prepare raw.csv --references coco.json --quick-seconds 2 \
      -o benchmark.json
  capella meta prepare raw.jsonl --scale 0-100 --report report.json \
      --format jsonl -o benchmark.jsonl)";

}  // namespace

void add_meta_prepare(Command& meta) {
  const auto command = std::make_shared<PrepareCommand>();
  Command* app =
      meta.add_subcommand("prepare", "Make a benchmark from raw ratings, without careless workers");
  app->add_option("RAW", command->raw, "Raw ratings, also gzipped; - reads standard input")->required();
  app->add_option("--references", command->options.references,
                  "References, in any format that `capella score` reads, if RAW has none");
  app->add_option("--scale", command->scale, "Lowest and highest rating")->show_default();
  app->add_option("--quick", command->options.quick_share,
                  "Exclude workers whose median time is below this share of the typical time; 0: no one")
      ->show_default();
  app->add_option("--quick-seconds", command->options.quick_seconds,
                  "Exclude workers whose median time is below this many seconds; 0: no one")
      ->show_default();
  app->add_option("--constant", command->options.constant_from,
                  "Exclude workers who gave N captions or more all the same rating; 0: no one")
      ->check(zero_or_above)
      ->show_default();
  app->add_option("--report", command->report,
                  "Write the report as JSON to this file instead of standard error");
  command->common.format = "json";
  add_common(*app, command->common);
  app->get_option("--format")->description("Output format: json, jsonl");
  app->footer(kMetaPrepareExamples);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
