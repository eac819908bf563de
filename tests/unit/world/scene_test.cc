// Scenes: what is said to be true can be seen in the boxes.
#include "world/scene.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "world/grammar.h"
#include "world/rules.h"

namespace capella::world {
namespace {

constexpr std::uint64_t kScenes = 3000;

const Group& group(const Scene& scene, int index) {
  return scene.groups[static_cast<std::size_t>(index)];
}

TEST(Holds, PlacesByHand) {
  const Box table{.2, .5, .6, .8};
  EXPECT_TRUE(holds(Predicate::on, {.3, .4, .4, .52}, table));
  EXPECT_FALSE(holds(Predicate::on, {.7, .4, .8, .52}, table));
  EXPECT_TRUE(holds(Predicate::in, {.3, .4, .4, .75}, table));
  EXPECT_FALSE(holds(Predicate::on, {.3, .4, .4, .75}, table));
  EXPECT_TRUE(holds(Predicate::under, {.3, .65, .4, .8}, table));
  EXPECT_TRUE(holds(Predicate::next_to, {.63, .6, .8, .8}, table));
  EXPECT_FALSE(holds(Predicate::next_to, {.7, .6, .8, .8}, table));
  EXPECT_TRUE(holds(Predicate::above, {.3, .1, .4, .4}, table));
  EXPECT_TRUE(holds(Predicate::below, table, {.3, .1, .4, .4}));
  EXPECT_TRUE(holds(Predicate::behind, {.3, .2, .5, .7}, table));
  EXPECT_TRUE(holds(Predicate::in_front_of, table, {.3, .2, .5, .7}));
  EXPECT_TRUE(holds(Predicate::left_of, table, {.7, .6, .8, .8}));
  EXPECT_TRUE(holds(Predicate::right_of, {.7, .6, .8, .8}, table));
}

TEST(Scene, PlacesAreTrueInTheGeometry) {
  for (std::uint64_t i = 0; i < kScenes; ++i) {
    const Scene scene = make_scene(1, i);
    for (const Relation& relation : scene.relations) {
      if (info(relation.predicate).action) continue;
      EXPECT_TRUE(holds(relation.predicate, group(scene, relation.subject).extent(),
                        group(scene, relation.object).extent()))
          << "image " << i << ": " << name(group(scene, relation.subject).id) << ' '
          << info(relation.predicate).label << ' ' << name(group(scene, relation.object).id);
      EXPECT_TRUE(holds_of_members(relation.predicate, group(scene, relation.subject),
                                   group(scene, relation.object)));
    }
  }
}

TEST(Scene, BoxesLieInThePicture) {
  for (std::uint64_t i = 0; i < kScenes; ++i) {
    for (const Group& each : make_scene(2, i).groups) {
      ASSERT_GE(each.count(), 1u);
      ASSERT_LE(each.count(), 3u);
      for (const Box& box : each.boxes) {
        EXPECT_TRUE(0 <= box.x1 && box.x1 < box.x2 && box.x2 <= 1) << i << ' ' << name(each.id);
        EXPECT_TRUE(0 <= box.y1 && box.y1 < box.y2 && box.y2 <= 1) << i << ' ' << name(each.id);
      }
    }
  }
}

TEST(Scene, ClassesAreUniqueButForClothes) {
  for (std::uint64_t i = 0; i < kScenes; ++i) {
    std::set<Class> seen;
    for (const Group& each : make_scene(3, i).groups) {
      EXPECT_TRUE(each.attached || seen.insert(each.id).second) << i << ' ' << name(each.id);
    }
  }
}

TEST(Scene, MainEventStandsFirst) {
  for (std::uint64_t i = 0; i < kScenes; ++i) {
    const Scene scene = make_scene(4, i);
    ASSERT_GE(scene.events, 1u);
    EXPECT_TRUE(group(scene, scene.relations[0].subject).head);
    EXPECT_NE(scene.relations[0].predicate, Predicate::wear);
  }
}

TEST(Scene, DependsOnSeedAndImageAlone) {
  const Scene one = make_scene(5, 7);
  const Scene again = make_scene(5, 7);
  ASSERT_EQ(one.groups.size(), again.groups.size());
  EXPECT_EQ(one.relations, again.relations);
  EXPECT_EQ(one.groups[0].boxes[0].x1, again.groups[0].boxes[0].x1);
  EXPECT_NE(one.groups[0].boxes[0].x1, make_scene(6, 7).groups[0].boxes[0].x1);
  EXPECT_NE(one.groups[0].boxes[0].x1, make_scene(5, 8).groups[0].boxes[0].x1);
}

// Which share of the box no nearer cluster's boxes cover, from 20 x 20 points.
double uncovered(const Scene& scene, const Group& each, const Box& box) {
  int free = 0;
  for (int i = 0; i < 400; ++i) {
    const double x = box.x1 + box.width() * (i % 20 + .5) / 20;
    const double y = box.y1 + box.height() * (i / 20 + .5) / 20;
    bool covered = false;
    for (const Group& other : scene.groups) {
      if (other.cluster == each.cluster || other.depth <= each.depth) continue;
      for (const Box& near : other.boxes)
        covered = covered || (near.x1 <= x && x <= near.x2 && near.y1 <= y && y <= near.y2);
    }
    free += covered ? 0 : 1;
  }
  return free / 400.;
}

// Boxes are larger than what is drawn in them, so this is the least that can be seen.
TEST(Scene, WhatStandsBehindCanBeSeen) {
  double things = 0, hidden = 0;
  for (std::uint64_t i = 0; i < kScenes; ++i) {
    const Scene scene = make_scene(10, i);
    for (const Group& each : scene.groups) {
      for (const Box& box : each.boxes) {
        ++things;
        hidden += uncovered(scene, each, box) < .1 ? 1 : 0;
      }
    }
  }
  EXPECT_LT(hidden / things, .004);
}

TEST(Scene, SecondEventsAndNarrowGapsAreAsOftenAsStated) {
  double events = 0, neighbours = 0, close = 0;
  for (std::uint64_t i = 0; i < kScenes; ++i) {
    const Scene scene = make_scene(9, i);
    events += scene.events > 1 ? 1 : 0;
    neighbours += static_cast<double>(scene.neighbours);
    close += static_cast<double>(scene.close);
  }
  EXPECT_NEAR(events / kScenes, kSecondEvent, .035);
  EXPECT_NEAR(close / neighbours, kSideBySide, .04);
}

// The stated probabilities come back: exactly where they are 0 or 1, within four standard errors elsewhere.
TEST(Rules, HoldAsOftenAsStated) {
  RuleCounts counts{};
  for (std::uint64_t i = 0; i < 2 * kScenes; ++i) count_rules(make_scene(8, i), counts);
  for (std::size_t i = 0; i < kRules; ++i) {
    const Rule& rule = rules()[i];
    const auto body = static_cast<double>(counts[i].body);
    ASSERT_GT(body, 50) << rule.text;
    const double error = std::sqrt(rule.probability * (1 - rule.probability) / body);
    EXPECT_NEAR(static_cast<double>(counts[i].both) / body, rule.probability, 4 * error) << rule.text;
  }
}

}  // namespace
}  // namespace capella::world
