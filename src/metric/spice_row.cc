#include "metric/spice_row.h"

#include <cmath>
#include <limits>
#include <string>
#include <string_view>

namespace capella::metric {
namespace {

enum Column : std::size_t { kF, kCounted, kMatched, kExtra, kMissed, kColumns };

constexpr double kMany = std::numeric_limits<double>::infinity();

// "SPICE", or "SPICE-Object" and so on.
std::string category_name(std::size_t category) {
  return category == 0 ? "SPICE" : "SPICE-" + std::string(scene::kCategoryNames[category]);
}

// As scene::score() has it for one caption, from sums of counts that may be far larger than one caption's.
struct Ratios {
  Ratios(std::span<const double> row, std::size_t category) {
    const double caption = row[kMatched] + row[kExtra];
    const double references = row[kMatched] + row[kMissed];
    if (references == 0.0) {
      precision = recall = category == 0 ? 0.0 : std::nan("");
      return;
    }
    precision = caption == 0.0 ? 0.0 : row[kMatched] / caption;
    recall = row[kMatched] / references;
  }
  double precision;
  double recall;
};

}  // namespace

std::vector<ScoreInfo> spice_scores() {
  std::vector<ScoreInfo> scores;
  for (std::size_t category = 0; category < scene::kCategories; ++category) {
    scores.push_back({category_name(category), 1.0, 100.0, category == 0 ? Shown::always : Shown::detail});
  }
  for (std::size_t category = 0; category < scene::kCategories; ++category) {
    const std::string name = category_name(category);
    scores.push_back({name + "-precision", 1.0, 100.0, Shown::numbers});
    scores.push_back({name + "-recall", 1.0, 100.0, Shown::numbers});
    for (const std::string_view count : {"-tp", "-fp", "-fn"})
      scores.push_back({name + std::string(count), kMany, 1.0, Shown::numbers});
  }
  return scores;
}

void fill_spice_row(const scene::CountsByCategory& counts, double* row) {
  for (std::size_t category = 0; category < scene::kCategories; ++category, row += kColumns) {
    const scene::Counts& own = counts[category];
    const double f = scene::score(own, static_cast<scene::Category>(category)).f;
    row[kF] = std::isnan(f) ? 0.0 : f;
    row[kCounted] = std::isnan(f) ? 0.0 : 1.0;
    row[kMatched] = own.true_positives;
    row[kExtra] = own.false_positives;
    row[kMissed] = own.false_negatives;
  }
}

void finish_spice_row(std::span<const double> row, std::span<double> scores) {
  std::size_t next = 0;
  for (std::size_t category = 0; category < scene::kCategories; ++category) {
    const auto own = row.subspan(category * kColumns, kColumns);
    scores[next++] = own[kCounted] == 0.0 ? std::nan("") : own[kF] / own[kCounted];
  }
  for (std::size_t category = 0; category < scene::kCategories; ++category) {
    const auto own = row.subspan(category * kColumns, kColumns);
    const Ratios ratios(own, category);
    for (const double value : {ratios.precision, ratios.recall, own[kMatched], own[kExtra], own[kMissed]})
      scores[next++] = value;
  }
}

}  // namespace capella::metric
