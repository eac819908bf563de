// The errors that systems make, one kind at a time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "world/caption.h"

namespace capella::world {

enum class ErrorKind : std::uint8_t {
  wrong_attribute,      ///< one colour, size or pattern is another
  wrong_relation,       ///< one predicate is another
  missing_object,       ///< one thing is left out, with what is said of it
  hallucinated_object,  ///< a thing is told that is not there
  unrelated,            ///< a good caption of another scene
  shuffled              ///< the right words in a random order
};
inline constexpr std::array<std::string_view, 6> kErrorNames = {
    "wrong-attribute", "wrong-relation", "missing-object", "hallucinated-object", "unrelated", "shuffled"};
inline constexpr std::array<double, 5> kErrorRates = {0, .1, .25, .5, 1};
inline constexpr std::array<std::string_view, 5> kErrorRateNames = {"0.00", "0.10", "0.25", "0.50", "1.00"};

/// A caption with what it claims; a shuffled one claims what the words claimed before.
struct Caption {
  Plan plan;
  std::string text;
  bool readable = true;
};

/// The caption with one error. The plan must come from make_system_plan. `other` is a caption of another
/// scene.
Caption with_error(ErrorKind kind, const Plan& plan, const Scene& scene, const Plan& other, Draw& draw);

/// Whether one of the plan's relations can be exchanged for a wrong one that is true in other scenes.
bool has_usual_mistake(const Plan& plan, const Scene& scene);

/// One noun replaced by another of its kind that the scene does not have.
struct Foil {
  Plan plan;
  std::string target_word;
  std::string foil_word;
};
std::optional<Foil> make_foil(const Plan& plan, const Scene& scene, Draw& draw);

}  // namespace capella::world
