// Trees made ready for reading claims: prepositions of several words become one word, and some mistakes that
// the parser is known to make are undone.
#pragma once

#include <cstddef>

#include "syntax/tree.h"

namespace capella::method::mln {

/// "to the right of the tree": the tree takes the place of "right" and has the one preposition "right of".
/// The other words drop out of the tree (head kNoHead).
void join_prepositions(syntax::Tree& tree);

/// "There is no man dancing", where "dancing" was taken for a noun and "man" for its first part, becomes a
/// man who dances; nouns that lost their base form because they begin the sentence get it back.
void free_actions(syntax::Tree& tree);

/// No caption has sentences that long; what follows these words is left out.
inline constexpr std::size_t kMostWords = 200;

/// All of it.
syntax::Tree repaired(const syntax::Tree& tree);

}  // namespace capella::method::mln
