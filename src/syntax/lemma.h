// The base form of a word: "men" with the tag NNS is "man", "lying" with VBG is "lie".
//
// Answers as CoreNLP's Morphology does, which follows Minnen, Carroll & Pearce (2001), "Applied morphological
// processing of English": only inflection is taken off, and only where the tag says that there is one. Words
// come out in lower case, proper nouns as they stand.
#pragma once

#include <string>
#include <string_view>

namespace capella::syntax {

/// The lemma of `word` with the Penn Treebank tag `tag`.
std::string lemma(std::string_view word, std::string_view tag);

}  // namespace capella::syntax
