#include "report/alignment_picture.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/svg.h"

namespace capella::report {
namespace {

using Alignment = Explanation::Alignment;

// Colours that people with any common colour blindness tell apart (Okabe and Ito), and a pattern beside each.
constexpr SvgStyle kLinkStyles[] = {
    {"none", "#0072b2", 2, ""},        {"none", "#009e73", 2, "7 3"},     {"none", "#d55e00", 2, "2 3"},
    {"none", "#b0468a", 2, "9 3 2 3"}, {"none", "#8a6d00", 2, "4 2 1 2"}, {"none", "#5b5bd6", 2, "1 2"},
};

constexpr SvgFont kAlignmentTitleFont{"sans-serif", 16, kDark, "start", true};
constexpr SvgFont kNameFont{kMonospace, 12, kGray, "start", false};
constexpr SvgFont kWordFont{kMonospace, 15, kDark, "middle", false};

constexpr double kWordGap = 13;
constexpr double kLegendGap = 22;
constexpr double kSampleLength = 28;
constexpr double kTitleBaseline = 34;
constexpr double kLegendBaseline = 60;
constexpr double kUpperBaseline = 100;
constexpr double kLineDistance = 8;  // from a baseline to the line under its words
constexpr double kTick = 5;          // the ends of a phrase's bracket

struct Extent {
  double left, right;
  double middle() const { return (left + right) / 2; }
};

// Where everything stands.
struct Layout {
  std::vector<Extent> upper, lower;  // of words
  double upper_line, lower_line;     // the brackets' heights, between which the links run
  double lower_baseline;
  double width, height;
};

const SvgStyle& link_style(std::size_t kind) {
  return kLinkStyles[kind % std::size(kLinkStyles)];
}

std::vector<Extent> place_words(const std::vector<std::string>& words, double left) {
  std::vector<Extent> places;
  for (const std::string& word : words) {
    const double right = left + std::max(monospace_width(word, kWordFont.size), kTick);
    places.push_back({left, right});
    left = right + kWordGap;
  }
  return places;
}

Extent phrase_extent(const std::vector<Extent>& words, std::size_t start, std::size_t length) {
  assert(length > 0 && start + length <= words.size());
  return {words[start].left, words[start + length - 1].right};
}

// The kinds with how many links are of each.
std::vector<std::string> legend_texts(const Alignment& alignment) {
  std::vector<std::size_t> counts(alignment.kinds.size());
  for (const Alignment::Link& link : alignment.links) ++counts.at(link.kind);
  std::vector<std::string> texts;
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    texts.push_back(fmt::format("{} ({})", alignment.kinds[kind], counts[kind]));
  }
  return texts;
}

constexpr std::string_view kNoMatch = "grey: no match";

double legend_width(const std::vector<std::string>& texts) {
  double width = monospace_width(kNoMatch, kNameFont.size);
  for (const std::string& text : texts) {
    width += kSampleLength + kTick + monospace_width(text, kNameFont.size) + kLegendGap;
  }
  return width;
}

Layout lay_out(const Alignment& alignment) {
  const double names = std::max(monospace_width(alignment.upper_name, kNameFont.size),
                                monospace_width(alignment.lower_name, kNameFont.size));
  const double left = kMargin + (names > 0 ? names + kWordGap : 0);
  Layout layout;
  layout.upper = place_words(alignment.upper, left);
  layout.lower = place_words(alignment.lower, left);
  double right = kMargin + std::max(monospace_width(alignment.title, kAlignmentTitleFont.size),
                                    legend_width(legend_texts(alignment)));
  for (const auto* row : {&layout.upper, &layout.lower}) {
    if (!row->empty()) right = std::max(right, row->back().right);
  }
  layout.width = right + kMargin;
  layout.upper_line = kUpperBaseline + kLineDistance;
  layout.lower_line = layout.upper_line + std::clamp(layout.width / 12, 70.0, 260.0);
  layout.lower_baseline = layout.lower_line + kLineDistance + kWordFont.size;
  layout.height = layout.lower_baseline + kMargin;
  return layout;
}

std::string phrase_text(const std::vector<std::string>& words, std::size_t start, std::size_t length) {
  return fmt::format("{}", fmt::join(words.begin() + start, words.begin() + start + length, " "));
}

std::string link_text(const Alignment& alignment, const Alignment::Link& link) {
  return fmt::format("{}: {} - {}", alignment.kinds[link.kind],
                     phrase_text(alignment.upper, link.upper_start, link.upper_length),
                     phrase_text(alignment.lower, link.lower_start, link.lower_length));
}

void paint_legend(Svg& svg, const Alignment& alignment) {
  double x = kMargin;
  const std::vector<std::string> texts = legend_texts(alignment);
  for (std::size_t kind = 0; kind < texts.size(); ++kind) {
    const double y = kLegendBaseline - kNameFont.size / 3;
    svg.line({x, y}, {x + kSampleLength, y}, link_style(kind));
    x += kSampleLength + kTick;
    svg.text({x, kLegendBaseline}, texts[kind], {kMonospace, kNameFont.size, kDark});
    x += monospace_width(texts[kind], kNameFont.size) + kLegendGap;
  }
  svg.text({x, kLegendBaseline}, kNoMatch, kNameFont);
}

void paint_words(Svg& svg, const std::vector<std::string>& words, const std::vector<Extent>& places,
                 const std::vector<bool>& linked, double baseline) {
  SvgFont font = kWordFont;
  for (std::size_t i = 0; i < words.size(); ++i) {
    font.fill = linked[i] ? kDark : kGray;
    svg.text({places[i].middle(), baseline}, words[i], font);
  }
}

// A line along a phrase's words with ends that point at them; for a single word the line alone.
void paint_bracket(Svg& svg, Extent phrase, double y, double tick, const SvgStyle& style) {
  SvgPath path;
  if (tick == 0) {
    path.move_to({phrase.left, y}).line_to({phrase.right, y});
  } else {
    path.move_to({phrase.left, y - tick}).line_to({phrase.left, y}).line_to({phrase.right, y});
    path.line_to({phrase.right, y - tick});
  }
  svg.path(path, {"none", style.stroke, style.stroke_width});
}

void paint_link(Svg& svg, const Alignment& alignment, const Alignment::Link& link, const Layout& layout) {
  const SvgStyle& style = link_style(link.kind);
  const Extent upper = phrase_extent(layout.upper, link.upper_start, link.upper_length);
  const Extent lower = phrase_extent(layout.lower, link.lower_start, link.lower_length);
  paint_bracket(svg, upper, layout.upper_line, link.upper_length > 1 ? kTick : 0, style);
  paint_bracket(svg, lower, layout.lower_line, link.lower_length > 1 ? -kTick : 0, style);
  const double half = (layout.upper_line + layout.lower_line) / 2;
  SvgPath path;
  path.move_to({upper.middle(), layout.upper_line});
  path.curve_to({upper.middle(), half}, {lower.middle(), half}, {lower.middle(), layout.lower_line});
  svg.path(path, style, link_text(alignment, link));
}

void paint(Svg& svg, const Alignment& alignment, const Layout& layout) {
  std::vector<bool> upper_linked(alignment.upper.size());
  std::vector<bool> lower_linked(alignment.lower.size());
  svg.text({kMargin, kTitleBaseline}, alignment.title, kAlignmentTitleFont);
  paint_legend(svg, alignment);
  for (const Alignment::Link& link : alignment.links) {
    paint_link(svg, alignment, link, layout);
    std::fill_n(upper_linked.begin() + link.upper_start, link.upper_length, true);
    std::fill_n(lower_linked.begin() + link.lower_start, link.lower_length, true);
  }
  svg.text({kMargin, kUpperBaseline}, alignment.upper_name, kNameFont);
  svg.text({kMargin, layout.lower_baseline}, alignment.lower_name, kNameFont);
  paint_words(svg, alignment.upper, layout.upper, upper_linked, kUpperBaseline);
  paint_words(svg, alignment.lower, layout.lower, lower_linked, layout.lower_baseline);
}

// The picture in words.
std::string describe(const Alignment& alignment) {
  std::vector<std::string> links;
  for (const Alignment::Link& link : alignment.links) links.push_back(link_text(alignment, link));
  return fmt::format("{}: {}. {}: {}. {}.", alignment.upper_name, fmt::join(alignment.upper, " "),
                     alignment.lower_name, fmt::join(alignment.lower, " "),
                     links.empty() ? "Nothing matches" : fmt::format("{}", fmt::join(links, "; ")));
}

}  // namespace

std::string draw_alignment(const Alignment& alignment) {
  return draw_alignments({&alignment, 1});
}

std::string draw_alignments(std::span<const Alignment> alignments) {
  Svg svg;
  double width = 2 * kMargin;
  double height = 0;
  std::vector<std::string> titles;
  std::vector<std::string> descriptions;
  for (const Alignment& alignment : alignments) {
    const Layout layout = lay_out(alignment);
    svg.begin_group({0, height});
    paint(svg, alignment, layout);
    svg.end_group();
    width = std::max(width, layout.width);
    height += layout.height;
    titles.push_back(alignment.title);
    descriptions.push_back(describe(alignment));
  }
  return svg.document(width, std::max(height, 2 * kMargin), fmt::format("{}", fmt::join(titles, "; ")),
                      fmt::format("{}", fmt::join(descriptions, "\n")));
}

}  // namespace capella::report
