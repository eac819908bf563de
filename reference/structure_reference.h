// Rules from triplets by the definitions, with texts and sets: every set of literals of an image in every
// order.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace capella::reference {

struct StructureSettings {
  std::size_t top_predicates = 200;
  std::size_t longest = 2;
  bool ground = false;
  bool tree = false;
  std::size_t min_images = 2;
  double min_confidence = .1;
};

struct StructureFormula {
  std::string text;
  std::size_t images = 0;
  std::size_t support = 0;
  double groundings = 0;
  friend bool operator==(const StructureFormula&, const StructureFormula&) = default;
};

/// Subject, predicate, object; names as the network has them: they begin with a capital letter.
using ReferenceTriplet = std::array<std::string, 3>;

/// In the order of their texts. Few triplets per image, please.
std::vector<StructureFormula> learn_structure(const std::vector<std::vector<ReferenceTriplet>>& images,
                                              const StructureSettings& settings);

}  // namespace capella::reference
