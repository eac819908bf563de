// Who does what to whom, and where: the edges between a sentence's words.
#include <algorithm>
#include <iterator>
#include <utility>

#include "method/mln/entailment/sentence_reader.h"
#include "scene/letter_case.h"

namespace capella::method::mln {
namespace {

/// The words that a caption may use for one place; the first is kept.
constexpr std::pair<std::string_view, std::string_view> kSamePlaces[] = {
    {"on top of", "on"},     {"atop", "on"},        {"upon", "on"},         {"onto", "on"},
    {"inside", "in"},        {"inside of", "in"},   {"within", "in"},       {"beneath", "under"},
    {"underneath", "under"}, {"beside", "next to"}, {"besides", "next to"}, {"close to", "near"},
    {"near to", "near"},
};

}  // namespace

/// The prepositions of a phrase in their order, with what belongs to them.
std::string SentenceReader::case_words(Place at) const {
  std::string words;
  for (Place i = 0; i < tree_.tokens.size(); ++i) {
    const Place above = head(i);
    const bool is_case = above == at && has_relation(i, "case");
    const bool is_rest =
        above != kNone && has_relation(i, "mwe") && head(above) == at && has_relation(above, "case");
    if (!is_case && !is_rest) continue;
    if (!words.empty()) words += ' ';
    words += scene::trimmed_and_lowered(token(i).word);
  }
  return words;
}

/// Who is meant when a phrase depends on this word: a form of "be", and what it is said to be, stand for
/// their subject.
SentenceReader::Place SentenceReader::bearer(Place at, int depth) const {
  if (at == kNone || depth == 0) return kNone;
  const bool is_be = token(at).lemma == "be";
  if (!is_be && !is_consumed_[at]) return stands_for_[at];
  if (stands_for_[at] != at) return stands_for_[at];
  const Place subject = child(at, "nsubj");
  if (subject != kNone && is_relative_pronoun(subject)) return bearer(head(at), depth - 1);
  return subject == kNone ? kNone : stands_for_[subject];
}

/// What a noun's phrase depends on, and by which preposition.
SentenceReader::Phrase SentenceReader::phrase(Place at) const {
  Phrase found{bearer(head(at)), case_words(at)};
  for (const auto& [other, plain] : kSamePlaces) {
    if (found.preposition == other) found.preposition = plain;
  }
  return found;
}

bool SentenceReader::is_passive(Place verb) const {
  if (child(verb, "auxpass") != kNone || child(verb, "nsubjpass") != kNone) return true;
  const bool is_participle = token(verb).tag == "VBN" || token(verb).tag == "VBD";
  if (!is_participle || child(verb, "dobj") != kNone) return false;
  return has_relation(verb, "acl") || has_agent(verb);
}

/// "A ball chased by a dog", whatever the parser makes of it.
bool SentenceReader::has_agent(Place verb) const {
  for (Place i = verb + 1; i < tree_.tokens.size(); ++i) {
    if (head(i) != verb || !has_relation(i, "nmod") || node_[i] == kNoNode || case_words(i) != "by") continue;
    if (knowledge_.is_alive(claims_.nodes[node_[i]].meaning)) return true;
  }
  return false;
}

bool SentenceReader::is_relative_pronoun(Place at) const {
  return token(at).tag.starts_with("W") || (token(at).lemma == "that" && !is_noun(at));
}

/// The grammatical subjects, from the verb itself or from what it depends on.
std::vector<SentenceReader::Place> SentenceReader::surface_subjects(Place verb, int depth) const {
  std::vector<Place> found;
  const Place above = head(verb);
  for (Place i = 0; i < tree_.tokens.size(); ++i) {
    if (head(i) != verb || !(has_relation(i, "nsubj") || has_relation(i, "nsubjpass"))) continue;
    if (!is_relative_pronoun(i)) {
      found.push_back(stands_for_[i]);
    } else if (above != kNone) {
      found.push_back(stands_for_[above]);
    }
  }
  if (!found.empty() || above == kNone || depth == 0) return found;
  if (has_relation(verb, "acl") || has_relation(verb, "acl:relcl")) return {bearer(above)};
  const bool shares = has_relation(verb, "conj") || has_relation(verb, "xcomp") ||
                      has_relation(verb, "advcl") || has_relation(verb, "dep") || has_relation(verb, "ccomp");
  if (!shares) return found;
  if (is_noun(above) && token(above).lemma != "be" && child(above, "cop") == kNone)
    return {stands_for_[above]};
  return surface_subjects(above, depth - 1);
}

void SentenceReader::add_edge(Place from, Place to, Role role, std::string preposition) {
  if (from == kNone || to == kNone || from == to || node_[from] == kNoNode || node_[to] == kNoNode) return;
  ClaimEdge edge{node_[from], node_[to], role, std::move(preposition), 0};
  for (std::size_t i = first_edge_; i < claims_.edges.size(); ++i) {
    const ClaimEdge& other = claims_.edges[i];
    if (other.from == edge.from && other.to == edge.to && other.role == role &&
        other.preposition == edge.preposition)
      return;
  }
  claims_.edges.push_back(std::move(edge));
}

void SentenceReader::add_edges(Place at) {
  const Place above = head(at);
  const std::string& relation = token(at).relation;
  if (is_verb(at) && node_[at] != kNoNode && !has_relation(at, "amod")) add_subjects(at);
  if (child(at, "cop") != kNone) add_predicate(at);
  if (above == kNone) return;
  if (relation == "dobj" || relation == "iobj") {
    add_objects(at);
  } else if (relation == "nmod") {
    add_phrase(at);
  } else if (relation == "nmod:poss") {
    add_edge(stands_for_[above], stands_for_[at], Role::owner);
  } else if (relation == "amod" || relation == "nummod" || relation == "compound" || relation == "advmod" ||
             relation == "nmod:npmod" || relation == "nmod:tmod") {
    add_edge(bearer(above), at, Role::modifier);
  } else if (relation == "advcl" || relation == "xcomp") {
    if (is_verb(at)) add_edge(bearer(above), at, Role::circumstance);
  }
}

void SentenceReader::add_subjects(Place verb) {
  const Role role = is_passive(verb) && token(verb).lemma != "seat" ? Role::object : Role::subject;
  for (const Place subject : surface_subjects(verb, 4)) add_edge(verb, subject, role);
}

/// "The man is tall", "the man is on a bus", "the man is a cook".
void SentenceReader::add_predicate(Place at) {
  for (const Place subject : surface_subjects(at, 4)) {
    const std::string words = case_words(at);
    if (!words.empty()) {
      add_edge(subject, stands_for_[at], Role::place, phrase(at).preposition);
    } else if (is_noun(at)) {
      add_edge(subject, stands_for_[at], Role::identity);
    } else {
      add_edge(subject, at, Role::modifier);
    }
  }
}

/// Whether a particle says where one goes, so that it is a preposition: "run down a hill", not "put down a
/// cup".
bool SentenceReader::is_way(Place verb, Place particle) const {
  static constexpr std::string_view kGoing[] = {"run",   "walk",  "go",   "come", "jump", "climb",
                                                "ride",  "drive", "fall", "race", "ski",  "roll",
                                                "slide", "skate", "dive", "leap", "fly",  "step"};
  static constexpr std::string_view kWays[] = {"up",      "down",   "off",    "over",
                                               "through", "across", "around", "along"};
  return std::ranges::find(kGoing, token(verb).lemma) != std::end(kGoing) &&
         std::ranges::find(kWays, token(particle).lemma) != std::end(kWays);
}

void SentenceReader::add_objects(Place at) {
  Place verb = head(at);
  if (is_relative_pronoun(at)) {
    if (has_relation(verb, "acl:relcl") && head(verb) != kNone)
      add_edge(verb, stands_for_[head(verb)], Role::object);
    return;
  }
  if (const Place particle = child(verb, "compound:prt");
      particle != kNone && particle < at && is_way(verb, particle)) {
    add_edge(verb, stands_for_[at], Role::place, token(particle).lemma);  // "running down a hill"
    if (node_[verb] != kNoNode) claims_.nodes[node_[verb]].particle.clear();
    return;
  }
  add_edge(verb, stands_for_[at], Role::object);
  // "singing and playing a guitar"
  for (Place other = verb + 1; other < at; ++other) {
    if (head(other) == verb && has_relation(other, "conj") && is_verb(other))
      add_edge(other, stands_for_[at], Role::object);
  }
}

void SentenceReader::add_phrase(Place at) {
  if (is_consumed_[at] && stands_for_[at] == at) return;
  const Place above = head(at);
  if (stands_for_[above] == at) return;  // "group of people"
  const Phrase found = phrase(at);
  if (found.preposition.empty()) return;
  if (found.preposition == "by" && found.governor == above && is_verb(above) && is_passive(above)) {
    add_edge(above, stands_for_[at], Role::subject);
  } else {
    add_edge(found.governor, stands_for_[at], Role::place, found.preposition);
  }
}

/// "A man and a woman are sitting": what is said of the first is said of the others.
void SentenceReader::share_with_conjuncts() {
  for (Place at = 0; at < tree_.tokens.size(); ++at) {
    const Place first = head(at);
    if (first == kNone || !has_relation(at, "conj")) continue;
    const Place from = stands_for_[first], to = stands_for_[at];
    if (node_[from] == kNoNode || node_[to] == kNoNode || is_verb(at) != is_verb(first)) continue;
    const bool has_own_case = !case_words(at).empty();
    const std::size_t edges = claims_.edges.size();
    for (std::size_t i = first_edge_; i < edges; ++i) {
      const ClaimEdge edge = claims_.edges[i];
      if (edge.to != node_[from] || is_verb(at)) continue;
      if (edge.role == Role::place && has_own_case) continue;
      ClaimEdge copy = edge;
      copy.to = node_[to];
      if (copy.from != copy.to) claims_.edges.push_back(std::move(copy));
    }
    if (has_own_case && is_noun(first)) {  // "on a chair and under a table"
      for (std::size_t i = first_edge_; i < edges; ++i) {
        const ClaimEdge edge = claims_.edges[i];
        if (edge.to != node_[from] || edge.role != Role::place) continue;
        claims_.edges.push_back({edge.from, node_[to], Role::place, phrase(at).preposition, 0});
      }
    }
  }
}

}  // namespace capella::method::mln
