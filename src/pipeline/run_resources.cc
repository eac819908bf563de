#include "pipeline/run_resources.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/data.h"
#include "capella/error.h"

#include "base/cache_folder.h"
#include "base/names.h"
#include "base/suggestion.h"
#include "encoder/model_folder.h"
#include "pipeline/network_training.h"
#include "pipeline/plugin.h"
#include "pipeline/registry.h"
#include "resource/find.h"
#include "resource/word_vectors_convert.h"
#include "text/tokenizer.h"

namespace capella::pipeline {
namespace {

std::vector<std::string_view> names_where(std::span<const PreparedMetric> metrics,
                                          bool (*holds)(const metric::Info&)) {
  std::vector<std::string_view> names;
  for (const PreparedMetric& prepared : metrics) {
    if (holds(prepared.metric->info())) names.push_back(prepared.name);
  }
  return names;
}

std::size_t count_parsing(std::span<const PreparedMetric> metrics) {
  return names_where(metrics, [](const metric::Info& info) { return info.parses; }).size();
}

// Whether a metric has something to keep for later runs.
bool uses_cache(std::span<const PreparedMetric> metrics) {
  const auto keeps = [](const metric::Info& info) { return info.parses || runs_encoder(info); };
  return !names_where(metrics, keeps).empty();
}

// The parser if any of the metrics needs it, else null. Where several have the same captions parsed, it keeps
// their trees.
std::unique_ptr<const syntax::CaptionParser> open_parser_for(std::span<const PreparedMetric> metrics) {
  const std::size_t parsing = count_parsing(metrics);
  if (parsing == 0) return nullptr;
  return open_parser(parsing > 1 ? syntax::CaptionParser::kMostKept : 0);
}

// Whether the metric or one it builds on needs METEOR's data. What builds on others needs only what these
// need, and by its settings one of them may need none.
bool needs_meteor(const PreparedMetric& metric, std::span<const PreparedMetric> metrics) {
  if (metric.built_on.empty()) return metric.metric->info().data == "meteor";
  return std::ranges::any_of(metric.built_on, [&](const PreparedMetric::Part& part) {
    return needs_meteor(metrics[part.metric], metrics);
  });
}

// METEOR's data if any of the metrics needs it, else null.
std::unique_ptr<const resource::MeteorData> open_meteor(std::span<const PreparedMetric> metrics) {
  std::vector<std::string_view> names;  // as the user knows them
  for (const PreparedMetric& metric : metrics) {
    if (metric.asked && needs_meteor(metric, metrics)) names.push_back(metric.name);
  }
  if (names.empty()) return nullptr;
  try {
    return std::make_unique<resource::MeteorData>(data_path("meteor"));
  } catch (const FileError& problem) {
    throw FileError(
        fmt::format("{}; or leave {} out with -m available", problem.what(), fmt::join(names, ", ")));
  }
}

// The folder of the encoder of texts that the metric wants: the package minilm, the only one that Capella can
// get, an adapter of it, or a folder of the user's.
std::string encoder_folder(const metric::Info& wanted, std::span<const PreparedMetric> metrics) {
  if (wanted.data != "minilm") return wanted.encoder;
  std::vector<std::string_view> names;
  for (const PreparedMetric& metric : metrics) {
    if (metric.metric->info().data == wanted.data) names.push_back(metric.name);
  }
  try {
    const std::string package = data_path(wanted.data);
    return wanted.encoder == wanted.data ? package : wanted.encoder;
  } catch (const FileError& problem) {
    throw FileError(
        fmt::format("{}; or leave {} out with -m available", problem.what(), fmt::join(names, ", ")));
  }
}

// What captions say, parsed by `parser` and kept in the folder `cache` if that is not empty; null without a
// parser. Throws FileError if the folder cannot be written.
std::unique_ptr<const scene::CaptionFacts> open_facts(const syntax::CaptionParser* parser,
                                                      const std::string& cache) {
  if (parser == nullptr) return nullptr;
  std::unique_ptr<const scene::FactCache> on_disk;
  if (!cache.empty()) on_disk = std::make_unique<const scene::FactCache>(cache, parser->fingerprint());
  return std::make_unique<const scene::CaptionFacts>(*parser, std::move(on_disk));
}

std::unique_ptr<const encoder::StateEncoder> open_states(const metric::Info& info,
                                                         const ScoreOptions& options,
                                                         const encoder::EncoderEngine& engine) {
  const auto vectors = info.pooled_states ? encoder::SentenceVectors::pooled : encoder::SentenceVectors::mix;
  return std::make_unique<const encoder::StateEncoder>(text_encoder_folder(info.states), vectors,
                                                       options.cache, options.cache_bytes, engine);
}

std::unique_ptr<const encoder::SentenceEncoder> open_sentences(const std::string& folder, bool eight_bits,
                                                               const ScoreOptions& options,
                                                               encoder::EncoderEngine engine) {
  if (eight_bits) engine.precision = encoder::Precision::kInt8;
  return std::make_unique<const encoder::SentenceEncoder>(
      folder, engine, encoder::EmbeddingFolder{options.cache, options.cache_bytes});
}

// Where encoders run. The plug-in is not opened if there are none. Throws UsageError if a metric wants what
// the device does not have.
encoder::EncoderEngine engine_for(std::span<const PreparedMetric> metrics, const ScoreOptions& options) {
  check_device(options.device);
  for (const PreparedMetric& prepared : metrics) {
    if (prepared.metric->info().eight_bits && options.device != "cpu")
      throw UsageError(
          fmt::format("{}.precision=int8 is for the CPU, but --device is {}; leave one of them out",
                      prepared.name, options.device));
  }
  return encoder_engine(names_where(metrics, runs_encoder).empty() ? "cpu" : options.device);
}

}  // namespace

std::string text_encoder_folder(const std::string& name) {
  return name == "minilm" ? data_path(name) : name;
}

std::unique_ptr<const resource::DfTable> open_df(const std::string& df) {
  constexpr std::string_view kNames[] = {"refs", "coco-val"};
  if (df == kNames[0]) return nullptr;
  if (df == kNames[1]) return std::make_unique<resource::DfTable>(resource::need("models/coco-val.df"), df);
  std::error_code unknown;
  if (const std::string hint = did_you_mean(df, kNames);
      !hint.empty() && !std::filesystem::exists(df, unknown))
    throw UsageError(fmt::format(
        "found the document frequencies '{}', expected refs, coco-val or a file of `capella df`{}",
        excerpt(df), hint));
  return std::make_unique<resource::DfTable>(df, std::filesystem::path(df).stem().string());
}

std::unique_ptr<const syntax::CaptionParser> open_parser(std::size_t most_kept) {
  const std::string path = resource::need(kParserModel);
  try {
    return std::make_unique<const syntax::CaptionParser>(path, most_kept);
  } catch (const FileError& problem) {
    throw FileError(fmt::format("{}; put back the file that came with Capella", problem.what()));
  }
}

void check_parser() {
  resource::need(kParserModel);
}

void check_required_settings(const PreparedMetric& metric) {
  for (const metric::Entry& entry : registry()) {
    if (entry.name != metric.name) continue;
    for (const metric::SettingInfo& setting : entry.settings) {
      const auto given = metric.settings.find(std::string(setting.key));
      if (setting.required.empty() || (given != metric.settings.end() && !given->second.empty())) continue;
      throw UsageError(fmt::format("{0} needs a {1}: give --set {0}.{1}={2}, {3}", metric.name, setting.key,
                                   setting.required, setting.help));
    }
  }
}

bool runs_encoder(const metric::Info& info) {
  return !info.encoder.empty() || !info.clip.empty() || !info.states.empty();
}

void check_resources(std::span<const PreparedMetric> metrics, const ScoreOptions& options) {
  for (const PreparedMetric& prepared : metrics) check_required_settings(prepared);
  open_meteor(metrics);
  if (count_parsing(metrics) > 0) check_parser();
  if (!options.cache.empty() && uses_cache(metrics)) check_cache_folder(options.cache);
  open_df(options.df);
  engine_for(metrics, options);
  for (const PreparedMetric& prepared : metrics) {
    const metric::Info& info = prepared.metric->info();
    if (!info.document_frequencies.empty()) open_df(info.document_frequencies);
    if (!info.vectors.empty()) resource::open_word_vectors(info.vectors, options.progress);
    if (!info.encoder.empty()) encoder::ModelFolder{encoder_folder(info, metrics)};
    if (!info.clip.empty()) encoder::ModelFolder{info.clip};
    if (!info.states.empty()) encoder::ModelFolder{text_encoder_folder(info.states)};
  }
}

RunResources::RunResources(std::span<const PreparedMetric> metrics, const ScoreOptions& options)
    : meteor_(open_meteor(metrics)),
      parser_(open_parser_for(metrics)),
      facts_(open_facts(parser_.get(), options.cache)) {
  df_[options.df] = open_df(options.df);
  const encoder::EncoderEngine engine = engine_for(metrics, options);
  for (const PreparedMetric& prepared : metrics) {
    const metric::Info& info = prepared.metric->info();
    if (const std::string df = df_of(info, options); !df.empty() && !df_.contains(df)) df_[df] = open_df(df);
    if (!info.vectors.empty() && !vectors_.contains(info.vectors))
      vectors_[info.vectors] = resource::open_word_vectors(info.vectors, options.progress);
    check_required_settings(prepared);
    if (!info.encoder.empty() && !encoders_.contains({info.encoder, info.eight_bits}))
      encoders_[{info.encoder, info.eight_bits}] =
          open_sentences(encoder_folder(info, metrics), info.eight_bits, options, engine);
    if (!info.clip.empty() && !clip_.contains(info.clip))
      clip_[info.clip] =
          std::make_unique<encoder::ClipEncoder>(info.clip, options.cache, options.cache_bytes, engine);
    if (!info.states.empty() && !states_.contains({info.states, info.pooled_states}))
      states_[{info.states, info.pooled_states}] = open_states(info, options, engine);
  }
}

std::vector<std::string> RunResources::cache_problems() const {
  std::vector<std::string> all;
  if (facts_ != nullptr) all.push_back(facts_->cache_problem());
  for (const auto& entry : encoders_) {
    for (std::string& problem : entry.second->cache_problems()) all.push_back(std::move(problem));
  }
  for (const auto& entry : clip_) all.push_back(entry.second->cache_problem());
  for (const auto& entry : states_) all.push_back(entry.second->cache_problem());
  std::erase(all, "");
  return all;
}

void RunResources::keep_no_more_vectors() const {
  for (const auto& entry : encoders_) entry.second->keep_no_more();
  for (const auto& entry : clip_) entry.second->keep_no_more();
  for (const auto& entry : states_) entry.second->keep_no_more();
}

metric::Resources RunResources::of(const metric::Info& info, const ScoreOptions& options) const {
  metric::Resources resources;
  if (const std::string df = df_of(info, options); !df.empty())
    resources.document_frequencies = df_.at(df).get();
  if (!info.vectors.empty()) resources.vectors = vectors_.at(info.vectors).get();
  if (!info.encoder.empty()) resources.encoder = encoders_.at({info.encoder, info.eight_bits}).get();
  if (!info.clip.empty()) resources.clip = clip_.at(info.clip).get();
  if (!info.states.empty()) resources.states = states_.at({info.states, info.pooled_states}).get();
  resources.meteor = meteor_.get();
  resources.facts = facts_.get();
  resources.progress = options.progress;
  resources.tokenized = text::tokenizer_by_name(options.tokenizer) == text::Tokenizer::none;
  return resources;
}

}  // namespace capella::pipeline
