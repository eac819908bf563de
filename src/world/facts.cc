#include "world/facts.h"

#include <algorithm>

namespace capella::world {
namespace {

void add(std::vector<Fact>& facts, Fact fact) {
  if (std::find(facts.begin(), facts.end(), fact) == facts.end()) facts.push_back(std::move(fact));
}

void add_mention(std::vector<Fact>& facts, const Mention& mention) {
  add(facts, object_fact(mention.id));
  if (mention.colour) add(facts, attribute_fact(mention.id, name(*mention.colour)));
  if (mention.size) add(facts, attribute_fact(mention.id, name(*mention.size)));
  if (mention.pattern) add(facts, attribute_fact(mention.id, name(*mention.pattern)));
  if (mention.count > 1 && mention.numbered)
    add(facts, count_fact(mention.id, std::to_string(mention.count)));
  for (const Mention::Worn& worn : mention.worn) {
    add(facts, object_fact(worn.id));
    add(facts, relation_fact(mention.id, Predicate::wear, worn.id));
    if (worn.colour) add(facts, worn_attribute_fact(worn.id, name(*worn.colour), mention.id));
    if (worn.pattern) add(facts, worn_attribute_fact(worn.id, name(*worn.pattern), mention.id));
  }
}

bool has_attribute(const Group& group, const std::string& value) {
  return (group.coloured && name(group.colour) == value) || name(group.size) == value ||
         name(group.pattern) == value;
}

// True if the group is worn by one of the class.
bool worn_by(const Scene& scene, const Group& worn, Class wearer) {
  return std::any_of(scene.groups.begin(), scene.groups.end(), [&](const Group& group) {
    return group.head && group.id == wearer && group.cluster == worn.cluster;
  });
}

bool relation_is_true(const Fact& fact, const Scene& scene) {
  return std::any_of(scene.relations.begin(), scene.relations.end(), [&](const Relation& each) {
    return each.predicate == fact.predicate &&
           is_a(scene.groups[static_cast<std::size_t>(each.subject)].id, fact.subject) &&
           is_a(scene.groups[static_cast<std::size_t>(each.object)].id, fact.object);
  });
}

}  // namespace

Fact object_fact(Class id) {
  return {Fact::Kind::object, id, Predicate::on, Class::man, false, ""};
}

Fact attribute_fact(Class of, std::string_view value) {
  return {Fact::Kind::attribute, of, Predicate::on, Class::man, false, std::string(value)};
}

Fact worn_attribute_fact(Class of, std::string_view value, Class wearer) {
  return {Fact::Kind::attribute, of, Predicate::on, wearer, true, std::string(value)};
}

Fact count_fact(Class of, std::string_view number) {
  return {Fact::Kind::count, of, Predicate::on, Class::man, false, std::string(number)};
}

Fact relation_fact(Class subject, Predicate predicate, Class object) {
  return {Fact::Kind::relation, subject, predicate, object, false, ""};
}

Fact setting_fact(std::string_view label) {
  return {Fact::Kind::setting, Class::man, Predicate::on, Class::man, false, std::string(label)};
}

std::vector<Fact> facts_of(const Plan& plan) {
  std::vector<Fact> facts;
  for (const Clause& clause : plan.clauses) {
    const bool whole = clause.object.has_value();
    add_mention(facts, clause.subject);
    if (whole) add_mention(facts, *clause.object);
    if (whole) add(facts, relation_fact(clause.subject.id, clause.predicate, clause.object->id));
    for (const Clause::Tail& tail : clause.tails) {
      add_mention(facts, tail.object);
      if (tail.link.empty()) add(facts, relation_fact(clause.subject.id, tail.predicate, tail.object.id));
    }
  }
  if (plan.setting) add(facts, setting_fact(info(*plan.setting).label));
  return facts;
}

Triplet triplet(Class subject, Predicate predicate, Class object) {
  return {std::string(name(subject)), std::string(info(predicate).label), std::string(name(object))};
}

Triplet triplet(const Scene& scene, const Relation& relation) {
  return triplet(scene.groups[static_cast<std::size_t>(relation.subject)].id, relation.predicate,
                 scene.groups[static_cast<std::size_t>(relation.object)].id);
}

std::vector<Triplet> triplets_of(const Plan& plan) {
  std::vector<Triplet> triplets;
  for (const Fact& fact : facts_of(plan)) {
    if (fact.kind != Fact::Kind::relation) continue;
    triplets.push_back(triplet(fact.subject, fact.predicate, fact.object));
  }
  return triplets;
}

bool is_true(const Fact& fact, const Scene& scene) {
  if (fact.kind == Fact::Kind::setting) return fact.value == info(scene.setting).label;
  if (fact.kind == Fact::Kind::relation) return relation_is_true(fact, scene);
  return std::any_of(scene.groups.begin(), scene.groups.end(), [&](const Group& group) {
    if (!is_a(group.id, fact.subject)) return false;
    if (fact.worn && !worn_by(scene, group, fact.object)) return false;
    if (fact.kind == Fact::Kind::attribute) return has_attribute(group, fact.value);
    return fact.kind == Fact::Kind::object || std::to_string(group.count()) == fact.value;
  });
}

double weight_of(Fact::Kind kind) {
  switch (kind) {
    case Fact::Kind::object:
    case Fact::Kind::relation:
      return 1;
    default:
      return .5;
  }
}

double precision(const std::vector<Fact>& facts, const Scene& scene) {
  double claimed = 0, right = 0;
  for (const Fact& fact : facts) {
    claimed += weight_of(fact.kind);
    if (is_true(fact, scene)) right += weight_of(fact.kind);
  }
  return right / claimed;
}

double recall(const std::vector<Fact>& facts, const Scene& scene) {
  const Relation& main = scene.relations[0];
  const auto told = [&](const Fact& fact) {
    return std::find(facts.begin(), facts.end(), fact) != facts.end();
  };
  double all = 0, found = 0;
  const auto count = [&](const Fact& fact, double weight) {
    all += weight;
    if (told(fact)) found += weight;
  };
  for (std::size_t i = 0; i < scene.groups.size(); ++i) {
    const bool is_main = static_cast<int>(i) == main.subject || static_cast<int>(i) == main.object;
    if (!scene.groups[i].attached) count(object_fact(scene.groups[i].id), is_main ? 1 : kMinor);
  }
  count(relation_fact(scene.groups[static_cast<std::size_t>(main.subject)].id, main.predicate,
                      scene.groups[static_cast<std::size_t>(main.object)].id),
        1);
  return found / all;
}

double quality(const std::vector<Fact>& facts, const Scene& scene) {
  if (facts.empty()) return 0;
  const double right = precision(facts, scene);
  return kPrecision * right * right + (1 - kPrecision) * recall(facts, scene);
}

double quality(const Plan& plan, const Scene& scene) {
  return quality(facts_of(plan), scene);
}

}  // namespace capella::world
