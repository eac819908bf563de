// What words mean for the judge: which word is a kind of which, and which exclude each other.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "resource/word_relations.h"

namespace capella::method::mln {

enum class PartOfSpeech : std::uint8_t { noun, verb, adjective, other };

/// A word with its frequent senses and all that these are kinds of.
struct Meaning {
  std::string word;
  PartOfSpeech part = PartOfSpeech::other;
  std::vector<std::uint32_t> senses;       ///< as many as sentences are compared by, ascending
  std::vector<std::uint32_t> main_senses;  ///< the most frequent of them, ascending
  std::vector<std::uint32_t> kinds;        ///< these and all that they are kinds of, ascending
};

class Knowledge {
 public:
  /// `relations` may be null and must outlive this.
  explicit Knowledge(const resource::WordRelations* relations);

  Meaning meaning(std::string word, PartOfSpeech part) const;

  /// Whether what is an `a` is a `b` too: the same word, a synonym, or a kind of it. Labels of things in a
  /// picture are meant in one of their main senses.
  bool is_kind_of(const Meaning& a, const Meaning& b) const;
  /// As people use words in sentences: rarer senses too, and a verb for one that says it more exactly.
  bool may_be(const Meaning& a, const Meaning& b) const;
  /// Whether they name different things of one sort, so that nothing is both: man and woman, red and blue,
  /// sit and stand, open and shut.
  bool exclude_each_other(const Meaning& a, const Meaning& b) const;
  /// Whether it is clothing; whether it is a person or an animal.
  bool is_worn(const Meaning& thing) const;
  bool is_alive(const Meaning& thing) const;

 private:
  bool is_parent(const Meaning& above, const Meaning& below) const;
  std::vector<std::uint32_t> kinds(std::span<const std::uint32_t> senses, std::size_t most) const;
  bool are_opposite_adjectives(const Meaning& a, const Meaning& b) const;

  const resource::WordRelations* relations_;
  std::vector<std::uint32_t> clothing_, living_;  // synsets
};

}  // namespace capella::method::mln
