// Edits that make a caption wrong, or break it, in one known way. Each takes the caption apart by its grammar
// and gives all that it can do with it; where it is in doubt whether the result is English, or wrong, it does
// nothing. What is true of the image it does not know: that is for the caller to see to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "world/challenge/parsed_caption.h"

namespace capella::world::challenge {

struct Edit {
  std::string text;  ///< the caption after it
  std::string note;  ///< what was done, for people: "red <-> white"
};

/// The statement negated, once in each way that fits: "there is no dog", "is not riding", "does not run", "a
/// man not riding", "without a hat".
std::vector<Edit> negations(const ParsedCaption& caption);

/// Two things that exchange their colours, sizes, ages, materials or patterns. `kept` are noun and attribute
/// of what now stands there, for the caller to look up in other captions.
struct AttributeSwap : Edit {
  struct Claim {
    std::string attribute, noun;  ///< the noun's lemma
  };
  Claim first, second;  ///< what the edited caption claims
};
std::vector<AttributeSwap> swapped_attributes(const ParsedCaption& caption);

/// Whether both words say the same, or nearly: "gray" and "grey", "big" and "large".
bool are_alike(std::string_view a, std::string_view b);

/// Whether the text has two of the words that can be exchanged so; without them it need not be parsed.
bool has_two_attributes(std::string_view caption);

/// Who does and who suffers, or what is where, exchanged: "a bed on a dog". Relations that hold both ways
/// ("next to", "with") stay.
std::vector<Edit> swapped_roles(const ParsedCaption& caption);

/// Cut near its middle where it is visibly broken: behind "a", "of", "is". At most one.
std::optional<Edit> truncated(const ParsedCaption& caption);

/// The same words, those with a meaning of their own on other places; "a" and "an" still fit. Nothing if
/// there are too few of them.
std::optional<Edit> reordered(const ParsedCaption& caption, Random& random);

/// One more thing at the end, "... and a zebra", if the caption ends with a thing. `noun` is a singular.
std::optional<Edit> with_added(const ParsedCaption& caption, std::string_view noun, Random& random);

}  // namespace capella::world::challenge
