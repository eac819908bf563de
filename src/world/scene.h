// A scene: groups of equal things with their boxes, and the relations between them, all known to be true.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "world/vocabulary.h"

namespace capella::world {

/// In units of the picture's side; y grows downwards.
struct Box {
  double x1 = 0, y1 = 0, x2 = 0, y2 = 0;

  double width() const { return x2 - x1; }
  double height() const { return y2 - y1; }
  double middle() const { return (x1 + x2) / 2; }
};

/// How a figure is drawn.
enum class Pose : std::uint8_t { plain, sitting, riding, arm_out, arm_up, kicking };
inline constexpr std::size_t kPoses = 6;

/// One or more things of one class that look the same.
struct Group {
  Class id = Class::man;
  Colour colour = Colour::red;  ///< of people: of what they wear
  bool coloured = false;        ///< the colour is a fact; otherwise things have the colour of their class
  Size size = Size::medium;
  Pattern pattern = Pattern::plain;
  Pose pose = Pose::plain;
  bool mirrored = false;  ///< looks to the left
  int cluster = 0;        ///< groups of one cluster were placed together
  bool head = false;      ///< the group its cluster is about
  bool attached = false;  ///< worn by another group
  double depth = 0;       ///< drawn in rising order
  std::vector<Box> boxes;

  std::size_t count() const { return boxes.size(); }
  Box extent() const;
};

/// Between groups, which are places in Scene::groups.
struct Relation {
  int subject;
  Predicate predicate;
  int object;

  bool operator==(const Relation&) const = default;
};

struct Scene {
  Setting setting = Setting::park;
  std::vector<Group> groups;
  std::vector<Relation> relations;  ///< events first, the main one at the front
  std::size_t events = 0;           ///< how many relations are events, told before all else
  std::size_t neighbours = 0;       ///< pairs of clusters side by side in front
  std::size_t close = 0;            ///< those of them that were put close together

  bool has(Class id) const;
  bool holds(const Relation& relation) const;
};

/// Whether boxes stand in a relation of place. On and in need the subject to reach into the object from
/// above, under to stand inside it, next to a narrow gap at one level, behind and in front of an overlap at
/// different depths (the lower end of the box is nearer).
bool holds(Predicate predicate, const Box& subject, const Box& object);

/// Whether it holds between some member of the one and some member of the other.
bool holds_of_members(Predicate predicate, const Group& subject, const Group& object);

/// Every relation of place that is true of the groups and worth telling is added to the scene's relations.
void add_places(Scene& scene);

/// The scene of an image. Depends on nothing but its arguments.
Scene make_scene(std::uint64_t seed, std::uint64_t image);

}  // namespace capella::world
