#include "pipeline/run.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>

#include <fmt/format.h>

#include "capella/error.h"
#include "capella/version.h"

#include "base/names.h"
#include "io/problems.h"
#include "io/system_name.h"
#include "metric/given.h"
#include "pipeline/registry.h"
#include "resource/find.h"

namespace capella::pipeline {
namespace {

constexpr std::size_t kBatch = 256;

std::vector<PreparedMetric> make_metrics(const ScoreOptions& options) {
  const SettingsByMetric settings = parse_settings(options.settings);
  std::vector<PreparedMetric> metrics;
  for (const std::string& word : options.metrics) {
    const std::string name = canonical_name(word);
    const bool repeated =
        std::any_of(metrics.begin(), metrics.end(), [&](const auto& other) { return other.name == name; });
    if (repeated) continue;
    const auto own = settings.find(name);
    PreparedMetric& metric = metrics.emplace_back();
    metric.name = name;
    if (own != settings.end()) metric.settings = own->second;
    metric.metric = make_metric(name, metric.settings);
  }
  for (const auto& entry : settings) {
    const std::string& name = entry.first;
    const bool asked =
        std::any_of(metrics.begin(), metrics.end(), [&](const auto& metric) { return metric.name == name; });
    if (!asked)
      throw UsageError(
          fmt::format("--set {}.…: {} is not among the metrics of this run; add it with -m", name, name));
  }
  return metrics;
}

// Empty captions are scored as the reference programs do, but rarely meant.
void warn_of_empty_captions(const Dataset& dataset, std::size_t first, std::size_t count,
                            std::vector<std::string>& warnings) {
  for (const Dataset::System& system : dataset.systems()) {
    std::vector<std::string_view> ids;
    for (std::size_t item = first; item < first + count; ++item) {
      if (system.captions[item].empty()) ids.push_back(dataset.id(item));
    }
    if (!ids.empty())
      warnings.push_back(fmt::format("{}: {} empty caption{} scored as such: {}", system.name, ids.size(),
                                     ids.size() == 1 ? "" : "s", io::list_names(ids)));
  }
}

// Tells the outside how far the scoring is; one call at a time.
class Steps {
 public:
  Steps(const Progress& progress, std::string_view stage, std::size_t total)
      : progress_(progress), stage_(stage), total_(total) {}
  void done() {
    if (!progress_) return;
    const std::lock_guard lock(mutex_);
    progress_(stage_, ++done_, total_);
  }

