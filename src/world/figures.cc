#include "world/figures.h"

#include <initializer_list>
#include <vector>

namespace capella::world {
namespace {

using enum Paint;
using Shapes = std::vector<Shape>;

Shape oval(Paint paint, double x, double y, double rx, double ry) {
  return {Shape::Form::ellipse,
          paint,
          2,
          0,
          {static_cast<float>(x), static_cast<float>(y), static_cast<float>(rx), static_cast<float>(ry)}};
}

Shape line(Paint paint, double x1, double y1, double x2, double y2, double width) {
  return {Shape::Form::line,
          paint,
          2,
          static_cast<float>(width),
          {static_cast<float>(x1), static_cast<float>(y1), static_cast<float>(x2), static_cast<float>(y2)}};
}

Shape area(Paint paint, std::initializer_list<double> points) {
  Shape shape{Shape::Form::polygon, paint, static_cast<std::uint8_t>(points.size() / 2), 0, {}};
  std::size_t i = 0;
  for (const double value : points) shape.coordinates[i++] = static_cast<float>(value);
  return shape;
}

Shape block(Paint paint, double x1, double y1, double x2, double y2) {
  return area(paint, {x1, y1, x2, y1, x2, y2, x1, y2});
}

void add(Shapes& shapes, std::initializer_list<Shape> more) {
  for (const Shape& shape : more) shapes.push_back(shape);
}

// Legs and arms of a person; `k` stretches a folded figure, whose box is lower, to the same proportions.
void add_legs(Shapes& person, Pose pose, bool skirt, double k) {
  if (pose == Pose::sitting || pose == Pose::riding) {
    add(person, {line(cloth, .48, .58 * k, .86, .60 * k, .17), line(cloth, .86, .60 * k, .84, .96, .15)});
  } else if (pose == Pose::kicking) {
    add(person, {line(cloth, .44, .56, .32, .96, .17), line(cloth, .54, .56, .92, .84, .17)});
  } else {
    add(person, {line(cloth, .40, .56, .36, .96, .17), line(cloth, .60, .56, .64, .96, .17)});
  }
  if (skirt) add(person, {area(cloth, {.32, .52 * k, .68, .52 * k, .80, .70 * k, .20, .70 * k})});
}

void add_arms(Shapes& person, Pose pose, double k) {
  add(person, {line(skin, .30, .29 * k, .14, .52 * k, .12)});
  switch (pose) {
    case Pose::arm_out:
    case Pose::riding:
      add(person, {line(skin, .70, .30 * k, .96, .42 * k, .12)});
      break;
    case Pose::arm_up:
      add(person, {line(skin, .70, .29, .96, .08, .12)});
      break;
    default:
      add(person, {line(skin, .70, .29 * k, .88, .54 * k, .12)});
      break;
  }
}

Shapes person(Class id, Pose pose) {
  const double k = pose == Pose::sitting || pose == Pose::riding ? 1 / .72 : 1;
  const bool female = id == Class::woman || id == Class::girl;
  Shapes shapes;
  if (female) add(shapes, {oval(hair, .47, .15 * k, .27, .15 * k)});
  add_legs(shapes, pose, female, k);
  add(shapes, {area(main, {.30, .25 * k, .70, .25 * k, .68, .57 * k, .32, .57 * k})});
  add_arms(shapes, pose, k);
  if (female) add(shapes, {oval(hair, .48, .10 * k, .24, .10 * k)});
  if (!female) add(shapes, {oval(hair, .46, .085 * k, .21, .075 * k)});
  add(shapes, {oval(skin, .52, .145 * k, .20, .10 * k), oval(dark, .60, .13 * k, .03, .013 * k)});
  return shapes;
}

Shapes dog_figure(bool sitting) {
  Shapes shapes;
  if (sitting) {
    add(shapes, {line(main, .20, .85, .05, .55, .10), oval(main, .38, .72, .24, .26),
                 oval(main, .52, .52, .18, .30), line(shade, .60, .60, .62, .97, .12)});
  } else {
    add(shapes, {line(main, .14, .40, .03, .12, .10), line(shade, .22, .60, .18, .95, .13),
                 line(shade, .62, .60, .62, .95, .13), line(main, .30, .60, .30, .96, .13),
                 line(main, .70, .60, .72, .96, .13), oval(main, .44, .48, .34, .21)});
  }
  add(shapes,
      {oval(main, .78, .26, .16, .20), oval(main, .91, .33, .09, .10), oval(shade, .69, .24, .06, .18),
       oval(dark, .82, .22, .025, .03), oval(dark, .97, .31, .03, .04)});
  return shapes;
}

Shapes cat_figure(bool sitting) {
  Shapes shapes;
  if (sitting) {
    add(shapes, {line(main, .22, .92, .06, .62, .09), oval(main, .46, .74, .25, .26)});
  } else {
    add(shapes, {line(main, .14, .52, .06, .06, .09), line(shade, .24, .65, .22, .95, .12),
                 line(main, .34, .65, .34, .96, .12), line(shade, .60, .65, .60, .95, .12),
                 line(main, .68, .65, .70, .96, .12), oval(main, .42, .56, .32, .20)});
  }
  add(shapes, {area(main, {.60, .26, .62, .02, .76, .18}), area(main, {.80, .18, .94, .02, .96, .26}),
               oval(main, .78, .34, .20, .21), oval(dark, .72, .31, .025, .04),
               oval(dark, .86, .31, .025, .04), oval(Paint::skin, .79, .41, .03, .025)});
  return shapes;
}

Shapes hoofed(Class id) {
  Shapes shapes = {line(shade, .20, .55, .18, .96, .09), line(shade, .60, .55, .60, .96, .09),
                   line(main, .27, .55, .28, .97, .09), line(main, .67, .55, .68, .97, .09)};
  if (id == Class::horse) {
    add(shapes, {line(hair, .10, .42, .03, .72, .10), oval(main, .42, .47, .34, .17),
                 area(main, {.60, .46, .76, .08, .88, .12, .78, .52}), oval(main, .88, .17, .11, .085),
                 line(hair, .66, .34, .76, .06, .07), oval(dark, .87, .13, .016, .022)});
  } else if (id == Class::cow) {
    add(shapes,
        {line(shade, .08, .35, .04, .72, .05), oval(main, .42, .45, .36, .23),
         oval(white, .34, .40, .10, .10), oval(white, .56, .52, .08, .08), oval(main, .85, .30, .12, .14),
         oval(Paint::skin, .93, .37, .07, .07), line(metal, .78, .18, .74, .06, .05),
         line(metal, .88, .17, .92, .05, .05), oval(dark, .86, .26, .02, .025)});
  } else {
    add(shapes,
        {oval(main, .28, .46, .20, .24), oval(main, .46, .42, .22, .26), oval(main, .60, .50, .18, .22),
         oval(hair, .82, .36, .12, .17), oval(white, .85, .31, .022, .03)});
  }
  return shapes;
}

Shapes bird_figure(Class id) {
  if (id == Class::duck) {
    return {line(wood, .45, .85, .45, .98, .06),
            oval(main, .42, .64, .38, .26),
            area(main, {.02, .42, .20, .50, .14, .72}),
            oval(main, .76, .28, .18, .20),
            area(Paint::wood, {.90, .24, 1, .32, .90, .38}),
            oval(dark, .80, .23, .035, .04),
            oval(shade, .38, .62, .20, .12)};
  }
  return {line(dark, .46, .80, .44, .98, .05), line(dark, .56, .80, .58, .98, .05),
          oval(main, .48, .58, .32, .26),      area(main, {.02, .46, .26, .50, .18, .70}),
          oval(main, .72, .30, .20, .20),      area(wood, {.88, .24, 1, .32, .88, .40}),
          oval(dark, .77, .26, .04, .045),     area(shade, {.26, .44, .60, .50, .34, .74})};
}

void add_wheels(Shapes& shapes, double x1, double x2, double y, double rx, double ry) {
  for (const double x : {x1, x2}) add(shapes, {oval(dark, x, y, rx, ry), oval(metal, x, y, rx / 2, ry / 2)});
}

Shapes vehicle(Class id) {
  Shapes shapes;
  switch (id) {
    case Class::car:
      add(shapes, {area(main, {.22, .45, .34, .06, .68, .06, .82, .45}), block(main, .02, .42, .98, .80),
                   area(glass, {.30, .42, .38, .15, .49, .15, .49, .42}),
                   area(glass, {.53, .42, .53, .15, .65, .15, .73, .42}), block(white, .92, .48, .98, .58)});
      add_wheels(shapes, .24, .76, .80, .095, .19);
      break;
    case Class::bus:
      add(shapes, {block(main, .01, .05, .99, .86), block(glass, .07, .16, .20, .44),
                   block(glass, .25, .16, .38, .44), block(glass, .43, .16, .56, .44),
                   block(glass, .61, .16, .74, .44), block(glass, .80, .16, .96, .62)});
      add_wheels(shapes, .22, .76, .86, .075, .13);
      break;
    case Class::truck:
      add(shapes, {block(main, .01, .02, .64, .80), block(shade, .66, .24, .98, .80),
                   area(glass, {.74, .30, .94, .30, .97, .52, .74, .52})});
      add_wheels(shapes, .22, .78, .84, .08, .15);
      break;
    case Class::bike:
      add(shapes, {oval(dark, .20, .70, .18, .28), oval(dark, .80, .70, .18, .28),
                   oval(white, .20, .70, .13, .20), oval(white, .80, .70, .13, .20),
                   line(main, .20, .70, .40, .32, .10), line(main, .20, .70, .50, .70, .10),
                   line(main, .50, .70, .40, .32, .10), line(main, .50, .70, .70, .30, .10),
                   line(main, .40, .34, .70, .30, .10), line(main, .80, .70, .68, .12, .10),
                   line(dark, .62, .10, .78, .08, .08), line(dark, .32, .26, .47, .26, .10)});
      break;
    case Class::boat:
      add(shapes, {area(main, {.0, .25, 1, .25, .82, .98, .16, .98}), block(shade, .0, .20, 1, .36)});
      break;
    default:
      add(shapes, {area(main, {.10, .22, 1, .22, .90, .72, .20, .72}), line(dark, .02, .06, .14, .26, .07)});
      add_wheels(shapes, .32, .78, .84, .12, .14);
      break;
  }
  return shapes;
}

Shapes furniture(Class id) {
  switch (id) {
    case Class::bench:
      return {line(dark, .10, .55, .10, .97, .12), line(dark, .90, .55, .90, .97, .12),
              block(main, .0, .06, 1, .22),        block(main, .0, .28, 1, .42),
              block(main, .0, .50, 1, .66),        line(dark, .10, .10, .10, .6, .08),
              line(dark, .90, .10, .90, .6, .08)};
    case Class::chair:
      return {line(shade, .14, .60, .12, .98, .12), line(shade, .86, .60, .88, .98, .12),
              block(main, .06, .02, .22, .62), block(main, .06, .52, .94, .66)};
    case Class::table:
      return {line(shade, .12, .20, .10, .97, .12), line(shade, .88, .20, .90, .97, .12),
              block(main, .0, .02, 1, .20)};
    case Class::couch:
      return {block(main, .10, .04, .90, .60), block(shade, .04, .52, .96, .90),
              block(main, .0, .30, .14, .96), block(main, .86, .30, 1, .96),
              line(dark, .5, .56, .5, .88, .04)};
    default:
      return {block(main, .03, .05, .97, .97), block(shade, .0, .02, 1, .24),
              line(dark, .42, .40, .58, .40, .07)};
  }
}

Shapes outdoors(Class id) {
  switch (id) {
    case Class::tree:
      return {area(wood, {.42, .50, .58, .50, .62, 1, .38, 1}), oval(leaf, .30, .40, .28, .20),
              oval(leaf, .70, .40, .28, .20), oval(leaf, .50, .22, .34, .22), oval(leaf, .50, .42, .30, .18)};
    case Class::bush:
      return {oval(leaf, .26, .62, .26, .38), oval(leaf, .74, .62, .26, .38), oval(leaf, .50, .46, .32, .45)};
    case Class::flower:
      return {line(leaf, .5, .40, .5, .98, .14),     oval(leaf, .66, .76, .18, .06),
              oval(main, .5, .12, .22, .12),         oval(main, .5, .44, .22, .12),
              oval(main, .22, .28, .22, .12),        oval(main, .78, .28, .22, .12),
              oval(Paint::white, .5, .28, .16, .085)};
    case Class::house:
      return {block(main, .08, .40, .92, 1), area(wood, {.0, .44, .5, .02, 1, .44}),
              block(dark, .42, .64, .60, 1), block(glass, .16, .54, .34, .72),
              block(glass, .68, .54, .86, .72)};
    default:
      return {area(main, {.16, .14, .84, .14, .92, 1, .08, 1}), area(wood, {.06, .16, .5, .0, .94, .16}),
              block(glass, .38, .26, .62, .34), block(glass, .38, .46, .62, .54),
              block(dark, .36, .84, .64, 1)};
  }
}

Shapes small_thing(Class id) {
  switch (id) {
    case Class::ball:
      return {oval(main, .5, .5, .48, .48)};
    case Class::kite:
      return {area(main, {.5, .0, .95, .36, .5, .78, .05, .36}), line(dark, .5, .02, .5, .76, .03),
              line(shade, .5, .78, .38, .90, .07), line(shade, .38, .90, .56, .99, .07)};
    case Class::balloon:
      return {line(dark, .5, .52, .5, .98, .06), oval(main, .5, .28, .46, .27)};
    case Class::umbrella:
      return {line(dark, .5, .30, .5, .98, .05), area(main, {.0, .46, .12, .20, .5, .03, .88, .20, 1, .46})};
    case Class::book:
      return {block(main, .02, .05, .98, .97), block(white, .12, .12, .94, .72),
              line(main, .5, .08, .5, .95, .10)};
    case Class::cup:
      return {oval(shade, .84, .48, .16, .26), block(main, .08, .06, .78, .96)};
    case Class::bag:
      return {line(shade, .28, .36, .36, .05, .08), line(shade, .36, .05, .64, .05, .08),
              line(shade, .64, .05, .72, .36, .08), area(main, {.12, .32, .88, .32, 1, .98, .0, .98})};
    case Class::apple:
      return {oval(main, .36, .58, .34, .40), oval(main, .64, .58, .34, .40),
              line(wood, .5, .26, .56, .04, .10), oval(leaf, .68, .12, .14, .08)};
    case Class::banana:
      return {line(main, .10, .25, .30, .70, .34), line(main, .30, .70, .66, .80, .36),
              line(main, .66, .80, .94, .52, .28)};
    case Class::cake:
      return {block(main, .04, .46, .96, .97), block(white, .04, .38, .96, .56),
              line(shade, .5, .38, .5, .14, .08), oval(Paint::wood, .5, .07, .06, .07)};
    case Class::hat:
      return {area(main, {.24, .74, .30, .08, .70, .08, .76, .74}), line(main, .05, .80, .95, .80, .30)};
    default:
      return {};  // shirts are drawn with those who wear them
  }
}

Shapes make_figure(Class id, Pose pose) {
  const bool sitting = pose == Pose::sitting;
  switch (info(id).kind) {
    case Kind::person:
      return person(id, pose);
    case Kind::animal:
      if (id == Class::dog) return dog_figure(sitting);
      if (id == Class::cat) return cat_figure(sitting);
      return id == Class::bird || id == Class::duck ? bird_figure(id) : hoofed(id);
    case Kind::vehicle:
      return vehicle(id);
    case Kind::furniture:
      return furniture(id);
    case Kind::plant:
    case Kind::building:
      return outdoors(id);
    default:
      return small_thing(id);
  }
}

struct Figures {
  std::array<std::array<Shapes, kPoses>, kClasses> shapes;

  Figures() {
    for (std::size_t id = 0; id < kClasses; ++id) {
      for (std::size_t pose = 0; pose < kPoses; ++pose)
        shapes[id][pose] = make_figure(static_cast<Class>(id), static_cast<Pose>(pose));
    }
  }
};

}  // namespace

std::span<const Shape> figure(Class id, Pose pose) {
  static const Figures figures;
  return figures.shapes[static_cast<std::size_t>(id)][static_cast<std::size_t>(pose)];
}

}  // namespace capella::world
