// Pictures as SVG: shapes, texts and groups, written in the order in which they are painted. Serves every
// drawing of this layer; it knows nothing of what is drawn.
#pragma once

#include <string>
#include <string_view>

namespace capella::report {

struct SvgPoint {
  double x, y;
};

/// How a shape is painted; colours as SVG has them.
struct SvgStyle {
  std::string_view fill = "none";
  std::string_view stroke = "none";
  double stroke_width = 1;
  std::string_view dash = {};  ///< lengths of strokes and gaps, e.g. "6 3"; empty: a solid line
  double opacity = 1;
};

struct SvgFont {
  std::string_view family = "sans-serif";
  double size = 14;
  std::string_view fill = "#1a1a1a";
  std::string_view anchor = "start";  ///< which part of the text stands at its point: start, middle or end
  bool bold = false;
  double turn = 0;  ///< degrees, clockwise about its point
};

/// What drawings share: ink, the lightest gray that is still easy to read on white, fonts, and where things
/// begin.
inline constexpr std::string_view kDark = "#1a1a1a";
inline constexpr std::string_view kGray = "#767676";
inline constexpr SvgFont kTitleFont{"sans-serif", 15, kDark, "start", true};
inline constexpr SvgFont kNoteFont{"sans-serif", 13, kGray, "start", false};
inline constexpr SvgFont kSmallNoteFont{"sans-serif", 12, kGray, "start", false};
inline constexpr double kMargin = 20;
inline constexpr double kBelowTitle = 64;

inline constexpr std::string_view kMonospace = "DejaVu Sans Mono, Menlo, Consolas, monospace";

/// About how wide a text in kMonospace is; fonts differ by some percent.
double monospace_width(std::string_view text, double size);

/// Text as XML may hold it: its own characters written as entities, what XML forbids as U+FFFD.
std::string escape_xml(std::string_view text);

class SvgPath {
 public:
  SvgPath& move_to(SvgPoint to) { return add('M', {to}); }
  SvgPath& line_to(SvgPoint to) { return add('L', {to}); }
  SvgPath& curve_to(SvgPoint control1, SvgPoint control2, SvgPoint to) {
    return add('C', {control1, control2, to});
  }
  const std::string& data() const { return data_; }

 private:
  SvgPath& add(char command, std::initializer_list<SvgPoint> points);

  std::string data_;
};

class Svg {
 public:
  void rect(SvgPoint corner, double width, double height, const SvgStyle& style, double radius = 0);
  void line(SvgPoint from, SvgPoint to, const SvgStyle& style);
  /// `tip` is what a browser shows under the pointer.
  void circle(SvgPoint middle, double radius, const SvgStyle& style, std::string_view tip = {});
  void path(const SvgPath& path, const SvgStyle& style, std::string_view tip = {});
  void text(SvgPoint at, std::string_view text, const SvgFont& font);

  /// What follows is moved by `offset`, until the group ends.
  void begin_group(SvgPoint offset);
  void end_group();

  /// The whole picture on a white ground. Title and description are for those who cannot see it.
  std::string document(double width, double height, std::string_view title,
                       std::string_view description) const;

 private:
  std::string body_;
};

}  // namespace capella::report
