#include "pipeline/registry.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "capella/data.h"
#include "capella/error.h"
#include "capella/pipeline.h"

#include "base/ascii.h"
#include "base/names.h"
#include "method/capella_s/calibration_file.h"
#include "method/capella_s/capella_s_metric.h"
#include "method/composite/composite_metric.h"
#include "method/composite/model.h"
#include "method/composite/presets.h"
#include "method/deneb/deneb_metric.h"
#include "method/deneb/model_file.h"
#include "metric/encoder_texts.h"
#include "metric/given.h"
#include "pipeline/prepared_run.h"
#include "pipeline/run_metrics.h"
#include "pipeline/run_resources.h"
#include "resource/find.h"
#include "resource/word_vectors_convert.h"

namespace capella {
namespace pipeline {
namespace {

const metric::Entry& entry_of(std::string_view name) {
  const auto entries = registry();
  const auto found =
      std::find_if(entries.begin(), entries.end(), [name](const auto& entry) { return entry.name == name; });
  if (found != entries.end()) return *found;
  std::vector<std::string_view> names;
  for (const metric::Entry& entry : entries) names.push_back(entry.name);
  throw UsageError(unknown_name_message("metric", name, names));
}

// Names that papers use.
struct Alias {
  std::string_view alias, name, meaning;
};

constexpr Alias kAliases[] = {
    {"cider", "cider-d", "cider-d, what papers call CIDEr; the unclipped variant is cider-plain"},
    {"clipscore", "clip-s", "clip-s"},
    {"refclipscore", "refclip-s", "refclip-s"},
};

const Alias* alias_of(std::string_view name) {
  const auto found = std::ranges::find(kAliases, name, &Alias::alias);
  return found == std::end(kAliases) ? nullptr : found;
}

// A model may name any metric of the layer below as an input, and no other: it could name itself.
std::unique_ptr<metric::Metric> open_composite(const std::string& name, const std::string& path) {
  method::composite::Model model = method::composite::read_model(path);
  for (const method::composite::Input& input : model.inputs) {
    if (std::ranges::find(metric::all_metrics(), input.metric, &metric::Entry::name) !=
        metric::all_metrics().end())
      continue;
    throw FileError(
        fmt::format("{}: its input {} is a score of '{}', which is no metric that a model can learn from",
                    path, input.score, input.metric));
  }
  return method::composite::make_composite(name, std::move(model));
}

// One of the composite metrics that come with Capella.
std::unique_ptr<metric::Metric> make_shipped_composite(const metric::Settings& settings) {
  const std::string& name = settings.metric();
  return open_composite(name, resource::need(fmt::format("models/{}.safetensors", name)));
}

// A network of the user's or Capella's own; its arrays are read when captions are going to be scored.
std::unique_ptr<metric::Metric> make_learned(const metric::Settings& settings) {
  const std::string path = learned_model(settings.text("model"));
  method::deneb::ModelReading reading;
  if (settings.metric() == "deneb")
    reading.heads = static_cast<std::size_t>(settings.integer("heads", 1, 1024));
  method::deneb::Model header;
  if (!path.empty()) header = method::deneb::read_model_header(path, reading);
  if (settings.given("heads"))
    method::deneb::refuse_heads(path, header, fmt::format("--set {}.heads", settings.metric()));
  return method::deneb::make_deneb(settings, std::move(header),
                                   [path, reading] { return method::deneb::read_model(path, reading); });
}

// An adapter of the user's or Capella's own; its curve is read when captions are going to be scored.
std::unique_ptr<metric::Metric> make_capella_s(const metric::Settings& settings) {
  namespace capella_s = method::capella_s;
  capella_s::ModelChoice model{settings.text("model"), {}, metric::wants_eight_bits(settings)};
  if (model.folder.empty())
    throw UsageError(fmt::format("capella-s.model is empty, expected {} or the folder of an adapter",
                                 capella_s::kShipped));
  if (model.folder == capella_s::kShipped) {
    const std::filesystem::path config = resource::need("models/capella-s/adapter_config.json");
    model.folder = config.parent_path().string();
    model.data = metric::kEncoderSetting.default_value;
  }
  return capella_s::make_capella_s(model,
                                   [folder = model.folder] { return capella_s::read_calibration(folder); });
}

std::vector<metric::Entry> join_lists() {
  const auto own = metric::all_metrics();
  std::vector<metric::Entry> all(own.begin(), own.end());
  all.push_back({"deneb", "DENEB: learned from people's ratings how to weigh picture, references and caption",
                 method::deneb::kDenebSettings, make_learned});
  all.push_back({"polos", "Polos: learned likewise, from each reference alone, of which the best counts",
                 method::deneb::kPolosSettings, make_learned});
  all.push_back({"capella-s", "Capella-S: similarity to the references, mapped to the human rating scale",
                 method::capella_s::kSettings, make_capella_s});
  for (const method::composite::Preset& preset : method::composite::presets())
    all.push_back({preset.name, preset.summary, {}, make_shipped_composite});
  return all;
}

}  // namespace

std::span<const metric::Entry> registry() {
  static const std::vector<metric::Entry> entries = join_lists();
  return entries;
}

bool is_model_file(std::string_view name) {
  return name.ends_with(".safetensors");
}

std::string learned_model(const std::string& name) {
  return name == "text-minilm" ? resource::need("models/deneb-text-minilm.safetensors") : name;
}

SettingsByMetric parse_settings(std::span<const std::string> words) {
  SettingsByMetric settings;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    const std::size_t dot = word.find('.');
    if (equals == std::string::npos || dot == std::string::npos || dot > equals) {
      throw UsageError(
          fmt::format("--set: found '{}', expected METRIC.KEY=VALUE, e.g. cider-d.sigma=6", word));
    }
    settings[canonical_name(word.substr(0, dot))][word.substr(dot + 1, equals - dot - 1)] =
        word.substr(equals + 1);
  }
  return settings;
}

std::string canonical_name(std::string_view name) {
  if (is_model_file(name)) return std::string(name);
  const std::string lower = lowered_ascii(name);
  const Alias* alias = alias_of(lower);
  return std::string(entry_of(alias == nullptr ? lower : alias->name).name);
}

std::unique_ptr<metric::Metric> make_metric(const std::string& name,
                                            const std::map<std::string, std::string>& values) {
  if (name.starts_with(metric::kGivenPrefix))
    return metric::make_given(name.substr(metric::kGivenPrefix.size()));
  if (is_model_file(name)) return open_composite(name, name);
  const metric::Entry& entry = entry_of(name);
  metric::Settings settings(entry.name, entry.settings);
  for (const auto& [key, value] : values) settings.set(key, value);
  return entry.make(settings);
}

}  // namespace pipeline

