// Headword chains (Liu & Gildea 2005): words on the way down a dependency tree, each the head of the next.
// "a young man rides" has the chains of two words ride > man, man > a and man > young, and of three words
// ride > man > a and ride > man > young. Every word is a chain of one.
//
// A chain is made of the words' lemmas, in lower case, or of the labels by which they depend on their heads;
// the root's label is "root". Words that are not in the tree are in no chain.
//
// Chains are kept as 64-bit hashes of what they are made of: of the few chains of a caption and a reference
// two that differ have the same hash about once in 10^15 captions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/tree.h"

namespace capella::metric {

inline constexpr std::size_t kLongestChain = 4;

/// What chains are made of.
enum class ChainOf : std::uint8_t { lemmas, labels };

/// When two links head > child make a chain of three.
enum class ChainJoin : std::uint8_t {
  nodes,   ///< if the child of the one is the head of the other: the same word of the sentence
  values,  ///< if the child's lemma (or label) is the other head's, whichever words they are, as in LCEval
};

/// One number for each length of chain, 1 ... 4.
using ByLength = std::array<double, kLongestChain>;

/// What stands for the word in a chain.
std::string chain_value(const syntax::Token& token, ChainOf of);

/// The chains of a text, which may have several trees. Links of different trees may be joined by value.
class Chains {
 public:
  Chains(std::span<const syntax::Tree> trees, ChainOf of, ChainJoin join);

  /// How many chains of each length there are.
  const ByLength& counts() const { return counts_; }

  /// How many chains two texts share, each as often as the text has it that has it less often. Both must be
  /// joined alike.
  static ByLength in_common(const Chains& a, const Chains& b);

 private:
  // Equal links that are joined by value.
  struct Link {
    std::uint64_t head, child;
    double count;
  };
  struct SharedLink;

  void add(const syntax::Tree& tree, ChainOf of, ChainJoin join,
           std::array<std::vector<std::uint64_t>, kLongestChain>& chains);
  void count_joined();
  std::span<const std::uint64_t> of_length(std::size_t length) const {
    const std::size_t begin = length == 1 ? 0 : ends_[length - 2];
    return std::span(hashes_).subspan(begin, ends_[length - 1] - begin);
  }
  static std::vector<SharedLink> shared_links(const Chains& a, const Chains& b);

  std::vector<std::uint64_t> hashes_;  // by length, then ascending; equal chains stand side by side
  std::array<std::size_t, kLongestChain> ends_{};  // if joined by value, longer chains than 1 are in links_
  std::vector<Link> links_;                        // ascending by head and child
  ByLength counts_{};
};

/// The share of the reference's chains that the caption has too, by length.
ByLength chain_overlaps(const Chains& caption, const Chains& reference);

/// HWCM-1 ... HWCM-4: means of the overlaps up to each length, with LCEval's weights.
ByLength hwcm_scores(const ByLength& overlaps);

}  // namespace capella::metric
