#include "pipeline/verify.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capella/data.h"
#include "capella/error.h"
#include "capella/logic.h"
#include "capella/pregen.h"

#include "base/file.h"
#include "method/composite/model.h"
#include "metric/hwcm_texts.h"
#include "resource/find.h"
#include "resource/meteor_data.h"
#include "resource/packages.h"
#include "scene/match.h"
#include "syntax/conll.h"

namespace capella {
namespace {

using Check = nlohmann::ordered_json;
using ValuesByScore = std::map<std::string, double>;
using ValuesByItem = std::map<std::string, ValuesByScore>;

std::string file_of(const Check& check, const char* key) {
  return resource::need(check.at(key).get<std::string>());
}

std::vector<std::string> run_settings(const Check& check) {
  auto settings = check.value("settings", std::vector<std::string>());
  if (check.contains("folder"))  // of a model
    settings.push_back(check.at("run").get<std::string>() + ".model=" + file_of(check, "folder"));
  return settings;
}

// The data package that the check needs, or nothing.
std::string package_of(const Check& check) {
  return check.value("data", "");
}

bool has_package(const std::string& name) {
  return name.empty() || resource::find_installed(resource::package_by_name(name)).has_value();
}

ValuesByItem score_systems(const Check& check, const Dataset& captions, std::size_t threads) {
  ScoreOptions options;
  options.metrics = {check.at("run")};
  options.settings = run_settings(check);
  options.detail = true;
  options.threads = threads;
  const bool images = check.contains("images");
  const Result result =
      score(images ? with_images(captions, file_of(check, "images"), true) : captions, options);
  ValuesByItem values;
  for (const SystemResult& system : result.systems) {
    for (std::size_t i = 0; i < result.columns.size(); ++i)
      values[system.name][result.columns[i].name] = system.values[i];
  }
  return values;
}

using Sentences = std::vector<syntax::Tree>;
using TreesByText = std::map<std::string, Sentences, std::less<>>;

// A caption and its references as trees from a file, once for each caption that the check names.
template <class Compare>
ValuesByItem compare_trees(const Check& check, const Dataset& captions, Compare compare) {
  TreesByText trees;
  for (syntax::ParsedCaption& caption : syntax::read_trees(file_of(check, "trees")))
    trees[caption.text] = std::move(caption.sentences);
  const auto tree_of = [&](std::string_view text) -> const Sentences& {
    if (const auto found = trees.find(text); found != trees.end()) return found->second;
    throw DataError(fmt::format("{}: no tree for the caption '{}'", file_of(check, "trees"), text));
  };
  ValuesByItem values;
  for (const Dataset::System& system : captions.systems()) {
    for (std::size_t item = 0; item < captions.size(); ++item) {
      const std::string name = fmt::format("{} {}", system.name, captions.id(item));
      if (!check.at("values").contains(name)) continue;
      std::vector<Sentences> references;
      for (const std::string_view reference : captions.references(item))
        references.push_back(tree_of(reference));
      values[name] = compare(tree_of(system.captions[item]), references);
    }
  }
  return values;
}

ValuesByItem spice_counts(const Check& check, const Dataset& captions) {
  const std::string package = package_of(check);
  const auto data = package.empty() ? nullptr : std::make_unique<resource::MeteorData>(data_path(package));
  return compare_trees(check, captions,
                       [&](const Sentences& caption, const std::vector<Sentences>& references) {
                         scene::Lexicon lexicon(data.get());
                         scene::SceneGraph said(lexicon), expected(lexicon);
                         said.add(scene::extract_facts(caption));
                         for (const Sentences& reference : references)
                           expected.add(scene::extract_facts(reference));
                         const scene::CountsByCategory counts = scene::count_matches(said, expected);
                         ValuesByScore scores;
                         for (std::size_t i = 0; i < scene::kCategories; ++i) {
                           scores[fmt::format("{} tp", scene::kCategoryNames[i])] = counts[i].true_positives;
                           scores[fmt::format("{} fp", scene::kCategoryNames[i])] = counts[i].false_positives;
                           scores[fmt::format("{} fn", scene::kCategoryNames[i])] = counts[i].false_negatives;
                         }
                         return scores;
                       });
}

ValuesByItem headword_chains(const Check& check, const Dataset& captions) {
  const auto chains = [](const Sentences& trees) {
    return metric::HwcmText(trees, metric::ChainJoin::nodes);
  };
  return compare_trees(
      check, captions, [&](const Sentences& caption, const std::vector<Sentences>& references) {
        ValuesByScore scores;
        const auto keep_best = [&](const metric::Chains& own, const metric::Chains& other,
                                   std::string_view ending) {
          const metric::ByLength found = metric::hwcm_scores(metric::chain_overlaps(own, other));
          for (std::size_t n = 0; n < found.size(); ++n) {
            double& best = scores[fmt::format("HWCM-{}{}", n + 1, ending)];
            best = std::max(best, found[n]);
          }
        };
        const metric::HwcmText own = chains(caption);
        for (const Sentences& reference : references) {
          const metric::HwcmText other = chains(reference);
          keep_best(own.lemmas, other.lemmas, "");
          keep_best(own.labels, other.labels, "-dep");
        }
        return scores;
      });
}

ValuesByItem composite_scores(const Check& check) {
  const auto model = method::composite::read_model(file_of(check, "model"));
  ValuesByItem values;
  for (const auto& [item, inputs] : check.at("inputs").items())
    values[item][model.name] = method::composite::score(model, inputs.get<std::vector<double>>());
  return values;
}

ValuesByItem logic_probabilities(const Check& check, std::size_t threads) {
  LogicRun run{.network = file_of(check, "network"),
               .evidence = file_of(check, "evidence"),
               .query = check.at("query")};
  run.inference.method = check.at("method");
  run.inference.threads = threads;
  const LogicAnswer answer = infer_logic(run);
  ValuesByItem values = {{"network", {{"log Z", answer.log_z}}}, {run.query, {{"P", answer.query_p}}}};
  for (const auto& [atom, p] : answer.marginals) values[atom]["P"] = p;
  return values;
}

ValuesByItem pregen_values(const Check& check) {
  const std::string path = file_of(check, "probabilities");
  ValuesByItem values;
  for (const bool paper : {false, true}) {
    const std::vector<double> found = pregen_metrics(path, paper).values;
    for (std::size_t i = 0; i < found.size(); ++i)
      values[paper ? "paper" : "code"][pregen_metric_names()[i]] = found[i];
  }
  return values;
}

ValuesByItem compute(const Check& check, const Dataset& captions, std::size_t threads) {
  const std::string kind = check.at("kind");
  if (kind == "scores") return score_systems(check, captions, threads);
  if (kind == "spice") return spice_counts(check, captions);
  if (kind == "hwcm") return headword_chains(check, captions);
  if (kind == "network") return composite_scores(check);
  if (kind == "logic") return logic_probabilities(check, threads);
  if (kind == "pregen") return pregen_values(check);
  throw DataError(
      fmt::format("examples/expected.json: found a check of the kind '{}', expected scores, spice, "
                  "hwcm, network, logic or pregen",
                  kind));
}

// Relative where values are larger than 1.
double difference(double found, double expected) {
  if (found == expected) return 0;
  const double by = std::abs(found - expected) / std::max(1.0, std::abs(expected));
  return std::isnan(by) ? std::numeric_limits<double>::infinity() : by;
}

double number(const Check& value) {
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

// NaN, which equals nothing, where this build computes no such value.
double value_of(const ValuesByItem& found, const std::string& item, const std::string& name) {
  const auto values = found.find(item);
  if (values == found.end()) return std::numeric_limits<double>::quiet_NaN();
  const auto value = values->second.find(name);
  return value == values->second.end() ? std::numeric_limits<double>::quiet_NaN() : value->second;
}

VerifiedMetric verify_one(const Check& check, const Dataset& captions, std::size_t threads) {
  VerifiedMetric result{check.at("metric"), check.at("reference"), check.at("tolerance"), "", {}};
  if (const std::string package = package_of(check); !has_package(package)) result.missing = package;
  const ValuesByItem found = result.missing.empty() ? compute(check, captions, threads) : ValuesByItem();
  for (const auto& [item, scores] : check.at("values").items()) {
    for (const auto& [name, expected] : scores.items()) {
      VerifiedValue value{item, name, number(expected)};
      if (result.missing.empty()) {
        value.found = value_of(found, item, name);
        value.difference = difference(value.found, value.expected);
        value.exact = value.difference <= result.tolerance;
      }
      result.values.push_back(std::move(value));
    }
  }
  return result;
}

bool compares_nothing(const VerifiedMetric& metric) {
  return metric.values.empty();
}

}  // namespace

std::vector<VerifiedMetric> pipeline::verify_part(std::string_view part, std::size_t threads) {
  const std::string file = resource::need("examples/expected.json");
  std::vector<std::string> systems;
  for (const char* name : {"careful", "hasty", "dreamer"})
    systems.push_back(resource::need(fmt::format("examples/systems/{}.json", name)));
  const Dataset captions = read_dataset(resource::need("examples/scenes.json"), systems, {});
  std::vector<VerifiedMetric> metrics;
  try {
    const auto expected = Check::parse(read_file(file));
    for (const auto& [name, checks] : expected.items()) {
      if (!part.empty() && name != part) continue;
      for (const Check& check : checks) metrics.push_back(verify_one(check, captions, threads));
    }
  } catch (const Check::exception& error) {
    throw DataError(
        fmt::format("{}: found {}, expected the reference values of this version of Capella; "
                    "install Capella again",
                    file, error.what()));
  }
  if (metrics.empty() || std::ranges::any_of(metrics, compares_nothing))
    throw DataError(
        fmt::format("{}: found rows without values, expected the reference values of this version "
                    "of Capella; install Capella again",
                    file));
  return metrics;
}

std::vector<VerifiedMetric> verify(std::size_t threads) {
  return pipeline::verify_part("", threads);
}

}  // namespace capella
