#include "pipeline/prepared_run.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"
#include "capella/version.h"

#include "pipeline/test_verdicts.h"

namespace capella {
namespace pipeline {
namespace {

// How far the captions must be taken apart for all of the metrics.
text::Detail detail_of(std::span<const PreparedMetric> metrics) {
  text::Detail most = text::Detail::captions;
  for (const PreparedMetric& prepared : metrics) most = std::max(most, prepared.metric->info().reads);
  return most;
}

// The metrics of a run; those that look at pictures need some.
std::vector<PreparedMetric> metrics_for(const Dataset& dataset, const ScoreOptions& options) {
  std::vector<PreparedMetric> metrics = make_metrics(options);
  for (const PreparedMetric& prepared : metrics) {
    if (prepared.metric->info().images && dataset.images().empty())
      throw UsageError(
          fmt::format("{} looks at the pictures, and none are named; give --images DIR, a folder with files "
                      "named by ids, "
                      "or a file of ids and paths",
                      prepared.name));
  }
  return metrics;
}

}  // namespace

PreparedRun::PreparedRun(const Dataset& dataset, const ScoreOptions& options, ThreadPool& pool,
                         metric::ItemRange range)
    : dataset_(dataset),
      tokenizer_(text::tokenizer_by_name(options.tokenizer)),
      device_(options.device),
      metrics_(metrics_for(dataset, options)),
      resources_(metrics_, options),
      tokens_(
          std::make_unique<text::TextSet>(tokens_of(dataset.all_references(), pool), detail_of(metrics_))),
      references_{dataset_.all_references(), dataset_.reference_ends(), *tokens_} {
  for (PreparedMetric& prepared : metrics_) {
    metric::Resources resources = resources_.of(prepared.metric->info(), options);
    resources.pool = &pool;
    resources.items = range;
    resources.images = dataset_.images();
    resources.ids = dataset_.parts().ids;
    prepared.state = prepared.metric->prepare(references_, resources);
  }
  check_foundations(metrics_);
}

std::size_t PreparedRun::asked() const {
  return static_cast<std::size_t>(std::ranges::count(metrics_, true, &PreparedMetric::asked));
}

PreparedRun::Rows PreparedRun::rows(const metric::Batch& batch) const {
  Rows rows(metrics_.size());
  for (std::size_t m = 0; m < metrics_.size(); ++m) add_rows(m, batch, rows);
  return rows;
}

// Fills the rows of a metric, and before them those of the metrics it builds on, unless they are there.
void PreparedRun::add_rows(std::size_t m, const metric::Batch& batch, Rows& rows) const {
  if (!rows[m].empty()) return;
  const PreparedMetric& prepared = metrics_[m];
  for (const PreparedMetric::Part& part : prepared.built_on) add_rows(part.metric, batch, rows);
  const auto scores = built_on(prepared, rows);
  metric::Batch own = batch;
  own.built_on = scores;
  rows[m].resize(batch.size() * prepared.metric->info().row_width);
  prepared.metric->rows(own, prepared.state.get(), rows[m].data());
}

std::vector<std::vector<double>> PreparedRun::built_on(const PreparedMetric& metric, const Rows& rows) const {
  std::vector<std::vector<double>> all;
  for (const auto& [place, score] : metric.built_on) {
    const metric::Metric& base = *metrics_[place].metric;
    const std::size_t width = base.info().row_width;
    std::vector<double> scores(base.info().scores.size());
    std::vector<double>& wanted = all.emplace_back();
    for (std::size_t at = 0; at < rows[place].size(); at += width) {
      base.finish(std::span(rows[place]).subspan(at, width), scores);
      wanted.push_back(scores[score]);
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
  bool reads_tokens = false, encodes = false;
  const auto note = [&](const metric::Info& info) {
    reads_tokens |= info.reads != text::Detail::captions;
    encodes |= runs_encoder(info);
  };
  const auto add = [&](const PreparedMetric& own) {
    if (std::string choices = own.metric->choices(own.state.get()); !choices.empty())
      parts.push_back(std::move(choices));
    note(own.metric->info());
  };
  std::set<std::size_t> seen;
  for (std::size_t i = 0; i < prepared.built_on.size(); ++i) {
    const PreparedMetric& base = metrics_[prepared.built_on[i].metric];
    const bool pinned =
        prepared.metric->info().builds_on[i].choices.has_value();  // the metric's own choices imply them
    if (pinned) {
      note(base.metric->info());
    } else if (seen.insert(prepared.built_on[i].metric).second) {
      add(base);
    }
  }
  add(prepared);
  if (reads_tokens) parts.push_back(fmt::format("tok:{}", text::tokenizer_name(tokenizer_)));
  if (encodes && device_ != "cpu") parts.push_back("device:" + device_);
  return fmt::format("{}|capella:{}", fmt::join(parts, "|"), kVersion);
}

std::vector<std::string> PreparedRun::warnings() const {
  std::vector<std::string> all;
  for (const PreparedMetric& prepared : metrics_) {
    for (std::string& warning : prepared.metric->warnings(prepared.state.get()))
      all.push_back(std::move(warning));
  }
  for (std::string& problem : resources_.cache_problems()) all.push_back(std::move(problem));
  const auto encodes = [](const PreparedMetric& one) { return runs_encoder(one.metric->info()); };
  if (device_ != "cpu" && !metrics_.empty() && std::ranges::none_of(metrics_, encodes))
    all.push_back(fmt::format(
        "the device {} is not used: no metric of this run has a network that could run there", device_));
  return all;
}

void PreparedRun::save_cache(std::vector<std::string>& warnings) const {
  const std::string problem = resources_.facts() == nullptr ? std::string() : resources_.facts()->save();
  if (!problem.empty()) warnings.push_back(fmt::format("parsed captions are not kept: {}", problem));
  resources_.keep_no_more_vectors();
}

}  // namespace pipeline

void check_options(const ScoreOptions& options) {
  if (options.intervals) pipeline::check_resamples(options.intervals->resamples);
  text::tokenizer_by_name(options.tokenizer);
  pipeline::check_resources(pipeline::make_metrics(options), options);
}

}  // namespace capella
