// Roles exchanged: the two noun phrases of a verb or preposition change places. What is left over are
// relations that cannot hold both ways, between things that can be moved: "on the side" and "taking a
// picture" are turns of phrase.
#include <algorithm>

#include "world/challenge/edits.h"
#include "world/rewrite.h"

namespace capella::world::challenge {
namespace {

// Longer ones first.
constexpr std::string_view kOneWay[] = {
    "on top of", "in front of", "inside of", "underneath", "beneath", "inside", "behind", "atop",   "above",
    "below",     "under",       "over",      "onto",       "into",    "on",     "in",     "through"};

// Words inside prepositions that a noun may hang on.
constexpr std::string_view kInner[] = {"top", "front", "inside"};

// Both may do it to each other, or the verb says nothing of its own.
constexpr std::string_view kBothWays[] = {
    "kiss",     "hug",      "embrace",   "meet",       "face",   "touch",  "fight", "match",
    "resemble", "join",     "accompany", "greet",      "take",   "have",   "do",    "make",
    "get",      "give",     "be",        "look",       "show",   "try",    "start", "begin",
    "feature",  "include",  "watch",     "lick",       "nuzzle", "pass",   "play",  "follow",
    "chase",    "approach", "cuddle",    "photograph", "see",    "observe"};

// Other words in -ing are verbs, also where the tagger takes them for nouns: "people riding horses".
constexpr std::string_view kThingsInIng[] = {
    "building", "ceiling", "clothing", "painting", "railing", "wing",    "ring",
    "king",     "string",  "swing",    "frosting", "icing",   "topping", "stuffing",
    "awning",   "parking", "dining",   "living",   "cutting", "wedding", "evening"};

// No things, or only parts and pictures of some.
constexpr std::string_view kNotSwappedRoles[] = {
    "air",      "background", "foreground", "middle",   "center",  "front",     "side",     "top",
    "back",     "end",        "edge",       "corner",   "day",     "night",     "view",     "picture",
    "photo",    "photograph", "image",      "shot",     "way",     "distance",  "row",      "line",
    "group",    "pair",       "couple",     "bunch",    "lot",     "number",    "kind",     "type",
    "variety",  "piece",      "slice",      "part",     "set",     "motion",    "trick",    "jump",
    "game",     "match",      "tennis",     "baseball", "soccer",  "use",       "display",  "position",
    "attempt",  "ride",       "time",       "sun",      "rain",    "sunlight",  "dark",     "light",
    "shade",    "weather",    "event",      "party",    "someone", "something", "one",      "bottom",
    "area",     "place",      "scene",      "style",    "color",   "close",     "closeup",  "herd",
    "everyone", "anything",   "stack",      "pile",     "phone",   "cellphone", "outdoors", "outside",
    "inside",   "whilst"};

class RoleSwapper {
 public:
  explicit RoleSwapper(const ParsedCaption& caption) : caption_(caption) {}

  std::vector<Edit> edits() {
    for (std::size_t i = 0; i < caption_.size(); ++i) {
      if (at(i).is_noun()) swap_around_preposition(i);
      if (at(i).tag.starts_with("VB")) swap_around_verb(i);
    }
    return std::move(edits_);
  }

 private:
  const ParsedWord& at(std::size_t i) const { return caption_[i]; }

  std::optional<BasePhrase> thing(std::size_t noun) const {
    const auto phrase = single_phrase(caption_, noun);
    if (!phrase || is_one_of(at(noun).lemma, kNotSwappedRoles) || has_verb(*phrase)) return {};
    // "Cat on sofa" is a headline: moved, its words want articles.
    const std::string& begin = at(phrase->first).tag;
    if (!at(noun).is_plural() && begin != "DT" && begin != "CD") return {};
    // "A slice of pizza" does not come apart, nor does "a man that runs" without saying more.
    if (noun + 1 < caption_.size() && (at(noun + 1).lower == "of" || at(noun + 1).tag == "WDT")) return {};
    return phrase;
  }

  bool has_verb(const BasePhrase& phrase) const {
    for (std::size_t i = phrase.first; i <= phrase.noun; ++i) {
      if (at(i).lower.ends_with("ing") && !is_one_of(at(i).lower, kThingsInIng)) return true;
    }
    return false;
  }

  // "There are two dogs": the verb goes with them.
  bool says_there_is(const BasePhrase& phrase) const {
    return phrase.first > 0 && at(phrase.first - 1).lemma == "be";
  }

  // The word behind the preposition that begins at the word; nothing if there is none that goes one way.
  std::optional<std::size_t> behind_preposition(std::size_t first) const {
    for (const std::string_view words : kOneWay) {
      const auto count = static_cast<std::size_t>(std::count(words.begin(), words.end(), ' ')) + 1;
      const std::size_t last = first + count - 1;
      if (last + 1 >= caption_.size()) continue;
      std::string found = at(first).lower;
      for (std::size_t i = first + 1; i <= last; ++i) found += ' ' + at(i).lower;
      if (found == words) return last + 1;
    }
    return {};
  }

