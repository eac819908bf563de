// Post-gen scores of a stratum are those of its images alone. Most come from rows that are made once for all
// images of a system; scores that count the references (CIDEr) are made anew, since a stratum's document
// frequencies are its own.
#include "pipeline/pregen_strata.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "base/step_counter.h"
#include "base/thread_pool.h"
#include "io/system_name.h"
#include "io/text_lines.h"
#include "io/token_probabilities.h"
#include "method/pregen/correlations.h"
#include "method/pregen/metrics.h"
#include "method/pregen/strata.h"
#include "pipeline/finisher.h"
#include "pipeline/prepared_run.h"
#include "pipeline/registry.h"
#include "pipeline/rows.h"
#include "pipeline/run_resources.h"
#include "text/tokenizer.h"

namespace capella {
namespace pipeline {
namespace {

using method::pregen::CaptionScores;
using method::pregen::Stratum;
using Places = std::span<const std::size_t>;

// The score that images are sorted by.
constexpr const char* kSorting = "cider-d";
constexpr const char* kSortingScore = "CIDEr-D";

// A post-gen score.
struct Column {
  std::string metric;
  std::string score;
};

// The column of that name; CIDEr means what papers mean by it.
Column column_of(const std::string& name, const std::vector<MetricDescription>& metrics) {
  if (name == "CIDEr") return {kSorting, kSortingScore};
  std::vector<std::string_view> names = {"CIDEr"};
  for (const MetricDescription& metric : metrics) {
    for (const ScoreColumn& score : metric.scores) {
      if (score.name == name) return {metric.name, name};
      names.push_back(score.name);
    }
  }
  throw UsageError(unknown_name_message("score", name, names));
}

// What is scored, and how.
struct Plan {
  std::vector<Column> columns;
  ScoreOptions whole;    // what comes from the rows of all images, and the score they are sorted by
  ScoreOptions stratum;  // what counts the references, if anything does
};

bool counts_references(std::size_t m, std::span<const PreparedMetric> metrics, const ScoreOptions& options) {
  if (df_of(metrics[m].metric->info(), options) == "refs") return true;
  return std::ranges::any_of(metrics[m].built_on, [&](const PreparedMetric::Part& part) {
    return counts_references(part.metric, metrics, options);
  });
}

void add_new(const std::string& name, std::vector<std::string>& names) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

// The same run with some of its metrics, and those of the settings that are about them.
ScoreOptions with_metrics(const ScoreOptions& options, std::vector<std::string> metrics) {
  ScoreOptions some = options;
  some.metrics = std::move(metrics);
  some.settings.clear();
  if (some.metrics.empty()) return some;
  std::set<std::string> names;
  for (const PreparedMetric& metric : make_metrics(some)) names.insert(metric.name);
  for (const std::string& setting : options.settings) {
    if (names.contains(canonical_name(setting.substr(0, setting.find('.')))))
      some.settings.push_back(setting);
  }
  return some;
}

std::vector<Column> columns_of(const std::vector<std::string>& scores) {
  if (scores.empty()) throw UsageError("no score was named; give one or more, e.g. METEOR,CIDEr,SPICE,WMD");
  const std::vector<MetricDescription> metrics = list_metrics();
  std::vector<Column> columns;
  for (const std::string& score : scores) {
    if (std::ranges::count(scores, score) > 1)
      throw UsageError(fmt::format("the score {} is asked for twice", score));
    columns.push_back(column_of(score, metrics));
  }
  return columns;
}

// All that is wanted as one run.
ScoreOptions run_of(const StrataOptions& options, const std::vector<Column>& columns) {
  ScoreOptions run;
  run.metrics = {kSorting};
  for (const Column& column : columns) add_new(column.metric, run.metrics);
  run.tokenizer = options.tokenizer;
  run.df = options.df;
  run.settings = options.settings;
  const bool wmd = std::ranges::find(run.metrics, "wmd") != run.metrics.end();
  if (wmd && !parse_settings(options.settings)["wmd"].contains("norm"))
    run.settings.emplace_back("wmd.norm=raw");
  run.cache = options.cache;
  run.threads = options.threads;
  run.progress = options.progress;
  run.detail = true;
  return run;
}

Plan make_plan(const StrataOptions& options) {
  text::tokenizer_by_name(options.tokenizer);
  Plan plan;
  plan.columns = columns_of(options.scores);
  const ScoreOptions run = run_of(options, plan.columns);
  const std::vector<PreparedMetric> metrics = make_metrics(run);
  std::vector<std::string> whole = {kSorting};
  std::vector<std::string> stratum;
  for (const Column& column : plan.columns) {
    const auto place = std::ranges::find(metrics, column.metric, &PreparedMetric::name) - metrics.begin();
    add_new(column.metric,
            counts_references(static_cast<std::size_t>(place), metrics, run) ? stratum : whole);
  }
  plan.whole = with_metrics(run, whole);
  plan.stratum = with_metrics(run, stratum);
  plan.stratum.progress = {};
  check_resources(metrics, run);
  return plan;
}

// The scores of all systems of a data set, for any of its images.
class Scores {
 public:
  Scores(const PreparedRun& run, ThreadPool& pool, const Progress& progress)
      : block_(compute_rows(run, 0, run.dataset().size(), pool, progress)), finisher_(block_, true) {}

