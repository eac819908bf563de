// What all plots share: axes with round numbers, colours, markers, frames, legends.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/plot.h"
#include "report/svg.h"

namespace capella::report {

inline constexpr std::string_view kPlotDark = "#1a1a1a";
inline constexpr std::string_view kPlotGrey = "#595959";
inline constexpr std::string_view kPlotGrid = "#e3e3e3";
inline constexpr double kPlotMargin = 20;
inline constexpr double kPlotGap = 7;  ///< between a label and what it belongs to
inline constexpr SvgFont kPlotTitleFont{"sans-serif", 16, kPlotDark, "start", true};
inline constexpr SvgFont kPlotTextFont{"sans-serif", 12, kPlotDark};
inline constexpr SvgFont kPlotNoteFont{"sans-serif", 12, kPlotGrey};

/// Eight colours that people with any common colour blindness tell apart (after Okabe and Ito); further
/// places begin again.
std::string_view plot_colour(std::size_t place);

/// Whether a plot can show the number: finite, and not so large that differences overflow.
bool is_drawable(double value);

/// About how wide a text in a sans-serif font is, rather too wide than too narrow.
double text_width(std::string_view text, double size);

/// An axis: values from low to high on pixels from start to end.
struct PlotAxis {
  double low = 0, high = 1;
  double start = 0, end = 1;
  std::vector<double> ticks;
  std::vector<std::string> labels;  ///< of the ticks

  double place(double value) const { return start + (value - low) / (high - low) * (end - start); }
  bool holds(double value) const { return value >= low && value <= high; }
};

/// An axis for these values, those that can be drawn; `margin` is what is left free at each end that is not
/// given, as a share of the range. It has no pixels yet.
PlotAxis make_axis(std::span<const double> values, const PlotRange& range, double margin);

/// The widest of the axis' labels.
double label_width(const PlotAxis& axis);

void paint_marker(Svg& svg, SvgPoint middle, PlotMarker marker, std::string_view colour, double opacity,
                  std::string_view tip);

/// Title and subtitle at the top; returns the height below which there is room.
double paint_title(Svg& svg, const PlotFrame& frame);
double title_width(const PlotFrame& frame);

/// Grid lines, tick labels and the axis' name below the rectangle between top and bottom.
void paint_x_axis(Svg& svg, const PlotAxis& axis, double top, double bottom, std::string_view name);
inline constexpr double kXAxisHeight = 50;  ///< so much is painted below `bottom`

/// A colour between light and dark for a share between 0 and 1; `text` is readable on it.
struct RampColour {
  std::string fill;
  std::string_view text;
};
RampColour light_to_dark(double share);
RampColour brown_to_green(double share);  ///< 0.5 is nearly white: for values on both sides of zero

/// "1 point", "2 points".
std::string counted(std::size_t count, std::string_view noun);

}  // namespace capella::report
