#include "pipeline/prepared_run.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "capella/data.h"
#include "capella/error.h"
#include "capella/version.h"

#include "pipeline/registry.h"
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

}  // namespace

std::vector<PreparedMetric> make_metrics(const ScoreOptions& options) {
  const SettingsByMetric settings = parse_settings(options.settings);
  std::vector<PreparedMetric> metrics;
  for (const std::string& word : options.metrics) {
    const std::string name = canonical_name(word);
    if (has_metric(metrics, name)) continue;
    const auto own = settings.find(name);
    PreparedMetric& metric = metrics.emplace_back();
    metric.name = name;
    if (own != settings.end()) metric.settings = own->second;
    metric.metric = make_metric(name, metric.settings);
  }
  if (metrics.empty() && options.given.empty()) {
    throw UsageError("no metric was named; `capella metrics` lists them");
  }
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
  const bool needed = std::any_of(metrics.begin(), metrics.end(),
                                  [](const auto& m) { return m.metric->info().data == "meteor"; });
  if (!needed) return nullptr;
  try {
    return std::make_unique<resource::MeteorData>(data_path("meteor"));
  } catch (const FileError& problem) {
    throw FileError(fmt::format("{}; or leave meteor out with -m available", problem.what()));
  }
}

PreparedRun::PreparedRun(const Dataset& dataset, const ScoreOptions& options, ThreadPool& pool)
    : dataset_(dataset),
      tokenizer_(text::tokenizer_by_name(options.tokenizer)),
      df_(open_df(options.df)),
      metrics_(make_metrics(options)),
      meteor_(open_meteor(metrics_)),
      tokens_(
          std::make_unique<text::TextSet>(tokens_of(dataset.all_references(), pool), detail_of(metrics_))),
      references_{dataset_.all_references(), dataset_.reference_ends(), *tokens_} {
  for (PreparedMetric& prepared : metrics_)
    prepared.state = prepared.metric->prepare(references_, {df_.get(), meteor_.get()});
}

text::StringColumn PreparedRun::tokens_of(std::span<const std::string_view> captions,
                                          ThreadPool& pool) const {
  return detail_of(metrics_) == text::Detail::captions ? text::StringColumn()
                                                       : text::tokenize(tokenizer_, captions, pool);
}

std::string PreparedRun::signature_rest(const PreparedMetric& prepared) const {
  const std::string tokens = prepared.metric->info().reads != text::Detail::captions
                                 ? fmt::format("|tok:{}", text::tokenizer_name(tokenizer_))
                                 : std::string();
  return fmt::format("{}{}|capella:{}", prepared.metric->choices(prepared.state.get()), tokens, kVersion);
}

std::vector<std::string> PreparedRun::warnings() const {
  std::vector<std::string> all;
  for (const PreparedMetric& prepared : metrics_) {
    for (std::string& warning : prepared.metric->warnings(prepared.state.get()))
      all.push_back(std::move(warning));
  }
  return all;
}

}  // namespace pipeline

void check_options(const ScoreOptions& options) {
  text::tokenizer_by_name(options.tokenizer);
  pipeline::open_meteor(pipeline::make_metrics(options));
  pipeline::open_df(options.df);
}

}  // namespace capella
