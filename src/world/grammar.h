// The scene grammar: which events happen where, who takes part, and with which probabilities. The numbers are
// the truth that learned rules are compared with; truth.json repeats them.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "world/vocabulary.h"

namespace capella::world {

/// How many take part.
enum class Sharing : std::uint8_t {
  single,    ///< one agent, one theme
  together,  ///< up to `most` agents, one theme
  each       ///< up to `most` agents, each with a theme of its own
};

struct EventRule {
  Predicate predicate;
  std::span<const Class> agents;
  std::span<const Class> themes;
  std::array<double, kSettings> weights;  ///< how often in each setting, relative to the others
  Sharing sharing;
  std::size_t most;
};

struct ExtraRule {
  Class id;
  std::array<double, kSettings> weights;
  double behind;     ///< the probability that it stands behind others instead of beside them
  std::size_t most;  ///< so many of them at the most
};

std::span<const EventRule> event_rules();
std::span<const ExtraRule> extra_rules();

inline constexpr std::array<double, kSettings> kSettingWeights = {.35, .25, .2, .2};
inline constexpr std::array<double, 3> kCountWeights = {.7, .2, .1};      ///< of 1, 2, 3 agents or extras
inline constexpr std::array<double, 3> kExtraWeights = {.2, .5, .3};      ///< of 0, 1, 2 extras
inline constexpr std::array<double, 3> kSizeWeights = {.5, .25, .25};     ///< medium, small, large
inline constexpr std::array<double, 3> kPatternWeights = {.6, .25, .15};  ///< plain, striped, spotted
inline constexpr double kSecondEvent = .3;
inline constexpr double kHatOfRider = .6;  ///< P(wear(x, hat) | ride(x, y))
inline constexpr double kHat = .2;         ///< P(wear(x, hat)) of all other people
inline constexpr double kSideBySide = .6;  ///< that neighbours stand next to each other

}  // namespace capella::world
