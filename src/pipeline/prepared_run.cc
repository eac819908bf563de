#include "pipeline/prepared_run.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/data.h"
#include "capella/error.h"
#include "capella/version.h"

#include "pipeline/registry.h"
#include "pipeline/test_verdicts.h"
#include "resource/find.h"

namespace capella {
namespace pipeline {
namespace {

bool has_metric(std::span<const PreparedMetric> metrics, std::string_view name) {
  return std::any_of(metrics.begin(), metrics.end(), [&](const auto& metric) { return metric.name == name; });
}

// How far the captions must be taken apart for all of the metrics.
text::Detail detail_of(std::span<const PreparedMetric> metrics) {
  text::Detail most = text::Detail::captions;
  for (const PreparedMetric& prepared : metrics) most = std::max(most, prepared.metric->info().reads);
  return most;
}

PreparedMetric make_one(const std::string& name, const SettingsByMetric& settings) {
  PreparedMetric made;
  made.name = name;
  if (const auto own = settings.find(name); own != settings.end()) made.settings = own->second;
  made.metric = make_metric(name, made.settings);
  return made;
}

// Finds what metrics build on, and adds what of it was not asked for.
void add_foundations(std::vector<PreparedMetric>& metrics, const SettingsByMetric& settings) {
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    for (const std::string& name : metrics[m].metric->info().builds_on) {
      if (!has_metric(metrics, name)) {
        metrics.push_back(make_one(name, settings));
        metrics.back().asked = false;
      }
      const auto place = std::ranges::find(metrics, name, &PreparedMetric::name);
      metrics[m].built_on.push_back(static_cast<std::size_t>(place - metrics.begin()));
    }
  }
}

std::vector<std::string_view> names_where(std::span<const PreparedMetric> metrics,
                                          bool (*holds)(const metric::Info&)) {
  std::vector<std::string_view> names;
  for (const PreparedMetric& prepared : metrics) {
    if (holds(prepared.metric->info())) names.push_back(prepared.name);
  }
  return names;
}

}  // namespace

std::vector<PreparedMetric> make_metrics(const ScoreOptions& options) {
  const SettingsByMetric settings = parse_settings(options.settings);
  std::vector<PreparedMetric> metrics;
  for (const std::string& word : options.metrics) {
    const std::string name = canonical_name(word);
    if (has_metric(metrics, name)) continue;
    metrics.push_back(make_one(name, settings));
  }
  if (metrics.empty() && options.given.empty()) {
    throw UsageError("no metric was named; `capella metrics` lists them");
  }
  add_foundations(metrics, settings);
  for (const auto& entry : settings) {
    if (has_metric(metrics, entry.first)) continue;
    throw UsageError(
        fmt::format("--set {0}.…: {0} is not among the metrics of this run; add it with -m", entry.first));
  }
  return metrics;
}

std::unique_ptr<const resource::DfTable> open_df(const std::string& df) {
  if (df == "refs") return nullptr;
  if (df == "coco-val") {
    return std::make_unique<resource::DfTable>(resource::need("models/coco-val.df"), "coco-val");
  }
  return std::make_unique<resource::DfTable>(df, std::filesystem::path(df).stem().string());
}

std::unique_ptr<const resource::MeteorData> open_meteor(std::span<const PreparedMetric> metrics) {
  const auto names = names_where(metrics, [](const metric::Info& info) { return info.data == "meteor"; });
  // What builds on others needs only what these need, and by its settings one of them may need no data.
  const auto needing = names_where(
      metrics, [](const metric::Info& info) { return info.data == "meteor" && info.builds_on.empty(); });
  if (needing.empty()) return nullptr;
  try {
    return std::make_unique<resource::MeteorData>(data_path("meteor"));
  } catch (const FileError& problem) {
    throw FileError(
        fmt::format("{}; or leave {} out with -m available", problem.what(), fmt::join(names, ", ")));
  }
}

bool needs_parser(std::span<const PreparedMetric> metrics) {
  return !names_where(metrics, [](const metric::Info& info) { return info.parses; }).empty();
}

void check_parser() {
  resource::need(kParserModel);
}

std::unique_ptr<const syntax::CaptionParser> open_parser() {
  const std::string path = resource::need(kParserModel);
  try {
    return std::make_unique<const syntax::CaptionParser>(path);
  } catch (const FileError& problem) {
    throw FileError(fmt::format("{}; put back the file that came with Capella", problem.what()));
  }
}

std::unique_ptr<const syntax::CaptionParser> open_parser(std::span<const PreparedMetric> metrics) {
  return needs_parser(metrics) ? open_parser() : nullptr;
}

std::unique_ptr<const scene::CaptionFacts> open_facts(const syntax::CaptionParser* parser,
                                                      const std::string& cache) {
  if (parser == nullptr) return nullptr;
  std::unique_ptr<const scene::FactCache> on_disk;
  if (!cache.empty()) on_disk = std::make_unique<const scene::FactCache>(cache, parser->fingerprint());
  return std::make_unique<const scene::CaptionFacts>(*parser, std::move(on_disk));
}

PreparedRun::PreparedRun(const Dataset& dataset, const ScoreOptions& options, ThreadPool& pool,
                         metric::ItemRange range)
    : dataset_(dataset),
      tokenizer_(text::tokenizer_by_name(options.tokenizer)),
      df_(open_df(options.df)),
      metrics_(make_metrics(options)),
      meteor_(open_meteor(metrics_)),
      parser_(open_parser(metrics_)),
      facts_(open_facts(parser_.get(), options.cache)),
      tokens_(
          std::make_unique<text::TextSet>(tokens_of(dataset.all_references(), pool), detail_of(metrics_))),
      references_{dataset_.all_references(), dataset_.reference_ends(), *tokens_} {
  const metric::Resources resources{df_.get(), meteor_.get(), facts_.get(), &pool, options.progress, range};
  for (PreparedMetric& prepared : metrics_) prepared.state = prepared.metric->prepare(references_, resources);
}

std::size_t PreparedRun::asked() const {
  return static_cast<std::size_t>(std::ranges::count(metrics_, true, &PreparedMetric::asked));
}

PreparedRun::Rows PreparedRun::rows(const metric::Batch& batch) const {
  Rows rows(metrics_.size());
  for (const bool building : {false, true}) {
    for (std::size_t m = 0; m < metrics_.size(); ++m) {
      const PreparedMetric& prepared = metrics_[m];
      if (prepared.built_on.empty() == building) continue;
      const auto scores = built_on(prepared, rows);
      metric::Batch own = batch;
      own.built_on = scores;
      rows[m].resize(batch.size() * prepared.metric->info().row_width);
      prepared.metric->rows(own, prepared.state.get(), rows[m].data());
    }
  }
  return rows;
}

std::vector<std::vector<double>> PreparedRun::built_on(const PreparedMetric& metric, const Rows& rows) const {
  std::vector<std::vector<double>> all;
  for (const std::size_t place : metric.built_on) {
    const metric::Metric& base = *metrics_[place].metric;
    const std::size_t width = base.info().row_width;
    std::vector<double> scores(base.info().scores.size());
    std::vector<double>& main = all.emplace_back();
    for (std::size_t at = 0; at < rows[place].size(); at += width) {
      base.finish(std::span(rows[place]).subspan(at, width), scores);
      main.push_back(scores[main_score(base.info())]);
    }
  }
  return all;
}

text::StringColumn PreparedRun::tokens_of(std::span<const std::string_view> captions,
                                          ThreadPool& pool) const {
  return detail_of(metrics_) == text::Detail::captions ? text::StringColumn()
                                                       : text::tokenize(tokenizer_, captions, pool);
}

std::string PreparedRun::signature_rest(const PreparedMetric& prepared) const {
  // What a metric builds on makes its choices.
  std::vector<std::string> parts;
  bool reads_tokens = false;
  const auto add = [&](const PreparedMetric& own) {
    if (std::string choices = own.metric->choices(own.state.get()); !choices.empty())
      parts.push_back(std::move(choices));
    reads_tokens |= own.metric->info().reads != text::Detail::captions;
  };
  for (const std::size_t place : prepared.built_on) add(metrics_[place]);
  add(prepared);
  if (reads_tokens) parts.push_back(fmt::format("tok:{}", text::tokenizer_name(tokenizer_)));
  return fmt::format("{}|capella:{}", fmt::join(parts, "|"), kVersion);
}

std::vector<std::string> PreparedRun::warnings() const {
  std::vector<std::string> all;
  for (const PreparedMetric& prepared : metrics_) {
    for (std::string& warning : prepared.metric->warnings(prepared.state.get()))
      all.push_back(std::move(warning));
  }
  if (facts_ != nullptr && !facts_->cache_problem().empty()) all.push_back(facts_->cache_problem());
  return all;
}

void PreparedRun::save_cache(std::vector<std::string>& warnings) const {
  const std::string problem = facts_ == nullptr ? std::string() : facts_->save();
  if (!problem.empty()) warnings.push_back(fmt::format("parsed captions are not kept: {}", problem));
}

}  // namespace pipeline

void check_options(const ScoreOptions& options) {
  if (options.intervals) pipeline::check_resamples(options.intervals->resamples);
  text::tokenizer_by_name(options.tokenizer);
  const auto metrics = pipeline::make_metrics(options);
  pipeline::open_meteor(metrics);
  if (pipeline::needs_parser(metrics)) {
    pipeline::check_parser();
    if (!options.cache.empty()) scene::check_cache_folder(options.cache);
  }
  pipeline::open_df(options.df);
}

}  // namespace capella
