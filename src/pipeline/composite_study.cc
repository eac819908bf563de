// All composite presets trained with several seeds and held against human judgement, beside their components.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <span>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "capella/composite.h"
#include "capella/error.h"

#include "io/feature_table.h"
#include "method/composite/presets.h"
#include "pipeline/composite_features.h"
#include "pipeline/composite_train.h"
#include "pipeline/test_verdicts.h"
#include "stats/correlation.h"
#include "stats/spread.h"

namespace capella {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kComponents = {"METEOR", "WMD", "CIDEr-D", "SPICE"};
constexpr std::array<std::string_view, 6> kSingles = {"BLEU-4", "ROUGE-L", "METEOR",
                                                      "WMD",    "CIDEr-D", "SPICE"};

// The tables of features in the study's folder.
constexpr std::string_view kTrainingFile = "features-training.jsonl";
constexpr std::string_view kValidationFile = "features-flickr8k-expert.jsonl";
constexpr std::string_view kCompositeFile = "features-composite.jsonl";
constexpr std::string_view kPascalFile = "features-pascal50s.jsonl";

fs::path models_folder(const StudyOptions& options) {
  return fs::path(options.folder) / "models";
}

std::string model_path(const StudyOptions& options, const std::string& preset) {
  return (models_folder(options) / (preset + ".safetensors")).string();
}

/// A benchmark with the scores of its captions.
struct Test {
  std::string name;
  MetaOptions options;
  io::FeatureTable features;  // one row for each of the benchmark's file
};

class Study {
 public:
  explicit Study(const StudyOptions& options) : options_(options) {}

  StudyResult run() {
    read_tests();
    const io::FeatureTable validation =
        table(kValidationFile,
              pipeline::plan_benchmark(benchmark("flickr8k-expert", options_.flickr8k), features()));
    const io::FeatureTable training = table(kTrainingFile, pipeline::plan_training(captions(), features()));
    result_.source = training.source;
    for (const CompositePreset& preset : composite_presets()) add_preset(preset, training, validation);
    for (const Test& test : tests_) evaluate(test);
    if (!options_.composite.empty()) measure_lengths();
    return std::move(result_);
  }

 private:
  MetaOptions benchmark(std::string name, std::string path) const {
    MetaOptions meta;
    meta.benchmark = std::move(name);
    meta.path = std::move(path);
    meta.score.threads = options_.run.threads;
    meta.score.progress = options_.run.progress;
    meta.seed = options_.training.seed;
    meta.resamples = options_.resamples;
    return meta;
  }

  FeatureOptions features() const { return {{}, options_.run, {}}; }

  // Images on which metrics are tested or training is ended are not learnt from.
  TrainingCaptions captions() const {
    TrainingCaptions captions = options_.captions;
    const auto leave_out = [&](const std::string& name, const std::string& path) {
      if (!path.empty())
        std::ranges::copy(benchmark_images(benchmark(name, path)), std::back_inserter(captions.left_out));
    };
    leave_out("composite", options_.composite);
    leave_out("pascal50s", options_.pascal50s);
    leave_out("flickr8k-expert", options_.flickr8k);
    return captions;
  }

  // A table that lies in the folder and is of the same captions and scores, or is made and put there.
  io::FeatureTable table(std::string_view file, pipeline::FeaturePlan plan) {
    const std::string path = (fs::path(options_.folder) / file).string();
    std::error_code unknown;
    if (fs::exists(path, unknown)) {
      try {
        io::FeatureTable found = io::read_features(path);
        if (found.made_of == plan.table.made_of) {
          tell(fmt::format("{} was made of the same captions and scores and is used", path));
          return found;
        }
        tell(fmt::format("{} was made of other captions or scores and is made again", path));
      } catch (const DataError& problem) {
        tell(fmt::format("{}; so it is made again", problem.what()));
      }
    }
    io::write_features(path, pipeline::make_table(plan));
    std::ranges::copy(plan.summary.warnings, std::back_inserter(result_.warnings));
    return io::read_features(path);
  }

  void tell(const std::string& what) {
    if (options_.tell) {
      options_.tell(what);
    } else {
      result_.warnings.push_back(what);
    }
  }

  void read_tests() {
    if (!options_.composite.empty()) {
      const MetaOptions whole = benchmark("composite", options_.composite);
      const io::FeatureTable rows = table(kCompositeFile, pipeline::plan_benchmark(whole, features()));
      MetaOptions part = whole;
      part.without = {"flickr8k"};
      tests_.push_back({"Composite", whole, rows});
      tests_.push_back({"Composite without Flickr8k", part, rows});
    }
    if (!options_.pascal50s.empty()) {
      const MetaOptions pairs = benchmark("pascal50s", options_.pascal50s);
      tests_.push_back(
          {"PASCAL-50S", pairs, table(kPascalFile, pipeline::plan_benchmark(pairs, features()))});
    }
  }

