#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/plot.h"
#include "report/plot_parts.h"

namespace capella::report {
namespace {

constexpr double kCellHeight = 26;
constexpr double kLeastCell = 34;
constexpr double kTurn = -40;  // of the columns' names, degrees
constexpr std::string_view kNoValue = "#ececec";

// The ends of the colour scale; around zero both sides are equally long, so that white is zero.
struct Scale {
  double low = 0, high = 1;
  bool both_sides = false;

  RampColour colour(double value) const {
    const double share = (value - low) / (high - low);
    return both_sides ? brown_to_green(share) : light_to_dark(share);
  }
};

Scale make_scale(const HeatMap& map) {
  Scale scale;
  bool any = false;
  for (const double value : map.values) {
    if (!is_drawable(value)) continue;
    scale.low = any ? std::min(scale.low, value) : value;
    scale.high = any ? std::max(scale.high, value) : value;
    any = true;
  }
  scale.low = map.range.low.value_or(scale.low);
  scale.high = map.range.high.value_or(scale.high);
  scale.both_sides = scale.low < 0 && scale.high > 0;
  if (scale.both_sides) {
    scale.high = std::max(-scale.low, scale.high);
    scale.low = -scale.high;
  }
  if (!(scale.low < scale.high)) scale.high = scale.low + 1;
  return scale;
}

double widest(const std::vector<std::string>& texts) {
  double width = 0;
  for (const std::string& text : texts) width = std::max(width, text_width(text, kPlotTextFont.size));
  return width;
}

std::string cell_text(const HeatMap& map, double value) {
  if (std::isnan(value)) return "-";
  return std::abs(value) < 1e9 ? fmt::format("{:.{}f}", value, map.decimals) : fmt::format("{:g}", value);
}

double cell_width(const HeatMap& map, double left) {
  double width = kLeastCell;
  for (const double value : map.values) {
    width = std::max(width, text_width(cell_text(map, value), kPlotTextFont.size) + kPlotGap);
  }
  const double room = map.frame.width - left - 2 * kPlotMargin;
  return std::max(width,
                  std::min(80.0, room / static_cast<double>(std::max<std::size_t>(1, map.columns.size()))));
}

void paint_cell(Svg& svg, const HeatMap& map, const Scale& scale, double value, SvgPoint corner,
                double width) {
  const RampColour colour =
      is_drawable(value) ? scale.colour(value) : RampColour{std::string(kNoValue), kPlotGrey};
  svg.rect(corner, width, kCellHeight, {colour.fill, "#ffffff", 1});
  SvgFont font = kPlotTextFont;
  font.anchor = "middle";
  font.fill = colour.text;
  svg.text({corner.x + width / 2, corner.y + kCellHeight / 2 + 4}, cell_text(map, value), font);
}

std::string describe(const HeatMap& map) {
  std::vector<std::string> rows;
  std::size_t missing = 0;
  for (std::size_t row = 0; row < map.rows.size(); ++row) {
    std::vector<std::string> cells;
    for (std::size_t column = 0; column < map.columns.size(); ++column) {
      const double value = map.values[row * map.columns.size() + column];
      missing += is_drawable(value) ? 0 : 1;
      cells.push_back(fmt::format("{} {}", map.columns[column], cell_text(map, value)));
    }
    rows.push_back(fmt::format("{}: {}", map.rows[row], fmt::join(cells, ", ")));
  }
  std::string text = fmt::format("Table as colours. {}.", fmt::join(rows, "; "));
  if (missing > 0) text += " " + counted(missing, "value") + " left out as not finite.";
  return text;
}

}  // namespace

std::string draw(const HeatMap& map) {
  assert(map.values.size() == map.rows.size() * map.columns.size());
  const Scale scale = make_scale(map);
  const double left = kPlotMargin + (map.frame.y_label.empty() ? 0 : 20) + widest(map.rows) + kPlotGap;
  const double width = cell_width(map, left);
  const double names = widest(map.columns);

  Svg svg;
  const double top = paint_title(svg, map.frame) + names * std::sin(-kTurn * M_PI / 180) + 16;
  SvgFont font = kPlotTextFont;
  font.turn = kTurn;
  for (std::size_t column = 0; column < map.columns.size(); ++column) {
    svg.text({left + (static_cast<double>(column) + 0.5) * width, top - kPlotGap}, map.columns[column], font);
  }
  font = kPlotTextFont;
  font.anchor = "end";
  for (std::size_t row = 0; row < map.rows.size(); ++row) {
    const double y = top + static_cast<double>(row) * kCellHeight;
    svg.text({left - kPlotGap, y + kCellHeight / 2 + 4}, map.rows[row], font);
    for (std::size_t column = 0; column < map.columns.size(); ++column) {
      paint_cell(svg, map, scale, map.values[row * map.columns.size() + column],
                 {left + static_cast<double>(column) * width, y}, width);
    }
  }
  const double right = left + width * static_cast<double>(map.columns.size());
  const double bottom = top + kCellHeight * static_cast<double>(map.rows.size());
  font.anchor = "middle";
  if (!map.frame.x_label.empty()) svg.text({(left + right) / 2, bottom + 24}, map.frame.x_label, font);
  font.turn = -90;
  if (!map.frame.y_label.empty()) svg.text({kPlotMargin + 8, (top + bottom) / 2}, map.frame.y_label, font);
  const double last_name = names * std::cos(kTurn * M_PI / 180);
  return svg.document(
      std::max(title_width(map.frame), right + std::max(0.0, last_name - width / 2) + kPlotMargin),
      bottom + kPlotMargin + (map.frame.x_label.empty() ? 0 : 20), map.frame.title, describe(map));
}

}  // namespace capella::report
