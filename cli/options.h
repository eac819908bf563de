// Options that many subcommands share.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capella/pipeline.h"

#include "cli/command_line.h"

namespace capella::cli {

/// For options that are whole numbers: the parser would take -1 for the largest one.
std::string not_negative(const std::string& word);
/// The same for a number from 0 to 1; CLI11's own range lets pass what is not a number.
std::string share(const std::string& word);
/// ... for a number more than 0, and for one that may be 0; CLI11's own messages write out the largest one.
std::string above_zero(const std::string& word);
std::string zero_or_above(const std::string& word);
/// ... for the size of a cache.
std::string gigabytes(const std::string& word);

/// Every subcommand has these.
struct CommonOptions {
  std::string format = "table";
  std::uint64_t seed = 12345;
  std::size_t threads = 0;
  bool quiet = false;
  std::string output;  ///< empty: standard output
};
void add_common(Command& command, CommonOptions& options);
/// For commands that train networks: torch does not promise the same bits for another number of threads.
void tell_of_torch_threads(Command& command);

/// For a result that has one layout only. Throws UsageError that says why if another format is asked for.
void expect_no_format(const CommonOptions& options, std::string_view why);

/// Which files, and what to do with bad ones.
struct InputOptions {
  std::string references;
  std::vector<std::string> systems;
  std::string missing = "error";
  std::string ids = "exact";
  std::string images;  ///< a folder or a file; empty: none are needed
  ReadOptions read;
};
void add_input(Command& command, InputOptions& options);
/// "--skip-bad", "--split", "--id-column" and "--caption-column", for every command that reads captions.
void add_read_options(Command& command, ReadOptions& read);
/// "--images", for commands whose metrics may look at pictures.
void add_images(Command& command, InputOptions& options);
Dataset read_input(const InputOptions& input, const CommonOptions& common);

/// Tells how many rows were left out, and the first of them.
void warn_of_skipped(const Dataset& dataset, const CommonOptions& common);

/// Which metrics, and the choices that change their numbers.
struct MetricOptions {
  std::string metrics;
  std::string tokenizer = "ptb";
  std::string df = "refs";
  std::vector<std::string> settings;
  std::string cache;
  double cache_gigabytes = 4;
  std::string device = "cpu";
};
void add_metric_options(Command& command, MetricOptions& options);
/// Throws UsageError for options that cannot be run; so call it before reading input.
ScoreOptions score_options(const MetricOptions& metrics, const CommonOptions& common);

/// --device.
void add_device(Command& command, std::string& device);

/// Confidence intervals of scores.
struct IntervalFlags {
  bool wanted = false;
  std::size_t resamples = 1000;
  std::string method = "percentile";
};
void add_interval_options(Command& command, IntervalFlags& flags);
/// Nothing if no intervals are wanted.
std::optional<IntervalOptions> interval_options(const IntervalFlags& flags, const CommonOptions& common);

/// "--resamples N"; how many are enough is for the help text to say.
Option* add_resamples(Command& command, std::size_t& resamples, const std::string& help);
/// What is wrong with a number of resamples; empty if nothing is.
std::string resample_count(const std::string& word);

std::vector<std::string> all_metric_names();

/// Tells which metrics are left out because their data is not there or damaged.
void note_unavailable_metrics(const CommonOptions& common, const std::string& tokenizer = "ptb");
std::vector<std::string> package_names();

}  // namespace capella::cli
