// Trees that no sentence has, in which SPICE's steps find more than they can follow up.
#pragma once

#include <string>

#include "unit/scene/tree_text.h"

namespace capella::test {

inline std::string repeated(int times, const std::string& text) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

/// A noun with `size` prepositions, as many conjunctions, and as many conjuncts with a preposition each: they
/// fit together in size^3 ways. 4 * size + 2 words.
inline syntax::Tree tree_of_conjunctions(int size) {
  std::string text = "trains=train/NNS/0/root house/NN/1/nmod ";
  text += repeated(size, "to/TO/2/case ") + repeated(size, "and/CC/2/cc ");
  for (int i = 0; i < size; ++i) {
    text += "goat/NN/2/conj from/IN/" + std::to_string(3 + 2 * size + 2 * i) + "/case ";
  }
  return tree_of(text);
}

/// A preposition with as many conjunctions and conjuncts: size^2 ways. 2 * size + 3 words.
inline syntax::Tree tree_of_prepositions(int size) {
  return tree_of("trains=train/NNS/0/root to/TO/3/case town/NN/1/nmod " + repeated(size, "and/CC/2/cc ") +
                 repeated(size, "from/IN/2/conj "));
}

/// A preposition of `size` further words, none beside another: size^2 pairs of them. 2 * size + 3 words.
inline syntax::Tree tree_of_markers(int size) {
  return tree_of("trains=train/NNS/0/root in/IN/3/case town/NN/1/nmod " +
                 repeated(size, "front/NN/2/mwe a/DT/3/det "));
}

}  // namespace capella::test
