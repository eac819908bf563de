#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/plot.h"
#include "report/plot_parts.h"

namespace capella::report {
namespace {

constexpr double kBar = 13;
constexpr double kRowGap = 8;
constexpr double kHeading = 26;
constexpr double kWhisker = 3.5;  // half its end's height

struct Group {
  std::string name;
  std::vector<const BarRow*> rows;
};

// A row stands by its first number that is there; rows without any go last.
double rank_of(const BarRow& row) {
  for (const BarValue& bar : row.values) {
    if (is_drawable(bar.value)) return bar.value;
  }
  return -HUGE_VAL;
}

bool is_longer(const BarRow* a, const BarRow* b) {
  return rank_of(*a) > rank_of(*b);
}

std::vector<Group> group_rows(const BarChart& chart) {
  std::vector<Group> groups;
  for (const BarRow& row : chart.rows) {
    auto found =
        std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.name == row.group; });
    if (found == groups.end()) found = groups.insert(groups.end(), {row.group, {}});
    found->rows.push_back(&row);
  }
  if (chart.sorted) {
    for (Group& group : groups) std::stable_sort(group.rows.begin(), group.rows.end(), is_longer);
  }
  return groups;
}

PlotAxis value_axis(const BarChart& chart) {
  std::vector<double> values{0};
  for (const BarRow& row : chart.rows) {
    for (const BarValue& bar : row.values) {
      if (!is_drawable(bar.value)) continue;
      values.push_back(bar.value);
      if (bar.has_interval()) values.insert(values.end(), {bar.low, bar.high});
    }
  }
  PlotRange range = chart.range;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (*low == 0 && *high > 0 && !range.low) range.low = 0;  // bars stand on the axis, without a gap
  if (*high == 0 && *low < 0 && !range.high) range.high = 0;
  return make_axis(values, range, 0.02);
}

std::string value_text(const BarValue& bar, int decimals) {
  if (std::isnan(bar.value)) return "-";
  return std::abs(bar.value) < 1e9 ? fmt::format("{:.{}f}", bar.value, decimals)
                                   : fmt::format("{:g}", bar.value);
}

double row_height(const BarChart& chart) {
  return kBar * static_cast<double>(std::max<std::size_t>(1, chart.series.size())) + kRowGap;
}

struct Widths {
  double labels = 0;
  double values = 0;
};

Widths text_widths(const BarChart& chart) {
  Widths widths;
  for (const BarRow& row : chart.rows) {
    widths.labels = std::max(widths.labels, text_width(row.label, kPlotTextFont.size));
    for (const BarValue& bar : row.values) {
      widths.values =
          std::max(widths.values, text_width(value_text(bar, chart.decimals), kPlotTextFont.size));
    }
  }
  return widths;
}

void paint_interval(Svg& svg, const BarValue& bar, const PlotAxis& axis, double y) {
  const double low = axis.place(std::clamp(bar.low, axis.low, axis.high));
  const double high = axis.place(std::clamp(bar.high, axis.low, axis.high));
  SvgPath path;
  path.move_to({low, y - kWhisker}).line_to({low, y + kWhisker});
  path.move_to({low, y}).line_to({high, y});
  path.move_to({high, y - kWhisker}).line_to({high, y + kWhisker});
  svg.path(path, {"none", kPlotDark, 1.2});
}

// One bar with its interval, its number at the right of both.
void paint_bar(Svg& svg, const BarChart& chart, const BarValue& bar, std::size_t series, const PlotAxis& axis,
               double top) {
  const double foot = axis.place(std::clamp(0.0, axis.low, axis.high));
  double right = foot;
  if (is_drawable(bar.value)) {
    const double end = axis.place(std::clamp(bar.value, axis.low, axis.high));
    svg.rect({std::min(foot, end), top + 0.5}, std::abs(end - foot), kBar - 1, {plot_colour(series)});
    right = std::max(foot, end);
    if (bar.has_interval()) {
      paint_interval(svg, bar, axis, top + kBar / 2);
      right = std::max(right, axis.place(std::clamp(bar.high, axis.low, axis.high)));
    }
  }
  svg.text({right + kPlotGap, top + kBar / 2 + 4}, value_text(bar, chart.decimals),
           std::isnan(bar.value) ? kPlotNoteFont : kPlotTextFont);
}

