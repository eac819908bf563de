#include "method/mln/entailment/judge_sentences.h"

#include <algorithm>

#include "method/mln/entailment/coverage.h"
#include "method/mln/entailment/predicates.h"

namespace capella::method::mln {
namespace {

bool has_claims(const Claims& claims) {
  return std::ranges::any_of(claims.nodes, [](const ClaimNode& node) { return node.group == 0; });
}

/// Whether one side claims what the other denies.
bool is_denied(const Claims& claiming, const Claims& denying, const Knowledge& knowledge) {
  for (std::uint32_t group = 1; group <= denying.denials; ++group) {
    const Coverage found = cover(claiming, 0, denying, group, knowledge);
    if (found.nodes > 0 && found.missing_nodes.empty() && found.missing_edges.size() <= 2) return true;
  }
  return false;
}

/// Whether each denial of the hypothesis follows from one of the premise: who denies riding denies riding
/// fast.
bool denials_follow(const Claims& premise, const Claims& hypothesis, const Knowledge& knowledge) {
  for (std::uint32_t group = 1; group <= hypothesis.denials; ++group) {
    bool follows = false;
    for (std::uint32_t other = 1; other <= premise.denials && !follows; ++other)
      follows = cover(hypothesis, group, premise, other, knowledge).is_full();
    if (!follows) return false;
  }
  return true;
}

/// Whether the two words are said of the same: an action of one who acts, or what one thing is like.
bool have_common_bearer(const Claims& premise, std::uint32_t p, const Claims& hypothesis, std::uint32_t h,
                        const Coverage& found) {
  for (const ClaimEdge& edge : hypothesis.edges) {
    if (edge.group != 0) continue;
    for (const ClaimEdge& other : premise.edges) {
      if (other.group != 0 || other.role != edge.role) continue;
      if (edge.role == Role::subject && edge.from == h && other.from == p &&
          found.partner[edge.to] == other.to)
        return true;
      if (edge.role == Role::modifier && edge.to == h && other.to == p &&
          found.partner[edge.from] == other.from)
        return true;
    }
  }
  return false;
}

/// Whether the one thing that the hypothesis has and the premise has not is shut out by what the premise has.
bool is_excluded(const Claims& premise, const Claims& hypothesis, const Coverage& found,
                 const Knowledge& knowledge) {
  if (found.missing_nodes.size() != 1) return false;
  const std::uint32_t h = found.missing_nodes.front();
  for (std::uint32_t p = 0; p < premise.nodes.size(); ++p) {
    if (premise.nodes[p].group != 0) continue;
    if (!knowledge.exclude_each_other(premise.nodes[p].meaning, hypothesis.nodes[h].meaning)) continue;
    if (have_common_bearer(premise, p, hypothesis, h, found)) return true;
  }
  return false;
}

/// Whether the one difference is that the premise has the opposite preposition.
bool are_places_opposite(const Claims& premise, const Claims& hypothesis, const Coverage& found) {
  if (!found.missing_nodes.empty() || found.missing_edges.size() != 1) return false;
  const ClaimEdge& edge = hypothesis.edges[found.missing_edges.front()];
  return edge.role == Role::place && std::ranges::any_of(premise.edges, [&](const ClaimEdge& other) {
           return other.role == Role::place && other.from == found.partner[edge.from] &&
                  other.to == found.partner[edge.to] &&
                  are_opposite_places(other.preposition, edge.preposition);
         });
}

}  // namespace

SentenceVerdict judge_sentences(const Claims& premise, const Claims& hypothesis, bool is_one_scene,
                                const Knowledge& knowledge) {
  if (is_denied(premise, hypothesis, knowledge) || is_denied(hypothesis, premise, knowledge))
    return {Verdict::contradiction, true};
  if (hypothesis.nodes.empty()) return {};
  bool is_sure = true;
  if (has_claims(hypothesis)) {
    const Coverage found = cover(premise, 0, hypothesis, 0, knowledge);
    if (are_places_opposite(premise, hypothesis, found)) return {Verdict::contradiction, is_one_scene};
    if (is_one_scene && is_excluded(premise, hypothesis, found, knowledge))
      return {Verdict::contradiction, false};
    if (!found.missing_nodes.empty() || found.missing_edges.size() > 1) return {};
    is_sure = found.is_full();
  }
  if (!denials_follow(premise, hypothesis, knowledge)) return {};
  return {Verdict::entailment, is_sure};
}

}  // namespace capella::method::mln
