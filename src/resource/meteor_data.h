// What METEOR 1.5 knows of English: synonyms, irregular forms, function words, abbreviations, paraphrases.
//
// Words and phrases stand in the file as 64-bit keys, not as text. The converter makes sure that no two of
// them share a key, and a word from outside has one of theirs by chance once in 10^13.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "resource/keyed_lists.h"
#include "resource/section_file.h"

namespace capella::resource {

using WordKey = std::uint64_t;
using PhraseKey = std::uint64_t;

inline WordKey word_key(std::string_view word) {
  return hash_bytes(word);
}
/// A phrase's key, word by word from kEmptyPhrase.
inline constexpr PhraseKey kEmptyPhrase = 0;
inline PhraseKey extend_phrase(PhraseKey phrase, WordKey next) {
  const std::uint64_t mixed = (std::rotl(phrase, 5) + next) * 0x9E3779B97F4A7C15u;
  return mixed ^ (mixed >> 32);
}

/// The key of a phrase whose words are separated by single spaces.
PhraseKey phrase_key(std::string_view phrase);

class MeteorData {
 public:
  static constexpr std::string_view kFileName = "meteor-en-1.5.v1";  ///< in $CAPELLA_HOME
  static constexpr std::string_view kKind = "meteor-en";
  static constexpr std::uint32_t kVersion = 1;

  /// Throws FileError if the file is not there, of another version or damaged.
  explicit MeteorData(const std::string& path);

  /// WordNet's synsets of a base form, ascending; spaces in it are written "_".
  std::span<const std::uint32_t> synsets(WordKey word) const { return synsets_.find(word); }
  bool has_synsets(WordKey word) const { return synsets_.contains(word); }
  /// The base forms of an irregular form ("mice"); empty if the word is none.
  std::span<const WordKey> bases(WordKey word) const { return bases_.find(word); }
  bool is_function_word(WordKey word) const { return function_words_.contains(word); }

  /// Whether a full stop behind the word ends no sentence: "Mr." never, "No." only before a number.
  enum class Abbreviation { no, always, before_number };
  Abbreviation abbreviation(WordKey word) const;

  /// Phrases that may stand for this one, in the order of METEOR's table. Nothing, rather than an empty list,
  /// if no longer phrase that begins with this one has any either.
  std::optional<std::span<const PhraseKey>> paraphrases(PhraseKey phrase) const {
    return paraphrases_.look_up(phrase);
  }
  /// Fetches the place of a phrase that will soon be looked up.
  void prefetch(PhraseKey phrase) const { paraphrases_.prefetch(phrase); }
  /// The longest phrase, in words, that has paraphrases or is one.
  std::size_t longest_phrase() const { return longest_phrase_; }

  /// Reads the whole file; throws FileError if it is damaged.
  void check_content() const { file_.check_content(); }

  /// What the file holds, before it is written.
  struct Tables {
    std::vector<KeyedList<std::uint32_t>> synsets;
    std::vector<KeyedList<WordKey>> bases;
    std::vector<KeyedList<std::uint8_t>> function_words;  ///< empty lists: only the keys matter
    std::vector<KeyedList<std::uint8_t>> abbreviations;   ///< one number each: 0 always, 1 before a number
    std::vector<KeyedList<PhraseKey>> paraphrases;
    std::size_t longest_phrase = 0;
  };
  /// Writes the file, whole or not at all.
  static void write(const std::string& path, Tables tables);

 private:
  SectionFile file_;
  KeyedLists<std::uint32_t> synsets_;
  KeyedLists<WordKey> bases_;
  KeyedLists<std::uint8_t> function_words_;
  KeyedLists<std::uint8_t> abbreviations_;
  KeyedLists<PhraseKey> paraphrases_;
  std::size_t longest_phrase_ = 0;
};

}  // namespace capella::resource