 private:
  const Progress& progress_;
  std::string_view stage_;
  std::size_t total_;
  std::size_t done_ = 0;
  std::mutex mutex_;
};

void score_batch(const PreparedRun& run, std::span<const std::string_view> captions,
                 const text::StringColumn& tokens, std::size_t first, std::size_t item, std::size_t count,
                 aggregate::RowBlock& block, std::size_t system) {
  std::vector<std::uint32_t> items(count);
  std::iota(items.begin(), items.end(), static_cast<std::uint32_t>(first + item));
  text::StringColumn own_tokens;
  for (std::size_t k = 0; k < count; ++k) own_tokens.push_back(tokens.size() == 0 ? "" : tokens[item + k]);
  const text::TextSet texts(std::move(own_tokens), &run.references().tokens);
  const metric::Batch batch{run.references(), items, captions.subspan(item, count), texts};
  for (std::size_t m = 0; m < run.metrics().size(); ++m) {
    const PreparedMetric& prepared = run.metrics()[m];
    double* out = block.rows_of(system, m).data() + item * prepared.metric->info().row_width;
    prepared.metric->rows(batch, prepared.state.get(), out);
  }
}

void score_system(const PreparedRun& run, std::size_t system, std::size_t first, std::size_t count,
                  aggregate::RowBlock& block, ThreadPool& pool, Steps& steps) {
  const auto captions = std::span(run.dataset().systems()[system].captions).subspan(first, count);
  const text::StringColumn tokens = run.tokens_of(captions, pool);
  pool.parallel_for((count + kBatch - 1) / kBatch, [&](std::size_t piece) {
    const std::size_t item = piece * kBatch;
    score_batch(run, captions, tokens, first, item, std::min(kBatch, count - item), block, system);
    steps.done();
  });
}

void add_given(const ScoreOptions& options, std::size_t first, std::size_t count,
               aggregate::RowBlock& block) {
  const std::size_t ours = block.metrics.size();
  std::vector<std::vector<double>> rows;
  for (std::size_t system = 0; system < block.systems.size(); ++system) {
    for (std::size_t m = 0; m < ours; ++m) rows.push_back(std::move(block.rows[system * ours + m]));
    for (const GivenScores& given : options.given) {
      std::vector<double>& out = rows.emplace_back();
      for (std::size_t item = first; item < first + count; ++item)
        out.insert(out.end(), {given.values[system][item], 1.0});
    }
  }
  block.rows = std::move(rows);
  for (const GivenScores& given : options.given) {
    block.metrics.push_back(
        {std::string(metric::kGivenPrefix) + given.name, {}, 2, fmt::format("given|capella:{}", kVersion)});
  }
}

}  // namespace

std::unique_ptr<const resource::DfTable> open_df(const std::string& df) {
  if (df == "refs") return nullptr;
  if (df == "coco-val")
    return std::make_unique<resource::DfTable>(resource::need("models/coco-val.df"), "coco-val");
  const io::SystemFile file = io::name_systems(std::span(&df, 1))[0];
  return std::make_unique<resource::DfTable>(file.path, file.name);
}

PreparedRun::PreparedRun(const Dataset& dataset, const ScoreOptions& options, ThreadPool& pool)
    : dataset_(dataset),
      tokenizer_(text::tokenizer_by_name(options.tokenizer)),
      df_(open_df(options.df)),
      metrics_(make_metrics(options)),
      tokens_(std::make_unique<text::TextSet>(tokens_of(dataset.all_references(), pool))),
      references_{dataset_.all_references(), dataset_.reference_ends(), *tokens_} {
  for (PreparedMetric& prepared : metrics_)
    prepared.state = prepared.metric->prepare(references_, {df_.get()});
}

text::StringColumn PreparedRun::tokens_of(std::span<const std::string_view> captions,
                                          ThreadPool& pool) const {
  const bool needed = std::any_of(metrics_.begin(), metrics_.end(),
                                  [](const auto& m) { return m.metric->info().uses_tokens; });
  return needed ? text::tokenize(tokenizer_, captions, pool) : text::StringColumn();
}

std::string PreparedRun::signature_rest(const PreparedMetric& prepared) const {
  const std::string tokens = prepared.metric->info().uses_tokens
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

aggregate::RowBlock compute_rows(const Dataset& dataset, const ScoreOptions& options, std::size_t first,
                                 std::size_t count) {
  if (dataset.systems().empty()) throw DataError("no captions to score: give at least one system");
  if (dataset.size() == 0)
    throw DataError("nothing to score: no item has both references and a caption of every system");
  ThreadPool pool(options.threads);
  const PreparedRun run(dataset, options, pool);
  aggregate::RowBlock block;
  block.total_items = dataset.size();
  block.first_item = first;
  for (std::size_t item = first; item < first + count; ++item) block.ids.emplace_back(dataset.id(item));
  for (const PreparedMetric& prepared : run.metrics()) {
    block.metrics.push_back(
        {prepared.name, prepared.settings, prepared.metric->info().row_width, run.signature_rest(prepared)});
  }
  for (const Dataset::System& system : dataset.systems()) {
    block.systems.push_back(system.name);
    for (const aggregate::MetricRun& metric : block.metrics)
      block.rows.emplace_back(metric.row_width * count);
  }
  Steps steps(options.progress, "scoring", dataset.systems().size() * ((count + kBatch - 1) / kBatch));
  for (std::size_t system = 0; system < block.systems.size(); ++system)
    score_system(run, system, first, count, block, pool, steps);
  add_given(options, first, count, block);
  block.skipped.assign(dataset.skipped().begin(), dataset.skipped().end());
  block.warnings = run.warnings();
  warn_of_empty_captions(dataset, first, count, block.warnings);
  return block;
}

}  // namespace capella::pipeline
