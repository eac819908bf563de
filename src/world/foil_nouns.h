// Nouns for things of COCO's categories, in captions and as replacements: the words behind FOIL-style sets.
//
// A category has nouns that mean nothing else (they can be exchanged and inserted) and further words that may
// mean it (they only forbid it as a replacement: where a caption says "kitten", "cat" would not be wrong).
// Of COCO's categories people are left out, as their super-category has no second category. A generated world
// has categories of its own: world_nouns.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tsl/robin_map.h>

#include "base/hash.h"

namespace capella::world {

/// A noun in one number.
struct FoilNoun {
  std::string text;  ///< lower case; one or two words
  std::uint32_t category;
  std::uint32_t super_category;
  bool plural;
  bool exchangeable;  ///< false: it has other meanings in captions ("orange"), but does as a replacement

  std::size_t words() const { return text.find(' ') == std::string::npos ? 1 : 2; }
};

/// Where a caption mentions a thing.
struct FoilMention {
  std::size_t begin, length;              ///< bytes of the caption
  std::vector<std::uint32_t> categories;  ///< that it may mean
  std::optional<std::uint32_t> noun;      ///< a place in nouns(), if it is one that means only this
};

/// A category as it is written down. Nouns are written "singular/plural", with nothing where a number is not
/// used; "*" in front: not exchangeable. Lists are separated by commas. Categories of one super-category
/// follow each other.
struct NounCategory {
  std::string_view super_category;
  std::string_view nouns;
  std::string_view hints;
};

class FoilNouns {
 public:
  FoilNouns();  ///< COCO's
  explicit FoilNouns(std::span<const NounCategory> categories);

  const std::vector<FoilNoun>& nouns() const { return nouns_; }
  std::size_t categories() const { return categories_; }

  /// The nouns and further words of a category, nouns first.
  const std::vector<std::string>& terms_of(std::uint32_t category) const { return category_terms_[category]; }

  /// The mentions in a caption from left to right; of two that overlap the longer ("hot dog", not "dog").
  std::vector<FoilMention> find(std::string_view caption) const;

 private:
  void add_noun(std::string_view text, std::uint32_t super_category, bool plural, bool exchangeable);
  void add_hint(std::string_view text);

  struct Term {
    std::vector<std::uint32_t> categories;
    std::optional<std::uint32_t> noun;
  };

  std::vector<FoilNoun> nouns_;
  std::vector<std::vector<std::string>> category_terms_;
  tsl::robin_map<std::string, Term, StringHash, std::equal_to<>> terms_;
  std::uint32_t categories_ = 0;
};

/// The caption with the mention replaced: written with a capital or in capitals as what it replaces, with the
/// article "a" or "an" before it made to fit.
std::string exchange_noun(std::string_view caption, const FoilMention& mention, std::string_view noun);

}  // namespace capella::world
