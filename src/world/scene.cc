#include "world/scene.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace capella::world {
namespace {

constexpr double kNear = .06;       // the widest gap of things next to each other
constexpr double kLevel = .10;      // the largest difference of their lower ends
constexpr double kApart = .06;      // the least difference of depth of things behind each other
constexpr double kDeep = .58;       // in reaches at least so far down, on does not
constexpr double kTouching = .005;  // slack

double overlap(double a1, double a2, double b1, double b2) {
  return std::min(a2, b2) - std::max(a1, b1);
}

bool middle_inside(const Box& a, const Box& b) {
  return a.middle() > b.x1 && a.middle() < b.x2;
}

// How far down the lower end of `a` is inside `b`: 0 at the top, 1 at the bottom.
double depth_inside(const Box& a, const Box& b) {
  return (a.y2 - b.y1) / b.height();
}

bool rests_on(const Box& a, const Box& b) {
  return middle_inside(a, b) && a.y1 < b.y1 && depth_inside(a, b) >= -kTouching && depth_inside(a, b) < kDeep;
}

bool lies_in(const Box& a, const Box& b) {
  return middle_inside(a, b) && a.y1 < b.y1 && depth_inside(a, b) >= kDeep && a.y2 < b.y2;
}

bool is_under(const Box& a, const Box& b) {
  return a.x1 >= b.x1 && a.x2 <= b.x2 && a.y1 > b.y1 + .2 * b.height() && a.y2 <= b.y2 + kTouching;
}

bool is_next_to(const Box& a, const Box& b) {
  const double gap = -overlap(a.x1, a.x2, b.x1, b.x2);
  return gap >= -kTouching && gap <= kNear && std::abs(a.y2 - b.y2) <= kLevel;
}

bool is_above(const Box& a, const Box& b) {
  return a.y2 <= b.y1 + kTouching && std::abs(a.middle() - b.middle()) <= .25;
}

bool is_behind(const Box& a, const Box& b) {
  const double narrow = std::min(a.width(), b.width());
  return overlap(a.x1, a.x2, b.x1, b.x2) >= .4 * narrow && overlap(a.y1, a.y2, b.y1, b.y2) > 0 &&
         a.y2 <= b.y2 - kApart;
}

bool is_left_of(const Box& a, const Box& b) {
  return a.x2 <= b.x1 + kTouching && overlap(a.y1, a.y2, b.y1, b.y2) > 0;
}

// Relations of place between groups that were placed together; what is held or eaten is not said to be on
// someone.
constexpr Predicate kOfHeads[] = {Predicate::on,    Predicate::in,    Predicate::under,
                                  Predicate::above, Predicate::below, Predicate::next_to};
constexpr Predicate kOfOthers[] = {Predicate::above, Predicate::below, Predicate::next_to};

void add_if_true(Scene& scene, int a, Predicate predicate, int b) {
  const Relation relation{a, predicate, b};
  if (scene.holds(relation)) return;
  const Group& one = scene.groups[static_cast<std::size_t>(a)];
  const Group& other = scene.groups[static_cast<std::size_t>(b)];
  if (holds(predicate, one.extent(), other.extent()) && holds_of_members(predicate, one, other))
    scene.relations.push_back(relation);
}

}  // namespace

Box Group::extent() const {
  Box all = boxes.front();
  for (const Box& box : boxes) {
    all = {std::min(all.x1, box.x1), std::min(all.y1, box.y1), std::max(all.x2, box.x2),
           std::max(all.y2, box.y2)};
  }
  return all;
}

bool Scene::has(Class id) const {
  return std::any_of(groups.begin(), groups.end(), [id](const Group& group) { return group.id == id; });
}

bool Scene::holds(const Relation& relation) const {
  return std::find(relations.begin(), relations.end(), relation) != relations.end();
}

bool holds_of_members(Predicate predicate, const Group& subject, const Group& object) {
  return std::any_of(subject.boxes.begin(), subject.boxes.end(), [&](const Box& a) {
    return std::any_of(object.boxes.begin(), object.boxes.end(),
                       [&](const Box& b) { return holds(predicate, a, b); });
  });
}

bool holds(Predicate predicate, const Box& a, const Box& b) {
  switch (predicate) {
    case Predicate::on:
      return rests_on(a, b);
    case Predicate::in:
      return lies_in(a, b);
    case Predicate::under:
      return is_under(a, b);
    case Predicate::next_to:
      return is_next_to(a, b);
    case Predicate::above:
      return is_above(a, b);
    case Predicate::below:
      return is_above(b, a);
    case Predicate::behind:
      return is_behind(a, b);
    case Predicate::in_front_of:
      return is_behind(b, a);
    case Predicate::left_of:
      return is_left_of(a, b);
    case Predicate::right_of:
      return is_left_of(b, a);
    default:
      return false;
  }
}

void add_places(Scene& scene) {
  const int count = static_cast<int>(scene.groups.size());
  for (int a = 0; a < count; ++a) {
    for (int b = 0; b < count; ++b) {
      const Group& one = scene.groups[static_cast<std::size_t>(a)];
      const Group& other = scene.groups[static_cast<std::size_t>(b)];
      if (one.id == Class::hat && one.cluster == other.cluster && other.head)
        add_if_true(scene, a, Predicate::on, b);
      if (a == b || one.attached || other.attached) continue;
      if (one.cluster == other.cluster) {
        for (const Predicate predicate : one.head ? std::span<const Predicate>(kOfHeads) : kOfOthers)
          add_if_true(scene, a, predicate, b);
        continue;
      }
      add_if_true(scene, a, Predicate::next_to, b);
      if (!one.head || !other.head) continue;
      for (const Predicate predicate :
           {Predicate::behind, Predicate::in_front_of, Predicate::left_of, Predicate::right_of})
        add_if_true(scene, a, predicate, b);
    }
  }
}

}  // namespace capella::world