  bool has(const std::string& score) const {
    return std::ranges::find(finisher_.columns(), score, &ScoreColumn::name) != finisher_.columns().end();
  }

  // The corpus score of some images.
  double value(std::size_t system, const std::string& score, Places images) const {
    const auto [metric, place] = find(score);
    const std::size_t width = finisher_.row_width(metric);
    const auto rows = block_.rows_of(system, metric);
    std::vector<double> own;
    for (const std::size_t image : images) {
      const auto row = rows.subspan(image * width, width);
      own.insert(own.end(), row.begin(), row.end());
    }
    std::vector<double> scores(finisher_.column_count(metric));
    finisher_.finish(metric, aggregate::sum_rows(own, width), scores);
    return scores[place];
  }

  std::vector<double> image_values(std::size_t system, const std::string& score) const {
    std::vector<double> values;
    for (std::size_t image = 0; image < block_.ids.size(); ++image)
      values.push_back(value(system, score, std::span(&image, 1)));
    return values;
  }

  const std::vector<std::string>& warnings() const { return block_.warnings; }

 private:
  struct Place {
    std::size_t metric;
    std::size_t score;
  };

  Place find(const std::string& score) const {
    std::size_t metric = 0;
    const auto column = static_cast<std::size_t>(
        std::ranges::find(finisher_.columns(), score, &ScoreColumn::name) - finisher_.columns().begin());
    while (column >= finisher_.first_column(metric) + finisher_.column_count(metric)) ++metric;
    return {metric, column - finisher_.first_column(metric)};
  }

  aggregate::RowBlock block_;
  Finisher finisher_;
};

// Some images with their references, and one system's captions of them.
Dataset images_of(const Dataset& dataset, std::size_t system, Places images) {
  Dataset::Parts parts;
  parts.text = std::make_shared<const Dataset>(dataset);
  const Dataset::System& all = dataset.systems()[system];
  Dataset::System& own = parts.systems.emplace_back(Dataset::System{all.name, {}});
  for (const std::size_t image : images) {
    parts.ids.push_back(dataset.id(image));
    const auto references = dataset.references(image);
    parts.references.insert(parts.references.end(), references.begin(), references.end());
    parts.reference_ends.push_back(parts.references.size());
    own.captions.push_back(all.captions[image]);
  }
  return Dataset(std::move(parts));
}

// Tells each warning once.
class Warnings {
 public:
  explicit Warnings(const std::function<void(const std::string&)>& warn) : warn_(warn) {}

  void add(const std::vector<std::string>& warnings) {
    for (const std::string& warning : warnings) {
      if (warn_ && told_.insert(warning).second) warn_(warning);
    }
  }

 private:
  const std::function<void(const std::string&)>& warn_;
  std::set<std::string> told_;
};

// Scores strata, one after the other.
class StratumScorer {
 public:
  StratumScorer(const Dataset& dataset, const Plan& plan, ThreadPool& pool, Warnings& warnings)
      : dataset_(dataset),
        plan_(plan),
        pool_(pool),
        warnings_(warnings),
        whole_(PreparedRun(dataset, plan.whole, pool), pool, plan.whole.progress) {
    warnings_.add(whole_.warnings());
  }

  std::vector<double> image_scores(std::size_t system) const {
    return whole_.image_values(system, kSortingScore);
  }

