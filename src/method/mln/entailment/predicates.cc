#include "method/mln/entailment/predicates.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace capella::method::mln {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

template <std::size_t N>
bool is_in(const std::string_view (&list)[N], std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

/// Other words for a predicate that captions use; the second is the plain one.
constexpr Pair kSamePredicates[] = {
    {"run after", "chase"}, {"go after", "chase"},      {"pursue", "chase"},    {"bite", "eat"},
    {"bite into", "eat"},   {"eat from", "eat"},        {"chew", "eat"},        {"chew on", "eat"},
    {"munch on", "eat"},    {"feed on", "eat"},         {"carry", "hold"},      {"hold on to", "hold"},
    {"hold onto", "hold"},  {"hold up", "hold"},        {"grip", "hold"},       {"clutch", "hold"},
    {"ride on", "ride"},    {"be dressed in", "wear"},  {"dress in", "wear"},   {"have on", "wear"},
    {"seat on", "sit on"},  {"be seated on", "sit on"}, {"perch on", "sit on"}, {"sit upon", "sit on"},
    {"look at", "watch"},   {"stare at", "watch"},      {"gaze at", "watch"},   {"play on", "play on"},
    {"lay on", "lie on"},   {"lay in", "lie in"},       {"rest on", "lie on"},  {"shove", "push"},
};

struct Named {
  std::string_view words;
  std::string_view plain;
  Where where;
};
constexpr Named kPlaces[] = {
    {"on", "on", Where::on},
    {"on top of", "on", Where::on},
    {"atop", "on", Where::on},
    {"upon", "on", Where::on},
    {"onto", "on", Where::on},
    {"in", "in", Where::in},
    {"inside", "in", Where::in},
    {"inside of", "in", Where::in},
    {"within", "in", Where::in},
    {"under", "under", Where::under},
    {"underneath", "under", Where::under},
    {"beneath", "under", Where::under},
    {"above", "above", Where::above},
    {"over", "above", Where::above},
    {"below", "below", Where::below},
    {"left of", "left of", Where::left_of},
    {"to the left of", "left of", Where::left_of},
    {"on the left of", "left of", Where::left_of},
    {"right of", "right of", Where::right_of},
    {"to the right of", "right of", Where::right_of},
    {"on the right of", "right of", Where::right_of},
    {"in front of", "in front of", Where::in_front_of},
    {"before", "in front of", Where::in_front_of},
    {"behind", "behind", Where::behind},
    {"next to", "next to", Where::next_to},
    {"near", "next to", Where::next_to},
    {"beside", "next to", Where::next_to},
    {"besides", "next to", Where::next_to},
    {"by", "next to", Where::next_to},
    {"close to", "next to", Where::next_to},
    {"alongside", "next to", Where::next_to},
    {"adjacent to", "next to", Where::next_to},
    {"far from", "far from", Where::far_from},
    {"away from", "far from", Where::far_from},
    {"outside", "outside", Where::outside},
    {"outside of", "outside", Where::outside},
    {"out of", "outside", Where::outside},
    {"with", "with", Where::with},
};

const Named* find_place(std::string_view words) {
  const auto found = std::ranges::find(kPlaces, words, &Named::words);
  return found == std::end(kPlaces) ? nullptr : found;
}

/// What doing something to a thing says of where one is.
struct Doing {
  std::string_view verb;
  Where where;
  Contact contact;
};
constexpr Doing kDoings[] = {
    {"ride", Where::on, Contact::mounted},      {"mount", Where::on, Contact::mounted},
    {"drive", Where::in, Contact::mounted},     {"hold", Where::with, Contact::carried},
    {"have", Where::with, Contact::unknown},    {"wear", Where::with, Contact::carried},
    {"eat", Where::with, Contact::carried},     {"lift", Where::with, Contact::carried},
    {"push", Where::next_to, Contact::handled}, {"pull", Where::next_to, Contact::handled},
    {"walk", Where::next_to, Contact::handled}, {"kick", Where::next_to, Contact::handled},
    {"lead", Where::next_to, Contact::handled}, {"pet", Where::next_to, Contact::unknown},
    {"feed", Where::next_to, Contact::unknown}, {"touch", Where::next_to, Contact::unknown},
    {"wash", Where::next_to, Contact::unknown}, {"chase", Where::unknown, Contact::apart},
    {"follow", Where::behind, Contact::apart},  {"flee", Where::unknown, Contact::apart},
};

constexpr std::uint32_t bit(Where where) {
  return std::uint32_t{1} << static_cast<unsigned>(where);
}

constexpr std::uint32_t kSides = bit(Where::left_of) | bit(Where::right_of) | bit(Where::in_front_of) |
                                 bit(Where::behind) | bit(Where::next_to);

/// Opposites first: nothing is both.
constexpr std::uint32_t opposites(Where where) {
  switch (where) {
    case Where::on:
      return bit(Where::under) | bit(Where::below) | bit(Where::far_from);
    case Where::in:
      return bit(Where::outside) | bit(Where::far_from);
    case Where::under:
      return bit(Where::on) | bit(Where::above);
    case Where::above:
      return bit(Where::under) | bit(Where::below);
    case Where::below:
      return bit(Where::on) | bit(Where::above);
    case Where::left_of:
      return bit(Where::right_of);
    case Where::right_of:
      return bit(Where::left_of);
    case Where::in_front_of:
      return bit(Where::behind);
    case Where::behind:
      return bit(Where::in_front_of);
    case Where::next_to:
      return bit(Where::far_from);
    case Where::far_from:
      return bit(Where::next_to) | bit(Where::on) | bit(Where::in) | bit(Where::with);
    case Where::outside:
      return bit(Where::in);
    default:
      return 0;
  }
}

/// Places that are hardly ever meant together.
constexpr std::uint32_t strangers(Where where) {
  switch (where) {
    case Where::on:
      return kSides | bit(Where::in) | bit(Where::above);
    case Where::in:
      return kSides | bit(Where::on) | bit(Where::under) | bit(Where::above) | bit(Where::below);
    case Where::under:
      return kSides | bit(Where::in);
    case Where::above:
    case Where::below:
      return bit(Where::in) | bit(Where::on);
    case Where::left_of:
    case Where::right_of:
    case Where::in_front_of:
    case Where::behind:
    case Where::next_to:
      return bit(Where::on) | bit(Where::in) | bit(Where::under);
    default:
      return 0;
  }
}

constexpr Where other_direction(Where where) {
  switch (where) {
    case Where::left_of:
      return Where::right_of;
    case Where::right_of:
      return Where::left_of;
    case Where::above:
      return Where::below;
    case Where::below:
      return Where::above;
    case Where::in_front_of:
      return Where::behind;
    case Where::behind:
      return Where::in_front_of;
    case Where::next_to:
      return Where::next_to;
    case Where::far_from:
      return Where::far_from;
    case Where::with:
      return Where::with;
    default:
      return Where::unknown;
  }
}

/// Whether `a` says `b` too: who is under a thing is below it.
constexpr bool is_narrower(Where a, Where b) {
  return a == b || (a == Where::under && b == Where::below);
}

bool is_asymmetric(Where where) {
  return where != Where::unknown && other_direction(where) != where && where != Where::outside;
}

/// "sit on": the verb up to the first blank, the preposition behind it.
void split(std::string_view words, Predicate& made) {
  for (const auto& [other, plain] : kSamePredicates) {
    if (words == other) words = plain;
  }
  if (const Named* place = find_place(words)) {
    made.preposition = place->plain;
    made.where = place->where;
    return;
  }
  const std::size_t blank = std::min(words.find(' '), words.size());
  made.verb = words.substr(0, blank);
  std::string_view rest = words.substr(std::min(blank + 1, words.size()));
  if (const Named* place = find_place(rest)) {
    made.preposition = place->plain;
    made.where = place->where;
  } else {
    made.preposition = rest;
  }
}

}  // namespace

