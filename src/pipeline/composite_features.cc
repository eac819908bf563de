#include "pipeline/composite_features.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"
#include "capella/version.h"

#include "base/hash.h"
#include "base/names.h"
#include "io/benchmark.h"
#include "io/benchmark_records.h"
#include "method/composite/pairing.h"
#include "method/composite/presets.h"
#include "pipeline/finisher.h"
#include "pipeline/meta_data.h"
#include "pipeline/prepared_run.h"
#include "pipeline/registry.h"
#include "pipeline/rows.h"

namespace capella {
namespace pipeline {
namespace {

using method::composite::image_key;

// The document frequencies of every CIDEr that is learnt from: fixed, so that a caption's score does not
// depend on the others in its file.
constexpr std::string_view kFrequencies = "coco-val";

// Where a score of that name comes from. Composite metrics are no features: they would be fed to themselves.
io::FeatureColumn column_of(std::string_view score) {
  std::vector<std::string> names;
  for (const metric::Entry& entry : metric::all_metrics()) {
    const std::string name(entry.name);
    const auto metric = make_metric(name, {});
    for (const metric::ScoreInfo& one : metric->info().scores) {
      if (one.name == score) {
        io::FeatureColumn column{std::string(score), name, {}, {}};
        if (metric->info().uses_document_frequencies) column.settings["df"] = kFrequencies;
        return column;
      }
      names.push_back(one.name);
    }
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  throw UsageError(unknown_name_message("score", score, views));
}

// The columns for these scores; what the user has set for their metrics becomes part of what is learnt from.
std::vector<io::FeatureColumn> columns_of(const std::vector<std::string>& scores, const ScoreOptions& run) {
  std::vector<io::FeatureColumn> columns;
  SettingsByMetric settings = parse_settings(run.settings);
  for (const std::string& score : scores) {
    if (std::ranges::find(columns, score, &io::FeatureColumn::score) != columns.end())
      throw UsageError(fmt::format("the score {} is asked for twice", score));
    columns.push_back(column_of(score));
    for (const auto& [key, value] : settings[columns.back().metric]) columns.back().settings[key] = value;
  }
  for (const auto& [metric, values] : settings) {
    if (std::ranges::find(columns, metric, &io::FeatureColumn::metric) == columns.end())
      throw UsageError(fmt::format("--set {0}.…: no score of {0} is asked for", metric));
  }
  return columns;
}

// A run that makes the columns' scores.
ScoreOptions run_for(const std::vector<io::FeatureColumn>& columns, const ScoreOptions& run) {
  ScoreOptions options = run;
  options.metrics.clear();
  options.settings.clear();
  options.intervals.reset();
  options.detail = true;
  for (const io::FeatureColumn& column : columns) {
    if (std::ranges::find(options.metrics, column.metric) != options.metrics.end()) continue;
    options.metrics.push_back(column.metric);
    for (const auto& [key, value] : column.settings)
      options.settings.push_back(fmt::format("{}.{}={}", column.metric, key, value));
  }
  return options;
}

std::size_t count_words(std::string_view tokens) {
  std::size_t words = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i)
    words += tokens[i] != ' ' && (i == 0 || tokens[i - 1] == ' ');
  return words;
}

void add_scores(const PreparedRun& run, const Result& result, ThreadPool& pool, io::FeatureTable& table) {
  std::vector<std::size_t> places;
  for (const io::FeatureColumn& column : table.columns) {
    const auto place = std::ranges::find(result.columns, column.score, &ScoreColumn::name);
    places.push_back(static_cast<std::size_t>(place - result.columns.begin()));
  }
  const Dataset& dataset = run.dataset();
  for (std::size_t system = 0; system < dataset.systems().size(); ++system) {
    const text::StringColumn tokens = run.tokens_of(dataset.systems()[system].captions, pool);
    for (std::size_t item = 0; item < dataset.size(); ++item) {
      table.lengths.push_back(tokens.size() == 0 ? 0 : count_words(tokens[item]));
      for (const std::size_t place : places) table.values.push_back(result.item_value(system, item, place));
    }
  }
}

// Rows of one caption by several judges become one, with the mean of their ratings.
void join_judges(io::FeatureTable& table) {
  io::FeatureTable joined = table;
  joined.ids.clear();
  joined.images.clear();
  joined.systems.clear();
  joined.lengths.clear();
  joined.targets.clear();
  joined.values.clear();
  const std::size_t judges = table.rows_each;
  for (std::size_t k = 0; k + judges <= table.rows(); k += judges) {
    joined.ids.push_back(std::to_string(k / judges));
    joined.images.push_back(table.images[k]);
    joined.systems.push_back(table.systems[k]);
    joined.lengths.push_back(table.lengths[k]);
    const auto first = table.targets.begin() + static_cast<std::ptrdiff_t>(k);
    const double sum = std::accumulate(first, first + static_cast<std::ptrdiff_t>(judges), 0.0);
    joined.targets.push_back(sum / static_cast<double>(judges));
    joined.values.insert(joined.values.end(), table.row(k).begin(), table.row(k).end());
  }
  table = std::move(joined);
}

std::size_t count_distinct(const std::vector<std::string>& names) {
  return std::set<std::string_view>(names.begin(), names.end()).size();
}

const std::vector<std::string>& scores_or_all(const FeatureOptions& options) {
  static const std::vector<std::string> all = preset_scores();
  return options.scores.empty() ? all : options.scores;
}

void summarize(const io::FeatureTable& table, FeatureSummary& summary) {
  summary.rows = table.rows();
  summary.images = count_distinct(table.images);
  for (const io::FeatureColumn& column : table.columns) summary.columns.push_back(column.score);
}

// A number that is not finite would be refused when the file is read; so it is refused before it is written.
void check_numbers(const io::FeatureTable& table) {
  for (std::size_t k = 0; k < table.rows(); ++k) {
    const auto row = table.row(k);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (std::isfinite(row[i])) continue;
      throw DataError(fmt::format("{} of caption {} is {}: nothing can be learnt from it",
                                  table.columns[i].score, table.ids[k], row[i]));
    }
  }
}

// The data set's first item, enough to prepare a run.
Dataset first_item(const Dataset& dataset) {
  if (dataset.size() == 0) return dataset;
  Dataset::Parts parts;
  parts.text = std::make_shared<const Dataset>(dataset);
  parts.ids = {dataset.id(0)};
  const auto references = dataset.references(0);
  parts.references.assign(references.begin(), references.end());
  parts.reference_ends = {references.size()};
  for (const Dataset::System& system : dataset.systems())
    parts.systems.push_back({system.name, {system.captions[0]}});
  return Dataset(std::move(parts));
}

// What the signatures will say, without scoring: choices do not depend on the captions, since document
// frequencies come from a table.
void describe_columns(FeaturePlan& plan) {
  ScoreOptions options = plan.run;
  options.cache.clear();
  options.progress = {};
  ThreadPool pool(1);
  const PreparedRun prepared(first_item(plan.dataset), options, pool);
  for (io::FeatureColumn& column : plan.table.columns) {
    const auto& metric = *std::ranges::find(prepared.metrics(), column.metric, &PreparedMetric::name);
    column.choices = metric.metric->choices(metric.state.get());
  }
}

// One number of many texts and numbers, in their order.
class Fingerprint {
 public:
  void add(std::string_view text) { hash_ = hash_combine(hash_, hash_bytes(text)); }
  void add(double number) { hash_ = hash_combine(hash_, std::bit_cast<std::uint64_t>(number)); }
  void add_size(std::size_t size) { hash_ = hash_combine(hash_, size); }
  template <class Values>
  void add_all(const Values& values) {
    add_size(values.size());
    for (const auto& value : values) add(value);
  }
  std::string text() const { return fmt::format("{:016x}", hash_); }

