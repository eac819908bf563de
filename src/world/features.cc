#include "world/features.h"

#include <cmath>

namespace capella::world {
namespace {

constexpr std::uint64_t kVectorSeed = 20240229;  // part of what the features mean: never changes

// A table of random vectors of length about 1, one per property.
class Vectors {
 public:
  Vectors(std::size_t properties, std::size_t width, std::uint64_t seed)
      : width_(width), values_(properties * width) {
    Random random(seed);
    for (float& value : values_)
      value = static_cast<float>(random.normal() / std::sqrt(static_cast<double>(width)));
  }

  void add_to(std::span<float> sum, std::size_t property, float weight) const {
    for (std::size_t i = 0; i < width_; ++i) sum[i] += weight * values_[property * width_ + i];
  }

 private:
  std::size_t width_;
  std::vector<float> values_;
};

// Where each sort of property begins in the tables.
constexpr std::size_t kOfClass = 0;
constexpr std::size_t kOfColour = kOfClass + kClasses;
constexpr std::size_t kOfSize = kOfColour + kColours;
constexpr std::size_t kOfPattern = kOfSize + kSizes;
constexpr std::size_t kOfPose = kOfPattern + kPatterns;
constexpr std::size_t kObjectProperties = kOfPose + kPoses;

constexpr std::size_t kCounts = 4;
constexpr std::size_t kOfThing = 0;  // class
constexpr std::size_t kOfColoured = kOfThing + kClasses;
constexpr std::size_t kOfSized = kOfColoured + kClasses * kColours;
constexpr std::size_t kOfPatterned = kOfSized + kClasses * kSizes;
constexpr std::size_t kOfCounted = kOfPatterned + kClasses * kPatterns;
constexpr std::size_t kOfSubject = kOfCounted + kClasses * kCounts;
constexpr std::size_t kOfObject = kOfSubject + kClasses * kPredicates;
constexpr std::size_t kOfSetting = kOfObject + kClasses * kPredicates;
constexpr std::size_t kImageProperties = kOfSetting + kSettings;

template <class Id>
std::size_t at(Id id) {
  return static_cast<std::size_t>(id);
}

std::size_t pair_of(Class id, std::size_t count, std::size_t value) {
  return at(id) * count + value;
}

void add_noise(std::span<float> values, double deviation, Draw& draw) {
  for (float& value : values) value += static_cast<float>(draw.normal(deviation));
}

void set_geometry(std::span<float> out, const Box& box) {
  const double numbers[kGeometry] = {box.x1,
                                     box.y1,
                                     box.x2,
                                     box.y2,
                                     box.width(),
                                     box.height(),
                                     box.width() * box.height(),
                                     std::log2(box.width() / box.height())};
  for (std::size_t i = 0; i < kGeometry; ++i) out[i] = static_cast<float>(numbers[i]);
}

void add_group(std::span<float> sum, const Group& group, const Vectors& vectors) {
  vectors.add_to(sum, kOfThing + at(group.id), 1);
  if (group.coloured) vectors.add_to(sum, kOfColoured + pair_of(group.id, kColours, at(group.colour)), .7f);
  if (group.size != Size::medium)
    vectors.add_to(sum, kOfSized + pair_of(group.id, kSizes, at(group.size)), .5f);
  if (group.pattern != Pattern::plain)
    vectors.add_to(sum, kOfPatterned + pair_of(group.id, kPatterns, at(group.pattern)), .5f);
  if (group.count() > 1) vectors.add_to(sum, kOfCounted + pair_of(group.id, kCounts, group.count()), .5f);
}

}  // namespace

std::vector<float> object_features(const Scene& scene, Draw& draw) {
  constexpr std::size_t kSeen = kObjectWidth - kGeometry;
  static const Vectors vectors(kObjectProperties, kSeen, kVectorSeed);
  std::vector<float> out;
  for (const Group& group : scene.groups) {
    for (const Box& box : group.boxes) {
      out.resize(out.size() + kObjectWidth);
      const std::span<float> row = std::span(out).last(kObjectWidth);
      vectors.add_to(row, kOfClass + at(group.id), 1);
      if (group.coloured) vectors.add_to(row, kOfColour + at(group.colour), .7f);
      vectors.add_to(row, kOfSize + at(group.size), .5f);
      vectors.add_to(row, kOfPattern + at(group.pattern), .5f);
      vectors.add_to(row, kOfPose + at(group.pose), .5f);
      set_geometry(row.last(kGeometry), box);
      add_noise(row.first(kSeen), kObjectNoise, draw);
    }
  }
  return out;
}

std::vector<float> image_features(const Scene& scene, Draw& draw) {
  static const Vectors vectors(kImageProperties, kImageWidth, kVectorSeed + 1);
  std::vector<float> out(kImageWidth);
  for (const Group& group : scene.groups) add_group(out, group, vectors);
  for (const Relation& relation : scene.relations) {
    const float weight = info(relation.predicate).action ? .6f : .3f;
    const Class subject = scene.groups[static_cast<std::size_t>(relation.subject)].id;
    const Class object = scene.groups[static_cast<std::size_t>(relation.object)].id;
    vectors.add_to(out, kOfSubject + pair_of(subject, kPredicates, at(relation.predicate)), weight);
    vectors.add_to(out, kOfObject + pair_of(object, kPredicates, at(relation.predicate)), weight);
  }
  vectors.add_to(out, kOfSetting + at(scene.setting), 1);
  add_noise(out, kImageNoise, draw);
  return out;
}

}  // namespace capella::world