  // The thing whose phrase begins at the word.
  std::optional<BasePhrase> thing_from(std::size_t first) const {
    for (std::size_t noun = first; noun < caption_.size() && noun < first + 5; ++noun) {
      const auto phrase = thing(noun);
      if (phrase && phrase->first == first) return phrase;
    }
    return {};
  }

  // Whether the noun hangs on the word, over a preposition of several words, too.
  bool hangs_on(std::size_t noun, std::size_t on) const {
    for (int steps = 0, i = static_cast<int>(noun); steps < 3 && i != kRoot; ++steps) {
      i = at(static_cast<std::size_t>(i)).head;
      if (i == static_cast<int>(on)) return true;
      if (i != kRoot && !is_one_of(at(static_cast<std::size_t>(i)).lower, kInner)) return false;
    }
    return false;
  }

  // "A dog [is] on a bed".
  void swap_around_preposition(std::size_t noun) {
    const auto first = thing(noun);
    if (!first || noun + 2 >= caption_.size()) return;
    // Of "riding a board on a ledge" it is the riding that is on the ledge.
    if (first->first > 0 && at(first->first - 1).tag.starts_with("VB") && at(first->first - 1).lemma != "be")
      return;
    const bool says_be = at(noun + 1).lower == "is" || at(noun + 1).lower == "are";
    const auto behind = behind_preposition(noun + (says_be ? 2 : 1));
    const auto second = behind ? thing_from(*behind) : std::nullopt;
    if (!second) return;
    const bool tied = hangs_on(second->noun, noun) || (says_be && caption_.depends(noun, second->noun));
    if (tied) add(*first, *second, says_be);
  }

  // "A man riding a horse", "a man rides a horse", "a cat sitting on a bed".
  void swap_around_verb(std::size_t verb) {
    if (is_one_of(at(verb).lemma, kBothWays) || verb + 1 >= caption_.size()) return;
    const auto subject = subject_of(verb);
    if (!subject) return;
    const auto first = thing(*subject);
    if (!first || first->noun >= verb || at(first->noun + 1).tag == "RB") return;  // "a metal tray" misread
    // "Frisbees thrown by a man": who or what is thrown stands before it.
    if (at(verb).tag == "VBN" && at(verb).relation == "acl" && first->noun + 1 != verb) return;
    const bool finite = at(verb).tag == "VBZ" || at(verb).tag == "VBP" || caption_.child(verb, "aux") ||
                        caption_.child(verb, "auxpass");
    if (at(verb).tag == "VBD" || at(verb).tag == "VB") return;
    if (const auto object = thing_from(verb + 1); object && caption_.depends(object->noun, verb)) {
      if (at(object->noun).relation == "dobj" && at(verb).tag != "VBN") add(*first, *object, finite);
    }
    const bool by = at(verb).tag == "VBN" && at(verb + 1).lower == "by";
    const auto behind = by ? std::optional(verb + 2) : behind_preposition(verb + 1);
    const auto second = behind && *behind < caption_.size() ? thing_from(*behind) : std::nullopt;
    if (second && hangs_on(second->noun, verb)) add(*first, *second, finite);
  }

  std::optional<std::size_t> subject_of(std::size_t verb) const {
    if (at(verb).relation == "acl" && at(verb).head != kRoot) return static_cast<std::size_t>(at(verb).head);
    const auto subject = caption_.child(verb, "nsubj");
    return subject ? subject : caption_.child(verb, "nsubjpass");
  }

  // Of "food on a plate on a table" nobody knows what is on the table.
  bool is_first(const BasePhrase& phrase) const {
    if (phrase.first == 0) return true;
    const ParsedWord& before =
        at(phrase.first - 1);  // a noun before it is a misread verb: "man rides a wave"
    return before.tag != "IN" && before.tag != "TO" && before.tag != "RP" && !before.is_noun();
  }

  bool is_followed_by_verb(const BasePhrase& phrase) const {
    if (phrase.noun + 1 >= caption_.size()) return false;
    const std::string& next = at(phrase.noun + 1).tag;
    return next.starts_with("VB");
  }

  void add(const BasePhrase& a, const BasePhrase& b, bool agrees) {
    if (!is_first(a) || is_followed_by_verb(b)) return;  // not "train" of "train tracks"
    if (at(a.noun).lemma == at(b.noun).lemma || a.noun >= b.first) return;
    const bool counted = agrees || says_there_is(a);
    if (counted && at(a.noun).is_plural() != at(b.noun).is_plural()) return;
    const auto splice = [&](const BasePhrase& to, const BasePhrase& from) {
      const std::size_t begin = at(to.first).begin;
      return Splice{begin, at(to.noun).end - begin, caption_.phrase(from.first, from.noun)};
    };
    edits_.push_back({spliced(caption_.text(), {splice(a, b), splice(b, a)}),
                      at(a.noun).lower + " <-> " + at(b.noun).lower});
  }

  const ParsedCaption& caption_;
  std::vector<Edit> edits_;
};

}  // namespace

std::vector<Edit> swapped_roles(const ParsedCaption& caption) {
  return RoleSwapper(caption).edits();
}

}  // namespace capella::world::challenge
