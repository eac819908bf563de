#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/random.h"
#include "report/plot.h"
#include "report/plot_parts.h"

namespace capella::report {
namespace {

constexpr double kLegendLine = 20;
constexpr double kLegendSample = 22;  // from a legend's edge to its text
constexpr double kCell = 9;           // pixels of a density cell
constexpr double kLineSample = 16;

// A point that can be seen, with its jitter.
struct Dot {
  std::size_t series, place;
  double x, y;
};

struct Dots {
  std::vector<Dot> shown;
  std::size_t not_finite = 0;
  std::size_t outside = 0;
};

struct LegendRow {
  std::string text;
  std::string_view colour;
  std::optional<PlotMarker> marker;  // nothing: a line
  bool dashed = false;
};

struct Layout {
  PlotAxis x, y;
  double top, bottom;
  double legend;  // its left edge
  bool density;
};

std::string_view colour_of(const PlotSeries& series, std::size_t place) {
  return plot_colour(series.colour.value_or(place));
}

std::string_view colour_of(const PlotLine& line) {
  return line.colour ? plot_colour(*line.colour) : kPlotDark;
}

// Every point draws its two numbers whether it is shown or not, so that none moves when another one goes.
Dots find_dots(const ScatterPlot& plot, const PlotAxis& x, const PlotAxis& y) {
  Dots dots;
  Random random(1);
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const std::vector<PlotPoint>& points = plot.series[s].points;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double shift_x = (2 * random.uniform() - 1) * plot.jitter_x;
      const double shift_y = (2 * random.uniform() - 1) * plot.jitter_y;
      if (!is_drawable(points[i].x) || !is_drawable(points[i].y)) {
        ++dots.not_finite;
      } else if (!x.holds(points[i].x) || !y.holds(points[i].y)) {
        ++dots.outside;
      } else {
        dots.shown.push_back({s, i, std::clamp(points[i].x + shift_x, x.low, x.high),
                              std::clamp(points[i].y + shift_y, y.low, y.high)});
      }
    }
  }
  return dots;
}

double spread_of(const PlotSeries& series, std::size_t point) {
  return series.spread.empty() || !is_drawable(series.spread[point]) ? 0 : series.spread[point];
}

// The values along one axis, with the room that jitter needs. A point that cannot be drawn counts for
// neither.
PlotAxis axis_of(const ScatterPlot& plot, double PlotPoint::*member, const PlotRange& range, double jitter) {
  std::vector<double> values;
  for (const PlotSeries& series : plot.series) {
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      const PlotPoint& point = series.points[i];
      if (!is_drawable(point.x) || !is_drawable(point.y)) continue;
      const double room = jitter + (member == &PlotPoint::y ? spread_of(series, i) : 0);
      values.push_back(point.*member - room);
      values.push_back(point.*member + room);
    }
  }
  return make_axis(values, range, 0.04);
}

std::vector<LegendRow> legend_rows(const ScatterPlot& plot, bool density) {
  std::vector<LegendRow> rows;
  if (!density && plot.legend.empty()) {
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
      const PlotSeries& series = plot.series[s];
      if (!series.name.empty()) rows.push_back({series.name, colour_of(series, s), series.marker});
    }
  }
  if (!density) {
    for (const PlotLegendEntry& entry : plot.legend) {
      rows.push_back({entry.text, entry.colour ? plot_colour(*entry.colour) : kPlotGrey,
                      entry.marker.value_or(PlotMarker::square)});
    }
  }
  for (const PlotLine& line : plot.lines) {
    if (line.name.empty()) continue;
    rows.push_back({line.name, colour_of(line), {}, line.dashed});
  }
  return rows;
}

double legend_width(const std::vector<LegendRow>& rows, bool density) {
  double width = density ? 110 : 0;
  for (const LegendRow& row : rows) {
    width = std::max(width, kLegendSample + text_width(row.text, kPlotTextFont.size));
  }
  return width;
}

void paint_y_axis(Svg& svg, const PlotAxis& axis, double left, double right, std::string_view name) {
  SvgFont font = kPlotTextFont;
  font.anchor = "end";
  for (std::size_t i = 0; i < axis.ticks.size(); ++i) {
    const double y = axis.place(axis.ticks[i]);
    svg.line({left, y}, {right, y}, {"none", kPlotGrid, 1});
    svg.text({left - 7, y + 4}, axis.labels[i], font);
  }
  svg.line({left, axis.start}, {left, axis.end}, {"none", kPlotGrey, 1});
  if (name.empty()) return;
  font.anchor = "middle";
  font.turn = -90;
  svg.text({left - label_width(axis) - 20, (axis.start + axis.end) / 2}, name, font);
}

