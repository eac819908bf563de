// Regularities of the world that can be learned from its triplets, with their true probabilities.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "world/scene.h"

namespace capella::world {

/// body(x, y) => head(x, y); or head(y, x); or, where `fixed` names a class, head(x, that class).
struct Rule {
  std::string_view text;
  Predicate body;
  Predicate head;
  bool swapped;
  bool has_fixed;
  Class fixed;
  double probability;
};
std::span<const Rule> rules();
inline constexpr std::size_t kRules = 18;

/// How often the body held, and the head with it.
struct RuleCount {
  std::size_t body = 0;
  std::size_t both = 0;
};
using RuleCounts = std::array<RuleCount, kRules>;
void count_rules(const Scene& scene, RuleCounts& counts);

}  // namespace capella::world
