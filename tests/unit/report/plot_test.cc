#include "report/plot.h"

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "support/text_search.h"

namespace capella::report {
namespace {

using test::count;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string description(const std::string& svg) {
  const std::size_t start = svg.find("<desc>") + 6;
  return svg.substr(start, svg.find("</desc>") - start);
}

ScatterPlot cloud(std::size_t points) {
  ScatterPlot plot;
  plot.frame = {"Title", "below", "rating", "score"};
  PlotSeries series{"rows", {}};
  Random random(3);
  for (std::size_t i = 0; i < points; ++i) {
    series.points.push_back({static_cast<double>(random.below(5)), random.normal()});
  }
  plot.series.push_back(series);
  return plot;
}

TEST(ScatterPlot, HasOneMarkerPerPointAndRoundTicks) {
  ScatterPlot plot;
  plot.frame = {"A & B", "", "x < 1", "y"};
  plot.series = {{"one", {{0, 0}, {10, 1}}, {}, PlotMarker::circle, {"first", "second"}},
                 {"two", {{5, 0.5}}, {}, PlotMarker::square}};
  const std::string svg = draw(plot);
  EXPECT_EQ(count(svg, "<circle"), 3u);  // two points and the legend
  EXPECT_EQ(count(svg, "fill=\"#d55e00\""), 2u);
  EXPECT_NE(svg.find("<title>A &amp; B</title>"), std::string::npos);
  EXPECT_NE(svg.find("<title>second</title>"), std::string::npos);
  for (const char* tick : {">0<", ">2<", ">10<", ">0.2<", ">1.0<", ">x &lt; 1<"}) {
    EXPECT_NE(svg.find(tick), std::string::npos) << tick;
  }
  EXPECT_EQ(description(svg), "Scatter plot of y against x &lt; 1: one (2), two (1). 3 points shown.");
}

TEST(ScatterPlot, LeavesOutWhatIsNotFiniteAndCountsIt) {
  ScatterPlot plot;
  plot.series = {{"", {{1, 1}, {kNan, 1}, {1, kInfinity}, {-kInfinity, kNan}, {1e308, -1e308}, {2, 2}}}};
  const std::string svg = draw(plot);
  EXPECT_EQ(count(svg, "<circle"), 2u);
  EXPECT_NE(description(svg).find("2 points shown. 4 points left out as not finite."), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

// The ends of lines with the style of a point's bar: x1, y1, x2, y2.
std::vector<std::array<double, 4>> spread_bars(const std::string& svg) {
  std::vector<std::array<double, 4>> bars;
  for (std::size_t at = svg.find("<line "); at != svg.npos; at = svg.find("<line ", at + 1)) {
    const std::string tag = svg.substr(at, svg.find('>', at) - at);
    if (tag.find("opacity=\"0.6\"") == tag.npos) continue;
    std::array<double, 4> ends{};
    const char* const names[] = {" x1=\"", " y1=\"", " x2=\"", " y2=\""};
    for (std::size_t k = 0; k < 4; ++k) ends[k] = std::stod(tag.substr(tag.find(names[k]) + 5));
    bars.push_back(ends);
  }
  return bars;
}

TEST(ScatterPlot, PointsMayHaveABarUpAndDown) {
  ScatterPlot plot;
  plot.series = {{"s", {{1, 1}, {2, 2}, {3, 3}, {4, kNan}}}};
  EXPECT_TRUE(spread_bars(draw(plot)).empty());
  plot.series[0].spread = {.5, 1, 0, 1};  // the third has none, the fourth is no point
  plot.y_range = {0, 4};
  const auto bars = spread_bars(draw(plot));
  ASSERT_EQ(bars.size(), 2u);
  for (const auto& bar : bars) EXPECT_EQ(bar[0], bar[2]);  // upright
  const double first = std::abs(bars[0][3] - bars[0][1]), second = std::abs(bars[1][3] - bars[1][1]);
  EXPECT_NEAR(second, 2 * first, .05);
  // The middles are one apart, which is as long as the first bar.
  EXPECT_NEAR((bars[0][1] + bars[0][3]) / 2 - (bars[1][1] + bars[1][3]) / 2, first, .05);
}

TEST(ScatterPlot, TheAxisHasRoomForBarsOrCutsThem) {
  ScatterPlot plot;
  plot.series = {{"s", {{1, 1}, {2, 2}}}};
  plot.series[0].spread = {5, kNan};
  const std::string svg = draw(plot);
  EXPECT_NE(svg.find(">6<"), std::string::npos);
  EXPECT_NE(svg.find(">-4<"), std::string::npos);
  EXPECT_EQ(spread_bars(svg).size(), 1u);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  plot.y_range = {0, 3};
  plot.series[0].spread = {5, 5};
  const auto cut = spread_bars(draw(plot));
  ASSERT_EQ(cut.size(), 2u);
  EXPECT_EQ(cut[0][1], cut[1][1]);  // both from the axis' lower end to its upper one
  EXPECT_EQ(cut[0][3], cut[1][3]);
}

TEST(ScatterPlot, CountsPointsOutsideGivenAxes) {
  ScatterPlot plot;
  plot.series = {{"", {{0, 0}, {0.5, 0.5}, {2, 0}}}};
  plot.x_range = {0, 1};
  EXPECT_NE(description(draw(plot)).find("2 points shown. 1 point outside the axes."), std::string::npos);
}

TEST(ScatterPlot, DrawsAnythingThatIsGiven) {
  for (const double value : {0.0, -3.0, 1e-300, 1e16, 1e299, -1e-9}) {
    ScatterPlot plot;
    plot.series = {{"same", {{value, value}, {value, value}}}, {"none", {}}};
    plot.lines = {{kNan, 0, "nowhere"}, {0, 1e9, "above"}, {1e308, 0, "steep"}};
    const std::string svg = draw(plot);
    EXPECT_EQ(count(svg, "<circle"), 4u) << value;
    EXPECT_EQ(svg.find("nan\""), std::string::npos);
  }
  ScatterPlot wrong = cloud(3);
  wrong.y_range = {5, 5};
  wrong.x_range = {kNan, -kInfinity};
  EXPECT_FALSE(draw(wrong).empty());
  EXPECT_NE(draw(ScatterPlot{}).find("0 points shown"), std::string::npos);
}

TEST(ScatterPlot, ManyPointsBecomeASmallDensity) {
  const std::string points = draw(cloud(5000));
  EXPECT_EQ(count(points, "<circle"), 5001u);
  EXPECT_LT(points.size(), 1000000u);
  ScatterPlot many = cloud(50000);
  many.jitter_x = 0.3;
  const std::string density = draw(many);
  EXPECT_EQ(count(density, "<circle"), 0u);
  EXPECT_NE(density.find("points per cell"), std::string::npos);
  EXPECT_NE(description(density).find("50000 points shown"), std::string::npos);
  EXPECT_LT(density.size(), 500000u);
}

TEST(ScatterPlot, JitterIsTheSameEachTimeAndDoesNotDependOnOtherPointsBeingThere) {
  ScatterPlot plot = cloud(50);
  plot.x_range = {-1, 5};
  plot.y_range = {-9, 9};
  const std::string still = draw(plot);
  plot.jitter_x = 0.2;
  plot.jitter_y = 0.2;
  const std::string moved = draw(plot);
  EXPECT_NE(still, moved);
  EXPECT_EQ(moved, draw(plot));
  const std::size_t last = moved.rfind("<circle", moved.rfind("<circle") - 1);  // before the legend's
  plot.series[0].points[0].x = kNan;
  EXPECT_NE(draw(plot).find(moved.substr(last, moved.find("/>", last) - last)), std::string::npos);
}

TEST(ScatterPlot, LinesAreClippedAndNamed) {
  ScatterPlot plot;
  plot.series = {{"", {{0, 0}, {10, 10}}}};
  plot.x_range = {0, 10};
  plot.y_range = {0, 10};
  plot.lines = {{2, 0, "R² = 0.5", {}, true}};
  const std::string svg = draw(plot);
  EXPECT_NE(svg.find("R² = 0.5"), std::string::npos);
  EXPECT_NE(svg.find("stroke-dasharray=\"7 4\""), std::string::npos);
  EXPECT_NE(description(svg).find("y = 0 + 2 x."), std::string::npos);
}

TEST(ScatterPlot, ALegendMadeByHandReplacesTheSeriesNames) {
  ScatterPlot plot;
  plot.series = {{"hidden name", {{0, 0}}, 2, PlotMarker::diamond}};
  plot.legend = {{"Flickr8k", 2, {}}, {"merge", {}, PlotMarker::diamond}};
  const std::string svg = draw(plot);
  EXPECT_NE(svg.find(">Flickr8k</text>"), std::string::npos);
  EXPECT_NE(svg.find(">merge</text>"), std::string::npos);
  EXPECT_EQ(svg.find(">hidden name</text>"), std::string::npos);
}

BarChart three_bars() {
  BarChart chart;
  chart.frame = {"Agreement", "", "tau-c", ""};
  chart.series = {"measured", "published"};
  chart.rows = {{"BLEU-4", {{30.78, 30, 31.5}, {30.8}}},
                {"CIDEr-D", {{43.89, 43, 44.5}, {43.9}}},
                {"SPICE", {{kNan}, {}}}};
  return chart;
}

TEST(BarChart, DrawsBarsIntervalsAndNumbers) {
  const std::string svg = draw(three_bars());
  EXPECT_EQ(count(svg, "fill=\"#0072b2\""), 3u);  // two bars and the legend
  EXPECT_EQ(count(svg, "fill=\"#d55e00\""), 3u);
  EXPECT_EQ(count(svg, "<path"), 2u);
  EXPECT_EQ(count(svg, ">-</text>"), 2u);
  EXPECT_NE(svg.find(">43.9</text>"), std::string::npos);
  EXPECT_EQ(description(svg),
            "Bars of tau-c (measured, published). BLEU-4: 30.8 (30.0 to 31.5), 30.8; "
            "CIDEr-D: 43.9 (43.0 to 44.5), 43.9; SPICE: -, -. 2 values left out as not finite.");
}

TEST(BarChart, SortsInsideGroups) {
  BarChart chart = three_bars();
  chart.sorted = true;
  chart.rows[1].group = "n-grams";
  chart.rows[0].group = "n-grams";
  chart.rows[2].group = "graphs";
  const std::string text = description(draw(chart));
  EXPECT_LT(text.find("n-grams, CIDEr-D"), text.find("n-grams, BLEU-4"));
  EXPECT_LT(text.find("n-grams, BLEU-4"), text.find("graphs, SPICE"));
  chart.rows[2] = {"SPICE", {{kNan}, {40.3}}, "n-grams"};  // stands by the number it has
  const std::string mixed = description(draw(chart));
  EXPECT_LT(mixed.find("n-grams, CIDEr-D"), mixed.find("n-grams, SPICE"));
  EXPECT_LT(mixed.find("n-grams, SPICE"), mixed.find("n-grams, BLEU-4"));
}

TEST(BarChart, DrawsAnythingThatIsGiven) {
  BarChart chart;
  chart.series = {"only"};
  chart.rows = {
      {"down", {{-2, -3, 5}}}, {"none", {}}, {"all", {{kInfinity}}}, {"huge", {{1e308}}}, {"zero", {{0}}}};
  const std::string svg = draw(chart);
  EXPECT_EQ(svg.find("nan\""), std::string::npos);
  EXPECT_NE(description(svg).find("2 values left out"), std::string::npos);
  EXPECT_FALSE(draw(BarChart{}).empty());
}

TEST(HeatMap, PaintsEveryCellWithItsNumber) {
  HeatMap map;
  map.frame.title = "Correlations";
  map.columns = {"a", "b"};
  map.rows = {"c", "d"};
  map.values = {1, -0.5, kNan, 0};
  const std::string svg = draw(map);
  EXPECT_EQ(count(svg, "<rect"), 5u);  // four cells and the ground
  EXPECT_NE(svg.find("fill=\"#01665e\""), std::string::npos);
  EXPECT_NE(svg.find("fill=\"#f6f6f6\""), std::string::npos);  // zero is in the middle
  EXPECT_EQ(description(svg),
            "Table as colours. c: a 1.00, b -0.50; d: a -, b 0.00. 1 value left out as not finite.");
  EXPECT_FALSE(draw(HeatMap{}).empty());
}

}  // namespace
}  // namespace capella::report
