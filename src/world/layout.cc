#include "world/layout.h"

#include <algorithm>
#include <cmath>

#include "world/grammar.h"

namespace capella::world {
namespace {

using enum Predicate;

constexpr double kSmall = .72;
constexpr double kLarge = 1.3;
constexpr double kSitting = .72;  // the height of a sitting person, of a standing one's
constexpr double kMostWidth = .96;
constexpr double kMostHeight = .8;
constexpr double kMostScale = 1.25;
constexpr double kGround = .84;    // lower ends of things in front: up to .08 below
constexpr double kBehind = .66;    // and of those behind: up to .06 below
constexpr double kLeastSeen = .3;  // the share of a thing behind others that is to be uncovered

struct Extent {
  double width, height;
};

Extent extent_of(const Group& group) {
  const ClassInfo& about = info(group.id);
  const double factor = group.size == Size::small ? kSmall : group.size == Size::large ? kLarge : 1;
  const bool folded = group.pose == Pose::sitting || group.pose == Pose::riding;
  const bool person = about.kind == Kind::person;
  return {about.width * factor, about.height * factor * (folded && person ? kSitting : 1)};
}

Box at(double x, double bottom, Extent extent) {
  return {x, bottom - extent.height, x + extent.width, bottom};
}

Box centred(double middle, double bottom, Extent extent) {
  return at(middle - extent.width / 2, bottom, extent);
}

Pose pose_for(Predicate predicate, Class theme) {
  switch (predicate) {
    case ride:
      return Pose::riding;
    case sit_on:
      return Pose::sitting;
    case hold:
    case eat:
    case push:
    case walk:
      return theme == Class::bag ? Pose::plain : Pose::arm_out;
    case fly:
      return Pose::arm_up;
    case kick:
      return Pose::kicking;
    default:
      return Pose::plain;
  }
}

// Where the lower end of someone on a thing is: the share of the thing's height below its top.
double seat_of(Class theme, Predicate predicate) {
  if (predicate == ride) return theme == Class::horse ? .5 : .55;
  if (predicate == stand_on && theme != Class::bench && theme != Class::couch && theme != Class::chair)
    return .1;
  switch (theme) {
    case Class::bench:
      return .5;
    case Class::chair:
      return .55;
    case Class::couch:
      return .55;
    default:
      return .1;
  }
}

// Where the hand of a person is who stands in `box`.
struct Point {
  double x, y;
};
Point hand_of(const Box& box, Pose pose) {
  return {box.x2, box.y1 + (pose == Pose::plain ? .58 : pose == Pose::arm_up ? .1 : .42) * box.height()};
}

Box held_box(const Box& agent, Pose pose, Class theme, Extent extent) {
  const Point hand = hand_of(agent, pose);
  switch (theme) {
    case Class::umbrella:
      return centred(hand.x - .02, hand.y + .01, extent);
    case Class::balloon:
      return centred(hand.x, hand.y + .01, extent);
    case Class::bag:
      return centred(hand.x - .01, hand.y + .9 * extent.height, extent);
    default:
      return centred(hand.x + .01, hand.y + extent.height / 2, extent);
  }
}

Box eaten_box(const Box& agent, bool person, Extent extent) {
  if (person) return at(agent.x2 - .03, agent.y1 + .42 * agent.height() + extent.height / 2, extent);
  return at(agent.x2 - .01, 0, extent);
}

// Agents beside each other with their theme ahead of them.
void place_ahead(Group& agent, Group& theme, std::size_t agents, double gap, double lift) {
  double x = 0;
  for (std::size_t i = 0; i < agents; ++i) {
    agent.boxes.push_back(at(x, 0, extent_of(agent)));
    x = agent.boxes.back().x2 + .015;
  }
  theme.boxes.push_back(at(agent.boxes.back().x2 + gap, -lift, extent_of(theme)));
}

// Agents side by side on, in or under one theme, which is made wide enough.
void place_at(Group& agent, Group& theme, std::size_t agents, Predicate predicate) {
  Extent seat = extent_of(theme);
  Extent body = extent_of(agent);
  if (predicate == in || predicate == under) {
    const double fit = predicate == under
                           ? std::min(.62 * seat.height / body.height, .8 * seat.width / body.width)
                           : std::min(1., .8 * seat.width / body.width);
    body = {body.width * std::min(1., fit), body.height * std::min(1., fit)};
  }
  const double all = static_cast<double>(agents) * body.width;
  seat.width = std::max(seat.width, all * (predicate == in ? 1.2 : 1.05));
  theme.boxes.push_back(at(0, 0, seat));
  double bottom = -seat.height + seat_of(theme.id, predicate) * seat.height;
  bottom = std::min(bottom, -seat.height + .6 * body.height);  // who is small stands on the very top
  if (predicate == in) bottom = (body.height > 2 * seat.height ? -.2 : -.4) * seat.height;
  if (predicate == under) bottom = 0;
  for (std::size_t i = 0; i < agents; ++i) {
    const double middle = seat.width / 2 - all / 2 + (static_cast<double>(i) + .5) * body.width;
    agent.boxes.push_back(centred(middle, bottom, body));
  }
}

bool flies(Class id) {
  return id == Class::bird || id == Class::balloon || id == Class::kite;
}

// One agent with a theme of its own, at x.
void place_pair(Group& agent, Group& theme, Predicate predicate, double x, Draw& draw) {
  const Extent body = extent_of(agent);
  const Extent thing = extent_of(theme);
  if (predicate == ride) {
    theme.boxes.push_back(at(x, 0, thing));
    const double bottom = -thing.height + seat_of(theme.id, ride) * thing.height;
    agent.boxes.push_back(centred(x + .47 * thing.width, bottom, body));
    return;
  }
  agent.boxes.push_back(at(x, 0, body));
  const Box& box = agent.boxes.back();
  if (predicate == fly) {
    const double middle = box.x2 + draw.between(.02, .08);
    theme.boxes.push_back(centred(middle, box.y1 - draw.between(.05, .14), thing));
  } else if (predicate == eat) {
    theme.boxes.push_back(eaten_box(box, info(agent.id).kind == Kind::person, thing));
  } else {
    theme.boxes.push_back(held_box(box, agent.pose, theme.id, thing));
  }
}

void place_pairs(Group& agent, Group& theme, Predicate predicate, std::size_t count, Draw& draw) {
  double x = 0;
  for (std::size_t i = 0; i < count; ++i) {
    place_pair(agent, theme, predicate, x, draw);
    x = std::max(agent.boxes.back().x2, theme.boxes.back().x2) + .02;
    if (theme.id == Class::umbrella) x += .02;
  }
}

void move_to_origin(Cluster& cluster) {
  const double left = cluster.extent().x1;
  for (Group& group : cluster.groups) {
    for (Box& box : group.boxes) box.x1 -= left, box.x2 -= left;
  }
}

void mirror(Cluster& cluster) {
  const double width = cluster.extent().x2;
  for (Group& group : cluster.groups) {
    group.mirrored = !group.mirrored;
    for (Box& box : group.boxes) box = {width - box.x2, box.y1, width - box.x1, box.y2};
  }
}

// Moves a cluster to its place; `factor` makes everything smaller where there is no room.
void settle(Cluster& cluster, int number, double x, double ground, double factor, Scene& scene) {
  for (Group& group : cluster.groups) {
    group.cluster = number;
    group.depth += ground;
    for (Box& box : group.boxes) {
      box = {x + factor * box.x1, ground + factor * box.y1, x + factor * box.x2, ground + factor * box.y2};
      box = {std::max(0., box.x1), std::max(0., box.y1), std::min(1., box.x2), std::min(1., box.y2)};
    }
  }
  for (Group& group : cluster.groups) scene.groups.push_back(std::move(group));
}

struct Row {
  std::vector<std::size_t> front, back;  // clusters, by number
  std::vector<double> gaps;              // before each cluster in front
  double width = 0;                      // of those in front, with gaps
  std::size_t close = 0;                 // narrow gaps
};

Row plan_row(const std::vector<Cluster>& clusters, Draw& draw) {
  Row row;
  for (std::size_t i = 0; i < clusters.size(); ++i) (clusters[i].behind ? row.back : row.front).push_back(i);
  draw.shuffle(row.front);
  for (const std::size_t i : row.front) {
    const bool close = draw.chance(kSideBySide);
    if (close && !row.gaps.empty()) ++row.close;
    row.gaps.push_back(row.gaps.empty() ? 0 : close ? draw.between(.01, .045) : draw.between(.08, .14));
    row.width += row.gaps.back() + clusters[i].extent().x2;
  }
  return row;
}

// Which share of a box is not covered by others; about, from points within it.
double uncovered(const Box& box, const std::vector<Box>& others) {
  constexpr int kPoints = 8;  // each way
  int free = 0;
  for (int i = 0; i < kPoints * kPoints; ++i) {
    const double x = box.x1 + box.width() * (i % kPoints + .5) / kPoints;
    const double y = box.y1 + box.height() * (i / kPoints + .5) / kPoints;
    free += std::none_of(others.begin(), others.end(), [&](const Box& other) {
      return other.x1 <= x && x <= other.x2 && other.y1 <= y && y <= other.y2;
    });
  }
  return static_cast<double>(free) / (kPoints * kPoints);
}

std::vector<Box> boxes_of(const Scene& scene) {
  std::vector<Box> boxes;
  for (const Group& group : scene.groups) boxes.insert(boxes.end(), group.boxes.begin(), group.boxes.end());
  return boxes;
}

// Behind one of those in front, where enough of each thing can be seen; after some tries, where most can.
// What stands there already counts as covering, whichever is drawn first.
void settle_behind(Cluster& cluster, int number, const std::vector<double>& middles, double factor,
                   Scene& scene, Draw& draw) {
  constexpr int kTries = 24;
  const double width = factor * cluster.extent().x2;
  const std::vector<Box> others = boxes_of(scene);
  double best_x = 0, best_ground = 0, best = -1;
  for (int i = 0; i < kTries && best < kLeastSeen; ++i) {
    const double off = .08 + .01 * i;
    const double left = draw.pick(middles) - width / 2 + draw.between(-off, off);
    const double x = std::clamp(left, 0., std::max(0., 1 - width));
    const double ground = kBehind + draw.between(0, .06);
    double seen = 1;
    for (const Box& box : cluster.groups[0].boxes) {
      const Box there{x + factor * box.x1, ground + factor * box.y1, x + factor * box.x2,
                      ground + factor * box.y2};
      seen = std::min(seen, uncovered(there, others));
    }
    if (seen > best) best = seen, best_x = x, best_ground = ground;
  }
  settle(cluster, number, best_x, best_ground, factor, scene);
}

}  // namespace

Box Cluster::extent() const {
  Box all = groups.front().extent();
  for (const Group& group : groups) {
    const Box box = group.extent();
    all = {std::min(all.x1, box.x1), std::min(all.y1, box.y1), std::max(all.x2, box.x2),
           std::max(all.y2, box.y2)};
  }
  return all;
}

void place_event(Cluster& cluster, Predicate predicate, std::size_t agents, std::size_t themes, Draw& draw) {
  Group& agent = cluster.groups[0];
  Group& theme = cluster.groups[1];
  agent.pose = pose_for(predicate, theme.id);
  agent.depth = .002;
  switch (predicate) {
    case chase:
      place_ahead(agent, theme, agents, draw.between(.08, .12), flies(theme.id) ? .08 : 0);
      break;
    case play_with:
      place_ahead(agent, theme, agents, draw.between(.0, .01), 0);
      break;
    case kick:
      place_ahead(agent, theme, agents, draw.between(.0, .01), draw.between(.02, .05));
      break;
    case push:
      place_ahead(agent, theme, agents, 0, 0);
      break;
    case walk:
      place_ahead(agent, theme, agents, draw.between(.03, .045), 0);
      break;
    case ride:
    case hold:
    case eat:
    case fly:
      place_pairs(agent, theme, predicate, themes, draw);
      break;
    default:
      place_at(agent, theme, agents, predicate);
      break;
  }
  if (predicate == in) agent.depth = -.002;
  if (predicate == hold || predicate == eat) theme.depth = theme.id == Class::umbrella ? .001 : .004;
  move_to_origin(cluster);
  if (draw.chance(.5)) mirror(cluster);
}

void place_row(Cluster& cluster, std::size_t count, Draw& draw) {
  Group& group = cluster.groups[0];
  double x = 0;
  for (std::size_t i = 0; i < count; ++i) {
    group.boxes.push_back(at(x, 0, extent_of(group)));
    x = group.boxes.back().x2 + draw.between(.005, .02);
  }
  if (draw.chance(.5)) mirror(cluster);
}

Box shirt_box(const Box& person, Pose pose) {
  const double folded = pose == Pose::sitting || pose == Pose::riding ? kSitting : 1;
  return {person.x1 + .27 * person.width(), person.y1 + .25 / folded * person.height(),
          person.x1 + .73 * person.width(), person.y1 + .57 / folded * person.height()};
}

Box hat_box(const Box& person, Pose pose) {
  const double folded = pose == Pose::sitting || pose == Pose::riding ? kSitting : 1;
  return {person.x1 + .18 * person.width(), person.y1 - .06 / folded * person.height(),
          person.x1 + .82 * person.width(), person.y1 + .10 / folded * person.height()};
}

void arrange(std::vector<Cluster>& clusters, Scene& scene, Draw& draw) {
  const Row row = plan_row(clusters, draw);
  scene.neighbours = row.gaps.empty() ? 0 : row.gaps.size() - 1;
  scene.close = row.close;
  double height = 0;
  for (const Cluster& cluster : clusters) height = std::max(height, -cluster.extent().y1);
  const double factor = std::min({kMostScale, kMostWidth / row.width, kMostHeight / height});
  const double room = 1 - factor * row.width;
  double x = room * draw.between(.1, .9);
  std::vector<double> middles;
  for (std::size_t i = 0; i < row.front.size(); ++i) {
    Cluster& cluster = clusters[row.front[i]];
    const double width = cluster.extent().x2;
    x += factor * row.gaps[i];
    middles.push_back(x + factor * width / 2);
    settle(cluster, static_cast<int>(row.front[i]), x, kGround + draw.between(0, .08), factor, scene);
    x += factor * width;
  }
  for (const std::size_t i : row.back)
    settle_behind(clusters[i], static_cast<int>(i), middles, factor, scene, draw);
}

}  // namespace capella::world
