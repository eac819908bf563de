// What a sentence denies: "no man", "not", "nobody", "without".
#include "method/mln/entailment/sentence_reader.h"

namespace capella::method::mln {

bool SentenceReader::denies(Place at) const {
  const std::string& lemma = token(at).lemma;
  if (has_relation(at, "neg")) return true;
  return lemma == "no" || lemma == "not" || lemma == "never" || lemma == "n't";
}

/// The word whose phrase is denied. A denied subject denies what it does, and "there is no" what there is.
SentenceReader::Place SentenceReader::scope(Place denied) const {
  const Place above = head(denied);
  const bool is_subject = has_relation(denied, "nsubj") || has_relation(denied, "nsubjpass");
  return is_subject && above != kNone ? above : denied;
}

/// "There is no man", and nothing that he does.
bool SentenceReader::is_there_is(Place noun) const {
  const Place above = head(noun);
  if (above == kNone || token(above).lemma != "be" || child(above, "expl") == kNone) return false;
  return child(noun, "acl") == kNone && child(noun, "acl:relcl") == kNone && child(noun, "nmod") == kNone &&
         child(above, "nmod") == kNone && child(noun, "amod") == kNone;
}

void SentenceReader::deny(Place top) {
  const std::uint32_t group = ++claims_.denials;
  for (Place at = 0; at < tree_.tokens.size(); ++at) {
    if (node_[at] == kNoNode || !is_below(at, top)) continue;
    // Another clause with a subject of its own is not denied.
    bool is_own_clause = false;
    for (Place up = at; up != kNone && up != top; up = head(up)) {
      const bool has_subject =
          child(up, "nsubj") != kNone || child(up, "expl") != kNone || child(up, "nsubjpass") != kNone;
      if ((has_relation(up, "conj") || has_relation(up, "parataxis")) && has_subject) is_own_clause = true;
    }
    if (!is_own_clause) claims_.nodes[node_[at]].group = group;
  }
}

void SentenceReader::find_denials() {
  const std::uint32_t first = claims_.denials;
  for (Place at = 0; at < tree_.tokens.size(); ++at) {
    const Place above = head(at);
    const std::string& lemma = token(at).lemma;
    if (lemma == "nobody" || lemma == "nothing" || lemma == "none") {
      deny(scope(at));
    } else if (above != kNone && has_relation(at, "case") && lemma == "without") {
      deny(above);
    } else if (above != kNone && denies(at)) {
      deny(scope(above));
      if (const std::uint32_t none = node_[stands_for_[above]]; lemma == "no" && none != kNoNode)
        claims_.nodes[none].is_denied = is_there_is(above);
    }
  }
  if (claims_.denials == first) return;
  for (std::size_t i = first_edge_; i < claims_.edges.size(); ++i) {
    ClaimEdge& edge = claims_.edges[i];
    edge.group = std::max(claims_.nodes[edge.from].group, claims_.nodes[edge.to].group);
  }
}

}  // namespace capella::method::mln
