// The jobs Capella does, one function each. Everything is thread-safe and none prints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capella/dataset.h"
#include "capella/explanation.h"
#include "capella/progress.h"
#include "capella/result.h"

namespace capella {

/// Scores from elsewhere (a function of the user's) that are to stand beside the metrics.
struct GivenScores {
  std::string name;
  std::vector<std::vector<double>> values;  ///< [system][item]
};

struct ScoreOptions {
  std::vector<std::string> metrics;   ///< names as `capella metrics` lists them
  std::string tokenizer = "ptb";      ///< ptb, ptb-iso, 13a, none or karpathy
  std::string df = "refs";            ///< CIDEr's document frequencies: refs, coco-val or a file's path
  std::vector<std::string> settings;  ///< METRIC.KEY=VALUE
  std::vector<GivenScores> given;
  std::size_t threads = 0;  ///< 0: one per core
  Progress progress;
  std::string cache;    ///< a folder that keeps what takes long for later runs: parsed captions, vectors
                        ///< of texts and pictures; empty: none
  bool detail = false;  ///< finer scores too: SPICE's categories and what they are made of
  std::optional<IntervalOptions> intervals;  ///< 95 % intervals of the systems' scores too
  std::uint64_t cache_bytes = std::uint64_t{4}
                              << 30;  ///< the most that vectors of a kind and model take there
  std::string device = "cpu";  ///< where encoders of texts and pictures run: or "cuda", in the torch plug-in
};

/// Part `index` (from 0) of `count` equal parts of the items.
struct Shard {
  std::size_t index = 0;
  std::size_t count = 1;
};

/// How files are read; see docs/input-formats.md.
struct ReadOptions {
  std::string split;          ///< of a Karpathy dataset.json
  bool skip_bad = false;      ///< leave malformed rows out (and list them) instead of stopping
  bool skip_missing = false;  ///< score the items that all files have instead of stopping
  std::size_t threads = 0;
  std::string id_column;       ///< the column or key of ids, where a file has it; empty: a known one
  std::string caption_column;  ///< ... of captions
  bool coco_ids = false;       ///< ids are compared as COCO's numbers: 000042.jpg is 42
};

/// Reads references and systems. A system is a path, `NAME=PATH`, or "-" for standard input.
Dataset read_dataset(const std::string& references, std::span<const std::string> systems,
                     const ReadOptions& options);

/// The same data set with the items' pictures. `images` is a folder with files named by ids (ID.jpg, or as
/// COCO names them), or a file of ids and paths: see docs/input-formats.md. Throws DataError that lists the
/// ids without a picture, unless these may be skipped.
Dataset with_images(const Dataset& dataset, const std::string& images, bool skip_missing = false);
/// The same with paths by id.
Dataset with_images(const Dataset& dataset, const std::map<std::string, std::string>& images,
                    bool skip_missing = false);

/// Throws UsageError or FileError if the options cannot be run, whatever the data: to be called before long
/// reading.
void check_options(const ScoreOptions& options);

/// Scores every system of the data set.
Result score(const Dataset& dataset, const ScoreOptions& options);

/// The statistics of one shard, to be merged later. CIDEr's frequencies are those of all references of
/// `dataset`.
std::string shard_statistics(const Dataset& dataset, const ScoreOptions& options, Shard shard);

/// The statistics of a part of a larger data set whose rest is elsewhere; document frequencies must come from
/// a file.
std::string part_statistics(const Dataset& part, const ScoreOptions& options);

/// The result of a whole run from all its shards (in any order) or parts (in data set order). `names` are for
/// errors; `options` are taken for `detail`, `intervals` and `threads`.
Result merge_statistics(std::span<const std::string> statistics, std::span<const std::string> names,
                        const ScoreOptions& options = {});

/// Why a caption of the data set's only system got its scores, one explanation per metric.
Explanations explain(const Dataset& dataset, std::string_view id, const ScoreOptions& options);

/// Counts in how many items each n-gram of the references stands and writes the table that `df` options take.
/// Returns how many n-grams it holds.
std::size_t write_document_frequencies(const Dataset& dataset, const std::string& tokenizer,
                                       const std::string& path, std::size_t threads = 0);

/// The captions' tokens, joined by single spaces; for `ptb` the captions are one text.
std::vector<std::string> tokenize(std::span<const std::string_view> captions, const std::string& tokenizer,
                                  std::size_t threads = 1);

/// What `capella metrics` lists.
struct MetricDescription {
  struct Setting {
    std::string key;
    std::string default_value;
    std::string help;
    bool required = false;  ///< there is no default
  };
  std::string name;
  std::string summary;
  std::vector<ScoreColumn> scores;  ///< signatures are empty here
  std::vector<Setting> settings;
  std::string data;  ///< the data package it needs (see capella/data.h), or empty
};
std::vector<MetricDescription> list_metrics();

/// The names of all metrics but those that need a setting, such as a model's folder, which is not among
/// these (METRIC.KEY=VALUE).
std::vector<std::string> every_metric(std::span<const std::string> settings = {});

/// The names of the metrics whose data is there and that can score captions cut by this tokenizer.
std::vector<std::string> available_metrics(const std::string& tokenizer = "ptb");

/// The others: their data is not there or damaged, or they were trained with another tokenizer.
struct UnavailableMetric {
  std::string name;
  std::string problem;  ///< what is missing, and what to do
};
std::vector<UnavailableMetric> unavailable_metrics(const std::string& tokenizer = "ptb");

/// What to tell a user who asked for a metric by another name than its own ("cider"); empty for all other
/// names.
std::string alias_notice(std::string_view name);

/// The metrics a run takes if none are named; the same on every machine.
std::vector<std::string> default_metrics();

/// One shipped value that was computed again.
struct VerifiedValue {
  std::string item;  ///< a system, a caption, an atom ...
  std::string score;
  double expected;        ///< of the reference
  double found = 0;       ///< 0 where it could not be computed, as the next two
  double difference = 0;  ///< relative for values above 1
  bool exact = false;     ///< within the metric's tolerance
};

/// The shipped values of one metric.
struct VerifiedMetric {
  std::string metric;
  std::string reference;  ///< the program with its version, or how else the expected values were computed
  double tolerance;       ///< 0: equal to the last bit
  std::string missing;    ///< the data package that is needed and not there; empty: the values were computed
  std::vector<VerifiedValue> values;
};

/// Computes the shipped expected values again on this machine (examples/expected.json).
std::vector<VerifiedMetric> verify(std::size_t threads = 0);

/// Something about this installation.
struct Finding {
  std::string what;
  std::string found;  ///< what is there, or what is wrong and how to mend it
  bool ok;
};

/// Looks at the machine, the data files and the arithmetic.
std::vector<Finding> examine_installation();

}  // namespace capella
