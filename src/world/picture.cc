// Shapes are drawn by their distance: a pixel is covered as far as its middle is inside. Every figure is
// drawn twice, first a little wider and dark, so that it stands out from what is behind it.
#include "world/picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "world/figures.h"

namespace capella::world {
namespace {

struct Rgb {
  float r, g, b;
};

constexpr std::array<Rgb, kColours> kRgb = {{{214, 48, 49},
                                             {48, 98, 210},
                                             {46, 150, 66},
                                             {246, 208, 56},
                                             {52, 52, 58},
                                             {246, 246, 242},
                                             {140, 90, 50},
                                             {244, 140, 40},
                                             {134, 70, 170},
                                             {146, 148, 152},
                                             {246, 150, 186}}};

Rgb mix(Rgb a, Rgb b, float share) {
  return {a.r + (b.r - a.r) * share, a.g + (b.g - a.g) * share, a.b + (b.b - a.b) * share};
}

class Canvas {
 public:
  explicit Canvas(std::size_t size) : size_(size), pixels_(size * size) {}

  float side() const { return static_cast<float>(size_); }
  void put(std::size_t x, std::size_t y, Rgb colour, float share) {
    Rgb& pixel = pixels_[y * size_ + x];
    pixel = mix(pixel, colour, share);
  }

  void fill_rows(float from, float to, Rgb top, Rgb bottom) {
    const auto first = static_cast<std::size_t>(from * side());
    const auto last = std::min(size_, static_cast<std::size_t>(std::ceil(to * side())));
    for (std::size_t y = first; y < last; ++y) {
      const float share = static_cast<float>(y - first) / static_cast<float>(last - first);
      for (std::size_t x = 0; x < size_; ++x) put(x, y, mix(top, bottom, share), 1);
    }
  }

  /// Colours every pixel with the share that `coverage` says, `colour` being asked where there is any.
  template <class Coverage, class Colouring>
  void cover(float x1, float y1, float x2, float y2, const Coverage& coverage, const Colouring& colour) {
    const auto low = [](float v) { return static_cast<std::size_t>(std::max(0.f, std::floor(v))); };
    const auto high = [this](float v) {
      return static_cast<std::size_t>(std::clamp(std::ceil(v), 0.f, side()));
    };
    for (std::size_t y = low(y1); y < high(y2); ++y) {
      for (std::size_t x = low(x1); x < high(x2); ++x) {
        const float px = static_cast<float>(x) + .5f;
        const float py = static_cast<float>(y) + .5f;
        const float share = std::clamp(coverage(px, py), 0.f, 1.f);
        if (share > 0) put(x, y, colour(px, py), share);
      }
    }
  }

  io::RgbImage image() const {
    io::RgbImage out{size_, size_, {}};
    out.pixels.reserve(3 * pixels_.size());
    for (const Rgb& pixel : pixels_) {
      for (const float value : {pixel.r, pixel.g, pixel.b})
        out.pixels.push_back(static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.f, 255.f))));
    }
    return out;
  }

 private:
  std::size_t size_;
  std::vector<Rgb> pixels_;
};

// A shape in pixels.
struct Placed {
  Shape::Form form;
  std::size_t points;
  float half_width;
  std::array<float, 12> at;
};

Placed place(const Shape& shape, const Box& box, bool mirrored, float side) {
  Placed out{shape.form, shape.points, 0, shape.coordinates};
  const auto left = static_cast<float>(box.x1) * side;
  const auto top = static_cast<float>(box.y1) * side;
  const auto width = static_cast<float>(box.width()) * side;
  const auto height = static_cast<float>(box.height()) * side;
  for (std::size_t i = 0; i < shape.points; ++i) {
    const bool radii = shape.form == Shape::Form::ellipse && i == 1;
    const float x = shape.coordinates[2 * i];
    out.at[2 * i] = radii ? x * width : left + (mirrored ? 1 - x : x) * width;
    out.at[2 * i + 1] = (radii ? 0 : top) + shape.coordinates[2 * i + 1] * height;
  }
  out.half_width = std::max(.5f, shape.width * std::min(width, height) / 2);
  return out;
}

float segment_distance(float px, float py, const float* a, const float* b) {
  const float dx = b[0] - a[0];
  const float dy = b[1] - a[1];
  const float length = dx * dx + dy * dy;
  const float t = length > 0 ? std::clamp(((px - a[0]) * dx + (py - a[1]) * dy) / length, 0.f, 1.f) : 0;
  const float x = px - a[0] - t * dx;
  const float y = py - a[1] - t * dy;
  return std::sqrt(x * x + y * y);
}

