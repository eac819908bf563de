// Recomputes the values that reference programs gave for the example data (examples/expected.json).
#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "capella/error.h"
#include "capella/pipeline.h"

#include "base/file.h"
#include "resource/find.h"

namespace capella {
namespace {

// BLEU and ROUGE-L must be equal to the last bit. The others take logarithms or many sums, which differ in
// the last bits between mathematics libraries.
bool is_exact(const std::string& score, double found, double expected) {
  if (score.starts_with("BLEU-") || score == "ROUGE-L") return found == expected;
  return std::abs(found - expected) <= 1e-12 * std::max(1.0, std::abs(expected));
}

}  // namespace

std::vector<VerifiedValue> verify(std::size_t threads) {
  const std::string source = resource::need("examples/expected.json");
  const auto expected = nlohmann::ordered_json::parse(read_file(source)).at("systems");
  std::vector<std::string> systems;
  for (const auto& [name, unused] : expected.items())
    systems.push_back(resource::need("examples/systems/" + name + ".json"));
  const Dataset dataset = read_dataset(resource::need("examples/scenes.json"), systems, {});

  ScoreOptions options;
  options.metrics = {"bleu", "rouge-l", "cider-d", "meteor", "sacrebleu", "chrf"};
  const auto available = available_metrics();
  std::erase_if(options.metrics, [&](const std::string& metric) {
    return std::ranges::find(available, metric) == available.end();
  });
  options.threads = threads;
  const Result result = score(dataset, options);
  std::vector<VerifiedValue> values;
  for (const SystemResult& system : result.systems) {
    for (std::size_t i = 0; i < result.columns.size(); ++i) {
      const double want = expected.at(system.name).at(result.columns[i].name);
      values.push_back({system.name, result.columns[i].name, want, system.values[i],
                        is_exact(result.columns[i].name, system.values[i], want)});
    }
  }
  return values;
}

}  // namespace capella
