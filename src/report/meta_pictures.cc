// Pictures of how metrics agree with people.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "report/meta_report.h"
#include "report/plot.h"
#include "report/published.h"

namespace capella::report {
namespace {

// A score's name as part of a file's name.
std::string file_word(std::string_view name) {
  std::string word;
  for (const char c : name) {
    const auto u = static_cast<unsigned char>(c);
    word += std::isalnum(u) != 0 ? static_cast<char>(std::tolower(u)) : '-';
  }
  return word;
}

BarValue bar_of(const Estimate& estimate) {
  return {100 * estimate.value, 100 * estimate.interval.low, 100 * estimate.interval.high};
}

BarChart agreement_bars(const MetaResult& result, bool published) {
  const std::string& measure = result.measures[result.main_measure];
  BarChart chart;
  chart.frame.title =
      result.title + (result.half_ties ? ": the better caption scores higher" : ": agreement with people");
  chart.frame.subtitle = result.version;
  chart.frame.x_label = fmt::format("{} x 100, 95 % intervals", measure);
  chart.series = {"this run"};
  chart.sorted = true;
  for (const Agreement& agreement : result.metrics)
    chart.rows.push_back({agreement.metric, {bar_of(agreement.estimates[result.main_measure])}});
  if (!published) return chart;
  chart.series.push_back("published");
  for (BarRow& row : chart.rows) row.values.emplace_back();
  for (const PublishedRow& other : published_rows(result.benchmark)) {
    const auto value = other.value(measure);
    if (!value) continue;
    const auto own = std::find_if(chart.rows.begin(), chart.rows.end(),
                                  [&](const BarRow& row) { return row.label == other.metric; });
    const BarValue bar{*value};
    if (own == chart.rows.end()) {
      const bool again = std::any_of(chart.rows.begin(), chart.rows.end(),
                                     [&](const BarRow& row) { return row.label == other.printed; });
      const std::string source = again ? fmt::format(" ({})", other.source) : "";
      chart.rows.push_back({std::string(other.printed) + source, {{}, bar}});
    } else if (std::isnan(own->values[1].value)) {
      own->values[1] = bar;
    }
  }
  return chart;
}

ScatterPlot rating_scatter(const MetaResult& result, std::size_t metric) {
  const Agreement& agreement = result.metrics[metric];
  ScatterPlot plot;
  plot.frame.title = fmt::format("{}: {} against people", result.title, agreement.metric);
  plot.frame.subtitle = fmt::format("tau-b {:.2f}, tau-c {:.2f}, {} rows", 100 * agreement.estimates[0].value,
                                    100 * agreement.estimates[1].value, result.rows);
  plot.frame.x_label = "human rating";
  plot.frame.y_label = agreement.metric;
  PlotSeries series;
  for (std::size_t row = 0; row < result.ratings.size(); ++row)
    series.points.push_back({result.ratings[row], result.values[metric][row]});
  plot.series.push_back(std::move(series));
  const auto [low, high] = std::minmax_element(result.ratings.begin(), result.ratings.end());
  plot.jitter_x = (*high - *low) / 20;
  plot.lines.push_back({agreement.slope, agreement.intercept, "least squares"});
  return plot;
}

// How far each metric is ahead of each other one.
HeatMap difference_map(const MetaResult& result) {
  const std::size_t metrics = result.metrics.size();
  HeatMap map;
  map.frame.title = result.title + ": how far the row's metric is ahead of the column's";
  map.frame.subtitle = fmt::format("{} x 100", result.measures[result.main_measure]);
  map.values.assign(metrics * metrics, std::numeric_limits<double>::quiet_NaN());
  for (const Agreement& agreement : result.metrics) map.rows.push_back(agreement.metric);
  map.columns = map.rows;
  for (const AgreementDifference& difference : result.differences) {
    map.values[difference.first * metrics + difference.second] = 100 * difference.value;
    map.values[difference.second * metrics + difference.first] = -100 * difference.value;
  }
  map.decimals = 1;
  return map;
}

// Metrics by categories of pairs.
HeatMap category_map(const MetaResult& result) {
  HeatMap map;
  map.frame.title = result.title + ": share of pairs that are told right";
  map.frame.subtitle = fmt::format("x 100; {} pairs of {} images", result.pairs, result.images);
  map.frame.width = std::max(map.frame.width, 180 + 90 * static_cast<double>(result.measures.size()));
  map.columns = result.measures;
  for (const Agreement& agreement : result.metrics) {
    map.rows.push_back(agreement.metric);
    for (const Estimate& estimate : agreement.estimates) map.values.push_back(100 * estimate.value);
  }
  map.decimals = 1;
  map.range = {0, 100};
  return map;
}

}  // namespace

std::vector<NamedContent> draw_meta(const MetaResult& result, bool published) {
  std::vector<NamedContent> pictures;
  pictures.push_back({"bars.svg", draw(agreement_bars(result, published))});
  if (!result.differences.empty()) pictures.push_back({"differences.svg", draw(difference_map(result))});
  const bool mean_of_many = result.measures.size() > 2 && result.measures.back() == "mean";
  if (result.pairs > 0 && mean_of_many) pictures.push_back({"categories.svg", draw(category_map(result))});
  if (result.pairs > 0) return pictures;
  for (std::size_t metric = 0; metric < result.metrics.size(); ++metric) {
    pictures.push_back({fmt::format("scatter-{}.svg", file_word(result.metrics[metric].metric)),
                        draw(rating_scatter(result, metric))});
  }
  return pictures;
}

}  // namespace capella::report