float ellipse_distance(const Placed& shape, float px, float py) {
  const float x = (px - shape.at[0]) / shape.at[2];
  const float y = (py - shape.at[1]) / shape.at[3];
  return (std::sqrt(x * x + y * y) - 1) * std::min(shape.at[2], shape.at[3]);
}

float polygon_distance(const Placed& shape, float px, float py) {
  float least = 1e9f;
  bool inside = false;
  for (std::size_t i = 0, j = shape.points - 1; i < shape.points; j = i++) {
    const float* a = &shape.at[2 * i];
    const float* b = &shape.at[2 * j];
    least = std::min(least, segment_distance(px, py, a, b));
    if ((a[1] > py) != (b[1] > py) && px < (b[0] - a[0]) * (py - a[1]) / (b[1] - a[1]) + a[0])
      inside = !inside;
  }
  return inside ? -least : least;
}

// Negative inside.
float distance(const Placed& shape, float px, float py) {
  switch (shape.form) {
    case Shape::Form::ellipse:
      return ellipse_distance(shape, px, py);
    case Shape::Form::line:
      return segment_distance(px, py, &shape.at[0], &shape.at[2]) - shape.half_width;
    default:
      return polygon_distance(shape, px, py);
  }
}

Box bounds(const Placed& shape) {
  if (shape.form == Shape::Form::ellipse) {
    return {shape.at[0] - shape.at[2], shape.at[1] - shape.at[3], shape.at[0] + shape.at[2],
            shape.at[1] + shape.at[3]};
  }
  Box box{1e9, 1e9, -1e9, -1e9};
  for (std::size_t i = 0; i < shape.points; ++i) {
    const double x = shape.at[2 * i];
    const double y = shape.at[2 * i + 1];
    box = {std::min(box.x1, x), std::min(box.y1, y), std::max(box.x2, x), std::max(box.y2, y)};
  }
  const double wide = shape.form == Shape::Form::line ? shape.half_width : 0;
  return {box.x1 - wide, box.y1 - wide, box.x2 + wide, box.y2 + wide};
}

Rgb cloth_colour(Class id) {
  if (id == Class::woman) return {92, 60, 110};
  if (id == Class::girl) return {190, 90, 120};
  return id == Class::boy ? Rgb{120, 104, 72} : Rgb{62, 72, 104};
}

Rgb paint_colour(Paint paint, const Group& group) {
  const Rgb main = kRgb[static_cast<std::size_t>(group.colour)];
  switch (paint) {
    case Paint::main:
      return main;
    case Paint::shade:
      return mix(main, {0, 0, 0}, .25f);
    case Paint::skin:
      return {236, 188, 150};
    case Paint::hair:
      return group.id == Class::girl ? Rgb{200, 150, 60} : Rgb{84, 56, 38};
    case Paint::dark:
      return {44, 44, 50};
    case Paint::wood:
      return {150, 96, 52};
    case Paint::leaf:
      return {44, 122, 56};
    case Paint::metal:
      return {200, 204, 208};
    case Paint::glass:
      return {184, 222, 240};
    case Paint::white:
      return {252, 252, 248};
    default:
      return cloth_colour(group.id);
  }
}

// Stripes and spots in a colour that is seen on the other.
Rgb patterned(Rgb colour, const Group& group, const Box& box, float side, float px, float py) {
  if (group.pattern == Pattern::plain) return colour;
  const bool light = colour.r + colour.g + colour.b > 520;
  const Rgb other = light ? Rgb{70, 70, 90} : Rgb{250, 250, 246};
  const float period = std::max(3.f, static_cast<float>(std::min(box.width(), box.height())) * side / 2.5f);
  const float x = (px - static_cast<float>(box.x1) * side) / period;
  const float y = (py - static_cast<float>(box.y1) * side) / period;
  if (group.pattern == Pattern::striped) return x - std::floor(x) < .45f ? other : colour;
  const float dx = x - std::floor(x) - .5f;
  const float dy = y - std::floor(y) - .5f;
  return dx * dx + dy * dy < .075f ? other : colour;
}

