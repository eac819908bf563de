// What an image's triplets say, in the numbers of a network.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/triplets.h"
#include "logic/language/language.h"

namespace capella::method::mln {

struct TrueAtom {
  logic::PredicateId predicate;
  logic::ConstantId subject, object;
  friend auto operator<=>(const TrueAtom&, const TrueAtom&) = default;
};

struct TrainingImage {
  std::string name;
  std::vector<logic::ConstantId> constants;  ///< that its triplets name; ascending
  std::vector<TrueAtom> atoms;               ///< sorted, distinct
};

/// In the order of the images' first rows. `merged`: one of all. Words are the labels of the network's
/// predicates (of two arguments) and constants. Throws DataError if no triplet is known to the network.
std::vector<TrainingImage> read_images(const logic::Network& network, std::span<const io::TripletRow> rows,
                                       bool merged);

}  // namespace capella::method::mln
