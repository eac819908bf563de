// The names of dependencies, with those that SPICE's rules ask for as numbers.
#pragma once

#include <cstdint>
#include <string_view>

namespace capella::scene {

struct Relation {
  /// The whole name, but for the last four the part before ":".
  enum class Kind : std::uint8_t {
    other,
    nsubj,
    csubj,
    nsubjpass,
    csubjpass,
    auxpass,
    cop,
    dobj,
    iobj,
    other_obj,  ///< one more letter and "obj"
    amod,
    advmod,
    nummod,
    det,
    det_qmod,
    compound,
    compound_prt,
    case_,
    mark,
    mwe,
    cc,
    clause,  ///< xcomp, ccomp, parataxis, appos, list
    nmod,
    acl,
    advcl,
    conj,
  };

  Kind kind = Kind::other;
  bool has_detail = false;  ///< of the last four kinds: whether a ":" follows
  std::string_view name;

  /// "in_front_of" in "nmod:in_front_of".
  std::string_view detail() const {
    return has_detail ? name.substr(name.find(':') + 1) : std::string_view();
  }

  bool is(Kind wanted) const { return kind == wanted; }
  bool is_bare(Kind wanted) const { return kind == wanted && !has_detail; }
  bool is_detailed(Kind wanted) const { return kind == wanted && has_detail; }

  bool is_subject() const { return kind >= Kind::nsubj && kind <= Kind::csubjpass; }
  /// One letter and "obj".
  bool is_object() const { return kind >= Kind::dobj && kind <= Kind::other_obj; }
  bool is_relative_clause() const { return kind == Kind::acl && detail() == "relcl"; }
  /// Whether prepositions will name it.
  bool awaits_case() const { return is_named_by_case() && !has_detail; }
  /// Whether prepositions may name it, even if they have done so before.
  bool takes_case() const { return is_named_by_case() && !has_own_name(); }

 private:
  bool is_named_by_case() const { return kind == Kind::nmod || kind == Kind::acl || kind == Kind::advcl; }
  /// A detail that is no preposition and comes from the parser.
  bool has_own_name() const {
    return name == "nmod:poss" || name == "nmod:tmod" || name == "nmod:npmod" || name == "acl:relcl";
  }
};

/// `name` must outlive the relation.
Relation make_relation(std::string_view name);

}  // namespace capella::scene
