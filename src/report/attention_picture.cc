#include "report/attention_picture.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "report/svg.h"

namespace capella::report {
namespace {

constexpr std::string_view kSubject = "#0072b2";
constexpr std::string_view kObject = "#d55e00";
constexpr std::string_view kBoth = "#7a3e9d";
constexpr std::string_view kLine = "#009e73";
constexpr SvgFont kLegendFont{kMonospace, 13, kDark, "start", false};

constexpr double kPicture = 480;  // the longer side of the image
constexpr double kLegendRow = 22;
constexpr double kThickest = 9;
constexpr double kSample = 40;  // of a line in the legend

class AttentionPicture {
 public:
  AttentionPicture(const MilAttention& attention, const Claim& claim) : attention_(attention), claim_(claim) {
    double right = attention.width;
    double bottom = attention.height;
    for (const auto& box : attention.boxes) {
      right = std::max(right, box.box[2]);
      bottom = std::max(bottom, box.box[3]);
    }
    scale_ = kPicture / std::max({right, bottom, 1.0});
    width_ = right * scale_;
    height_ = bottom * scale_;
    order_.resize(attention.pairs.size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = i;
    std::ranges::stable_sort(order_, std::ranges::greater(),
                             [&](std::size_t i) { return attention.pairs[i].weight; });
  }

  std::string draw() {
    Svg svg;
    const std::string title = fmt::format("{}: P = {:.3f}", claim_text(claim_), attention_.probability);
    svg.text({kMargin, 28}, title, kTitleFont);
    svg.text({kMargin, 48}, note(), kNoteFont);
    svg.begin_group({kMargin, kBelowTitle});
    svg.rect({0, 0}, width_, height_, {"#fafafa", "#bbbbbb", 1, ""});
    for (std::size_t i = 0; i < attention_.boxes.size(); ++i) paint_box(svg, i);
    for (auto pair = order_.rbegin(); pair != order_.rend(); ++pair) paint_pair(svg, *pair);
    svg.end_group();
    const double left = width_ + 2 * kMargin;
    svg.begin_group({left, kBelowTitle});
    const double legend = paint_legend(svg);
    svg.end_group();
    const double rows = kLegendRow * static_cast<double>(order_.size() + 1);
    const double head = monospace_width(title, kTitleFont.size) + 2 * kMargin;
    return svg.document(std::max(left + legend + kMargin, head),
                        kBelowTitle + std::max(height_, rows) + kMargin, title, describe());
  }

 private:
  std::string note() const {
    if (order_.empty()) return "There is no pair of such objects in the image.";
    return fmt::format("{} pairs of {} (blue) and {} (orange); lines: attention", order_.size(),
                       claim_.subject, claim_.object);
  }

  // Objects are numbered as in the file.
  std::string name(std::size_t box) const {
    return fmt::format("{} {}", attention_.boxes[box].label, box + 1);
  }

  SvgPoint middle(std::size_t box) const {
    const auto& at = attention_.boxes[box].box;
    return {(at[0] + at[2]) / 2 * scale_, (at[1] + at[3]) / 2 * scale_};
  }

  void paint_box(Svg& svg, std::size_t i) const {
    const bool subject = std::ranges::count(attention_.pairs, i, &MilAttention::Pair::subject) > 0;
    const bool object = std::ranges::count(attention_.pairs, i, &MilAttention::Pair::object) > 0;
    const std::string_view colour = subject && object ? kBoth : subject ? kSubject : object ? kObject : kGray;
    const auto& box = attention_.boxes[i].box;
    const SvgPoint corner{box[0] * scale_, box[1] * scale_};
    svg.rect(corner, (box[2] - box[0]) * scale_, (box[3] - box[1]) * scale_,
             {"none", colour, subject || object ? 2.0 : 1.0, subject || object ? "" : "4 3"});
    SvgFont font = kLegendFont;
    font.fill = colour;
    svg.text({corner.x + 4, corner.y + 14}, name(i), font);
  }

  SvgStyle line_style(double weight) const {
    return {"none", kLine, std::max(1.0, kThickest * weight), "", std::max(.25, std::min(1.0, weight + .2))};
  }

  void paint_pair(Svg& svg, std::size_t i) const {
    const auto& pair = attention_.pairs[i];
    const SvgPoint from = middle(pair.subject);
    const SvgPoint to = middle(pair.object);
    SvgPath path;
    path.move_to(from).line_to(to);
    svg.path(path, line_style(pair.weight), row(pair));
    svg.circle(from, 4, {kSubject});
    svg.circle(to, 4, {kObject});
  }

  std::string row(const MilAttention::Pair& pair) const {
    return fmt::format("{:.3f}  {} - {}", pair.weight, name(pair.subject), name(pair.object));
  }

  // Returns how wide it is.
  double paint_legend(Svg& svg) const {
    double width = 0;
    double y = kLegendRow / 2;
    for (const std::size_t i : order_) {
      const auto& pair = attention_.pairs[i];
      svg.line({0, y}, {kSample, y}, line_style(pair.weight));
      svg.text({kSample + 10, y + 4}, row(pair), kLegendFont);
      width = std::max(width, kSample + 10 + monospace_width(row(pair), kLegendFont.size));
      y += kLegendRow;
    }
    return width;
  }

  std::string describe() const {
    std::string text;
    for (const std::size_t i : order_) text += (text.empty() ? "" : "; ") + row(attention_.pairs[i]);
    return text;
  }

  const MilAttention& attention_;
  const Claim& claim_;
  double scale_ = 1, width_ = 0, height_ = 0;
  std::vector<std::size_t> order_;  // pairs by attention, the highest first
};

}  // namespace

std::string draw_attention(const MilAttention& attention, const Claim& claim) {
  return AttentionPicture(attention, claim).draw();
}

}  // namespace capella::report
