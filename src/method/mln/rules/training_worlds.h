// Worlds to learn weights from: one per image, or one of all.
//
// The atoms of an image's world are those of all groundings of the network's formulas over the image's
// constants (of which variables take those of their domains); what its triplets say is true, all else false.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "capella/progress.h"

#include "io/triplets.h"
#include "logic/language/language.h"
#include "logic/learn/learn_weights.h"
#include "logic/learn/pseudo_likelihood_rows.h"

namespace capella::method::mln {

struct WorldOptions {
  bool merged = false;         ///< one world over all images
  bool per_predicate = false;  ///< rows know their predicates
  std::size_t threads = 1;
  Progress progress;
};

/// Ground networks and their worlds, which point to them.
struct GroundWorlds {
  std::vector<std::unique_ptr<logic::GroundNetwork>> networks;
  std::vector<logic::TrainingWorld> worlds;
};

/// Rows of one image are one world; triplets whose predicate or constants the network does not know say
/// nothing. Formulas must have no "+x". Throws DataError if no triplet is known to the network.
GroundWorlds training_worlds(const logic::Network& network, std::span<const io::TripletRow> rows,
                             const WorldOptions& options);

/// The rows of the same worlds. For networks as learn_structure makes them, which are conjunctions of atoms
/// each of which is a formula by itself, only groundings that all but one atom make true are looked at, so
/// that a hundred thousand images take seconds; for all others worlds are grounded. Throws DataError as
/// above, and for too many groundings.
logic::PseudoRows training_rows(const logic::Network& network, std::span<const io::TripletRow> rows,
                                const WorldOptions& options);

/// The weights that the network's formulas have; those to be learned have 0.
std::vector<double> formula_weights(const logic::Network& network);

}  // namespace capella::method::mln
