// Caption text to sentences of words, as the parser wants them: cut and spelt as CoreNLP 3.6.0's annotators
// "tokenize, ssplit" do it, with upper and lower case and punctuation kept.
//
// A sentence ends behind "." or a run of "!" and "?"; closing quotes and brackets that follow stay with it,
// another mark makes a sentence of its own. Line breaks inside a caption are blanks, so that "3" and "1/2" in
// two lines are one number. The control characters U+0095 and U+0099 and the bullet U+2043 are left out.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace capella::syntax {

struct Sentence {
  std::vector<std::string> words;

  friend bool operator==(const Sentence&, const Sentence&) = default;
};

/// A longer sentence is cut into pieces of this many words and a last one with the rest, so that the time to
/// parse a caption stays bounded.
inline constexpr std::size_t kLongestSentence = 200;

/// The sentences of one caption; none if it has no words.
std::vector<Sentence> split_sentences(std::string_view text);

/// The same for many captions, which is faster: one lexer serves them all.
std::vector<std::vector<Sentence>> split_sentences(std::span<const std::string_view> texts);

}  // namespace capella::syntax