// Many points lie on each other: the more there are, the fainter each.
double opacity_for(std::size_t points) {
  return points > 2000 ? 0.35 : points > 300 ? 0.55 : 0.85;
}

// A bar up and down from a point, as far as the axis goes.
void paint_spread(Svg& svg, const Dot& dot, double spread, std::string_view colour, const Layout& layout) {
  if (spread == 0) return;
  const double x = layout.x.place(dot.x);
  svg.line({x, layout.y.place(std::max(dot.y - spread, layout.y.low))},
           {x, layout.y.place(std::min(dot.y + spread, layout.y.high))}, {"none", colour, 1.5, {}, 0.6});
}

void paint_dots(Svg& svg, const ScatterPlot& plot, const Dots& dots, const Layout& layout) {
  const double opacity = opacity_for(dots.shown.size());
  for (const Dot& dot : dots.shown) {
    const PlotSeries& series = plot.series[dot.series];
    paint_spread(svg, dot, spread_of(series, dot.place), colour_of(series, dot.series), layout);
    const std::string_view tip = dot.place < series.tips.size() ? series.tips[dot.place] : std::string_view{};
    paint_marker(svg, {layout.x.place(dot.x), layout.y.place(dot.y)}, series.marker,
                 colour_of(series, dot.series), opacity, tip);
  }
}

void paint_colour_bar(Svg& svg, SvgPoint corner, std::size_t most) {
  constexpr int kSteps = 24;
  constexpr double kStep = 5;
  svg.text({corner.x, corner.y + 10}, "points per cell", kPlotNoteFont);
  const double top = corner.y + 22;
  for (int i = 0; i < kSteps; ++i) {
    svg.rect({corner.x, top + i * kStep}, 16, kStep + 0.5, {light_to_dark(1 - (i + 0.5) / kSteps).fill});
  }
  const double bottom = top + kSteps * kStep;
  svg.text({corner.x + 24, top + 9}, fmt::format("{}", most), kPlotTextFont);
  if (most > 3) {
    svg.text({corner.x + 24, (top + bottom) / 2 + 4},
             fmt::format("{:.0f}", std::sqrt(static_cast<double>(most))), kPlotTextFont);
  }
  svg.text({corner.x + 24, bottom}, "1", kPlotTextFont);
}

// How many points fall into each cell of a grid; colours go by the logarithm of the count. Returns the most.
std::size_t paint_density(Svg& svg, const Dots& dots, const Layout& layout) {
  const double width = layout.x.end - layout.x.start;
  const double height = layout.bottom - layout.top;
  const std::size_t columns = std::max<std::size_t>(1, static_cast<std::size_t>(width / kCell));
  const std::size_t rows = std::max<std::size_t>(1, static_cast<std::size_t>(height / kCell));
  std::vector<std::size_t> counts(columns * rows);
  for (const Dot& dot : dots.shown) {
    const double across = (layout.x.place(dot.x) - layout.x.start) / width * static_cast<double>(columns);
    const double down = (layout.y.place(dot.y) - layout.top) / height * static_cast<double>(rows);
    const std::size_t column = std::min(columns - 1, static_cast<std::size_t>(std::max(0.0, across)));
    const std::size_t row = std::min(rows - 1, static_cast<std::size_t>(std::max(0.0, down)));
    ++counts[row * columns + column];
  }
  const std::size_t most = *std::max_element(counts.begin(), counts.end());
  const double cell_width = width / static_cast<double>(columns);
  const double cell_height = height / static_cast<double>(rows);
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    if (counts[cell] == 0) continue;
    const double share =
        most == 1 ? 0.5 : std::log(static_cast<double>(counts[cell])) / std::log(static_cast<double>(most));
    svg.rect({layout.x.start + static_cast<double>(cell % columns) * cell_width,
              layout.top + static_cast<double>(cell / columns) * cell_height},
             cell_width, cell_height, {light_to_dark(share).fill});
  }
  return most;
}

