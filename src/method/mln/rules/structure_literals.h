// Triplets as numbers: per image a sorted list of ground literals.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/triplets.h"

namespace capella::method::mln {

/// predicate(subject, object); all three are numbers that ascend with the names in the network.
struct GroundLiteral {
  std::uint32_t predicate, subject, object;
  friend auto operator<=>(const GroundLiteral&, const GroundLiteral&) = default;
};

/// What a word is called in the network.
struct NamedWord {
  std::string name;
  std::string label;  ///< the word itself
};

struct ImageLiterals {
  std::vector<NamedWord> predicates, constants;
  std::vector<std::size_t> starts = {0};  ///< of each image's literals, and their end
  std::vector<GroundLiteral> literals;    ///< sorted and distinct inside an image
  std::size_t triplets = 0;               ///< distinct inside their images, dropped ones, too
  std::size_t dropped = 0;

  std::size_t images() const { return starts.size() - 1; }
  std::span<const GroundLiteral> image(std::size_t k) const {
    return std::span(literals).subspan(starts[k], starts[k + 1] - starts[k]);
  }
};

/// Keeps the predicates that most triplets have, the first by string where as many do. Images are in the
/// order of their first rows; those that lose all triplets stay, without any.
ImageLiterals collect_literals(std::span<const io::TripletRow> rows, std::size_t top_predicates);

}  // namespace capella::method::mln