std::string alias_notice(std::string_view name) {
  const pipeline::Alias* alias = pipeline::alias_of(name);
  return alias == nullptr ? "" : fmt::format("{} means {}", alias->alias, alias->meaning);
}

std::vector<std::string> default_metrics() {
  return {"bleu", "rouge-l", "cider-d", "meteor", "spice"};
}

namespace {

// Nothing is added for a metric whose model is not there: it is listed nevertheless.
void add_scores(MetricDescription& description) try {
  const auto metrics = pipeline::make_metrics_for(description.name, "");
  for (const metric::ScoreInfo& score : metrics[0].metric->info().scores) {
    if (score.shown != metric::Shown::always) continue;
    description.scores.push_back({score.name, score.high, score.display_scale, "", true, score.low});
  }
  for (const pipeline::PreparedMetric& metric : metrics) {
    if (description.data.empty()) description.data = metric.metric->info().data;
  }
} catch (const Error&) {
}

// Prepares the metric for one item, which shows whether it was trained on such scores as are made here.
void try_out(const std::string& name, const std::string& tokenizer) {
  static constexpr std::string_view kText = "a";
  Dataset::Parts parts;
  parts.ids = {kText};
  parts.references = {kText};
  parts.reference_ends = {1};
  ScoreOptions options;
  options.metrics = {name};
  options.tokenizer = tokenizer;
  ThreadPool pool(1);
  const pipeline::PreparedRun run(Dataset(std::move(parts)), options, pool);
}

// Why the metric cannot run here, and what to do; empty if it can. `problems`: of data packages.
std::string problem_with(const std::string& name, const std::string& tokenizer,
                         const std::map<std::string, std::string>& problems, const std::string& parser) {
  try {
    const auto metrics = pipeline::make_metrics_for(name, tokenizer);
    for (const pipeline::PreparedMetric& metric : metrics) {
      const metric::Info& info = metric.metric->info();
      pipeline::check_required_settings(metric);
      if (const std::string& problem = problems.at(info.data); !problem.empty()) return problem;
      if (info.parses && !parser.empty()) return parser;
      if (!info.vectors.empty()) resource::open_word_vectors(info.vectors, {});
    }
    if (pipeline::is_trained(metrics[0].metric->info())) try_out(name, tokenizer);
    return "";
  } catch (const Error& problem) {
    return problem.what();
  }
}

// Why captions cannot be parsed; empty if they can.
std::string parser_problem() {
  try {
    pipeline::open_parser();
    return "";
  } catch (const FileError& problem) {
    return problem.what();
  }
}

}  // namespace

std::vector<MetricDescription> list_metrics() {
  std::vector<MetricDescription> descriptions;
  for (const metric::Entry& entry : pipeline::registry()) {
    MetricDescription& description = descriptions.emplace_back();
    description.name = entry.name;
    description.summary = entry.summary;
    add_scores(description);
    for (const metric::SettingInfo& setting : entry.settings) {
      description.settings.push_back({std::string(setting.key), std::string(setting.default_value),
                                      std::string(setting.help), !setting.required.empty()});
    }
  }
  return descriptions;
}

std::vector<std::string> every_metric(std::span<const std::string> settings) {
  pipeline::SettingsByMetric given = pipeline::parse_settings(settings);
  std::vector<std::string> names;
  for (const metric::Entry& entry : pipeline::registry()) {
    const auto& own = given[std::string(entry.name)];
    const auto lacks = [&](const metric::SettingInfo& setting) {
      return !setting.required.empty() && !own.contains(std::string(setting.key));
    };
    if (std::ranges::none_of(entry.settings, lacks)) names.emplace_back(entry.name);
  }
  return names;
}

std::vector<std::string> available_metrics(const std::string& tokenizer) {
  const auto lacking = unavailable_metrics(tokenizer);
  std::vector<std::string> names;
  for (const metric::Entry& entry : pipeline::registry()) {
    if (std::ranges::find(lacking, entry.name, &UnavailableMetric::name) == lacking.end())
      names.emplace_back(entry.name);
  }
  return names;
}

std::vector<UnavailableMetric> unavailable_metrics(const std::string& tokenizer) {
  std::map<std::string, std::string> problems{{"", ""}};
  for (const DataPackage& package : list_data()) problems[package.name] = package.problem;
  const std::string parser = parser_problem();
  std::vector<UnavailableMetric> metrics;
  for (const metric::Entry& entry : pipeline::registry()) {
    const std::string name(entry.name);
    if (std::string problem = problem_with(name, tokenizer, problems, parser); !problem.empty())
      metrics.push_back({name, std::move(problem)});
  }
  return metrics;
}

}  // namespace capella
