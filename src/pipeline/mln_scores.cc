// Systems by log-probability beside the scores that `capella score` printed.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"
#include "capella/mln.h"

#include "base/file.h"
#include "base/names.h"

namespace capella {
namespace {

using OrderedJson = nlohmann::ordered_json;

class ScoreFile {
 public:
  explicit ScoreFile(const std::string& path)
      : path_(path), json_(OrderedJson::parse(read_file(path), nullptr, false)) {
    if (!json_.is_object() || !json_.contains("systems") || !json_["systems"].is_array())
      throw wrong("it has no list of systems");
  }

  /// A system's scores by name, as objects with a "value".
  const OrderedJson& scores(const std::string& system) const {
    for (const OrderedJson& item : json_["systems"]) {
      const bool named = item.is_object() && item.contains("system") && item["system"] == system;
      if (named && item.contains("scores") && item["scores"].is_object()) return item["scores"];
    }
    throw wrong(fmt::format("it has no scores of the system {}", excerpt(system)));
  }

  double value(const std::string& system, const std::string& metric) const {
    const OrderedJson& all = scores(system);
    if (!all.contains(metric) || !all[metric].is_object() || !all[metric].contains("value") ||
        !all[metric]["value"].is_number())
      throw wrong(fmt::format("{} has no value of {}", excerpt(system), excerpt(metric)));
    return all[metric]["value"].get<double>();
  }

 private:
  DataError wrong(const std::string& found) const {
    return DataError(fmt::format(
        "{}: expected what capella score --format json prints, of the same systems; {}", path_, found));
  }

  std::string path_;
  OrderedJson json_;
};

}  // namespace

RankedSystems rank_beside_scores(const Verification& verification, const std::string& path) {
  const ScoreFile file(path);
  std::vector<std::string> systems, metrics;
  std::vector<double> log_prob, variance;
  for (const JudgedSystem& system : verification.systems) {
    systems.push_back(system.system);
    log_prob.push_back(system.log_prob);
    variance.push_back(system.variance);
  }
  if (!systems.empty()) {
    for (const auto& item : file.scores(systems.front()).items()) metrics.push_back(item.key());
  }
  std::vector<std::vector<double>> values;
  for (const std::string& metric : metrics) {
    std::vector<double>& list = values.emplace_back();
    for (const std::string& system : systems) list.push_back(file.value(system, metric));
  }
  return rank_systems(systems, metrics, values, log_prob, variance);
}

}  // namespace capella
