// What would be wrong of a scene: predicates that do not hold of two of its groups and classes that it does
// not have, the usual ones first.
#pragma once

#include <functional>
#include <vector>

#include "world/draw.h"
#include "world/scene.h"

namespace capella::world {

/// Things to draw from, each as likely as its weight says.
template <class Value>
struct Choices {
  std::vector<Value> values;
  std::vector<double> weights;
  bool usual = false;  ///< all of them are true in other scenes

  void add(Value value, double weight) {
    values.push_back(value);
    weights.push_back(weight);
  }
  bool empty() const { return values.empty(); }
  Value pick(Draw& draw) const { return values[draw.weighted(weights)]; }
};

/// Whether it is wrong beyond doubt that the two groups stand in this relation: it is not true, what is true
/// does not entail it, and the boxes do not nearly say it.
bool is_wrong(const Scene& scene, int subject, Predicate predicate, int object);

/// Predicates that are wrong of the two groups, of which `right` is true: those that are true of such classes
/// in other scenes; if there are none, rivals of `right`; else any. Never empty. `passive`: only those that
/// have a passive.
Choices<Predicate> wrong_predicates(const Scene& scene, int subject, Predicate right, int object,
                                    bool passive);

/// Whether something in the scene can be called that.
bool has_any(const Scene& scene, Class id);

/// Classes that nothing in the scene can be called and nobody wears.
std::vector<Class> absent_classes(const Scene& scene, const std::function<bool(const ClassInfo&)>& wanted);

}  // namespace capella::world
