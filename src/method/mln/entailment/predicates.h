// Predicates of claims: which mean the same, which follow from which, which are each other's other direction,
// and which exclude each other when they are said of the same two things.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "method/mln/entailment/knowledge.h"

namespace capella::method::mln {

/// Where the subject is, seen from the object.
enum class Where : std::uint8_t {
  unknown,
  on,
  in,
  under,
  above,
  below,
  left_of,
  right_of,
  in_front_of,
  behind,
  next_to,
  far_from,
  outside,
  with,
};

/// What the subject has to do with the object, for actions that leave no room for others.
enum class Contact : std::uint8_t {
  unknown,
  apart,    ///< chase, follow
  carried,  ///< hold, wear, eat
  mounted,  ///< ride, sit on
  handled,  ///< push, pull, kick
};

struct Predicate {
  std::string words;        ///< as given
  std::string verb;         ///< the plain word for it; empty for a place alone
  std::string preposition;  ///< the plain one
  Meaning action;           ///< of the verb
  Where where = Where::unknown;
  Contact contact = Contact::unknown;
};

/// How sure a rule is.
enum class Strength : std::uint8_t { none, weak, strong };

Predicate read_predicate(std::string_view words, const Knowledge& knowledge);
/// The plain words for it: "near" and "beside" are "next to", "run after" is "chase", "sit on top of" is "sit
/// on".
std::string plain_predicate(std::string_view words);

/// Whether `a` of two things means `b` of the same two.
Strength implies(const Predicate& a, const Predicate& b, const Knowledge& knowledge);
/// Whether `a` of two things means `b` with both exchanged: left of, right of.
Strength implies_exchanged(const Predicate& a, const Predicate& b);
/// Whether nothing can be both.
Strength excludes(const Predicate& a, const Predicate& b, const Knowledge& knowledge);
/// Whether `a` of two things rules `b` out with both exchanged.
Strength excludes_exchanged(const Predicate& a, const Predicate& b, const Knowledge& knowledge);

/// Whether who is there by the one preposition is there by the other: "in the snow", "through the snow". For
/// sentences, whose prepositions are used more freely than those of claims about a picture.
bool is_same_place(std::string_view premise, std::string_view hypothesis);
/// Whether the two prepositions rule each other out: "into", "out of".
bool are_opposite_places(std::string_view a, std::string_view b);
/// Whether it says where something is whatever it does: "left of", "behind".
bool is_pure_place(std::string_view preposition);

}  // namespace capella::method::mln
