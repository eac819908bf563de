// What is told of a scene, and with which words.
#include <algorithm>
#include <array>

#include "world/caption.h"

namespace capella::world {
namespace {

using Voice = Clause::Voice;

struct Telling {
  double attribute;  // how likely each attribute is told
  double worn;       // and each piece of clothing
  double tail;       // where the subject is, besides
  double second;     // another clause
  double setting;
};

constexpr Telling kTelling[] = {{.2, .05, .1, 0, .15}, {.65, .3, .4, .15, .35}, {.9, .6, .7, .5, .6}};
constexpr Telling kOfSystems = {.7, .3, .5, .15, .35};

const Group& group_at(const Scene& scene, int index) {
  return scene.groups[static_cast<std::size_t>(index)];
}

// The class's own name is the most usual word.
std::size_t draw_noun(Class id, Draw& draw) {
  const std::size_t count = info(id).noun_count();
  return count == 1 || draw.chance(.65) ? 0 : 1 + draw.below(count - 1);
}

std::size_t draw_wording(Predicate predicate, Draw& draw) {
  const std::size_t count = info(predicate).wording_count();
  return count == 1 || draw.chance(.6) ? 0 : 1 + draw.below(count - 1);
}

Mention::Worn draw_worn(const Group& group, Draw& draw) {
  constexpr std::array<std::string_view, 3> kLinks = {"in", "wearing", "with"};
  Mention::Worn worn{group.id, draw_noun(group.id, draw), {}, {}, draw.pick(kLinks)};
  if (group.coloured && (group.id == Class::shirt || draw.chance(.7))) worn.colour = group.colour;
  if (group.pattern != Pattern::plain && draw.chance(.5)) worn.pattern = group.pattern;
  return worn;
}

Mention draw_mention(const Scene& scene, int index, const Telling& telling, bool dressed, Draw& draw) {
  const Group& group = group_at(scene, index);
  Mention mention;
  mention.id = group.id;
  mention.count = group.count();
  mention.noun = draw_noun(group.id, draw);
  mention.size_word = draw.below(3);
  if (group.coloured && draw.chance(telling.attribute)) mention.colour = group.colour;
  if (group.size != Size::medium && draw.chance(telling.attribute)) mention.size = group.size;
  if (group.pattern != Pattern::plain && draw.chance(telling.attribute)) mention.pattern = group.pattern;
  if (!dressed) return mention;
  for (const Relation& relation : scene.relations) {
    if (relation.predicate != Predicate::wear || relation.subject != index) continue;
    if (draw.chance(telling.worn)) mention.worn.push_back(draw_worn(group_at(scene, relation.object), draw));
  }
  return mention;
}

Voice draw_voice(Predicate predicate, std::size_t wording, Draw& draw) {
  const bool passive = !info(predicate).wordings[wording].passive.empty();
  const std::array<double, 5> weights = {.32, .32, .18, .12, passive ? .1 : 0};
  return static_cast<Voice>(draw.weighted(weights));
}

Clause draw_clause(const Scene& scene, const Relation& relation, const Telling& telling, Draw& draw) {
  Clause clause;
  clause.predicate = relation.predicate;
  clause.wording = draw_wording(relation.predicate, draw);
  clause.voice = draw_voice(relation.predicate, clause.wording, draw);
  const bool passive = clause.voice == Voice::passive;
  clause.subject =
      draw_mention(scene, relation.subject, telling, relation.predicate != Predicate::wear, draw);
  clause.object =
      draw_mention(scene, relation.object, telling, !passive && relation.predicate != Predicate::wear, draw);
  // "two girls are holding balloons"
  if (clause.object->count == clause.subject.count && info(relation.predicate).action && !passive)
    clause.object->numbered = draw.chance(.4);
  return clause;
}

bool tells_of(const Clause& clause, Class id) {
  if (clause.subject.id == id || (clause.object && clause.object->id == id)) return true;
  return std::any_of(clause.tails.begin(), clause.tails.end(),
                     [id](const Clause::Tail& tail) { return tail.object.id == id; });
}

bool tells_of(const Plan& plan, Class id) {
  return std::any_of(plan.clauses.begin(), plan.clauses.end(),
                     [id](const Clause& clause) { return tells_of(clause, id); });
}

// Relations of place from `subject` to something that is not told of yet.
std::vector<Relation> places_of(const Scene& scene, int subject, const Plan& plan) {
  std::vector<Relation> found;
  for (const Relation& relation : scene.relations) {
    const Group& object = group_at(scene, relation.object);
    if (relation.subject == subject && !info(relation.predicate).action && !object.attached &&
        !tells_of(plan, object.id))
      found.push_back(relation);
  }
  return found;
}

// Whether the relation holds from another subject, too. "A cat in a box next to a tree" says where the box
// is.
bool holds_of(const Scene& scene, const Relation& relation, int subject) {
  const Relation other{subject, relation.predicate, relation.object};
  return scene.holds(other) || holds(relation.predicate, group_at(scene, subject).extent(),
                                     group_at(scene, relation.object).extent());
}

void add_tail(const Scene& scene, int subject, Plan& plan, const Telling& telling, Draw& draw) {
  const std::vector<Relation> places = places_of(scene, subject, plan);
  if (places.empty()) return;
  const Relation& relation = draw.pick(places);
  Clause& clause = plan.clauses.back();
  const bool joined =
      !info(clause.predicate).action && !holds_of(scene, relation, group_of(scene, clause.object->id));
  clause.tails.push_back({relation.predicate, draw_wording(relation.predicate, draw),
                          draw_mention(scene, relation.object, telling, false, draw), "", joined});
}

// Another clause, about what is not told of yet.
void add_clause(const Scene& scene, Plan& plan, const Telling& telling, Draw& draw) {
  std::vector<Relation> left;
  for (const Relation& relation : scene.relations) {
    const Group& subject = group_at(scene, relation.subject);
    const Group& object = group_at(scene, relation.object);
    if (!subject.attached && !object.attached && !tells_of(plan, subject.id) && !tells_of(plan, object.id))
      left.push_back(relation);
  }
  if (left.empty()) return;
  Clause clause = draw_clause(scene, draw.pick(left), telling, draw);
  const Voice first = plan.clauses[0].voice;
  if (first == Voice::gerund || first == Voice::existential) {
    clause.voice = Voice::gerund;
  } else if (clause.voice == Voice::gerund || clause.voice == Voice::existential) {
    clause.voice = first == Voice::present ? Voice::present : Voice::progressive;
  }
  plan.while_ = first != Voice::gerund && first != Voice::existential && draw.chance(.5);
  plan.clauses.push_back(std::move(clause));
}

void add_setting(const Scene& scene, Plan& plan, Draw& draw) {
  plan.setting = scene.setting;
  plan.setting_phrase = draw.below(3);
  plan.setting_first = plan.clauses[0].voice != Voice::gerund && draw.chance(.25);
}

// Most captions tell the main event, some another event or just where things are.
Relation draw_topic(const Scene& scene, Draw& draw) {
  const double other = draw.between(0, 1);
  if (scene.events > 1 && other < .35) return scene.relations[1 + draw.below(scene.events - 1)];
  if (other < .85) return scene.relations[0];
  std::vector<Relation> all;
  for (const Relation& relation : scene.relations) {
    const bool shirt = group_at(scene, relation.object).id == Class::shirt;
    if (!shirt) all.push_back(relation);
  }
  return draw.pick(all);
}

Plan plan_about(const Scene& scene, const Relation& topic, const Telling& telling, Draw& draw) {
  Plan plan;
  plan.clauses.push_back(draw_clause(scene, topic, telling, draw));
  if (plan.clauses[0].voice != Voice::passive && draw.chance(telling.tail))
    add_tail(scene, topic.subject, plan, telling, draw);
  if (draw.chance(telling.second)) add_clause(scene, plan, telling, draw);
  if (draw.chance(telling.setting)) add_setting(scene, plan, draw);
  return plan;
}

bool tells_attribute(const Mention& mention) {
  return mention.colour || mention.size || mention.pattern ||
         std::any_of(mention.worn.begin(), mention.worn.end(),
                     [](const Mention::Worn& worn) { return worn.colour; });
}

}  // namespace

Plan make_plan(const Scene& scene, Detail detail, Draw& draw) {
  const Telling& telling = kTelling[static_cast<std::size_t>(detail)];
  return plan_about(scene, detail == Detail::brief ? scene.relations[0] : draw_topic(scene, draw), telling,
                    draw);
}

Plan make_system_plan(const Scene& scene, Draw& draw) {
  for (;;) {
    Plan plan = plan_about(scene, scene.relations[0], kOfSystems, draw);
    const Clause& clause = plan.clauses[0];
    if (tells_attribute(clause.subject) || tells_attribute(*clause.object)) return plan;
  }
}

int group_of(const Scene& scene, Class id) {
  for (std::size_t i = 0; i < scene.groups.size(); ++i) {
    if (scene.groups[i].id == id) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace capella::world