  void add_preset(const CompositePreset& preset, const io::FeatureTable& training,
                  const io::FeatureTable& validation);
  void evaluate(const Test& test);
  void add_spreads(const Test& test);
  void compare_best(const MetaResult& meta, const std::string& test, std::string_view group,
                    std::string_view begin);
  void measure_lengths();
  std::vector<GivenSeries> single_scores(const io::FeatureTable& features) const;

  const StudyOptions& options_;
  std::vector<Test> tests_;
  std::vector<pipeline::TrainedComposite> trained_;  // one per preset
  StudyResult result_;
};

std::string measure_name(const std::string& measure) {
  if (measure == "kendall_b") return "tau-b";
  if (measure == "kendall_c") return "tau-c";
  return measure;
}

void Study::add_preset(const CompositePreset& preset, const io::FeatureTable& training,
                       const io::FeatureTable& validation) {
  CompositeTraining how = options_.training;
  how.threads = options_.run.threads;
  how.progress = options_.run.progress;
  trained_.push_back(
      pipeline::train_design(pipeline::design_of_preset(preset.name), training, validation, how));
  pipeline::TrainedComposite& trained = trained_.back();
  pipeline::write_models(model_path(options_, preset.name), /*keep_all=*/true, trained);
  std::ranges::copy(trained.summary.warnings, std::back_inserter(result_.warnings));
  result_.presets.push_back({trained.summary, trained.summary.spreads});
}

std::vector<GivenSeries> Study::single_scores(const io::FeatureTable& features) const {
  std::vector<GivenSeries> series;
  for (const std::string_view name : kSingles)
    series.push_back({std::string(name), features.column_values(features.column(name))});
  GivenSeries spider{"SPIDEr", features.column_values(features.column("CIDEr-D"))};
  const std::vector<double> spice = features.column_values(features.column("SPICE"));
  for (std::size_t k = 0; k < spice.size(); ++k) spider.values[k] = (spider.values[k] + spice[k]) / 2;
  series.push_back(std::move(spider));
  return series;
}

// Every network alone, for mean and deviation over seeds.
void Study::add_spreads(const Test& test) {
  MetaOptions meta = test.options;
  meta.resamples = pipeline::kLeastResamples;  // intervals are not looked at
  for (const pipeline::TrainedComposite& trained : trained_) {
    for (std::size_t i = 0; i < trained.models.size(); ++i)
      meta.given.push_back({fmt::format("{}-{}", trained.summary.name, i),
                            pipeline::score_table(trained.models[i], test.features)});
  }
  const MetaResult all = evaluate_metrics(meta);
  std::size_t first = 0;
  for (std::size_t p = 0; p < trained_.size(); ++p) {
    const std::size_t seeds = trained_[p].models.size();
    for (std::size_t measure = 0; measure < all.measures.size(); ++measure) {
      if (all.measures[measure] == "pearson" || all.measures[measure] == "spearman") continue;
      std::vector<double> values;
      for (std::size_t i = 0; i < seeds; ++i)
        values.push_back(all.metrics[first + i].estimates[measure].value);
      result_.presets[p].spreads.push_back(
          pipeline::spread_of_seeds(test.name, measure_name(all.measures[measure]), std::move(values)));
    }
    first += seeds;
  }
}

void Study::evaluate(const Test& test) {
  add_spreads(test);
  MetaOptions meta = test.options;
  meta.given = single_scores(test.features);
  for (const pipeline::TrainedComposite& trained : trained_)
    meta.given.push_back(
        {trained.summary.name, pipeline::score_table(trained.models[trained.summary.best], test.features)});
  MetaResult evaluated = evaluate_metrics(meta);
  compare_best(evaluated, test.name, "Eval_*", "Eval-");
  compare_best(evaluated, test.name, "all composite metrics", "");
  std::ranges::copy(evaluated.warnings, std::back_inserter(result_.warnings));
  result_.tests.push_back(std::move(evaluated));
  result_.test_names.push_back(test.name);
}

// The metric with the highest agreement of those that `wanted` takes; as many as there are if it takes none.
template <class Wanted>
std::size_t best_of(const MetaResult& meta, Wanted wanted) {
  const auto value = [&](std::size_t metric) {
    return meta.metrics[metric].estimates[meta.main_measure].value;
  };
  std::size_t best = meta.metrics.size();
  for (std::size_t m = 0; m < meta.metrics.size(); ++m) {
    if (!wanted(meta.metrics[m].metric) || std::isnan(value(m))) continue;
    if (best == meta.metrics.size() || value(m) > value(best)) best = m;
  }
  return best;
}

// "difference +0.95 [+0.59, +1.31], p = 0.0002, 0.0250 after Holm: a real difference", of the first from the
// second, x 100.
std::string describe(const AgreementDifference& difference, bool turned) {
  const double sign = turned ? -1.0 : 1.0;
  const double low = 100 * (turned ? -difference.interval.high : difference.interval.low);
  const double high = 100 * (turned ? -difference.interval.low : difference.interval.high);
  const char* verdict = difference.verdict == Verdict::real       ? "a real difference"
                        : difference.verdict == Verdict::not_real ? "no real difference"
                                                                  : "undecided";
  return fmt::format("difference {:+.2f} [{:+.2f}, {:+.2f}], p = {:.4f}, {:.4f} after Holm: {}",
                     100 * sign * difference.value, low, high, difference.p, difference.p_corrected, verdict);
}

// The best of the composite metrics whose names begin so against the best of the scores that Eval_* are made
// of.
void Study::compare_best(const MetaResult& meta, const std::string& test, std::string_view group,
                         std::string_view begin) {
  const auto is_composite = [&](const std::string& name) {
    return name.starts_with(begin) && std::ranges::any_of(result_.presets, [&](const StudyPreset& preset) {
             return preset.trained.name == name;
           });
  };
  const std::size_t composite = best_of(meta, is_composite);
  const std::size_t component = best_of(meta, [](const std::string& name) {
    return std::ranges::find(kComponents, name) != kComponents.end();
  });
  const auto difference = std::ranges::find_if(meta.differences, [&](const AgreementDifference& one) {
    return std::minmax(one.first, one.second) == std::minmax(component, composite);
  });
  if (difference == meta.differences.end()) return;
  const auto figure = [&](std::size_t metric) {
    return fmt::format("{} {:.2f}", meta.metrics[metric].metric,
                       100 * meta.metrics[metric].estimates[meta.main_measure].value);
  };
  result_.findings.push_back(fmt::format("{}: best of {} {}, best of {} {}; {}", test, group,
                                         figure(composite), fmt::join(kComponents, ", "), figure(component),
                                         describe(*difference, difference->first != composite)));
}

// Classes of caption lengths that each hold a fair share of Composite's captions.
constexpr std::array<std::size_t, 6> kLengthEnds = {8, 10, 12, 14, 17, static_cast<std::size_t>(-1)};

std::size_t length_class(std::size_t words) {
  return static_cast<std::size_t>(std::ranges::upper_bound(kLengthEnds, words) - kLengthEnds.begin());
}

LengthEffect length_effect(std::string name, std::span<const double> values,
                           std::span<const std::size_t> lengths) {
  const stats::Spread all = stats::spread_of(values);
  LengthEffect effect{std::move(name), 0, std::vector<double>(kLengthEnds.size())};
  effect.spearman = stats::spearman(values, std::vector<double>(lengths.begin(), lengths.end())).value;
  std::vector<double> rows(kLengthEnds.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    effect.means[length_class(lengths[k])] += (values[k] - all.mean) / all.deviation;
    rows[length_class(lengths[k])] += 1;
  }
  for (std::size_t c = 0; c < rows.size(); ++c) effect.means[c] /= rows[c];
  return effect;
}

void Study::measure_lengths() {
  const Test& test = tests_.front();
  const std::vector<std::size_t>& lengths = test.features.lengths;
  result_.length_rows.resize(kLengthEnds.size());
  for (const std::size_t words : lengths) ++result_.length_rows[length_class(words)];
  for (std::size_t c = 0; c < kLengthEnds.size(); ++c) {
    const std::size_t begin = c == 0 ? 0 : kLengthEnds[c - 1];
    result_.length_classes.push_back(c + 1 == kLengthEnds.size()
                                         ? fmt::format("{}+", begin)
                                         : fmt::format("{}-{}", begin, kLengthEnds[c] - 1));
  }
  result_.lengths.push_back(length_effect("people", test.features.targets, lengths));
  const MetaResult& scored = result_.tests.front();
  for (std::size_t m = 0; m < scored.metrics.size(); ++m)
    result_.lengths.push_back(length_effect(scored.metrics[m].metric, scored.values[m], lengths));
}

void check(const StudyOptions& options) {
  if (options.flickr8k.empty())
    throw UsageError("the folder of Flickr8k is needed: its ratings end the training");
  if (options.composite.empty() && options.pascal50s.empty())
    throw UsageError("nothing to test on: give Composite or PASCAL-50S");
  if (options.folder.empty()) throw UsageError("give a folder for features, models and reports");
}

void make_folder(const fs::path& folder) {
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) throw FileError(fmt::format("{}: cannot be made: {}", folder.string(), problem.message()));
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    throw FileError(fmt::format("{}: cannot be written: {}", folder.string(), std::strerror(errno)));
}

}  // namespace

std::vector<std::string> prepare_study(const StudyOptions& options) {
  check(options);
  make_folder(options.folder);
  make_folder(models_folder(options));
  std::vector<std::string> files;
  for (const std::string_view file : {kTrainingFile, kValidationFile, kCompositeFile, kPascalFile})
    files.push_back((fs::path(options.folder) / file).string());
  CompositeTraining training = options.training;
  training.keep_all = true;
  for (const CompositePreset& preset : composite_presets())
    std::ranges::copy(pipeline::model_paths(model_path(options, preset.name), training),
                      std::back_inserter(files));
  return files;
}

StudyResult study_composites(const StudyOptions& options) {
  prepare_study(options);
  return Study(options).run();
}

}  // namespace capella
