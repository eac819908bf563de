// capella meta
#include "capella/meta.h"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"

#include "base/file.h"
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

// Time depends on the machine, so it is told apart from the result.
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

// What was asked for and cannot be done is said.
void tell_of_idle_options(const MetaCommand& command) {
  const std::string& benchmark = command.options.benchmark;
  if (command.options.as_published && benchmark != "flickr8k-cf")
    notice(command.common, fmt::format("--as-published changes nothing for {}", benchmark));
  if (command.published && report::published_rows(benchmark).empty())
    notice(command.common, fmt::format("--with-published: there are no published figures for {}", benchmark));
}

void run(const MetaCommand& command) {
  if (command.options.benchmark.empty() || command.options.path.empty()) {
    throw UsageError(fmt::format("meta: give a benchmark and its folder or file; benchmarks: {}",
                                 fmt::join(benchmark_list(), ", ")));
  }
  check_benchmark_name(command.options.benchmark);
  const report::Format format = report::format_by_name(command.common.format);
  const MetaOptions options = meta_options(command);
  check_outputs(std::vector{command.common.output}, input_files(options));
  if (!command.plots.empty()) check_folder("--plots", command.plots);
  tell_of_idle_options(command);
  const MetaResult result = evaluate_metrics(options);
  for (const std::string& warning : result.warnings) warn(command.common, warning);
  tell_times(result, command.common);
  if (command.published) tell_published_times(result, command.common);
  if (command.published && !result.published)
    warn(command.common, "published figures are about other data than this file");
  if (!command.plots.empty()) write_into_folder(command.plots, report::draw_meta(result, command.published));
  emit(command.common, report::format_meta(result, format, command.published));
}

constexpr const char* kMetaExamples = R"(Examples:
  capella meta flickr8k-expert Flickr8k/                     every coefficient, with intervals
  capella meta composite composite.jsonl -m cider-d,spice --with-published
  capella meta pascal50s pascal_50s.json --cases 5           where metrics and people disagree
  capella meta nebula nebula_test.json --scores mine=scores.jsonl --plots pictures
  capella meta prepare raw_ratings.csv -o benchmark.json     raw ratings into a benchmark
  capella meta foil-set coco_refs.json -o foil.jsonl         captions with one wrong noun
  capella meta challenge-set coco_refs.json -o challenge.jsonl
  capella meta challenge challenge.jsonl -m cider-d,spice    where each metric fails)";

}  // namespace

void add_meta(Command& program) {
  const auto command = std::make_shared<MetaCommand>();
  Command* app = program.add_subcommand("meta", "Does a metric agree with people? Benchmarks of judgement");
  Option* benchmark = app->add_option("BENCHMARK", command->options.benchmark,
                                      fmt::format("One of {}", fmt::join(benchmark_list(), ", ")));
  app->add_option("PATH", command->options.path, "The benchmark's folder (Flickr8k) or file");
  add_metric_options(*app, command->metrics);
  app->add_option("--scores", command->options.scores,
                  "Scores of another program, FILE or NAME=FILE; JSON lines {\"row\": k, \"score\": x}; may "
                  "be repeated")
      ->repeated();
  app->add_option(
      "--images", command->options.images,
      "The pictures, for metrics that look at them: a folder with files named by the benchmark's images, "
      "or a file of ids and paths");
  app->add_option("--references", command->options.references,
                  "Captions for a benchmark file that has none (FOIL's own layout: COCO's)");
  app->add_option("--resamples", command->resamples,
                  "How often images are drawn anew; default 1000, more where many metrics are compared")
      ->check(resample_count);
  app->add_option("--without", command->options.without,
                  "Leave out a part of a benchmark made of several data sets, e.g. flickr8k of composite")
      ->repeated();
  app->add_flag("--as-published", command->options.as_published,
                "Do as the program behind published figures where it differs from the protocol's words "
                "(Flickr8k-CF)");
  app->add_flag("--with-published", command->published, "Put published figures beside ours");
  app->add_option("--cases", command->options.cases,
                  "List so many captions that each metric rates too high, and too low")
      ->check(not_negative);
  app->add_option("--plots", command->plots, "A folder for pictures: bars, and scatter plots of ratings");
  add_common(*app, command->common);
  add_meta_prepare(*app);
  add_meta_foil_set(*app);
  add_meta_challenge_set(*app);
  app->commands_exclude(benchmark);
  app->footer(kMetaExamples);
  app->callback([command, app] {
    if (!app->subcommand_given()) run(*command);
  });
}

}  // namespace capella::cli
