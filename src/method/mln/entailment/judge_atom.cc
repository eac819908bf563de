#include "method/mln/entailment/judge_atom.h"

#include <algorithm>

namespace capella::method::mln {
namespace {

/// What a caption calls a person may be a man in the picture: a kind of it either way.
Strength names(const Meaning& word, const Meaning& label, const Knowledge& knowledge) {
  if (knowledge.is_kind_of(word, label)) return Strength::strong;
  return knowledge.is_kind_of(label, word) ? Strength::weak : Strength::none;
}

class AtomJudge {
 public:
  AtomJudge(const Claims& caption, const AtomMeaning& atom, const Knowledge& knowledge)
      : caption_(caption), atom_(atom), knowledge_(knowledge) {}

  /// What is entailed by one relation is entailed; else what one rules out is contradicted. Surer rules
  /// first.
  AtomVerdict judge() {
    for (const ClaimRelation& relation : caption_.relations) compare(relation);
    for (const Strength strength : {Strength::strong, Strength::weak}) {
      if (entailed_ == strength) return {Verdict::entailment, strength == Strength::strong};
      if (excluded_ == strength) return {Verdict::contradiction, strength == Strength::strong};
    }
    return {};
  }

 private:
  void compare(const ClaimRelation& relation) {
    const Meaning& subject = caption_.nodes[relation.subject].meaning;
    const Meaning& object = caption_.nodes[relation.object].meaning;
    if (const Strength match = both(subject, atom_.subject, object, atom_.object); match != Strength::none) {
      const Strength implied = implies(relation.predicate, atom_.predicate, knowledge_);
      note(relation, match, implied, excludes(relation.predicate, atom_.predicate, knowledge_));
    }
    if (const Strength match = both(subject, atom_.object, object, atom_.subject); match != Strength::none) {
      const Strength implied = implies_exchanged(relation.predicate, atom_.predicate);
      note(relation, match, implied, excludes_exchanged(relation.predicate, atom_.predicate, knowledge_));
    }
  }

  Strength both(const Meaning& word, const Meaning& label, const Meaning& other_word,
                const Meaning& other_label) const {
    const Strength first = names(word, label, knowledge_);
    return first == Strength::none ? first : std::min(first, names(other_word, other_label, knowledge_));
  }

  void note(const ClaimRelation& relation, Strength match, Strength implied, Strength excluded) {
    if (relation.is_guess) match = std::min(match, Strength::weak);
    Strength& raised = relation.is_denied ? excluded_ : entailed_;
    raised = std::max(raised, std::min(match, implied));
    if (!relation.is_denied && implied == Strength::none)
      excluded_ = std::max(excluded_, std::min(match, excluded));
  }

  const Claims& caption_;
  const AtomMeaning& atom_;
  const Knowledge& knowledge_;
  Strength entailed_ = Strength::none;
  Strength excluded_ = Strength::none;
};

/// Whether the caption says that there is none of them.
bool is_thing_denied(const Claims& caption, const Meaning& label, const Knowledge& knowledge) {
  if (caption.denials == 0) return false;
  bool denied = false;
  for (const ClaimNode& node : caption.nodes) {
    if (!node.is_thing || names(node.meaning, label, knowledge) == Strength::none) continue;
    if (node.group == 0 || !node.is_denied) return false;
    denied = true;
  }
  return denied;
}

}  // namespace

AtomVerdict judge_atom(const Claims& caption, const AtomMeaning& atom, const Knowledge& knowledge) {
  if (is_thing_denied(caption, atom.subject, knowledge) || is_thing_denied(caption, atom.object, knowledge))
    return {Verdict::contradiction, true};
  return AtomJudge(caption, atom, knowledge).judge();
}

}  // namespace capella::method::mln
