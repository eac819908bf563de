// What words have to do with each other, from WordNet: senses, which sense is a kind of which, and opposites.
//
// The file is packed text that tools/wordnet/make_relations.py writes and explains.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tsl/robin_map.h>

namespace capella::resource {

class WordRelations {
 public:
  static constexpr std::string_view kFile = "models/word-relations.gz";  ///< for resource::need()

  enum class Part : std::uint8_t { noun, verb, adjective };
  static constexpr std::size_t kParts = 3;
  using Synset = std::uint32_t;

  /// Throws FileError if the file cannot be read or is not such a table.
  explicit WordRelations(const std::string& path);
  WordRelations(const WordRelations&) = delete;
  WordRelations& operator=(const WordRelations&) = delete;

  /// A lower-case base form's senses, the most frequent first; spaces in it are written "_". None if it is
  /// unknown.
  std::span<const Synset> senses(std::string_view word, Part part) const;
  /// What a sense is a kind of; of an adjective the head of its cluster ("tiny": "small"). Their numbers are
  /// lower than the sense's.
  std::span<const Synset> parents(Synset synset) const {
    return std::span(parents_).subspan(parents_begin_[synset],
                                       parents_begin_[synset + 1] - parents_begin_[synset]);
  }
  /// Whether WordNet calls the two words opposites; in either order.
  bool are_antonyms(std::string_view a, std::string_view b, Part part) const;
  /// The words of this part that are opposites of the word.
  std::span<const std::string_view> antonyms(std::string_view word, Part part) const;

  std::size_t words() const { return words_.size(); }
  std::size_t synsets() const { return parents_begin_.size() - 1; }

 private:
  class Reader;
  struct Entry {
    std::array<std::uint32_t, kParts + 1> begin{};  ///< the senses of each part in senses_
  };

  std::string text_;  // the words lie here
  std::vector<std::uint32_t> parents_begin_;
  std::vector<Synset> parents_;
  std::vector<Synset> senses_;
  tsl::robin_map<std::string_view, Entry> words_;
  std::array<tsl::robin_map<std::string_view, std::vector<std::string_view>>, kParts> antonyms_;
};

}  // namespace capella::resource
