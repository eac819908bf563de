#include "report/plot_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/utf8.h"

namespace capella::report {
namespace {

constexpr std::string_view kColours[] = {"#0072b2", "#d55e00", "#009e73", "#b0468a",
                                         "#8a6d00", "#4da6d9", "#1a1a1a", "#e69f00"};
constexpr double kLargest = 1e300;
constexpr double kTickCount = 6;
constexpr double kMarker = 4;  // half the width

struct Rgb {
  double red, green, blue;
};

// The colour at `share` of the way along equally spaced stops.
Rgb between(std::span<const Rgb> stops, double share) {
  const double along = std::clamp(share, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const std::size_t from = std::min(static_cast<std::size_t>(along), stops.size() - 2);
  const double rest = along - static_cast<double>(from);
  const Rgb& a = stops[from];
  const Rgb& b = stops[from + 1];
  return {a.red + (b.red - a.red) * rest, a.green + (b.green - a.green) * rest,
          a.blue + (b.blue - a.blue) * rest};
}

RampColour named(const Rgb& colour) {
  const double brightness = 0.299 * colour.red + 0.587 * colour.green + 0.114 * colour.blue;
  return {
      fmt::format("#{:02x}{:02x}{:02x}", static_cast<int>(std::lround(colour.red)),
                  static_cast<int>(std::lround(colour.green)), static_cast<int>(std::lround(colour.blue))),
      brightness > 140 ? kPlotDark : "#ffffff"};
}

// 1, 2 or 5 times a power of ten.
double round_step(double span) {
  const double rough = span / kTickCount;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double share = rough / power;
  return power * (share <= 1.5 ? 1 : share <= 3.5 ? 2 : share <= 7.5 ? 5 : 10);
}

std::string tick_label(double value, double step) {
  if (std::abs(value) >= 1e6 || step < 1e-5) return fmt::format("{:g}", value);
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  const std::string text = fmt::format("{:.{}f}", value, decimals);
  return text.find_first_of("123456789") == std::string::npos ? fmt::format("{:.{}f}", 0.0, decimals) : text;
}

void add_ticks(PlotAxis& axis) {
  const double step = round_step(axis.high - axis.low);
  const double slack = step * 1e-9;
  const double first = std::ceil((axis.low - slack) / step);
  for (int i = 0; i < 4 * kTickCount; ++i) {
    const double value = (first + i) * step;
    if (value > axis.high + slack) break;
    axis.ticks.push_back(std::clamp(value, axis.low, axis.high));
    axis.labels.push_back(tick_label(value, step));
  }
}

// Ends that coincide, or nearly, are moved apart.
void spread(PlotAxis& axis) {
  if (axis.low > axis.high) std::swap(axis.low, axis.high);
  const double size = std::max(std::abs(axis.low), std::abs(axis.high));
  if (axis.high - axis.low > 1e-9 * size && axis.high - axis.low > 1e-290) return;
  const double half = size > 1e-280 ? size / 10 : 0.5;
  axis.low -= half;
  axis.high += half;
}

SvgPath polygon(SvgPoint middle, std::initializer_list<SvgPoint> corners) {
  SvgPath path;
  for (const SvgPoint& corner : corners) {
    const SvgPoint at{middle.x + corner.x, middle.y + corner.y};
    path.data().empty() ? path.move_to(at) : path.line_to(at);
  }
  return path;
}

// Strokes through the middle: at these angles, in degrees.
SvgPath strokes(SvgPoint middle, std::initializer_list<double> angles) {
  SvgPath path;
  for (const double angle : angles) {
    const double x = kMarker * std::cos(angle * M_PI / 180);
    const double y = kMarker * std::sin(angle * M_PI / 180);
    path.move_to({middle.x - x, middle.y - y}).line_to({middle.x + x, middle.y + y});
  }
  return path;
}

}  // namespace

std::string_view plot_colour(std::size_t place) {
  return kColours[place % std::size(kColours)];
}

bool is_drawable(double value) {
  return std::abs(value) <= kLargest;  // false for what is not a number
}

double text_width(std::string_view text, double size) {
  return monospace_width(text, size) * 0.93;
}

PlotAxis make_axis(std::span<const double> values, const PlotRange& range, double margin) {
  PlotAxis axis;
  bool any = false;
  for (const double value : values) {
    if (!is_drawable(value)) continue;
    axis.low = any ? std::min(axis.low, value) : value;
    axis.high = any ? std::max(axis.high, value) : value;
    any = true;
  }
  if (!any) axis.low = 0, axis.high = 1;
  spread(axis);
  const double room = margin * (axis.high - axis.low);
  axis.low = range.low && is_drawable(*range.low) ? *range.low : axis.low - room;
  axis.high = range.high && is_drawable(*range.high) ? *range.high : axis.high + room;
  spread(axis);
  add_ticks(axis);
  return axis;
}

double label_width(const PlotAxis& axis) {
  double width = 0;
  for (const std::string& label : axis.labels) width = std::max(width, text_width(label, kPlotTextFont.size));
  return width;
}

void paint_marker(Svg& svg, SvgPoint middle, PlotMarker marker, std::string_view colour, double opacity,
                  std::string_view tip) {
  const SvgStyle filled{colour, "none", 1, {}, opacity};
  const SvgStyle drawn{"none", colour, 1.8, {}, opacity};
  constexpr double k = kMarker;
  switch (marker) {
    case PlotMarker::circle:
      return svg.circle(middle, k * 0.9, filled, tip);
    case PlotMarker::ring:
      return svg.circle(middle, k * 0.8, drawn, tip);
    case PlotMarker::square:
      return svg.path(
          polygon(middle, {{-k * .8, -k * .8}, {k * .8, -k * .8}, {k * .8, k * .8}, {-k * .8, k * .8}}),
          filled, tip);
    case PlotMarker::triangle:
      return svg.path(polygon(middle, {{0, -k * 1.1}, {k, k * .7}, {-k, k * .7}}), filled, tip);
    case PlotMarker::diamond:
      return svg.path(polygon(middle, {{0, -k * 1.2}, {k, 0}, {0, k * 1.2}, {-k, 0}}), filled, tip);
    case PlotMarker::cross:
      return svg.path(strokes(middle, {45, 135}), drawn, tip);
    case PlotMarker::plus:
      return svg.path(strokes(middle, {0, 90}), drawn, tip);
    case PlotMarker::star:
      return svg.path(strokes(middle, {90, 30, 150}), drawn, tip);
  }
}

double paint_title(Svg& svg, const PlotFrame& frame) {
  double below = kPlotMargin;
  if (!frame.title.empty()) {
    svg.text({kPlotMargin, below + 12}, frame.title, kPlotTitleFont);
    below += 24;
  }
  if (!frame.subtitle.empty()) {
    svg.text({kPlotMargin, below + 9}, frame.subtitle, kPlotNoteFont);
    below += 20;
  }
  return below;
}

double title_width(const PlotFrame& frame) {
  return std::max(text_width(frame.title, kPlotTitleFont.size),
                  text_width(frame.subtitle, kPlotNoteFont.size)) +
         2 * kPlotMargin;
}

void paint_x_axis(Svg& svg, const PlotAxis& axis, double top, double bottom, std::string_view name) {
  SvgFont font = kPlotTextFont;
  font.anchor = "middle";
  for (std::size_t i = 0; i < axis.ticks.size(); ++i) {
    const double x = axis.place(axis.ticks[i]);
    svg.line({x, top}, {x, bottom}, {"none", kPlotGrid, 1});
    svg.text({x, bottom + 17}, axis.labels[i], font);
  }
  svg.line({axis.start, bottom}, {axis.end, bottom}, {"none", kPlotGrey, 1});
  if (!name.empty()) svg.text({(axis.start + axis.end) / 2, bottom + 38}, name, font);
}

RampColour light_to_dark(double share) {
  static constexpr Rgb kStops[] = {{222, 235, 247}, {107, 174, 214}, {33, 113, 181}, {8, 48, 107}};
  return named(between(kStops, share));
}

RampColour brown_to_green(double share) {
  static constexpr Rgb kStops[] = {
      {140, 81, 10}, {216, 179, 101}, {246, 246, 246}, {90, 180, 172}, {1, 102, 94}};
  return named(between(kStops, share));
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace capella::report
