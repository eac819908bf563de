#include "report/pregen_pictures.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "method/pregen/metrics.h"
#include "report/plot.h"
#include "report/pregen_report.h"

namespace capella::report {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kMarkers = 8;

// A score's or metric's name as part of a file's name.
std::string file_word(std::string_view name) {
  std::string word;
  for (const char c : name) {
    const auto u = static_cast<unsigned char>(c);
    word += std::isalnum(u) != 0 ? static_cast<char>(std::tolower(u)) : c == '_' ? '_' : '-';
  }
  return word;
}

// Names that differ in letters' case or in marks alone get numbers.
void add_picture(std::vector<NamedContent>& pictures, const std::string& stem, std::string content) {
  std::string name = stem + ".svg";
  for (std::size_t number = 2; std::ranges::find(pictures, name, &NamedContent::name) != pictures.end();
       ++number)
    name = fmt::format("{}-{}.svg", stem, number);
  pictures.push_back({std::move(name), std::move(content)});
}

std::string metric_label(const std::string& metric) {
  return metric == kPregenPerplexity ? fmt::format("{} (perplexity)", metric) : metric;
}

// All rows first, then the data sets in the order of the files: colours then are the same in every picture.
std::vector<std::size_t> drawn_selections(const PregenCorrelations& result) {
  std::vector<std::size_t> order;
  for (std::size_t s = result.selections.size(); s > 0; --s) order.push_back(s - 1);
  return order;
}

BarChart bars(const PregenCorrelations& result, std::size_t top) {
  BarChart chart;
  chart.frame.title = fmt::format("{}: how much pre-gen metrics explain of it", result.post);
  chart.frame.subtitle = "the best on all rows, and perplexity";
  chart.frame.x_label = result.resamples > 0 ? "R², 95 % intervals (bootstrap of systems)" : "R²";
  chart.frame.width = 860;
  chart.decimals = 3;
  chart.range = {0, 1};
  const std::vector<std::size_t> selections = drawn_selections(result);
  for (const std::size_t s : selections)
    chart.series.push_back(fmt::format("{} ({} rows)", result.selections[s], result.row_counts[s]));
  std::vector<std::size_t> shown = best_metrics(result, selections[0], top);
  const std::size_t perplexity = perplexity_place(result);
  if (perplexity < result.rows.size() && std::ranges::find(shown, perplexity) == shown.end())
    shown.push_back(perplexity);
  for (const std::size_t place : shown) {
    const PregenCorrelations::Row& row = result.rows[place];
    BarRow& bar = chart.rows.emplace_back();
    bar.label = fmt::format("{}. {}", row.in[selections[0]].rank, metric_label(row.metric));
    for (const std::size_t s : selections)
      bar.values.push_back({row.in[s].r_squared, row.in[s].interval.low, row.in[s].interval.high});
  }
  return chart;
}

// Rows are tiers 4 and 3, columns tiers 2 and 1. What was left out has no colour.
HeatMap tiers(const PregenCorrelations& result) {
  std::map<std::string, double> values;
  for (const PregenCorrelations::Row& row : result.rows) values[row.metric] = row.in.back().r_squared;
  for (const std::string& metric : result.infinite) values[metric] = kInfinity;
  HeatMap map;
  map.frame.title = fmt::format("{}: R² with every pre-gen metric, all rows", result.post);
  map.frame.subtitle =
      "rows: over images (tier 4), over an image's captions (tier 3); grey: not finite (inf) or constant (-)";
  map.frame.x_label = "caption score (tier 2), which words (tier 1)";
  map.range = {0, 1};
  for (const char* tier2 : method::pregen::kTier2) {
    for (const char* tier1 : method::pregen::kTier1)
      map.columns.push_back(fmt::format("{}_{}", tier2, tier1));
  }
  for (const char* tier4 : method::pregen::kTier4) {
    for (const char* tier3 : method::pregen::kTier3) {
      map.rows.push_back(fmt::format("{}_{}", tier4, tier3));
      for (const std::string& column : map.columns) {
        const auto found = values.find(map.rows.back() + "_" + column);
        map.values.push_back(found == values.end() ? kNan : found->second);
      }
    }
  }
  return map;
}

std::size_t place_in(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  const auto place = static_cast<std::size_t>(found - names.begin());
  if (found == names.end()) names.push_back(name);
  return place;
}

// Colours tell data sets, markers architectures; colour 0 stays free for all rows, as in the bars.
void add_points(const PregenScatter& scatter, const std::vector<std::string>& datasets, ScatterPlot& plot) {
  std::vector<std::string> architectures;
  std::map<std::pair<std::size_t, std::size_t>, PlotSeries> series;
  for (const PregenScatter::Point& point : scatter.points) {
    const auto dataset =
        static_cast<std::size_t>(std::ranges::find(datasets, point.dataset) - datasets.begin());
    const std::size_t architecture = place_in(architectures, point.architecture);
    PlotSeries& own = series[{dataset, architecture}];
    own.name = point.dataset + " " + point.architecture;
    own.colour = dataset + 1;
    own.marker = static_cast<PlotMarker>(architecture % kMarkers);
    own.points.push_back({point.metric, point.post});
    own.tips.push_back(fmt::format("{} {} {}, stratum {} of {}", point.dataset, point.architecture, point.run,
                                   point.stratum + 1, point.strata));
  }
  for (auto& [key, own] : series) plot.series.push_back(std::move(own));
  for (std::size_t i = 0; i < datasets.size(); ++i) plot.legend.push_back({datasets[i], i + 1, {}});
  for (std::size_t i = 0; i < architectures.size(); ++i)
    plot.legend.push_back({architectures[i], {}, static_cast<PlotMarker>(i % kMarkers)});
}

ScatterPlot points(const PregenCorrelations& result, const PregenScatter& scatter) {
  ScatterPlot plot;
  plot.frame.title = fmt::format("{} against {}", result.post, metric_label(scatter.metric));
  plot.frame.subtitle =
      fmt::format("{} strata of {} systems", result.row_counts.back(), result.systems.back());
  plot.frame.x_label = scatter.metric;
  plot.frame.y_label = result.post;
  plot.frame.width = 820;
  plot.frame.height = 540;
  std::vector<std::string> datasets(result.selections.rbegin() + 1, result.selections.rend());
  add_points(scatter, datasets, plot);
  for (const std::size_t s : drawn_selections(result)) {
    const PregenScatter::Line& line = scatter.lines[s];
    if (std::isnan(line.r_squared)) continue;
    const bool all = s + 1 == result.selections.size();
    PlotLine& drawn = plot.lines.emplace_back();
    drawn.slope = line.slope;
    drawn.intercept = line.intercept;
    drawn.name = fmt::format("{}, R² = {:.3f}", result.selections[s], line.r_squared);
    drawn.dashed = !all;
    if (!all)
      drawn.colour =
          static_cast<std::size_t>(std::ranges::find(datasets, result.selections[s]) - datasets.begin()) + 1;
  }
  return plot;
}

HeatMap between_posts(const PregenCorrelations& result) {
  HeatMap map;
  map.frame.title = "R² between post-gen scores";
  map.frame.subtitle = fmt::format("{} rows", result.row_counts.back());
  map.frame.width = 480;
  map.columns = result.posts;
  map.rows = result.posts;
  map.values = result.between_posts;
  map.decimals = 3;
  map.range = {0, 1};
  return map;
}

}  // namespace

std::vector<NamedContent> draw_correlations(const std::vector<PregenCorrelations>& results, std::size_t top) {
  std::vector<NamedContent> pictures;
  for (const PregenCorrelations& result : results) {
    const std::string post = file_word(result.post);
    add_picture(pictures, "bars-" + post, draw(bars(result, top)));
    add_picture(pictures, "tiers-" + post, draw(tiers(result)));
    for (const PregenScatter& scatter : result.scatters)
      add_picture(pictures, fmt::format("scatter-{}-{}", post, file_word(scatter.metric)),
                  draw(points(result, scatter)));
  }
  if (results[0].posts.size() > 1) add_picture(pictures, "post-gen", draw(between_posts(results[0])));
  return pictures;
}

}  // namespace capella::report
