// What a sentence claims, as a graph of its content words: who does what to whom, where, how, and what is
// denied. Built from the parser's trees; grammar that changes nothing about the claim (passives, "there is",
// relative clauses, "a group of") is undone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "method/mln/entailment/knowledge.h"
#include "method/mln/entailment/predicates.h"
#include "syntax/tree.h"

namespace capella::method::mln {

enum class Role : std::uint8_t {
  subject,      ///< verb -> who does it
  object,       ///< verb -> whom it is done to
  place,        ///< verb, noun or adjective -> noun, with a preposition
  modifier,     ///< noun or verb -> adjective, adverb, number, or another noun's first part ("tennis ball")
  owner,        ///< noun -> whose it is
  identity,     ///< noun -> what it is said to be
  circumstance  ///< verb -> another verb that goes with it
};

struct ClaimNode {
  Meaning meaning;
  std::string particle;  ///< of a verb: "up"
  bool is_plural = false;
  bool is_number = false;   ///< "two"
  bool is_thing = false;    ///< a noun that stands for itself, not the first part of another
  bool is_denied = false;   ///< "no man": there is none, not only none who does something
  std::uint32_t group = 0;  ///< 0: claimed; else the number of the denial that it stands in
};

struct ClaimEdge {
  std::uint32_t from = 0, to = 0;
  Role role = Role::modifier;
  std::string preposition;  ///< of a place
  std::uint32_t group = 0;
};

/// (subject, predicate, object) with the predicate's words joined.
struct ClaimRelation {
  std::uint32_t subject = 0, object = 0;
  Predicate predicate;
  bool is_denied = false;
  bool is_guess = false;  ///< the grammar may mean another subject
};

class Claims {
 public:
  std::vector<ClaimNode> nodes;
  std::vector<ClaimEdge> edges;
  std::uint32_t denials = 0;  ///< groups 1 ... denials
  std::vector<ClaimRelation> relations;
};

/// Adds one sentence. Any tree is taken as it is.
void add_sentence(const syntax::Tree& tree, const Knowledge& knowledge, Claims& claims);

/// Reads `relations` off the graph, when all sentences are there.
void find_relations(const Knowledge& knowledge, Claims& claims);

}  // namespace capella::method::mln
