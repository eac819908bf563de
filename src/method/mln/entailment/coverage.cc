#include "method/mln/entailment/coverage.h"

#include <algorithm>

#include "method/mln/entailment/predicates.h"

namespace capella::method::mln {
namespace {

class Aligner {
 public:
  Aligner(const Claims& premise, std::uint32_t premise_group, const Claims& hypothesis,
          std::uint32_t hypothesis_group, const Knowledge& knowledge)
      : premise_(premise),
        premise_group_(premise_group),
        hypothesis_(hypothesis),
        hypothesis_group_(hypothesis_group),
        knowledge_(knowledge) {}

  Coverage align() {
    find_candidates();
    for (int pass = 0; pass < 3; ++pass) {
      for (std::uint32_t h = 0; h < hypothesis_.nodes.size(); ++h) choose(h);
    }
    return count();
  }

 private:
  void find_candidates() {
    candidates_.resize(hypothesis_.nodes.size());
    result_.partner.assign(hypothesis_.nodes.size(), Coverage::kNone);
    is_wanted_.assign(hypothesis_.nodes.size(), false);
    for (std::uint32_t h = 0; h < hypothesis_.nodes.size(); ++h)
      is_wanted_[h] = hypothesis_.nodes[h].group == hypothesis_group_;
    for (const ClaimEdge& edge : hypothesis_.edges) {
      if (edge.group == hypothesis_group_) is_wanted_[edge.from] = is_wanted_[edge.to] = true;
    }
    for (std::uint32_t h = 0; h < hypothesis_.nodes.size(); ++h) {
      if (!is_wanted_[h]) continue;
      for (std::uint32_t p = 0; p < premise_.nodes.size(); ++p) {
        if (premise_.nodes[p].group != 0 && premise_.nodes[p].group != premise_group_) continue;
        if (knowledge_.may_be(premise_.nodes[p].meaning, hypothesis_.nodes[h].meaning))
          candidates_[h].push_back(p);
      }
      if (!candidates_[h].empty()) result_.partner[h] = candidates_[h].front();
    }
  }

  /// The candidate that keeps most edges, and of these the one with the same word.
  void choose(std::uint32_t h) {
    std::size_t best = 0;
    for (const std::uint32_t p : candidates_[h]) {
      result_.partner[h] = p;
      std::size_t value = premise_.nodes[p].meaning.word == hypothesis_.nodes[h].meaning.word ? 2 : 1;
      for (const ClaimEdge& edge : hypothesis_.edges) {
        if ((edge.from == h || edge.to == h) && edge.group == hypothesis_group_ && is_covered(edge))
          value += 4;
      }
      if (value > best) {
        best = value;
        chosen_ = p;
      }
    }
    if (best > 0) result_.partner[h] = chosen_;
  }

  bool is_covered(const ClaimEdge& edge) const {
    const std::uint32_t from = result_.partner[edge.from], to = result_.partner[edge.to];
    if (from == Coverage::kNone || to == Coverage::kNone) return false;
    if (from == to) return true;
    return std::ranges::any_of(premise_.edges, [&](const ClaimEdge& other) {
      if (other.to != to || !is_same_role(other, edge)) return false;
      return other.from == from || (edge.role == Role::place && are_linked(other.from, from));
    });
  }

  /// Parsers hang a phrase on a verb or on what it acts on; both mean the same place.
  bool are_linked(std::uint32_t a, std::uint32_t b) const {
    return std::ranges::any_of(premise_.edges, [&](const ClaimEdge& edge) {
      return (edge.from == a && edge.to == b) || (edge.from == b && edge.to == a);
    });
  }

  static bool is_same_role(const ClaimEdge& premise, const ClaimEdge& hypothesis) {
    if (premise.role == Role::place && hypothesis.role == Role::place)
      return is_same_place(premise.preposition, hypothesis.preposition);
    if (premise.role == hypothesis.role) return true;
    const auto belongs = [](const ClaimEdge& edge) {  // "a bridge of rope", "a rope bridge"
      return edge.role == Role::modifier || edge.role == Role::owner ||
             (edge.role == Role::place && (edge.preposition == "of" || edge.preposition == "for"));
    };
    return belongs(premise) && belongs(hypothesis);
  }

  Coverage count() {
    for (std::uint32_t h = 0; h < hypothesis_.nodes.size(); ++h) {
      if (!is_wanted_[h]) continue;
      ++result_.nodes;
      if (result_.partner[h] == Coverage::kNone) result_.missing_nodes.push_back(h);
    }
    for (std::uint32_t e = 0; e < hypothesis_.edges.size(); ++e) {
      const ClaimEdge& edge = hypothesis_.edges[e];
      if (edge.group != hypothesis_group_) continue;
      ++result_.edges;
      if (result_.partner[edge.from] == Coverage::kNone || result_.partner[edge.to] == Coverage::kNone)
        continue;
      if (!is_covered(edge)) result_.missing_edges.push_back(e);
    }
    return std::move(result_);
  }

  const Claims& premise_;
  std::uint32_t premise_group_;
  const Claims& hypothesis_;
  std::uint32_t hypothesis_group_;
  const Knowledge& knowledge_;
  std::vector<std::vector<std::uint32_t>> candidates_;
  std::vector<bool> is_wanted_;
  std::uint32_t chosen_ = 0;
  Coverage result_;
};

}  // namespace

Coverage cover(const Claims& premise, std::uint32_t premise_group, const Claims& hypothesis,
               std::uint32_t hypothesis_group, const Knowledge& knowledge) {
  return Aligner(premise, premise_group, hypothesis, hypothesis_group, knowledge).align();
}

}  // namespace capella::method::mln
