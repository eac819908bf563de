#include "pipeline/run_metrics.h"

#include <algorithm>
#include <map>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"

#include "base/names.h"
#include "pipeline/registry.h"

namespace capella::pipeline {
namespace {

using Values = std::map<std::string, std::string>;

bool has_metric(std::span<const PreparedMetric> metrics, std::string_view name) {
  return std::ranges::find(metrics, name, &PreparedMetric::name) != metrics.end();
}

Values settings_of(const std::string& name, const SettingsByMetric& settings) {
  const auto own = settings.find(name);
  return own == settings.end() ? Values() : own->second;
}

PreparedMetric make_one(const std::string& name, Values settings) {
  PreparedMetric made;
  made.name = name;
  made.metric = make_metric(name, settings);
  made.settings = std::move(settings);
  return made;
}

// The place of a metric made just so; it is added if it is not there.
std::size_t place_of(const std::string& name, const Values& settings, std::vector<PreparedMetric>& metrics) {
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    if (metrics[m].name == name && metrics[m].settings == settings) return m;
  }
  metrics.push_back(make_one(name, settings));
  metrics.back().asked = false;
  return metrics.size() - 1;
}

// Finds what metrics build on, and adds what of it was not asked for.
void add_foundations(std::vector<PreparedMetric>& metrics, const SettingsByMetric& settings) {
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    const std::vector<metric::Foundation> foundations = metrics[m].metric->info().builds_on;
    for (const metric::Foundation& foundation : foundations) {
      const Values values = foundation.settings.value_or(settings_of(foundation.metric, settings));
      const std::size_t place = place_of(foundation.metric, values, metrics);
      const std::size_t score = metric::find_score(metrics[place].metric->info(), foundation.score);
      metrics[m].built_on.push_back({place, score});
    }
  }
}

// Settings of metrics that do not run, or run only as what a trained metric is made of, would change nothing.
void check_settings_count(std::span<const PreparedMetric> metrics, const SettingsByMetric& settings) {
  for (const SettingsByMetric::value_type& given : settings) {
    const std::string& name = given.first;
    const auto counts = [&](const PreparedMetric& metric) {
      return metric.name == name && metric.settings == given.second;
    };
    if (std::ranges::any_of(metrics, counts)) continue;
    if (!has_metric(metrics, name))
      throw UsageError(
          fmt::format("--set {0}.…: {0} is not among the metrics of this run; add it with -m", name));
    throw UsageError(
        fmt::format("--set {0}.…: the trained metrics of this run take {0} as they learnt it, whatever is "
                    "set; to score it beside them, add it with -m",
                    name));
  }
}

// Two trained metrics may have one name.
void check_score_names(std::span<const PreparedMetric> metrics) {
  std::map<std::string_view, std::string_view> metric_of;
  for (const PreparedMetric& metric : metrics) {
    if (!metric.asked) continue;
    for (const metric::ScoreInfo& score : metric.metric->info().scores) {
      const auto [before, is_new] = metric_of.emplace(score.name, metric.name);
      if (is_new) continue;
      throw UsageError(fmt::format(
          "{} and {} both have a score named {}; score them one after the other, or train one of them under "
          "another name",
          before->second, metric.name, score.name));
    }
  }
}

void check_tokenizer(const metric::Info& info, const std::string& tokenizer) {
  const bool all = info.tokenizers.empty() || tokenizer.empty();
  if (all || std::ranges::find(info.tokenizers, tokenizer) != info.tokenizers.end()) return;
  throw UsageError(
      fmt::format("{} was trained on captions cut by another tokenizer than {}; use --tokenizer {}",
                  info.name, tokenizer, fmt::join(info.tokenizers, " or ")));
}

}  // namespace

std::vector<PreparedMetric> make_metrics(const ScoreOptions& options) {
  const SettingsByMetric settings = parse_settings(options.settings);
  std::vector<PreparedMetric> metrics;
  for (const std::string& word : options.metrics) {
    const std::string name = canonical_name(word);
    if (has_metric(metrics, name)) continue;
    metrics.push_back(make_one(name, settings_of(name, settings)));
  }
  if (metrics.empty() && options.given.empty()) {
    throw UsageError("no metric was named; `capella metrics` lists them");
  }
  add_foundations(metrics, settings);
  check_settings_count(metrics, settings);
  check_score_names(metrics);
  for (const PreparedMetric& metric : metrics) check_tokenizer(metric.metric->info(), options.tokenizer);
  return metrics;
}

std::vector<PreparedMetric> make_metrics_for(const std::string& name, const std::string& tokenizer) {
  ScoreOptions options;
  options.metrics = {name};
  options.tokenizer = tokenizer;
  return make_metrics(options);
}

bool is_trained(const metric::Info& info) {
  return std::ranges::any_of(info.builds_on,
                             [](const metric::Foundation& one) { return one.choices.has_value(); });
}

std::string df_of(const metric::Info& info, const ScoreOptions& options) {
  if (!info.uses_document_frequencies) return "";
  return info.document_frequencies.empty() ? options.df : info.document_frequencies;
}

void check_foundations(const std::vector<PreparedMetric>& metrics) {
  for (const PreparedMetric& prepared : metrics) {
    const auto& foundations = prepared.metric->info().builds_on;
    for (std::size_t i = 0; i < foundations.size(); ++i) {
      const PreparedMetric& base = metrics[prepared.built_on[i].metric];
      const std::string here = base.metric->choices(base.state.get());
      if (!foundations[i].choices || *foundations[i].choices == here) continue;
      throw DataError(fmt::format(
          "{}: its model was trained on {} as '{}', but here it is '{}', so its scores would mean nothing; "
          "train it again with `capella composite train`, or use the data files it was trained with",
          prepared.name, foundations[i].score.empty() ? base.name : foundations[i].score,
          *foundations[i].choices, here));
    }
  }
}

}  // namespace capella::pipeline