std::string plain_predicate(std::string_view words) {
  Predicate made;
  split(words, made);
  if (made.verb.empty() || made.preposition.empty()) return made.verb + made.preposition;
  return made.verb + " " + made.preposition;
}

Predicate read_predicate(std::string_view words, const Knowledge& knowledge) {
  Predicate made;
  made.words = words;
  split(words, made);
  if (made.verb.empty()) return made;
  made.action = knowledge.meaning(made.verb, PartOfSpeech::verb);
  if (made.preposition.empty()) {
    const auto found = std::ranges::find(kDoings, made.verb, &Doing::verb);
    if (found != std::end(kDoings)) {
      made.where = found->where;
      made.contact = found->contact;
    }
  } else if (made.where == Where::on) {
    made.contact = Contact::mounted;
  }
  return made;
}

Strength implies(const Predicate& a, const Predicate& b, const Knowledge& knowledge) {
  if (a.words == b.words) return Strength::strong;
  if (a.verb == b.verb && a.preposition == b.preposition) return Strength::strong;
  if (b.verb.empty()) {
    if (!is_narrower(a.where, b.where) || b.where == Where::unknown) return Strength::none;
    return a.verb.empty() || !a.preposition.empty() || a.where == Where::on ? Strength::strong
                                                                            : Strength::weak;
  }
  if (a.verb.empty() || !(b.preposition.empty() || b.preposition == a.preposition)) return Strength::none;
  if (b.verb == "have" && b.preposition.empty() && a.contact == Contact::carried) return Strength::weak;
  if (a.verb == b.verb)
    return a.preposition.empty() || b.preposition == a.preposition ? Strength::strong : Strength::none;
  const bool is_kind = a.preposition == b.preposition && knowledge.is_kind_of(a.action, b.action);
  return is_kind ? Strength::weak : Strength::none;
}

