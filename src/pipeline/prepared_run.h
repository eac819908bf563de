// References tokenised and metrics prepared, once for all captions that are to be scored against them.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capella/pipeline.h"

#include "base/thread_pool.h"
#include "metric/metric.h"
#include "resource/df_table.h"
#include "resource/meteor_data.h"
#include "scene/caption_facts.h"
#include "syntax/caption_parser.h"
#include "text/tokenizer.h"

namespace capella::pipeline {

inline constexpr std::string_view kParserModel = "models/parser.safetensors";

/// The table of document frequencies a `df` option names: null for "refs", else the built-in one or a file.
std::unique_ptr<const resource::DfTable> open_df(const std::string& df);

/// A metric, its settings and what it learnt from the references.
struct PreparedMetric {
  std::string name;
  std::map<std::string, std::string> settings;  ///< only those that were set
  std::unique_ptr<metric::Metric> metric;
  std::unique_ptr<const metric::State> state = {};
  bool asked = true;                       ///< false: another metric builds on it, and it is not shown
  std::vector<std::size_t> built_on = {};  ///< places of the metrics it builds on
};

/// The metrics of a run, not yet prepared: those asked for in their order, then others that these build on.
/// Throws UsageError if there are none or one cannot be made.
std::vector<PreparedMetric> make_metrics(const ScoreOptions& options);

/// METEOR's data if any of the metrics needs it, else null. Throws FileError with the command that gets it.
std::unique_ptr<const resource::MeteorData> open_meteor(std::span<const PreparedMetric> metrics);

/// The parser of captions. Throws FileError if its model is not there or damaged.
std::unique_ptr<const syntax::CaptionParser> open_parser();
/// Throws FileError if the model is not there. It is not read, since that takes a while.
void check_parser();
bool needs_parser(std::span<const PreparedMetric> metrics);
/// The parser if any of the metrics needs it, else null.
std::unique_ptr<const syntax::CaptionParser> open_parser(std::span<const PreparedMetric> metrics);

/// What captions say, parsed by `parser` and kept in the folder `cache` if that is not empty; null without a
/// parser. Throws FileError if the folder cannot be written.
std::unique_ptr<const scene::CaptionFacts> open_facts(const syntax::CaptionParser* parser,
                                                      const std::string& cache);

/// Immutable, so many threads may score with it.
class PreparedRun {
 public:
  /// Captions are going to be scored for the items in `range` only.
  PreparedRun(const Dataset& dataset, const ScoreOptions& options, ThreadPool& pool,
              metric::ItemRange range = {});

  const Dataset& dataset() const { return dataset_; }
  const metric::References& references() const { return references_; }
  const std::vector<PreparedMetric>& metrics() const { return metrics_; }
  std::size_t asked() const;  ///< how many of the metrics were asked for; these come first

  /// The rows of every metric, caption by caption; Batch::built_on need not be there.
  using Rows = std::vector<std::vector<double>>;
  Rows rows(const metric::Batch& batch) const;

  /// The main scores, caption by caption, of each of the metrics that `metric` builds on.
  std::vector<std::vector<double>> built_on(const PreparedMetric& metric, const Rows& rows) const;

  /// The captions as the metrics want them: tokenised if any metric counts tokens, else empty.
  text::StringColumn tokens_of(std::span<const std::string_view> captions, ThreadPool& pool) const;

  /// What follows the score's name in the signatures of a metric's scores.
  std::string signature_rest(const PreparedMetric& metric) const;
  std::vector<std::string> warnings() const;

  /// Writes captions that were parsed to the cache, if there is one; adds a warning if that cannot be done.
  void save_cache(std::vector<std::string>& warnings) const;

 private:
  Dataset dataset_;
  text::Tokenizer tokenizer_;
  std::unique_ptr<const resource::DfTable> df_;
  std::vector<PreparedMetric> metrics_;
  std::unique_ptr<const resource::MeteorData> meteor_;
  std::unique_ptr<const syntax::CaptionParser> parser_;
  std::unique_ptr<const scene::CaptionFacts> facts_;
  std::unique_ptr<const text::TextSet> tokens_;
  metric::References references_;
};

}  // namespace capella::pipeline
