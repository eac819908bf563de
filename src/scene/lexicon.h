// The words and phrases of scene graphs as numbers, with what matching needs of each looked up once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string_view>
#include <vector>

#include "resource/meteor_data.h"
#include "text/vocabulary.h"

namespace capella::scene {

/// Lists that a word may stand in; they give SPICE's finer categories of attributes.
enum class WordList : std::uint8_t { none, color, size, cardinality };

/// As a text::Vocabulary, a lexicon may extend a finished one, which many threads then share, each extending
/// it privately.
class Lexicon {
 public:
  /// Without data no two words mean the same (SPICE's option -noSynsets). `data` and `base` must outlive it.
  explicit Lexicon(const resource::MeteorData* data, const Lexicon* base = nullptr);
  Lexicon(const Lexicon&) = delete;
  Lexicon& operator=(const Lexicon&) = delete;

  text::WordId intern(std::string_view words);
  std::string_view text(text::WordId id) const { return words_.word(id); }

  /// WordNet's synsets of a word or phrase, ascending: its own and those of its base form.
  std::span<const std::uint32_t> synsets(text::WordId id) const { return entry(id).synsets; }
  WordList list(text::WordId id) const { return entry(id).list; }
  /// Where java.util.HashMap puts the word, before it takes its table's size into account.
  std::uint32_t java_hash(text::WordId id) const { return entry(id).java_hash; }

 private:
  struct Entry {
    std::span<const std::uint32_t> synsets;
    std::uint32_t java_hash;
    WordList list;
  };
  const Entry& entry(text::WordId id) const { return id < first_ ? base_->entry(id) : entries_[id - first_]; }
  Entry look_up(std::string_view words);

  const resource::MeteorData* data_;
  const Lexicon* base_;
  text::WordId first_;  // of the words that the base does not have
  text::Vocabulary words_;
  std::vector<Entry> entries_;
  std::deque<std::vector<std::uint32_t>> synsets_;  // of words in entries_
};

}  // namespace capella::scene
