// One sentence's tree on its way to claims: what its words stand for and how they hang together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "method/mln/entailment/claims.h"
#include "syntax/tree.h"

namespace capella::method::mln {

class SentenceReader {
 public:
  /// All must outlive this.
  SentenceReader(const syntax::Tree& tree, const Knowledge& knowledge, Claims& claims);
  void read();

 private:
  using Place = std::size_t;  // of a word in the tree, from 0
  static constexpr Place kNone = SIZE_MAX;

  // The tree (sentence_reader.cc).
  const syntax::Token& token(Place at) const { return tree_.tokens[at]; }
  Place head(Place at) const;
  bool has_relation(Place at, std::string_view name) const;
  bool is_noun(Place at) const { return token(at).tag.starts_with("N"); }
  bool is_verb(Place at) const { return token(at).tag.starts_with("V"); }
  bool is_adjective(Place at) const { return token(at).tag.starts_with("J"); }
  Place child(Place at, std::string_view relation) const;
  bool is_below(Place at, Place ancestor) const;

  // What words stand for.
  void find_quantities();
  void make_nodes();
  bool is_content(Place at) const;
  PartOfSpeech part(Place at) const;
  ClaimNode make_node(Place at) const;

  // Who does what (sentence_edges.cc).
  struct Phrase {
    Place governor = kNone;
    std::string preposition;
  };
  std::string case_words(Place at) const;
  Phrase phrase(Place at) const;
  Place bearer(Place at, int depth = 4) const;
  bool is_passive(Place verb) const;
  bool has_agent(Place verb) const;
  bool is_relative_pronoun(Place at) const;
  std::vector<Place> surface_subjects(Place verb, int depth) const;
  void add_edge(Place from, Place to, Role role, std::string preposition = {});
  void add_edges(Place at);
  void add_subjects(Place verb);
  void add_predicate(Place at);
  bool is_way(Place verb, Place particle) const;
  void add_objects(Place at);
  void add_phrase(Place at);
  void share_with_conjuncts();

  // What is denied (sentence_denials.cc).
  void find_denials();
  bool denies(Place at) const;
  Place scope(Place denied) const;
  bool is_there_is(Place noun) const;
  void deny(Place top);

  const syntax::Tree& tree_;
  const Knowledge& knowledge_;
  Claims& claims_;
  std::size_t first_edge_;
  std::vector<Place> stands_for_;    // "group" of people: people; else itself
  std::vector<bool> is_consumed_;    // part of a preposition or quantity
  std::vector<std::uint32_t> node_;  // in claims_.nodes, or kNoNode
  static constexpr std::uint32_t kNoNode = UINT32_MAX;
};

}  // namespace capella::method::mln