void paint_row(Svg& svg, const BarChart& chart, const BarRow& row, const PlotAxis& axis, double top) {
  SvgFont font = kPlotTextFont;
  font.anchor = "end";
  const double bars = kBar * static_cast<double>(std::max<std::size_t>(1, row.values.size()));
  svg.text({axis.start - kPlotGap, top + bars / 2 + 4}, row.label, font);
  for (std::size_t series = 0; series < row.values.size(); ++series) {
    paint_bar(svg, chart, row.values[series], series, axis, top + kBar * static_cast<double>(series));
  }
}

// The series' names in a line; returns the height below it.
double paint_names(Svg& svg, const BarChart& chart, double top) {
  if (chart.series.size() < 2) return top;
  double x = kPlotMargin;
  for (std::size_t series = 0; series < chart.series.size(); ++series) {
    svg.rect({x, top}, 12, 12, {plot_colour(series)});
    svg.text({x + 18, top + 10}, chart.series[series], kPlotTextFont);
    x += 18 + text_width(chart.series[series], kPlotTextFont.size) + 20;
  }
  return top + 24;
}

// Every number in words, since a picture of bars is a table.
std::string describe(const BarChart& chart, const std::vector<Group>& groups) {
  std::vector<std::string> rows;
  std::size_t missing = 0;
  for (const Group& group : groups) {
    for (const BarRow* row : group.rows) {
      std::vector<std::string> values;
      for (const BarValue& bar : row->values) {
        missing += is_drawable(bar.value) ? 0 : 1;
        values.push_back(value_text(bar, chart.decimals));
        if (!bar.has_interval()) continue;
        values.back() +=
            fmt::format(" ({:.{}f} to {:.{}f})", bar.low, chart.decimals, bar.high, chart.decimals);
      }
      rows.push_back(fmt::format("{}{}{}: {}", group.name, group.name.empty() ? "" : ", ", row->label,
                                 fmt::join(values, ", ")));
    }
  }
  std::string text = fmt::format("Bars of {} ({}). {}.", chart.frame.x_label, fmt::join(chart.series, ", "),
                                 fmt::join(rows, "; "));
  if (missing > 0) text += " " + counted(missing, "value") + " left out as not finite.";
  return text;
}

}  // namespace

std::string draw(const BarChart& chart) {
  const std::vector<Group> groups = group_rows(chart);
  const Widths widths = text_widths(chart);
  PlotAxis axis = value_axis(chart);
  axis.start = kPlotMargin + widths.labels + kPlotGap;
  axis.end = std::max(axis.start + 100, chart.frame.width - kPlotMargin - widths.values - kPlotGap);

  Svg svg;
  const double top = paint_names(svg, chart, paint_title(svg, chart.frame) + 4);
  double bottom = top + kRowGap / 2;
  for (const Group& group : groups) {
    bottom +=
        (group.name.empty() ? 0 : kHeading) + row_height(chart) * static_cast<double>(group.rows.size());
  }
  paint_x_axis(svg, axis, top, bottom, chart.frame.x_label);
  double y = top + kRowGap;
  for (const Group& group : groups) {
    if (!group.name.empty()) {
      svg.text({kPlotMargin, y + 14}, group.name, {"sans-serif", 13, kPlotDark, "start", true});
      y += kHeading;
    }
    for (const BarRow* row : group.rows) {
      paint_row(svg, chart, *row, axis, y);
      y += row_height(chart);
    }
  }
  const double foot = axis.place(std::clamp(0.0, axis.low, axis.high));
  svg.line({foot, top}, {foot, bottom}, {"none", kPlotGrey, 1});
  const double width =
      std::max(title_width(chart.frame),
               std::max(chart.frame.width, axis.end + widths.values + kPlotGap + kPlotMargin));
  return svg.document(width, bottom + kXAxisHeight, chart.frame.title, describe(chart, groups));
}

}  // namespace capella::report
