#include "report/svg.h"

#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "base/utf8.h"

namespace capella::report {
namespace {

// Two decimals at most: a hundredth of a pixel is finer than any screen.
std::string number(double value) {
  assert(std::isfinite(value));
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string attribute(std::string_view name, std::string_view value) {
  return fmt::format(" {}=\"{}\"", name, escape_xml(value));
}

std::string attribute(std::string_view name, double value) {
  return attribute(name, number(value));
}

std::string painted(const SvgStyle& style) {
  std::string out = attribute("fill", style.fill);
  if (style.opacity < 1) out += attribute("opacity", style.opacity);
  if (style.stroke == "none") return out;
  out += attribute("stroke", style.stroke) + attribute("stroke-width", style.stroke_width);
  return style.dash.empty() ? out : out + attribute("stroke-dasharray", style.dash);
}

// The end of an element, with its tip if it has one.
std::string closed(std::string_view element, std::string_view tip) {
  return tip.empty() ? "/>\n" : fmt::format("><title>{}</title></{}>\n", escape_xml(tip), element);
}

// What XML 1.0 calls a character.
bool is_xml_character(char32_t c) {
  if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
  return !(c >= 0xD800 && c <= 0xDFFF) && c != 0xFFFE && c != 0xFFFF;
}

// Chinese, Japanese, Korean and emoji fill two columns of a fixed-width font.
bool is_wide(char32_t c) {
  return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
         (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
}

}  // namespace

double monospace_width(std::string_view text, double size) {
  constexpr double kColumn = 0.61;
  double columns = 0;
  for (const char32_t c : to_code_points(text)) columns += is_wide(c) ? 2 : 1;
  return columns * kColumn * size;
}

std::string escape_xml(std::string_view text) {
  std::string out;
  for (std::size_t position = 0; position < text.size();) {
    const char32_t c = decode_utf8(text, position);
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      append_utf8(out, is_xml_character(c) ? c : kReplacementCharacter);
    }
  }
  return out;
}

SvgPath& SvgPath::add(char command, std::initializer_list<SvgPoint> points) {
  data_ += command;
  for (const SvgPoint& point : points) {
    if (data_.back() != command) data_ += ' ';
    data_ += number(point.x) + ' ' + number(point.y);
  }
  return *this;
}

void Svg::rect(SvgPoint corner, double width, double height, const SvgStyle& style, double radius) {
  body_ += "<rect" + attribute("x", corner.x) + attribute("y", corner.y) + attribute("width", width) +
           attribute("height", height);
  if (radius > 0) body_ += attribute("rx", radius);
  body_ += painted(style) + "/>\n";
}

void Svg::line(SvgPoint from, SvgPoint to, const SvgStyle& style) {
  body_ += "<line" + attribute("x1", from.x) + attribute("y1", from.y) + attribute("x2", to.x) +
           attribute("y2", to.y) + painted(style) + "/>\n";
}

void Svg::circle(SvgPoint middle, double radius, const SvgStyle& style, std::string_view tip) {
  body_ += "<circle" + attribute("cx", middle.x) + attribute("cy", middle.y) + attribute("r", radius) +
           painted(style) + closed("circle", tip);
}

void Svg::path(const SvgPath& path, const SvgStyle& style, std::string_view tip) {
  body_ += "<path" + attribute("d", path.data()) + painted(style) + closed("path", tip);
}

void Svg::text(SvgPoint at, std::string_view text, const SvgFont& font) {
  body_ += "<text" + attribute("x", at.x) + attribute("y", at.y) + attribute("font-family", font.family) +
           attribute("font-size", font.size) + attribute("fill", font.fill);
  if (font.anchor != "start") body_ += attribute("text-anchor", font.anchor);
  if (font.bold) body_ += attribute("font-weight", "bold");
  if (font.turn != 0) {
    body_ += fmt::format(" transform=\"rotate({} {} {})\"", number(font.turn), number(at.x), number(at.y));
  }
  body_ += '>' + escape_xml(text) + "</text>\n";
}

void Svg::begin_group(SvgPoint offset) {
  body_ += fmt::format("<g transform=\"translate({} {})\">\n", number(offset.x), number(offset.y));
}

void Svg::end_group() {
  body_ += "</g>\n";
}

std::string Svg::document(double width, double height, std::string_view title,
                          std::string_view description) const {
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"" + attribute("width", width) +
                    attribute("height", height) +
                    fmt::format(" viewBox=\"0 0 {} {}\">\n", number(width), number(height));
  out += "<title>" + escape_xml(title) + "</title>\n";
  if (!description.empty()) out += "<desc>" + escape_xml(description) + "</desc>\n";
  return out + "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" + body_ + "</svg>\n";
}

}  // namespace capella::report
