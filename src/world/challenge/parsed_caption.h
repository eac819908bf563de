// A caption's words with their places in the text and in the sentence, for edits that must stay English.
//
// Only plain captions are edited: one sentence of three or more words, and commas, that the tokenizer left as
// they are. Of all others (quotations, numbers in figures, several sentences, nothing but capitals) there is
// none.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/tree.h"

namespace capella::world::challenge {

inline constexpr int kRoot = -1;

inline bool is_one_of(std::string_view word, std::span<const std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

struct ParsedWord {
  std::size_t begin, end;  ///< bytes of the caption
  std::string lower;
  std::string lemma;
  std::string tag;
  std::string relation;
  int head;  ///< the place of the word it depends on; kRoot if there is none

  bool is_noun() const { return tag == "NN" || tag == "NNS"; }
  bool is_plural() const { return tag == "NNS"; }
};

class ParsedCaption {
 public:
  /// Nothing if the caption is not plain. `caption` must outlive it.
  static std::optional<ParsedCaption> make(std::string_view caption, std::span<const syntax::Tree> trees);
  static std::optional<ParsedCaption> make(std::string&& caption, std::span<const syntax::Tree>) = delete;

  std::string_view text() const { return text_; }
  const std::vector<ParsedWord>& words() const { return words_; }  ///< without the full stop
  std::size_t size() const { return words_.size(); }
  const ParsedWord& operator[](std::size_t i) const { return words_[i]; }

  /// Words `first` to `last` as they stand inside a sentence: without the capital of its start.
  std::string phrase(std::size_t first, std::size_t last) const;

  bool depends(std::size_t word, std::size_t head) const {
    return words_[word].head == static_cast<int>(head);
  }
  /// The first word that depends on `head` in this relation.
  std::optional<std::size_t> child(std::size_t head, std::string_view relation) const;
  bool has_word(std::span<const std::string_view> any) const;

 private:
  std::string_view text_;
  std::vector<ParsedWord> words_;
};

/// A noun with the words before it that belong to it: "two small dogs".
struct BasePhrase {
  std::size_t first;
  std::size_t noun;  ///< also its last word
};

/// Nothing if the word is no common noun, or its phrase is more than that: it has a possessor ("his dog") or
/// is one ("the dog's"), or goes on ("dog food").
std::optional<BasePhrase> base_phrase(const ParsedCaption& caption, std::size_t noun);

/// The same, and nothing if it stands in a list ("a cat and a dog").
std::optional<BasePhrase> single_phrase(const ParsedCaption& caption, std::size_t noun);

}  // namespace capella::world::challenge