 private:
  std::uint64_t hash_ = 0;
};

// Of all that decides about the rows and their scores. Pairing, seed and images left out are in the captions.
std::string fingerprint(const FeaturePlan& plan) {
  Fingerprint made_of;
  const Dataset& dataset = plan.dataset;
  for (std::size_t item = 0; item < dataset.size(); ++item) made_of.add_all(dataset.references(item));
  for (const Dataset::System& system : dataset.systems()) made_of.add_all(system.captions);
  const io::FeatureTable& table = plan.table;
  made_of.add_all(table.ids);
  made_of.add_all(table.images);
  made_of.add_all(table.systems);
  made_of.add_all(table.targets);
  for (const std::string& text : {std::string(kVersion), table.source, table.tokenizer, table.benchmark})
    made_of.add(text);
  for (const std::size_t number : {std::size_t(table.targets_are), std::size_t(table.pairs), table.rows_each})
    made_of.add_size(number);
  made_of.add_size(table.columns.size());
  for (const io::FeatureColumn& column : table.columns) {
    for (const std::string& text : {column.score, column.metric, column.choices}) made_of.add(text);
    for (const auto& [key, value] : column.settings) made_of.add_all(std::vector{key, value});
  }
  return made_of.text();
}

// The rows' names, and how they are scored; what is known better is for the caller to fill in.
FeaturePlan plan_rows(const Dataset& dataset, const FeatureOptions& options) {
  FeaturePlan plan;
  plan.dataset = dataset;
  plan.table.tokenizer = options.run.tokenizer;
  plan.table.columns = columns_of(scores_or_all(options), options.run);
  plan.run = run_for(plan.table.columns, options.run);
  for (const Dataset::System& system : dataset.systems()) {
    for (std::size_t item = 0; item < dataset.size(); ++item) {
      plan.table.ids.emplace_back(dataset.id(item));
      plan.table.systems.push_back(system.name);
    }
  }
  plan.table.images = plan.table.ids;
  describe_columns(plan);
  return plan;
}

method::composite::PairedCaptions pair(const TrainingCaptions& captions) {
  if (captions.dataset.systems().empty())
    throw UsageError("no machine captions: give the captions of one system or more beside the human ones");
  std::set<std::string> left_out;
  for (const std::string& image : captions.left_out) left_out.insert(image_key(image));
  method::composite::PairingOptions pairing;
  pairing.captions = captions.captions;
  pairing.humans = captions.humans;
  pairing.seed = captions.seed;
  if (captions.other_images) pairing.machines = method::composite::Machines::other;
  pairing.leaves_out = [&](std::string_view image) { return left_out.contains(image_key(image)); };
  return pair_captions(captions.dataset, pairing);
}

}  // namespace

std::vector<std::string> preset_scores() {
  std::vector<std::string> scores;
  for (const method::composite::Preset& preset : method::composite::presets()) {
    for (const method::composite::PresetInput& input : preset.inputs) {
      if (std::ranges::find(scores, input.score) == scores.end()) scores.emplace_back(input.score);
    }
  }
  return scores;
}

FeaturePlan plan_training(const TrainingCaptions& captions, const FeatureOptions& options) {
  method::composite::PairedCaptions paired = pair(captions);
  FeaturePlan plan = plan_rows(paired.dataset, options);
  io::FeatureTable& table = plan.table;
  table.images = std::move(paired.images);
  table.systems = std::move(paired.systems);
  table.targets = std::move(paired.human);
  table.targets_are = io::Targets::human;
  FeatureSummary& summary = plan.summary;
  summary.human = static_cast<std::size_t>(std::ranges::count(table.targets, 1.0));
  summary.left_out = paired.left_out;
  summary.too_few = paired.too_few;
  std::vector<std::string_view> systems;
  for (const Dataset::System& system : captions.dataset.systems()) systems.push_back(system.name);
  table.source =
      fmt::format("{} human captions of {} images ({}) against {} of {}{}", io::grouped(summary.human),
                  io::grouped(paired.image_count), captions.source, io::grouped(table.rows() - summary.human),
                  fmt::join(systems, ", "), captions.other_images ? ", written for other images" : "");
  table.made_of = fingerprint(plan);
  return plan;
}

FeaturePlan plan_benchmark(const MetaOptions& options, const FeatureOptions& features) {
  const io::Benchmark benchmark = read_data(options);
  FeaturePlan plan = plan_rows(benchmark.dataset, features);
  io::FeatureTable& table = plan.table;
  for (std::size_t k = 0; k < table.rows(); ++k) table.images[k] = benchmark.image_names[benchmark.images[k]];
  table.source = benchmark.title;
  table.pairs = benchmark.pairwise();
  if (benchmark.kept.empty()) table.benchmark = benchmark.name;  // else rows are not the file's
  if (!benchmark.pairwise()) {
    table.targets = benchmark.ratings;
    table.targets_are = io::Targets::ratings;
  }
  if (benchmark.name == "flickr8k-expert") {
    table.rows_each = 3;
    table.source += ", the mean of three experts for each caption";
  }
  table.made_of = fingerprint(plan);
  return plan;
}

FeaturePlan plan_captions(const Dataset& dataset, const FeatureOptions& options) {
  FeaturePlan plan = plan_rows(dataset, options);
  plan.table.source = "captions without judgement";
  plan.table.made_of = fingerprint(plan);
  return plan;
}

io::FeatureTable make_table(FeaturePlan& plan) {
  io::FeatureTable table = plan.table;
  ThreadPool pool(plan.run.threads);
  const PreparedRun prepared(plan.dataset, plan.run, pool);
  const aggregate::RowBlock block = compute_rows(prepared, 0, plan.dataset.size(), pool, plan.run.progress);
  const Result result = finish_rows(block, plan.run);
  std::vector<std::string>& warnings = plan.summary.warnings;
  warnings.insert(warnings.end(), result.warnings.begin(), result.warnings.end());
  add_scores(prepared, result, pool, table);
  check_numbers(table);
  if (table.rows_each > 1) join_judges(table);
  summarize(table, plan.summary);
  return table;
}

}  // namespace pipeline

namespace {

FeatureSummary write(pipeline::FeaturePlan plan, const std::string& path) {
  io::write_features(path, pipeline::make_table(plan));
  return std::move(plan.summary);
}

}  // namespace

FeatureSummary write_training_features(const TrainingCaptions& captions, const FeatureOptions& options) {
  return write(pipeline::plan_training(captions, options), options.output);
}

FeatureSummary write_benchmark_features(const MetaOptions& benchmark, const FeatureOptions& options) {
  return write(pipeline::plan_benchmark(benchmark, options), options.output);
}

FeatureSummary write_caption_features(const Dataset& dataset, const FeatureOptions& options) {
  return write(pipeline::plan_captions(dataset, options), options.output);
}

std::vector<std::string> benchmark_images(const MetaOptions& benchmark) {
  return pipeline::read_data(benchmark).image_names;
}

}  // namespace capella
