#include "cli/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/data.h"
#include "capella/error.h"

#include "base/names.h"
#include "cli/output.h"
#include "report/table.h"

namespace capella::cli {
namespace {

// Tells which metrics are not among `names` because nobody has named the model that they need.
void note_metrics_without_model(const std::vector<std::string>& names, const CommonOptions& common) {
  std::vector<std::string> others;
  for (const std::string& name : all_metric_names()) {
    if (std::ranges::find(names, name) == names.end()) others.push_back(name);
  }
  if (!others.empty())
    notice(common, fmt::format("left out, since they need a model: {}; give it with --set {}.model=DIR",
                               fmt::join(others, ", "), others[0]));
}

// "-m" as typed: a list of names, "all", "available", or nothing for the default list.
std::vector<std::string> chosen_metrics(const std::string& list, const std::string& tokenizer,
                                        const std::vector<std::string>& settings,
                                        const CommonOptions& common) {
  if (list.empty()) return default_metrics();
  if (list == "all") {
    std::vector<std::string> names = every_metric(settings);
    note_metrics_without_model(names, common);
    return names;
  }
  if (list == "available") {
    note_unavailable_metrics(common, tokenizer);
    return available_metrics(tokenizer);
  }
  std::vector<std::string> names;
  for (const std::string_view name : split_list(list, ',')) {
    if (const std::string alias = alias_notice(name); !alias.empty()) notice(common, alias);
    names.emplace_back(name);
  }
  return names;
}

// The number that a word is, if it is a finite one.
std::optional<double> finite(const std::string& word) {
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (word.empty() || *end != 0 || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

std::string not_negative(const std::string& word) {
  return word.starts_with('-') ? fmt::format("found {}, expected a whole number from 0 up", word) : "";
}

std::string share(const std::string& word) {
  const std::optional<double> value = finite(word);
  return value && *value >= 0 && *value <= 1 ? ""
                                             : fmt::format("found {}, expected a number from 0 to 1", word);
}

std::string above_zero(const std::string& word) {
  const std::optional<double> value = finite(word);
  return value && *value > 0 ? "" : fmt::format("found {}, expected a finite number, more than 0", word);
}

std::string zero_or_above(const std::string& word) {
  const std::optional<double> value = finite(word);
  return value && *value >= 0 ? "" : fmt::format("found {}, expected a finite number, 0 or more", word);
}

std::string gigabytes(const std::string& word) {
  constexpr double kLeast = 0.001, kMost = 1e6;
  const std::optional<double> value = finite(word);
  return value && *value >= kLeast && *value <= kMost
             ? ""
             : fmt::format("found {}, expected gigabytes from {} to {:.0f}", word, kLeast, kMost);
}

std::vector<std::string> all_metric_names() {
  std::vector<std::string> names;
  for (const MetricDescription& metric : list_metrics()) names.push_back(metric.name);
  return names;
}

std::vector<std::string> package_names() {
  std::vector<std::string> names;
  for (const DataPackage& package : list_data()) names.push_back(package.name);
  return names;
}

void note_unavailable_metrics(const CommonOptions& common, const std::string& tokenizer) {
  const std::vector<std::string> every = every_metric();  // the others want a setting, of which nobody spoke
  for (const UnavailableMetric& metric : unavailable_metrics(tokenizer)) {
    if (std::ranges::find(every, metric.name) != every.end())
      notice(common, fmt::format("{} is left out: {}", metric.name, metric.problem));
  }
}

void add_common(Command& command, CommonOptions& options) {
  command
      .add_option("--format", options.format,
                  fmt::format("Output format: {}", fmt::join(report::kFormatNames, ", ")))
      ->show_default();
  command.add_option("--seed", options.seed, "Seed of all random choices")
      ->check(not_negative)
      ->show_default();
  command
      .add_option("--threads", options.threads, "Number of threads; 0: one per core. Never changes a result")
      ->check(not_negative)
      ->show_default();
  command.add_flag("-q,--quiet", options.quiet, "Print no notices, warnings or progress bars");
  command.add_option("-o,--output", options.output,
                     "Write the result to this file instead of standard output");
}

void tell_of_torch_threads(Command& command) {
  command.get_option("--threads")
      ->description(
          "Number of threads; 0: one per core. On the CPU, another number may change the last bits of the "
          "trained network");
}

void expect_no_format(const CommonOptions& options, std::string_view why) {
  if (options.format != CommonOptions().format)
    throw UsageError(fmt::format("found --format {}, expected none: {}", excerpt(options.format), why));
}

void add_input(Command& command, InputOptions& options) {
  command
      .add_option("REFS", options.references,
                  "References: JSON, JSONL, CSV, TSV or text, also gzipped; - reads standard input")
      ->required();
  command.add_option("HYPS", options.systems, "Captions of one or more systems, each FILE or NAME=FILE");
  command
      .add_option("--missing", options.missing, "Ids that some files lack: error, or skip (score the others)")
      ->show_default();
  command
      .add_option("--ids", options.ids,
                  "How ids compare: exact, or coco, by number: 42 is COCO_val2014_000000000042.jpg")
      ->show_default();
  add_read_options(command, options.read);
}

void add_read_options(Command& command, ReadOptions& read) {
  const auto named = [](const std::string& name) { return name.empty() ? "names nothing" : std::string(); };
  command.add_flag("--skip-bad", read.skip_bad, "Skip malformed rows and list them, instead of stopping");
  command.add_option("--split", read.split, "Split of a Karpathy dataset.json, e.g. test");
  command.add_option("--id-column", read.id_column, "Column or JSON key of the ids, e.g. img_id")
      ->check(named);
  command
      .add_option("--caption-column", read.caption_column,
                  "Column or JSON key of the captions, e.g. pred; ref for ref_1, ref_2, ...")
      ->check(named);
}

void add_images(Command& command, InputOptions& options) {
  command
      .add_option(
          "--images", options.images,
          "Images, for metrics that need them: a folder with files named by id (ID.jpg), or a file of ids "
          "and paths")
      ->check([](const std::string& path) { return path.empty() ? "names nothing" : std::string(); });
}

Dataset read_input(const InputOptions& input, const CommonOptions& common) {
  constexpr std::string_view kChoices[] = {"error", "skip"}, kIdChoices[] = {"exact", "coco"};
  if (input.missing != kChoices[0] && input.missing != kChoices[1]) {
    throw UsageError(unknown_name_message("choice for --missing", input.missing, kChoices));
  }
  if (input.ids != kIdChoices[0] && input.ids != kIdChoices[1])
    throw UsageError(unknown_name_message("choice for --ids", input.ids, kIdChoices));
  ReadOptions read = input.read;
  read.skip_missing = input.missing == "skip";
  read.coco_ids = input.ids == "coco";
  read.threads = common.threads;
  Dataset dataset = read_dataset(input.references, input.systems, read);
  if (!input.images.empty()) dataset = with_images(dataset, input.images, read.skip_missing);
  warn_of_skipped(dataset, common);
  return dataset;
}

void warn_of_skipped(const Dataset& dataset, const CommonOptions& common) {
  if (dataset.skipped().empty()) return;
  const Skipped& first = dataset.skipped()[0];
  warn(common, fmt::format("{} row{} left out, the first: {}: {}; {} item{}", dataset.skipped().size(),
                           dataset.skipped().size() == 1 ? "" : "s", first.id, first.why, dataset.size(),
                           dataset.size() == 1 ? " remains" : "s remain"));
}

void add_metric_options(Command& command, MetricOptions& options) {
  command.add_option(
      "-m,--metrics", options.metrics,
      fmt::format(
          "Comma-separated metrics, or all, or available (those whose data is installed); `capella metrics` "
          "lists them. Default: {}",
          fmt::join(default_metrics(), ",")));
  command
      .add_option("--tokenizer", options.tokenizer,
                  "Tokenizer: ptb (as in pycocoevalcap), ptb-iso, 13a, none or karpathy")
      ->show_default();
  command
      .add_option("--df", options.df,
                  "CIDEr's document frequencies: refs, coco-val, or a file made by `capella df`")
      ->show_default();
  command.add_option("--set", options.settings, "Metric setting, METRIC.KEY=VALUE; may be repeated")
      ->repeated();
  command
      .add_option("--cache", options.cache,
                  "Folder that caches parsed captions and embeddings, to speed up later runs")
      ->check([](const std::string& path) { return path.empty() ? "names nothing" : std::string(); });
  command
      .add_option("--cache-gb", options.cache_gigabytes,
                  "Maximum size of the cache in gigabytes, per model and kind of embedding; the oldest "
                  "entries are evicted")
      ->check(gigabytes)
      ->show_default();
  add_device(command, options.device);
}

void add_device(Command& command, std::string& device) {
  command.add_option("--device", device, "Where neural networks run: cpu, or cuda (needs the torch plug-in)")
      ->show_default();
}

std::string resample_count(const std::string& word) {
  constexpr std::size_t kLeast = 40;
  constexpr std::size_t kMost = 10'000'000;
  std::size_t count = 0;
  const char* end = word.data() + word.size();
  const auto [stop, problem] = std::from_chars(word.data(), end, count);
  if (problem == std::errc{} && stop == end && count >= kLeast && count <= kMost) return "";
  return fmt::format("found {}, expected a whole number from {} to {}", word, kLeast, kMost);
}

Option* add_resamples(Command& command, std::size_t& resamples, const std::string& help) {
  return command.add_option("--resamples", resamples, help)->check(resample_count)->show_default();
}

void add_interval_options(Command& command, IntervalFlags& flags) {
  Option* wanted = command.add_flag("--ci", flags.wanted, "Add 95 % confidence intervals (bootstrap)");
  add_resamples(command, flags.resamples, "Number of bootstrap resamples")->needs(wanted);
  command
      .add_option("--ci-method", flags.method,
                  "Interval: percentile (as sacreBLEU), or bca (bias-corrected and accelerated)")
      ->needs(wanted)
      ->show_default();
}

std::optional<IntervalOptions> interval_options(const IntervalFlags& flags, const CommonOptions& common) {
  constexpr std::string_view kMethods[] = {"percentile", "bca"};
  if (flags.method != kMethods[0] && flags.method != kMethods[1])
    throw UsageError(unknown_name_message("choice for --ci-method", flags.method, kMethods));
  if (!flags.wanted) return std::nullopt;
  return IntervalOptions{flags.resamples, common.seed,
                         flags.method == "bca" ? IntervalMethod::bca : IntervalMethod::percentile};
}

ScoreOptions score_options(const MetricOptions& metrics, const CommonOptions& common) {
  ScoreOptions options;
  options.metrics = chosen_metrics(metrics.metrics, metrics.tokenizer, metrics.settings, common);
  options.tokenizer = metrics.tokenizer;
  options.df = metrics.df;
  options.settings = metrics.settings;
  options.cache = metrics.cache;
  options.cache_bytes = static_cast<std::uint64_t>(metrics.cache_gigabytes * (1 << 30));
  options.device = metrics.device;
  options.threads = common.threads;
  options.progress = progress_bar(common);
  check_options(options);
  return options;
}

}  // namespace capella::cli
