// capella meta
#include "capella/meta.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"

#include "base/file.h"
#include "base/names.h"
#include "cli/commands.h"
#include "cli/meta.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/meta_report.h"
#include "report/published.h"

namespace capella::cli {
namespace {

struct MetaCommand {
  CommonOptions common;
  MetricOptions metrics;
  MetaOptions options;
  std::size_t resamples = 0;  // 0: not given
  bool published = false;
  std::string plots;
};

MetaOptions meta_options(const MetaCommand& command) {
  MetaOptions options = command.options;
  // Scores of another program alone: our metrics are asked for by name.
  if (options.scores.empty() || !command.metrics.metrics.empty()) {
    options.score = score_options(command.metrics, command.common);
  } else {
    options.score.threads = command.common.threads;
    options.score.progress = progress_bar(command.common);
  }
  options.seed = command.common.seed;
  if (command.resamples > 0) options.resamples = command.resamples;
  return options;
}

// Time depends on the machine, so it is not part of the result.
void tell_times(const MetaResult& result, const CommonOptions& common) {
  std::vector<std::string> times;
  const std::vector<Agreement>& metrics = result.metrics;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    // Scores of one metric come together and took the same time.
    if (!metrics[i].milliseconds) continue;
    const bool again = i + 1 < metrics.size() && metrics[i + 1].milliseconds == metrics[i].milliseconds;
    times.push_back(again ? metrics[i].metric
                          : fmt::format("{} {:.3f}", metrics[i].metric, *metrics[i].milliseconds));
  }
  if (!times.empty()) notice(common, fmt::format("milliseconds per sample: {}", fmt::join(times, ", ")));
}

// The same as others have measured it, on another machine.
void tell_published_times(const MetaResult& result, const CommonOptions& common) {
  std::vector<std::string> times;
  for (const Agreement& agreement : result.metrics) {
    for (const report::PublishedRow* row : report::published_rows("speed", agreement.metric)) {
      if (const auto value = row->value("ms"))
        times.push_back(fmt::format("{} {} ({})", row->printed, *value, row->source));
    }
  }
  if (!times.empty())
    notice(common, fmt::format("published milliseconds per sample: {}", fmt::join(times, ", ")));
}

// All files that are read, so that none is written over.
std::vector<std::string> input_files(const MetaOptions& options) {
  namespace fs = std::filesystem;
  std::vector<std::string> files = {options.path, options.references};
  files.insert(files.end(), options.scores.begin(), options.scores.end());
  std::error_code unknown;
  if (fs::is_directory(options.path, unknown)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(options.path, unknown))
      files.push_back(entry.path().string());
  }
  return files;
}

// Warns of options that do nothing here.
void tell_of_idle_options(const MetaCommand& command) {
  const std::string& benchmark = command.options.benchmark;
  if (command.options.as_published && benchmark != "flickr8k-cf")
    notice(command.common, fmt::format("--as-published changes nothing for {}", benchmark));
  if (command.published && report::published_rows(benchmark).empty())
    notice(command.common, fmt::format("--with-published: found no published values for {}", benchmark));
}

// A benchmark's name, or a slip in it or in a command's.
void check_name(const Command& meta, const std::string& name) {
  const std::vector<std::string> benchmarks = benchmark_list();
  std::vector<std::string_view> names(benchmarks.begin(), benchmarks.end());
  if (std::ranges::find(names, name) != names.end()) return;
  const std::vector<std::string> commands = meta.command_names();
  names.insert(names.end(), commands.begin(), commands.end());
  throw UsageError(unknown_name_message("benchmark or command", name, names));
}

void run(const Command& app, const MetaCommand& command) {
  if (command.options.benchmark.empty() || command.options.path.empty()) {
    throw UsageError(fmt::format("meta: give a benchmark and its folder or file; benchmarks: {}",
                                 fmt::join(benchmark_list(), ", ")));
  }
  check_name(app, command.options.benchmark);
  const report::Format format = result_format(command.common);
  const MetaOptions options = meta_options(command);
  check_outputs(std::vector{command.common.output}, input_files(options));
  if (!command.plots.empty()) check_folder("--plots", command.plots);
  tell_of_idle_options(command);
  const MetaResult result = evaluate_metrics(options);
  for (const std::string& warning : result.warnings) warn(command.common, warning);
  tell_times(result, command.common);
  if (command.published) tell_published_times(result, command.common);
  if (command.published && !result.published)
    warn(command.common, "published values are for other data than this file");
  if (!command.plots.empty()) write_into_folder(command.plots, report::draw_meta(result, command.published));
  emit(command.common, format, report::format_meta(result, format, command.published));
}

constexpr const char* kMetaExamples = R"(Examples:
  capella meta flickr8k-expert Flickr8k/
  capella meta composite composite.jsonl -m cider-d,spice --with-published
  capella meta pascal50s pascal_50s.json --cases 5    # largest disagreements
  capella meta nebula test.json --scores mine=scores.jsonl --plots figures
  capella meta prepare raw_ratings.csv -o benchmark.json
  capella meta foil-set coco_refs.json -o foil.jsonl
  capella meta challenge-set coco_refs.json -o challenge.jsonl
  capella meta challenge challenge.jsonl -m cider-d,spice)";

}  // namespace

void add_meta(Command& program) {
  const auto command = std::make_shared<MetaCommand>();
  Command* app = program.add_subcommand("meta", "Measure how well metrics agree with human judgments");
  Option* benchmark = app->add_option("BENCHMARK", command->options.benchmark,
                                      fmt::format("Benchmark: {}", fmt::join(benchmark_list(), ", ")));
  app->add_option("PATH", command->options.path, "Folder (Flickr8k) or file of the benchmark");
  add_metric_options(*app, command->metrics);
  app->add_option("--scores", command->options.scores,
                  "Scores of another program, FILE or NAME=FILE, in lines of {\"row\": k, \"score\": x}; may "
                  "be repeated")
      ->repeated();
  app->add_option("--images", command->options.images,
                  "Images, for metrics that need them: a folder with files named as in the benchmark, or a "
                  "file of ids and "
                  "paths");
  app->add_option("--references", command->options.references,
                  "References for a benchmark file without any (COCO's captions for the original FOIL)");
  app->add_option("--resamples", command->resamples,
                  "Number of bootstrap resamples of images; default: 1000, more if many metrics are compared")
      ->check(resample_count);
  app->add_option("--without", command->options.without,
                  "Leave out one of a benchmark's data sets, e.g. flickr8k of composite; may be repeated")
      ->repeated();
  app->add_flag("--as-published", command->options.as_published,
                "Reproduce the published script where it deviates from the paper (Flickr8k-CF)");
  app->add_flag("--with-published", command->published, "Show published values next to the results");
  app->add_option("--cases", command->options.cases,
                  "List the N captions that each metric overrates most, and the N it underrates most")
      ->check(not_negative);
  app->add_option("--plots", command->plots, "Folder for figures (SVG): bar charts and scatter plots");
  add_common(*app, command->common);
  add_meta_prepare(*app);
  add_meta_foil_set(*app);
  add_meta_challenge_set(*app);
  app->commands_exclude(benchmark);
  app->footer(kMetaExamples);
  app->callback([command, app] {
    if (!app->subcommand_given()) run(*app, *command);
  });
}

}  // namespace capella::cli
