// What a caption claims, read from its words: the way back from English to facts. Captions that the world
// writes are read as they were meant; of anything else in its vocabulary, however broken, what can be read
// is.
//
// Of "a man riding a bike next to a tree" the man is next to the tree: what follows a clause is told of its
// subject, as in the world's own captions.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "world/facts.h"

namespace capella::world {

struct CaptionReading {
  /// One or more: a person is a man or a woman, a kid or child a boy or a girl, and every mention may be
  /// another. The first takes them for men and boys.
  std::vector<std::vector<Fact>> meanings;
  std::size_t words = 0;
  std::size_t left_over = 0;  ///< words that are unknown or have no part in a claim
  std::size_t gaps = 0;       ///< places where a word is missing: an article, or what joins two things
};

CaptionReading read_caption(std::string_view caption);

/// The first meaning.
std::vector<Fact> read_facts(std::string_view caption);

}  // namespace capella::world
