// What is usual in the world: how often classes stand in a relation and where they occur, counted once in a
// fixed sample of scenes. Wrong claims are drawn by it, so that few can be told from the text alone.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "world/vocabulary.h"

namespace capella::world {

class Usual {
 public:
  /// The counts; the same in all worlds.
  static const Usual& counts();

  /// In how many scenes of the sample it is true; 0 if it is so rare that a small world may not have it.
  double times(Class subject, Predicate predicate, Class object) const;

  /// Whether things of the class are seen there.
  bool occurs(Class id, Setting setting) const;

 private:
  Usual();

  std::vector<std::size_t> triplets_;
  std::array<std::array<std::size_t, kSettings>, kClasses> settings_{};
};

/// A number for a subject, predicate and object, below kTriplets.
inline constexpr std::size_t kTriplets = kClasses * kPredicates * kClasses;
constexpr std::size_t triplet_number(Class subject, Predicate predicate, Class object) {
  return (static_cast<std::size_t>(subject) * kPredicates + static_cast<std::size_t>(predicate)) * kClasses +
         static_cast<std::size_t>(object);
}

}  // namespace capella::world
