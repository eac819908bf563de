// Chains of an image: sets of its literals that can be put in a row so that each shares a constant with the
// one before; as trees, with any one before.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "method/mln/rules/structure_literals.h"

namespace capella::method::mln {

inline constexpr std::size_t kLongestChain = 4;

/// Places of literals in their image, ascending; unused ones are 0.
using Chain = std::array<std::uint32_t, kLongestChain>;

class ImageChains {
 public:
  /// Edges join literals that share a constant. With `labels` (of all constants and predicates) the authors'
  /// test is used: one of a literal's nouns is found anywhere in the text "subject:predicate:object" of the
  /// other.
  struct Labels {
    std::span<const NamedWord> predicates, constants;
  };
  explicit ImageChains(std::span<const GroundLiteral> literals, const Labels* labels = nullptr);

  /// All chains of `size` literals that a chain of `shorter` (of size - 1, sorted) can be made into; sorted,
  /// at most `most`. `capped` is set if there are more.
  std::vector<Chain> longer(std::span<const Chain> shorter, std::size_t size, bool tree, std::size_t most,
                            bool& capped) const;

  /// Of one literal each.
  std::vector<Chain> single() const;

 private:
  void join_by_constants(std::span<const GroundLiteral> literals);
  void join_by_text(std::span<const GroundLiteral> literals, const Labels& labels);
  bool joined(std::uint32_t a, std::uint32_t b) const;
  bool is_star(const Chain& four) const;

  std::vector<std::vector<std::uint32_t>> neighbours_;  // of each literal, ascending
};

}  // namespace capella::method::mln