// The part of the line that lies between the axes' ends.
void paint_line(Svg& svg, const PlotLine& line, const Layout& layout) {
  if (!is_drawable(line.slope) || !is_drawable(line.intercept)) return;
  double from = layout.x.low;
  double to = layout.x.high;
  if (line.slope != 0) {
    const double a = (layout.y.low - line.intercept) / line.slope;
    const double b = (layout.y.high - line.intercept) / line.slope;
    from = std::max(from, std::min(a, b));
    to = std::min(to, std::max(a, b));
  } else if (!layout.y.holds(line.intercept)) {
    return;
  }
  if (!(from < to)) return;
  const auto at = [&](double x) {
    const double y = std::clamp(line.intercept + line.slope * x, layout.y.low, layout.y.high);
    return SvgPoint{layout.x.place(x), layout.y.place(y)};
  };
  if (layout.density)  // keeps it apart from dark cells
    svg.line(at(from), at(to), {"none", "#ffffff", 5, {}, 0.7});
  svg.line(at(from), at(to), {"none", colour_of(line), 2, line.dashed ? "7 4" : ""});
}

void paint_legend(Svg& svg, const std::vector<LegendRow>& rows, SvgPoint corner) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double y = corner.y + 8 + static_cast<double>(i) * kLegendLine;
    if (rows[i].marker) {
      paint_marker(svg, {corner.x + kLineSample / 2, y}, *rows[i].marker, rows[i].colour, 1, {});
    } else {
      svg.line({corner.x, y}, {corner.x + kLineSample, y},
               {"none", rows[i].colour, 2, rows[i].dashed ? "7 4" : ""});
    }
    svg.text({corner.x + kLegendSample, y + 4}, rows[i].text, kPlotTextFont);
  }
}

std::string describe(const ScatterPlot& plot, const Dots& dots, bool density) {
  std::vector<std::string> series;
  for (const PlotSeries& each : plot.series) {
    series.push_back(fmt::format("{} ({})", each.name.empty() ? "unnamed" : each.name, each.points.size()));
  }
  std::string text = fmt::format(
      "{} of {} against {}: {}. {}.", density ? "Density of points" : "Scatter plot", plot.frame.y_label,
      plot.frame.x_label, fmt::join(series, ", "), counted(dots.shown.size(), "point") + " shown");
  if (dots.not_finite > 0) text += " " + counted(dots.not_finite, "point") + " left out as not finite.";
  if (dots.outside > 0) text += " " + counted(dots.outside, "point") + " outside the axes.";
  for (const PlotLine& line : plot.lines) {
    text += fmt::format(" Line {}: y = {:.6g} + {:.6g} x.", line.name, line.intercept, line.slope);
  }
  return text;
}

}  // namespace

std::string draw(const ScatterPlot& plot) {
  Layout layout;
  layout.x = axis_of(plot, &PlotPoint::x, plot.x_range, plot.jitter_x);
  layout.y = axis_of(plot, &PlotPoint::y, plot.y_range, plot.jitter_y);
  const Dots dots = find_dots(plot, layout.x, layout.y);
  layout.density = dots.shown.size() > plot.most_points;
  const std::vector<LegendRow> legend = legend_rows(plot, layout.density);
  const double beside = legend_width(legend, layout.density);

  Svg svg;
  layout.top = paint_title(svg, plot.frame) + 6;
  layout.bottom = std::max(layout.top + 60, plot.frame.height - kXAxisHeight);
  layout.x.start = kPlotMargin + label_width(layout.y) + (plot.frame.y_label.empty() ? 8 : 30);
  layout.x.end =
      std::max(layout.x.start + 60, plot.frame.width - kPlotMargin - (beside > 0 ? beside + kPlotMargin : 0));
  layout.y.start = layout.bottom;
  layout.y.end = layout.top;
  layout.legend = layout.x.end + kPlotMargin;

  paint_x_axis(svg, layout.x, layout.top, layout.bottom, plot.frame.x_label);
  paint_y_axis(svg, layout.y, layout.x.start, layout.x.end, plot.frame.y_label);
  if (layout.density) {
    const std::size_t most = paint_density(svg, dots, layout);
    paint_colour_bar(svg, {layout.legend, layout.top + static_cast<double>(legend.size()) * kLegendLine + 8},
                     most);
  } else {
    paint_dots(svg, plot, dots, layout);
  }
  for (const PlotLine& line : plot.lines) paint_line(svg, line, layout);
  paint_legend(svg, legend, {layout.legend, layout.top});
  const double width =
      std::max(title_width(plot.frame), std::max(plot.frame.width, layout.legend + beside + kPlotMargin));
  const double legend_bottom =
      layout.top + static_cast<double>(legend.size()) * kLegendLine + (layout.density ? 170 : 0);
  return svg.document(width, std::max(layout.bottom + kXAxisHeight, legend_bottom + kPlotMargin),
                      plot.frame.title, describe(plot, dots, layout.density));
}

}  // namespace capella::report
