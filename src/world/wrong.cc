#include "world/wrong.h"

#include <algorithm>
#include <cassert>

#include "world/usual.h"

namespace capella::world {
namespace {

constexpr double kClear = .04;  // the least difference of middles that is seen at once
constexpr double kAlike = 4;    // a deed is sooner mistaken for a deed, a place for a place

double centre(const Box& box) {
  return (box.y1 + box.y2) / 2;
}

bool beside_each_other(const Box& a, const Box& b) {
  return a.x2 < b.x1 || b.x2 < a.x1;
}

// Whether boxes that do not stand in a relation of place do not seem to either.
bool looks_wrong(Predicate predicate, const Box& a, const Box& b) {
  switch (predicate) {
    case Predicate::left_of:
      return a.middle() > b.middle() + kClear;
    case Predicate::right_of:
      return b.middle() > a.middle() + kClear;
    case Predicate::above:
      return centre(a) > centre(b);
    case Predicate::below:
      return centre(b) > centre(a);
    case Predicate::behind:
      return beside_each_other(a, b) || a.y2 >= b.y2;
    case Predicate::in_front_of:
      return beside_each_other(a, b) || b.y2 >= a.y2;
    default:
      return true;
  }
}

// Who holds, chases or eats a thing is near it, whatever the boxes say; who is on it is not beside it.
bool may_be_near(const Scene& scene, int subject, int object) {
  const auto group = [&](int index) -> const Group& { return scene.groups[static_cast<std::size_t>(index)]; };
  return group(subject).cluster == group(object).cluster && !scene.holds({subject, Predicate::on, object}) &&
         !scene.holds({subject, Predicate::in, object}) && !scene.holds({subject, Predicate::under, object});
}

bool has_passive(Predicate predicate) {
  return !info(predicate).wordings[0].passive.empty();
}

}  // namespace

bool is_wrong(const Scene& scene, int subject, Predicate predicate, int object) {
  for (const Relation& relation : scene.relations) {
    if (relation.subject != subject || relation.object != object) continue;
    if (relation.predicate == predicate || entails(relation.predicate, predicate)) return false;
  }
  if (info(predicate).action) return true;
  const Group& one = scene.groups[static_cast<std::size_t>(subject)];
  const Group& other = scene.groups[static_cast<std::size_t>(object)];
  if (predicate == Predicate::next_to && may_be_near(scene, subject, object)) return false;
  return !holds(predicate, one.extent(), other.extent()) && !holds_of_members(predicate, one, other) &&
         looks_wrong(predicate, one.extent(), other.extent());
}

Choices<Predicate> wrong_predicates(const Scene& scene, int subject, Predicate right, int object,
                                    bool passive) {
  const Class one = scene.groups[static_cast<std::size_t>(subject)].id;
  const Class other = scene.groups[static_cast<std::size_t>(object)].id;
  Choices<Predicate> usual, rival, any;
  usual.usual = true;
  const auto all = rivals(right);
  for (std::size_t i = 0; i < kPredicates; ++i) {
    const auto predicate = static_cast<Predicate>(i);
    if (predicate == right || predicate == Predicate::wear || (passive && !has_passive(predicate))) continue;
    if (!is_wrong(scene, subject, predicate, object)) continue;
    any.add(predicate, 1);
    if (std::find(all.begin(), all.end(), predicate) != all.end()) rival.add(predicate, 1);
    const double alike = info(predicate).action == info(right).action ? kAlike : 1;
    const double times = Usual::counts().times(one, predicate, other);
    if (times > 0) usual.add(predicate, times * alike);
  }
  assert(!any.empty());  // nobody does everything at once
  return !usual.empty() ? usual : !rival.empty() ? rival : any;
}

bool has_any(const Scene& scene, Class id) {
  return std::any_of(scene.groups.begin(), scene.groups.end(),
                     [id](const Group& group) { return is_a(group.id, id); });
}

std::vector<Class> absent_classes(const Scene& scene, const std::function<bool(const ClassInfo&)>& wanted) {
  std::vector<Class> found;
  for (std::size_t i = 0; i < kClasses; ++i) {
    const ClassInfo& about = info(static_cast<Class>(i));
    if (about.kind != Kind::clothing && !has_any(scene, about.id) && wanted(about)) found.push_back(about.id);
  }
  return found;
}

}  // namespace capella::world
