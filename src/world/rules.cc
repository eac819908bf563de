#include "world/rules.h"

#include "world/grammar.h"

namespace capella::world {
namespace {

using enum Predicate;

constexpr Class kAny = Class::man;

constexpr std::array<Rule, kRules> kTable = {{
    {"ride(x,y) => on(x,y)", ride, on, false, false, kAny, 1},
    {"sit on(x,y) => on(x,y)", sit_on, on, false, false, kAny, 1},
    {"stand on(x,y) => on(x,y)", stand_on, on, false, false, kAny, 1},
    {"fly(x,y) => above(y,x)", fly, above, true, false, kAny, 1},
    {"push(x,y) => next to(x,y)", push, next_to, false, false, kAny, 1},
    {"walk(x,y) => next to(x,y)", walk, next_to, false, false, kAny, 1},
    {"kick(x,y) => next to(x,y)", kick, next_to, false, false, kAny, 1},
    {"play with(x,y) => next to(x,y)", play_with, next_to, false, false, kAny, 1},
    {"next to(x,y) => next to(y,x)", next_to, next_to, true, false, kAny, 1},
    {"above(x,y) => below(y,x)", above, below, true, false, kAny, 1},
    {"behind(x,y) => in front of(y,x)", behind, in_front_of, true, false, kAny, 1},
    {"left of(x,y) => right of(y,x)", left_of, right_of, true, false, kAny, 1},
    {"ride(x,y) => wear(x,shirt)", ride, wear, false, true, Class::shirt, 1},
    {"ride(x,y) => wear(x,hat)", ride, wear, false, true, Class::hat, kHatOfRider},
    {"hold(x,y) => wear(x,hat)", hold, wear, false, true, Class::hat, kHat},
    {"walk(x,y) => wear(x,hat)", walk, wear, false, true, Class::hat, kHat},
    {"fly(x,y) => wear(x,hat)", fly, wear, false, true, Class::hat, kHat},
    {"hold(x,y) => on(x,y)", hold, on, false, false, kAny, 0},
}};

bool head_holds(const Scene& scene, const Rule& rule, const Relation& body) {
  if (!rule.has_fixed) {
    return scene.holds(rule.swapped ? Relation{body.object, rule.head, body.subject}
                                    : Relation{body.subject, rule.head, body.object});
  }
  for (const Relation& relation : scene.relations) {
    if (relation.subject == body.subject && relation.predicate == rule.head &&
        scene.groups[static_cast<std::size_t>(relation.object)].id == rule.fixed)
      return true;
  }
  return false;
}

}  // namespace

std::span<const Rule> rules() {
  return kTable;
}

void count_rules(const Scene& scene, RuleCounts& counts) {
  for (const Relation& relation : scene.relations) {
    for (std::size_t i = 0; i < kRules; ++i) {
      if (kTable[i].body != relation.predicate) continue;
      ++counts[i].body;
      if (head_holds(scene, kTable[i], relation)) ++counts[i].both;
    }
  }
}

}  // namespace capella::world