Strength implies_exchanged(const Predicate& a, const Predicate& b) {
  if (!b.verb.empty()) return Strength::none;
  const Where turned = other_direction(a.where);
  if (turned != Where::unknown && turned == b.where)
    return a.verb.empty() ? Strength::strong : Strength::weak;
  if (a.where == Where::on && (b.where == Where::under || b.where == Where::below)) return Strength::weak;
  if (a.where == Where::under && b.where == Where::above) return Strength::weak;
  return Strength::none;
}

Strength excludes(const Predicate& a, const Predicate& b, const Knowledge& knowledge) {
  if (a.contact == Contact::unknown || b.contact == Contact::unknown) {
    // Where they are is all that can be compared.
  } else if (a.contact != b.contact) {
    return Strength::weak;
  }
  if ((opposites(a.where) & bit(b.where)) != 0) return Strength::strong;
  if (!a.verb.empty() && !b.verb.empty() && knowledge.exclude_each_other(a.action, b.action))
    return Strength::strong;
  const bool is_away = (a.contact == Contact::apart && (b.where == Where::on || b.where == Where::in)) ||
                       (b.contact == Contact::apart && (a.where == Where::on || a.where == Where::in));
  if (is_away) return Strength::weak;
  return (strangers(a.where) & bit(b.where)) != 0 ? Strength::weak : Strength::none;
}

Strength excludes_exchanged(const Predicate& a, const Predicate& b, const Knowledge& knowledge) {
  if (implies_exchanged(a, b) != Strength::none) return Strength::none;
  if (is_asymmetric(a.where) && a.where == b.where) return Strength::strong;
  const bool same_action =
      !b.verb.empty() && implies(a, b, knowledge) == Strength::strong && a.preposition != "with";
  return same_action ? Strength::weak : Strength::none;
}

namespace {

constexpr std::string_view kWithin[] = {"in",    "on",     "at",   "through", "across",
                                        "along", "around", "over", "into",    "by"};
constexpr std::string_view kNearby[] = {"near", "next to", "by", "in front of", "behind",
                                        "with", "around",  "at", "along"};
constexpr Pair kOppositePlaces[] = {
    {"near", "far from"},    {"next to", "far from"}, {"into", "out of"},  {"in", "outside"},
    {"in", "out of"},        {"on", "off"},           {"up", "down"},      {"on", "under"},
    {"above", "below"},      {"over", "under"},       {"above", "under"},  {"in front of", "behind"},
    {"left of", "right of"}, {"toward", "away from"}, {"with", "without"}, {"to", "from"},
};

}  // namespace

bool is_same_place(std::string_view premise, std::string_view hypothesis) {
  if (premise == hypothesis) return true;
  if (is_in(kWithin, premise) && is_in(kWithin, hypothesis)) return true;
  return (hypothesis == "near" || hypothesis == "next to" || hypothesis == "by") && is_in(kNearby, premise);
}

bool are_opposite_places(std::string_view a, std::string_view b) {
  return std::ranges::find(kOppositePlaces, Pair(a, b)) != std::end(kOppositePlaces) ||
         std::ranges::find(kOppositePlaces, Pair(b, a)) != std::end(kOppositePlaces);
}

bool is_pure_place(std::string_view preposition) {
  const Named* place = find_place(preposition);
  return place != nullptr && place->where != Where::on && place->where != Where::in &&
         place->where != Where::with;
}

}  // namespace capella::method::mln
