// Rules from triplets: chains of ground literals that share constants, made into formulas, counted and
// filtered.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "capella/progress.h"

#include "io/triplets.h"
#include "logic/language/language.h"

namespace capella::method::mln {

struct StructureOptions {
  std::size_t top_predicates = 200;
  std::size_t longest = 2;  ///< literals in a formula, 1 ... 4
  bool ground = false;      ///< constants stay (the authors' program), instead of variables (their paper)
  bool tree = false;        ///< a literal may share a constant with any earlier one, not only with the last
  bool substring = false;   ///< the authors' test for shared constants
  std::size_t min_images = 2;
  double min_confidence = .1;  ///< must be exceeded for every literal
  std::size_t most_chains_per_image = 10'000;
  std::size_t threads = 1;
  Progress progress;
};

struct StructureResult {
  logic::Network network;  ///< weights are the initial ones; formulas in the order of their canonical text
  std::size_t images = 0;
  std::size_t triplets = 0;          ///< distinct inside their images
  std::size_t dropped_triplets = 0;  ///< of rarer predicates
  std::size_t candidates = 0;        ///< formulas before filtering
  std::size_t capped_images = 0;     ///< images with more chains than allowed
  std::size_t empty_domains = 0;     ///< formulas dropped because a variable has no constant
};

/// Rows of one image are taken together. An image holds a formula if it has its literals with different
/// constants for different variables; m, the formula's support, is the number of different ways to put
/// constants that any image has, and its first weight m / (the number of ways that domains allow). A
/// formula's confidence in one of its literals is the number of images that hold the formula over that of
/// those that hold the literal. Formulas of one literal are always kept, with constants if enough images have
/// them. Since longer formulas cannot be in more images than their parts, only chains that are kept are made
/// longer. Throws DataError if no triplet is left, UsageError for lengths other than 1 ... 4.
StructureResult learn_structure(std::span<const io::TripletRow> rows, const StructureOptions& options);

}  // namespace capella::method::mln
