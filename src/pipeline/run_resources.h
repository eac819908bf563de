// What the metrics of a run are handed from outside: tables, data packages, word vectors, the parser.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capella/pipeline.h"

#include "base/thread_pool.h"
#include "encoder/clip_encoder.h"
#include "encoder/sentence_encoder.h"
#include "encoder/state_encoder.h"
#include "metric/metric.h"
#include "pipeline/run_metrics.h"
#include "resource/df_table.h"
#include "resource/meteor_data.h"
#include "resource/word_vectors.h"
#include "scene/caption_facts.h"
#include "syntax/caption_parser.h"

namespace capella::pipeline {

inline constexpr std::string_view kParserModel = "models/parser.safetensors";

/// The table of document frequencies a `df` option names: null for "refs", else the built-in one or a file.
std::unique_ptr<const resource::DfTable> open_df(const std::string& df);

/// The parser of captions, which keeps the trees of up to `most_kept` sentences. Throws FileError if its
/// model is not there or damaged.
std::unique_ptr<const syntax::CaptionParser> open_parser(std::size_t most_kept = 0);

/// The folder of an encoder of texts: what `name` says or, of a data package ("minilm"), where it lies.
/// Throws FileError that says how to get it.
std::string text_encoder_folder(const std::string& name);

/// Throws FileError if the model is not there. It is not read, since that takes a while.
void check_parser();

/// Throws UsageError that says how if a setting without a default was not given.
void check_required_settings(const PreparedMetric& metric);

/// Throws UsageError or FileError if something the metrics need is not there. Models of encoders are not
/// read, since that takes a while.
void check_resources(std::span<const PreparedMetric> metrics, const ScoreOptions& options);

/// Whether the metric has an encoder of texts or pictures run.
bool runs_encoder(const metric::Info& info);

/// Opened once per run; outlives the metrics' states.
class RunResources {
 public:
  /// Throws FileError with what to do if something is not there or damaged.
  RunResources(std::span<const PreparedMetric> metrics, const ScoreOptions& options);

  /// What one metric is handed.
  metric::Resources of(const metric::Info& info, const ScoreOptions& options) const;

  /// What is wrong with caches on disk, for people.
  std::vector<std::string> cache_problems() const;

  /// Vectors that are made from now on are not kept for later runs.
  void keep_no_more_vectors() const;

  /// What captions say; null if no metric wants to know.
  const scene::CaptionFacts* facts() const { return facts_.get(); }

 private:
  std::map<std::string, std::unique_ptr<const resource::DfTable>> df_;
  std::map<std::string, std::unique_ptr<const resource::WordVectors>> vectors_;
  // By name, and whether weights have 8 bits.
  std::map<std::pair<std::string, bool>, std::unique_ptr<const encoder::SentenceEncoder>> encoders_;
  std::map<std::string, std::unique_ptr<const encoder::ClipEncoder>> clip_;
  std::map<std::pair<std::string, bool>, std::unique_ptr<const encoder::StateEncoder>> states_;
  std::unique_ptr<const resource::MeteorData> meteor_;
  std::unique_ptr<const syntax::CaptionParser> parser_;
  std::unique_ptr<const scene::CaptionFacts> facts_;
};

}  // namespace capella::pipeline
