// What a network says of a world, straight from the definition: every substitution of every formula is tried.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "logic/language/language.h"

namespace capella::reference {

/// Whether the atom of this name, e.g. "On(Man,Bike)", is true.
using World = std::function<bool(const std::string& atom)>;

/// The sum of the weights of all groundings that hold; minus infinity if a hard one does not. With
/// `existing`, only these constants exist: formulas that name others are left out.
double log_weight(const logic::Network& network, const World& world,
                  const std::optional<std::vector<logic::ConstantId>>& existing = {});

/// A formula without free variables; bound ones run over all constants that may stand at their places.
bool holds(const logic::Formula& formula, const logic::Network& network, const World& world);

}  // namespace capella::reference
