// The relations that the graph of a caption holds.
#include "method/mln/entailment/claims.h"

#include <algorithm>
#include <utility>

#include "method/mln/entailment/predicates.h"

namespace capella::method::mln {
namespace {

class RelationFinder {
 public:
  RelationFinder(Claims& claims, const Knowledge& knowledge) : claims_(claims), knowledge_(knowledge) {}

  void find() {
    for (const ClaimEdge& edge : claims_.edges) {
      if (edge.role == Role::subject) {
        add_doings(edge);
      } else if (edge.role == Role::owner) {
        add(edge.to, "have", edge.from, edge.group);
      } else if (edge.role == Role::place && node(edge.from).is_thing) {
        add_place(edge.from, edge);
      } else if (edge.role == Role::object) {
        add_places_of_passive(edge);
      }
    }
  }

 private:
  const ClaimNode& node(std::uint32_t at) const { return claims_.nodes[at]; }

  std::string verb_words(std::uint32_t verb) const {
    const ClaimNode& doing = node(verb);
    return doing.particle.empty() ? doing.meaning.word : doing.meaning.word + " " + doing.particle;
  }

  /// Who is meant by the subject that the grammar gives: clothes and parks do nothing, who is in them does.
  /// And "a cart next to a girl wearing a shirt": it is the girl who wears it.
  std::uint32_t actor(std::uint32_t verb, std::uint32_t subject) const {
    if (knowledge_.is_alive(node(subject).meaning)) return subject;
    for (const ClaimEdge& edge : claims_.edges) {
      const bool is_worn = knowledge_.is_worn(node(subject).meaning);
      const bool is_around = edge.preposition == "in" || edge.preposition == "at" || edge.preposition == "on";
      const bool is_held = edge.to == subject && (edge.role == Role::place || edge.role == Role::object);
      if (is_held && (is_worn || is_around)) {
        const std::uint32_t wearer = edge.role == Role::object ? subject_of(edge.from) : edge.from;
        if (wearer != kNone && knowledge_.is_alive(node(wearer).meaning)) return wearer;
      }
      if (edge.from == verb && edge.role == Role::place && edge.to < verb && edge.to > subject &&
          knowledge_.is_alive(node(edge.to).meaning))
        return edge.to;
    }
    return subject;
  }

  std::uint32_t subject_of(std::uint32_t verb) const {
    for (const ClaimEdge& edge : claims_.edges) {
      if (edge.from == verb && edge.role == Role::subject) return edge.to;
    }
    return kNone;
  }

  /// What one who does something does it to, and where.
  void add_doings(const ClaimEdge& subject) {
    if (node(subject.from).meaning.part != PartOfSpeech::verb) return;
    const std::uint32_t who = actor(subject.from, subject.to);
    bool is_first = true;
    for (const ClaimEdge& edge : claims_.edges) {
      if (edge.from != subject.from || edge.to == subject.to) continue;
      if (edge.to == who && edge.role == Role::place) {
        add(subject.to, edge.preposition, who, edge.group);
      } else if (edge.role == Role::object) {
        add(who, verb_words(edge.from), edge.to, edge.group);
        is_first = false;
      } else if (edge.role == Role::place && node(edge.to).is_thing) {
        add_doing_place(who, edge, is_first);
        is_first = false;
      }
    }
  }

  /// "sits on a chair" is one predicate; "holds a cup left of a dog" are two.
  void add_doing_place(std::uint32_t who, const ClaimEdge& edge, bool is_first) {
    const bool is_own = !is_first && is_pure_place(edge.preposition);
    if (is_own || is_clothing(who, edge)) {
      add_place(who, edge);
    } else {
      add(who, verb_words(edge.from) + " " + edge.preposition, edge.to, edge.group);
    }
  }

  /// "A cup placed on a table": what something is done to is there.
  void add_places_of_passive(const ClaimEdge& object) {
    const bool has_subject = std::ranges::any_of(claims_.edges, [&](const ClaimEdge& edge) {
      return edge.from == object.from && edge.role == Role::subject;
    });
    if (has_subject) return;
    for (const ClaimEdge& edge : claims_.edges) {
      if (edge.from != object.from || edge.role != Role::place || edge.to == object.to) continue;
      add(object.to,
          is_pure_place(edge.preposition) ? edge.preposition : verb_words(edge.from) + " " + edge.preposition,
          edge.to, edge.group);
    }
  }

  /// Whether "in" or "with" mean that somebody wears it.
  bool is_clothing(std::uint32_t who, const ClaimEdge& edge) const {
    if (edge.preposition != "in" && edge.preposition != "with") return false;
    return knowledge_.is_worn(node(edge.to).meaning) && knowledge_.is_alive(node(who).meaning);
  }

  /// "A man in a boat left of a tree": both are left of it, and the man is who the caption is about.
  void add_place(std::uint32_t who, const ClaimEdge& edge) {
    if (is_clothing(who, edge)) return add(who, "wear", edge.to, edge.group);
    const std::uint32_t above = holder(who, edge.to);
    const bool is_pure = is_pure_place(edge.preposition) || knowledge_.is_worn(node(who).meaning);
    if (above != kNone) add(above, edge.preposition, edge.to, edge.group, !is_pure);
    add(who, edge.preposition, edge.to, edge.group, above != kNone && is_pure);
  }

  /// Who has to do with a thing that something is said of: who does something to it or is there; kNone if
  /// nobody.
  std::uint32_t holder(std::uint32_t thing, std::uint32_t other) const {
    std::uint32_t found = thing;
    for (int steps = 0; steps < 3; ++steps) {
      const std::uint32_t next = direct_holder(found);
      if (next == kNone || next == other) break;
      found = next;
    }
    return found == thing ? kNone : found;
  }
  std::uint32_t direct_holder(std::uint32_t thing) const {
    for (const ClaimEdge& edge : claims_.edges) {
      if (edge.to != thing || (edge.role != Role::object && edge.role != Role::place)) continue;
      if (edge.preposition == "of") continue;
      const std::uint32_t who = node(edge.from).is_thing ? edge.from : subject_of(edge.from);
      if (who != kNone && who != thing) return who < thing ? who : kNone;
    }
    return kNone;
  }

  void add(std::uint32_t subject, std::string predicate, std::uint32_t object, std::uint32_t group,
           bool is_guess = false) {
    if (!node(subject).is_thing || !node(object).is_thing || subject == object) return;
    for (ClaimRelation& other : claims_.relations) {
      if (other.subject != subject || other.object != object || other.predicate.words != predicate) continue;
      other.is_guess = other.is_guess && is_guess;
      return;
    }
    claims_.relations.push_back(
        {subject, object, read_predicate(predicate, knowledge_), group != 0, is_guess});
  }

  static constexpr std::uint32_t kNone = UINT32_MAX;
  Claims& claims_;
  const Knowledge& knowledge_;
};

}  // namespace

void find_relations(const Knowledge& knowledge, Claims& claims) {
  RelationFinder(claims, knowledge).find();
}

}  // namespace capella::method::mln
