// Systems ranked by several metrics and by log-probability, and the table that was published.
#include <algorithm>
#include <array>

#include "capella/error.h"
#include "capella/mln.h"

#include "stats/correlation.h"

namespace capella {
namespace {

struct PublishedRow {
  const char* system;
  std::array<double, 6> values;
  double log_prob;
  double variance;
};

constexpr std::array<const char*, 6> kMetrics = {"BLEU-1", "BLEU-4", "METEOR", "ROUGE-L", "CIDEr-D", "SPICE"};

// Table I of Shah, Sarkhel and Venugopal: validation and test images of COCO.
constexpr std::array<PublishedRow, 8> kValidation = {{
    {"SGAE-mle", {77.0, 36.6, 27.6, 56.8, 113.6, 20.6}, -.295, .094},
    {"WVRD-mle", {78.1, 38.4, 28.2, 58.0, 119.0, 21.1}, -.256, .088},
    {"AoANet-mle", {78.0, 37.2, 28.4, 57.4, 116.6, 21.3}, -.279, .092},
    {"Gated-mle", {78.0, 38.9, 28.4, 57.9, 116.6, 21.7}, -.262, .090},
    {"SGAE-rl", {79.5, 36.6, 27.9, 57.8, 122.9, 21.3}, -.272, .091},
    {"WVRD-rl", {80.8, 38.9, 28.8, 58.7, 129.6, 22.3}, -.244, .085},
    {"AoANet-rl", {80.2, 38.9, 29.2, 58.8, 127.7, 22.4}, -.268, .090},
    {"Gated-rl", {80.6, 38.4, 28.4, 58.7, 126.3, 21.9}, -.250, .087},
}};
constexpr std::array<PublishedRow, 8> kTest = {{
    {"SGAE-mle", {77.4, 36.6, 27.7, 56.9, 114.5, 20.8}, -.283, .092},
    {"WVRD-mle", {78.0, 37.4, 28.2, 58.0, 119.0, 21.1}, -.250, .087},
    {"AoANet-mle", {77.2, 36.9, 28.4, 57.2, 116.6, 21.6}, -.278, .091},
    {"Gated-mle", {78.0, 38.9, 28.1, 57.5, 116.4, 21.2}, -.252, .087},
    {"SGAE-rl", {79.6, 36.6, 27.9, 57.8, 123.9, 21.4}, -.273, .090},
    {"WVRD-rl", {80.8, 37.1, 28.8, 58.7, 129.6, 22.3}, -.238, .084},
    {"AoANet-rl", {80.2, 38.9, 29.2, 58.8, 128.9, 22.4}, -.273, .089},
    {"Gated-rl", {80.7, 38.6, 28.4, 58.7, 127.0, 22.0}, -.249, .0858},
}};

}  // namespace

RankedSystems rank_systems(const std::vector<std::string>& systems, const std::vector<std::string>& metrics,
                           const std::vector<std::vector<double>>& values,
                           const std::vector<double>& log_prob, const std::vector<double>& variance) {
  if (metrics.empty()) throw UsageError("systems can only be ranked by one metric or more");
  const auto fits = [&](const std::vector<double>& list) { return list.size() == systems.size(); };
  if (values.size() != metrics.size() || !std::ranges::all_of(values, fits) || !fits(log_prob) ||
      !fits(variance))
    throw UsageError("expected a value of every metric, a log-probability and a variance for each system");
  RankedSystems made{systems, metrics, values, {}, std::vector<double>(systems.size()), log_prob, variance};
  for (const std::vector<double>& scores : values) {
    made.ranks.push_back(stats::average_ranks(scores));
    for (std::size_t k = 0; k < systems.size(); ++k)
      made.average_rank[k] += made.ranks.back()[k] / static_cast<double>(metrics.size());
  }
  std::vector<double> uncertainty;
  for (const double value : log_prob) uncertainty.push_back(-value);
  made.pearson = stats::pearson(made.average_rank, uncertainty).value;
  made.spearman = stats::spearman(made.average_rank, uncertainty).value;
  made.kendall = stats::kendall(made.average_rank, uncertainty).tau_b;
  return made;
}

RankedSystems published_ranking(bool test) {
  const auto& rows = test ? kTest : kValidation;
  std::vector<std::string> systems;
  std::vector<std::vector<double>> values(kMetrics.size());
  std::vector<double> log_prob, variance;
  for (const PublishedRow& row : rows) {
    systems.emplace_back(row.system);
    for (std::size_t m = 0; m < kMetrics.size(); ++m) values[m].push_back(row.values[m]);
    log_prob.push_back(row.log_prob);
    variance.push_back(row.variance);
  }
  return rank_systems(systems, {kMetrics.begin(), kMetrics.end()}, values, log_prob, variance);
}

}  // namespace capella
