// Words that say nothing of a picture: articles, pronouns, prepositions and the like.
//
// The list is NLTK's English one as it was in 2017, 153 words, which the programs have that published scores
// come from. Later lists are longer, and other lists give other scores, so this one has a name.
#pragma once

#include <string_view>

namespace capella::text {

inline constexpr std::string_view kStopWordList = "nltk153";

/// Whether the word, in lower case, is in the list.
bool is_stop_word(std::string_view word);

}  // namespace capella::text
