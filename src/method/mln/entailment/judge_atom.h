// A caption against one atom p(s, o).
#pragma once

#include "method/mln/entailment/claims.h"
#include "method/mln/entailment/judge_sentences.h"

namespace capella::method::mln {

/// An atom with its words looked up.
struct AtomMeaning {
  const Meaning& subject;
  const Predicate& predicate;
  const Meaning& object;
};

struct AtomVerdict {
  Verdict verdict = Verdict::neutral;
  bool is_sure = true;
};
AtomVerdict judge_atom(const Claims& caption, const AtomMeaning& atom, const Knowledge& knowledge);

}  // namespace capella::method::mln
