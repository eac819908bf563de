#include "world/usual.h"

#include <algorithm>

#include "world/scene.h"

namespace capella::world {
namespace {

constexpr std::uint64_t kSampleSeed = 20240301;  // part of what a seed means: never changes
constexpr std::uint64_t kSample = 12000;
constexpr std::size_t kLeast = 12;  // once in a thousand

}  // namespace

Usual::Usual() : triplets_(kTriplets) {
  std::vector<std::size_t> seen;
  for (std::uint64_t image = 0; image < kSample; ++image) {
    const Scene scene = make_scene(kSampleSeed, image);
    seen.clear();
    for (const Relation& relation : scene.relations) {
      seen.push_back(triplet_number(scene.groups[static_cast<std::size_t>(relation.subject)].id,
                                    relation.predicate,
                                    scene.groups[static_cast<std::size_t>(relation.object)].id));
    }
    std::sort(seen.begin(), seen.end());
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
    for (const std::size_t each : seen) ++triplets_[each];
    for (const Group& group : scene.groups)
      ++settings_[static_cast<std::size_t>(group.id)][static_cast<std::size_t>(scene.setting)];
  }
}

const Usual& Usual::counts() {
  static const Usual usual;
  return usual;
}

double Usual::times(Class subject, Predicate predicate, Class object) const {
  const std::size_t count = triplets_[triplet_number(subject, predicate, object)];
  return count < kLeast ? 0 : static_cast<double>(count);
}

bool Usual::occurs(Class id, Setting setting) const {
  return settings_[static_cast<std::size_t>(id)][static_cast<std::size_t>(setting)] >= kLeast;
}

}  // namespace capella::world