  // A value for each column of the plan.
  std::vector<double> post(std::size_t system, const Stratum& stratum) {
    std::unique_ptr<const Scores> anew;
    if (!plan_.stratum.metrics.empty()) {
      const PreparedRun run(images_of(dataset_, system, stratum.images), plan_.stratum, pool_);
      warnings_.add(run.warnings());
      anew = std::make_unique<const Scores>(run, pool_, plan_.stratum.progress);
    }
    std::vector<std::size_t> all(stratum.images.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    std::vector<double> values;
    for (const Column& column : plan_.columns) {
      const bool is_new = anew != nullptr && anew->has(column.score);
      values.push_back(is_new ? anew->value(0, column.score, all)
                              : whole_.value(system, column.score, stratum.images));
    }
    return values;
  }

 private:
  const Dataset& dataset_;
  const Plan& plan_;
  ThreadPool& pool_;
  Warnings& warnings_;
  Scores whole_;
};

// Names stand in cells of the data file.
void check_cell(std::string_view what, const std::string& name) {
  if (io::is_blank(name) || name.find_first_of("\t\r\n") != std::string::npos)
    throw UsageError(fmt::format(
        "{} '{}' is blank, or has a tab or the end of a line in it; name it otherwise", what, excerpt(name)));
}

void check_data_set(const std::string& name) {
  check_cell("the data set", name);
  if (name == method::pregen::kAllRows)
    throw UsageError(
        fmt::format("the data set is named '{}', which stands for all data sets; name it otherwise", name));
}

std::vector<GeneratorName> generators_of(const Dataset& dataset, const StrataOptions& options) {
  std::vector<GeneratorName> names;
  for (const Dataset::System& system : dataset.systems()) {
    GeneratorName name = generator_name(system.name, options.data_set);
    check_data_set(name.data_set);
    check_cell("the generator", name.architecture);
    if (const auto same = std::ranges::find(names, name); same != names.end()) {
      throw UsageError(
          fmt::format("{} and {} are both run {} of {} on {}; name one of them otherwise with NAME=FILE",
                      dataset.systems()[static_cast<std::size_t>(same - names.begin())].name, system.name,
                      name.run, name.architecture, name.data_set));
    }
    names.push_back(std::move(name));
  }
  if (names.empty()) throw UsageError("no captions: give those of one generator or more");
  return names;
}

// Probabilities belong to the captions of the data set's images, in its order.
void check_shape(const std::string& path, const io::TokenProbabilities& table, const Dataset& dataset) {
  if (table.image_count() != dataset.size()) {
    throw DataError(fmt::format(
        "{}: {} images, but the references have {}; give the probabilities of the same images, in "
        "the order of the references",
        path, table.image_count(), dataset.size()));
  }
  for (std::size_t image = 0; image < dataset.size(); ++image) {
    const std::size_t found = table.captions[image + 1] - table.captions[image];
    const std::size_t expected = dataset.references(image).size();
    if (found == expected) continue;
    throw DataError(
        fmt::format("{}: image {} has {} captions, but {} references (as {}); give the probabilities of all "
                    "references, in their order",
                    path, image + 1, found, expected, dataset.id(image)));
  }
}

// How many words each reference has.
std::vector<std::size_t> reference_lengths(const Dataset& dataset, const StrataOptions& options) {
  std::vector<std::size_t> lengths;
  for (const std::string& words : tokenize(dataset.all_references(), options.tokenizer, options.threads))
    lengths.push_back(words.empty() ? 0 : static_cast<std::size_t>(std::ranges::count(words, ' ')) + 1);
  return lengths;
}

// Files of probabilities name no images. Captions whose lengths differ from the references' tell that these
// may be other images, or in another order; or that the generator has other words.
std::string length_warning(const std::string& path, const io::TokenProbabilities& table,
                           std::span<const std::size_t> lengths) {
  std::size_t equal = 0;
  for (std::size_t k = 0; k < lengths.size(); ++k)
    equal += table.words[k + 1] - table.words[k] == lengths[k] + 1 ? 1 : 0;
  if (2 * equal >= lengths.size()) return "";
  return fmt::format(
      "{}: {} of {} captions have as many words as their references; are its images those of the "
      "references, in the same order?",
      path, equal, lengths.size());
}

// The probabilities of each generator; nothing if there are none.
std::vector<CaptionScores> read_probabilities(const Dataset& dataset,
                                              const std::vector<GeneratorName>& generators,
                                              const StrataOptions& options) {
  if (options.probabilities.empty()) return {};
  const auto files = io::name_systems(options.probabilities);
  const auto of_system = [&](const GeneratorName& generator, const io::SystemFile& file) {
    return generator_name(file.name, options.data_set) == generator;
  };
  for (const io::SystemFile& file : files) {
    if (std::ranges::any_of(generators, [&](const auto& generator) { return of_system(generator, file); }))
      continue;
    throw UsageError(fmt::format("{}: no captions are of {}; name both files alike, e.g. with NAME=FILE",
                                 file.path, file.name));
  }
  const std::vector<std::size_t> lengths = reference_lengths(dataset, options);
  std::vector<CaptionScores> all;
  const auto filter0 = options.paper_filter0 ? method::pregen::Filter0::paper : method::pregen::Filter0::code;
  for (std::size_t i = 0; i < generators.size(); ++i) {
    const auto own = [&](const io::SystemFile& one) { return of_system(generators[i], one); };
    const auto file = std::ranges::find_if(files, own);
    if (file == files.end())
      throw UsageError(
          fmt::format("no probabilities of {}: give a file of that name with --probs, or NAME=FILE",
                      dataset.systems()[i].name));
    if (const auto other = std::find_if(file + 1, files.end(), own); other != files.end())
      throw UsageError(fmt::format("{} and {} are both probabilities of {}; give one of them", file->path,
                                   other->path, dataset.systems()[i].name));
    const io::TokenProbabilities table = io::read_token_probabilities(file->path);
    check_shape(file->path, table, dataset);
    const std::string warning = length_warning(file->path, table, lengths);
    if (options.warn && !warning.empty()) options.warn(warning);
    all.emplace_back(table, filter0);
  }
  return all;
}

// The images' mean of a score from elsewhere.
double given_mean(const GivenScores& given, std::size_t system, Places images) {
  double sum = 0;
  for (const std::size_t image : images) sum += given.values.at(system).at(image);
  return sum / static_cast<double>(images.size());
}

bool is_whole_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

GeneratorName generator_name(std::string_view system, std::string_view data_set) {
  GeneratorName name{std::string(data_set.empty() ? "data" : data_set), std::string(system), "1"};
  const std::size_t end = system.rfind('_');
  const bool has_run = end != std::string_view::npos && end > 0 && is_whole_number(system.substr(end + 1));
  std::string_view rest = has_run ? system.substr(0, end) : system;
  if (has_run) name.run = system.substr(end + 1);
  const std::size_t cut = data_set.empty() ? rest.find('_') : data_set.size();
  const bool only_cut = cut != std::string_view::npos && cut == rest.rfind('_');
  const bool has_data_set = data_set.empty() ? has_run && only_cut : rest.starts_with(name.data_set + "_");
  if (has_data_set && cut > 0 && cut + 1 < rest.size()) {
    name.data_set = rest.substr(0, cut);
    rest = rest.substr(cut + 1);
  }
  name.architecture = rest;
  return name;
}

io::StratumTable make_strata(const Dataset& dataset, const StrataOptions& options) {
  const Plan plan = make_plan(options);
  const std::vector<GeneratorName> generators = generators_of(dataset, options);
  method::pregen::check_strata(dataset.size(), options.most_strata);
  const std::vector<CaptionScores> before = read_probabilities(dataset, generators, options);
  ThreadPool pool(options.threads);
  Warnings warnings(options.warn);
  StratumScorer scorer(dataset, plan, pool, warnings);
  io::StratumTable table;
  table.post = options.scores;
  for (const GivenScores& given : options.given) table.post.push_back(given.name);
  if (!before.empty()) table.pre = method::pregen::metric_names();
  StepCounter steps(options.progress, "strata", generators.size());
  for (std::size_t system = 0; system < generators.size(); ++system) {
    const GeneratorName& name = generators[system];
    for (const Stratum& stratum :
         method::pregen::cut_strata(scorer.image_scores(system), options.most_strata)) {
      io::StratumRow& row = table.rows.emplace_back();
      row.dataset = name.data_set;
      row.architecture = name.architecture;
      row.run = name.run;
      row.strata = stratum.strata;
      row.stratum = stratum.stratum;
      row.post = scorer.post(system, stratum);
      for (const GivenScores& given : options.given)
        row.post.push_back(given_mean(given, system, stratum.images));
      if (!before.empty()) row.pre = before[system].metrics(stratum.images);
    }
    steps.done();
  }
  return table;
}

}  // namespace pipeline

void check_strata_options(const StrataOptions& options) {
  if (options.most_strata == 0) throw UsageError("found 0 strata, expected 1 or more");
  if (!options.data_set.empty()) pipeline::check_data_set(options.data_set);
  pipeline::make_plan(options);
}

std::string pregen_strata(const Dataset& dataset, const StrataOptions& options) {
  return io::strata_text(pipeline::make_strata(dataset, options));
}

}  // namespace capella