void draw_thing(Canvas& canvas, const Group& group, const Box& box) {
  constexpr float kOutline = .8f;
  const float side = canvas.side();
  const float outline = kOutline * side / 96;
  for (const bool outlined : {true, false}) {
    for (const Shape& shape : figure(group.id, group.pose)) {
      const Placed placed = place(shape, box, group.mirrored, side);
      const Box area = bounds(placed);
      const float wider = outlined ? outline : 0;
      const Rgb plain = outlined ? Rgb{36, 36, 42} : paint_colour(shape.paint, group);
      const bool main = !outlined && shape.paint == Paint::main;
      canvas.cover(
          static_cast<float>(area.x1) - wider - 1, static_cast<float>(area.y1) - wider - 1,
          static_cast<float>(area.x2) + wider + 1, static_cast<float>(area.y2) + wider + 1,
          [&](float x, float y) { return .5f + wider - distance(placed, x, y); },
          [&](float x, float y) { return main ? patterned(plain, group, box, side, x, y) : plain; });
    }
  }
}

// The string of a kite, the lead of a dog.
void draw_tie(Canvas& canvas, const Box& from, double from_height, bool mirrored, const Box& to,
              double to_height) {
  const float side = canvas.side();
  const double hand = mirrored ? from.x1 + .05 * from.width() : from.x2 - .05 * from.width();
  const Shape shape{Shape::Form::line, Paint::dark, 2, 0, {0, 0, 1, 1}};
  Placed placed = place(
      shape, {hand, from.y1 + from_height * from.height(), to.middle(), to.y1 + to_height * to.height()},
      false, side);
  placed.half_width = .45f * side / 96;
  const auto around = [](float a, float b) { return std::pair(std::min(a, b) - 2, std::max(a, b) + 2); };
  const auto [x1, x2] = around(placed.at[0], placed.at[2]);
  const auto [y1, y2] = around(placed.at[1], placed.at[3]);
  canvas.cover(
      x1, y1, x2, y2, [&](float x, float y) { return .5f - distance(placed, x, y); },
      [](float, float) {
        return Rgb{60, 60, 66};
      });
}

void draw_ties(Canvas& canvas, const Scene& scene) {
  for (const Relation& relation : scene.relations) {
    const Group& subject = scene.groups[static_cast<std::size_t>(relation.subject)];
    const Group& object = scene.groups[static_cast<std::size_t>(relation.object)];
    for (std::size_t i = 0; i < std::min(subject.count(), object.count()); ++i) {
      if (relation.predicate == Predicate::fly)
        draw_tie(canvas, subject.boxes[i], .08, subject.mirrored, object.boxes[i], .75);
      if (relation.predicate == Predicate::walk)
        draw_tie(canvas, subject.boxes[i], .42, subject.mirrored, object.boxes[i], .35);
    }
  }
}

void draw_background(Canvas& canvas, Setting setting) {
  constexpr float kHorizon = .6f;
  switch (setting) {
    case Setting::park:
      canvas.fill_rows(0, kHorizon, {166, 212, 246}, {222, 240, 252});
      canvas.fill_rows(kHorizon, 1, {150, 206, 110}, {120, 184, 84});
      break;
    case Setting::street:
      canvas.fill_rows(0, kHorizon, {200, 214, 230}, {232, 236, 240});
      canvas.fill_rows(kHorizon, .74f, {206, 200, 190}, {196, 190, 182});
      canvas.fill_rows(.74f, 1, {120, 122, 128}, {104, 106, 112});
      break;
    case Setting::beach:
      canvas.fill_rows(0, .46f, {150, 214, 248}, {218, 242, 252});
      canvas.fill_rows(.46f, kHorizon + .03f, {60, 150, 200}, {110, 190, 216});
      canvas.fill_rows(kHorizon + .03f, 1, {246, 226, 170}, {232, 206, 140});
      break;
    case Setting::room:
      canvas.fill_rows(0, .66f, {248, 236, 214}, {240, 224, 198});
      canvas.fill_rows(.66f, .685f, {250, 250, 246}, {250, 250, 246});
      canvas.fill_rows(.685f, 1, {198, 150, 104}, {176, 128, 86});
      break;
  }
}

}  // namespace

io::RgbImage draw_scene(const Scene& scene, std::size_t size) {
  Canvas canvas(size);
  draw_background(canvas, scene.setting);
  std::vector<std::size_t> order(scene.groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return scene.groups[a].depth < scene.groups[b].depth;
  });
  draw_ties(canvas, scene);
  for (const std::size_t i : order) {
    for (const Box& box : scene.groups[i].boxes) draw_thing(canvas, scene.groups[i], box);
  }
  return canvas.image();
}

}  // namespace capella::world
