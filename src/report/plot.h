// Plots as SVG: points, bars with intervals, heat maps. A plot is a plain description with its numbers in it;
// `draw` places and paints them. What is drawn has been computed elsewhere: fitted lines and intervals are
// given. The same description gives the same bytes.
//
// Values that are not finite are left out, and the picture's description says how many.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace capella::report {

/// Every plot's words, and its size in pixels.
struct PlotFrame {
  std::string title = {};
  std::string subtitle = {};  ///< a smaller line below the title; may be empty
  std::string x_label = {};
  std::string y_label = {};
  double width = 720;
  double height = 480;  ///< of a scatter plot; bars and heat maps are as high as their rows need
};

struct PlotPoint {
  double x, y;
};

enum class PlotMarker { circle, square, triangle, diamond, cross, plus, star, ring };

/// Points that look alike.
struct PlotSeries {
  std::string name;  ///< in the legend; empty: not there
  std::vector<PlotPoint> points;
  std::optional<std::size_t> colour =
      {};  ///< a place in the palette of eight; nothing: the series' own place
  PlotMarker marker = PlotMarker::circle;
  std::vector<std::string> tips = {};  ///< what a browser shows at a point; empty, or one text per point
  std::vector<double> spread = {};  ///< half of the bar through a point, up and down; empty, or one per point
};

/// y = intercept + slope x, drawn as far as the x axis goes.
struct PlotLine {
  double slope, intercept;
  std::string name;                        ///< in the legend, e.g. "all points, R² = 0.81"
  std::optional<std::size_t> colour = {};  ///< as of a series; nothing: nearly black
  bool dashed = false;
};

/// A row of a legend made by hand: where colour and marker mean different things, say one row for each
/// colour and one for each marker. Without a colour the marker is grey; without a marker it is a square.
struct PlotLegendEntry {
  std::string text;
  std::optional<std::size_t> colour = {};
  std::optional<PlotMarker> marker = {};
};

/// The ends of an axis; an end that is not given follows from the values.
struct PlotRange {
  std::optional<double> low = {};
  std::optional<double> high = {};
};

/// Points in the plane. With more than `most_points` of them the picture shows how many points fall into
/// each cell of a grid instead (in one colour, all series together), so that it stays small and readable.
struct ScatterPlot {
  PlotFrame frame;
  std::vector<PlotSeries> series;
  std::vector<PlotLine> lines = {};
  std::vector<PlotLegendEntry> legend = {};  ///< in place of the series' names; lines are always named
  PlotRange x_range = {};
  PlotRange y_range = {};
  double jitter_x = 0;  ///< points are moved by at most so much, in the axis' unit, always in the same way
  double jitter_y = 0;
  std::size_t most_points = 5000;
};

/// One bar; `low` and `high` are the ends of its interval, if it has one.
struct BarValue {
  double value = std::numeric_limits<double>::quiet_NaN();  ///< not a number: no bar, a "-"
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();

  bool has_interval() const { return std::isfinite(low) && std::isfinite(high); }
};

/// The bars of one label, one for each of the chart's series.
struct BarRow {
  std::string label;
  std::vector<BarValue> values;
  std::string group = {};  ///< rows of one group stand together under its name; groups as first seen
};

/// Bars that go to the right. `frame.x_label` names the values; they are printed at the bars' ends.
struct BarChart {
  PlotFrame frame;
  std::vector<std::string> series;  ///< names in the legend, e.g. "measured", "published"
  std::vector<BarRow> rows;
  bool sorted = false;  ///< inside each group by each row's first number that is there, largest on top
  int decimals = 1;
  PlotRange range = {};  ///< zero is always part of it unless an end is given
};

/// A table of numbers as colours, with the numbers in the cells.
struct HeatMap {
  PlotFrame frame;
  std::vector<std::string> columns;
  std::vector<std::string> rows;
  std::vector<double> values;  ///< row by row
  int decimals = 2;
  PlotRange range = {};  ///< what the ends of the colour scale stand for
};

std::string draw(const ScatterPlot& plot);
std::string draw(const BarChart& chart);
std::string draw(const HeatMap& map);

}  // namespace capella::report
