// A thing that is not there, told at the end of the caption.
#include <algorithm>

#include "world/challenge/edits.h"
#include "world/english.h"

namespace capella::world::challenge {
namespace {

// What joins the thing to the caption, and the word that must not be there before: "with a dog with a cat".
struct Link {
  std::string_view text, once;
};
constexpr Link kLinks[] = {{"and", "and"}, {"with", "with"}, {"next to", "next"}, {"near", "near"}};

// Places that pass for things.
constexpr std::string_view kNotAdded[] = {"outside", "inside", "outdoors", "indoors", "home", "today", "day",
                                          "night",   "time",   "game",     "way",     "ride", "front", "up"};

}  // namespace

std::optional<Edit> with_added(const ParsedCaption& caption, std::string_view noun, Random& random) {
  const ParsedWord& last = caption.words().back();
  // The last word must be a thing for "and" to join: not "a train going by", nor "a man named Bob".
  if (!last.is_noun() || last.relation == "compound" || is_one_of(last.lower, kNotAdded)) return {};
  std::vector<Link> fitting;
  const bool sentence = std::any_of(
      caption.words().begin(), caption.words().end(),
      [](const ParsedWord& word) { return word.tag == "VBZ" || word.tag == "VBP" || word.tag == "VBD"; });
  for (const Link& link : kLinks) {
    // "A man lies in the street and a dog" does what?
    if (!caption.has_word({&link.once, 1}) && !(sentence && link.text == "and")) fitting.push_back(link);
  }
  if (fitting.empty()) return {};
  const Link& link = fitting[random.below(static_cast<std::uint32_t>(fitting.size()))];
  const std::string added = std::string(link.text) + (takes_an(noun) ? " an " : " a ") + std::string(noun);
  std::string text(caption.text());
  text.insert(last.end, ' ' + added);
  return Edit{std::move(text), "+ " + added};
}

}  // namespace capella::world::challenge
