// What a caption says, as SPICE's rules read it from dependency trees: objects, their attributes and
// relations.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "syntax/tree.h"

namespace capella::scene {

/// One proposal of the rules. Strings that the kind does not use are empty.
struct Fact {
  enum class Kind : std::uint8_t { object, attribute, relation };

  Kind kind = Kind::object;
  std::string subject;    ///< the object, or who has the attribute or relation
  std::string predicate;  ///< the attribute's word or the relation's words
  std::string object;     ///< the relation's other end

  friend bool operator==(const Fact&, const Fact&) = default;
};

/// The facts of a caption's sentences, in the order in which the rules find them; a fact may come twice. The
/// order matters: graphs merge what they are given step by step. Any tree is taken as it is: heads out of
/// range make roots, words in a cycle that no root reaches are seen as well, and a word without lemma stands
/// for itself. For many threads at once.
std::vector<Fact> extract_facts(std::span<const syntax::Tree> sentences);

}  // namespace capella::scene
