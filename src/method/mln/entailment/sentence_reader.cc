#include "method/mln/entailment/sentence_reader.h"

#include <algorithm>
#include <iterator>

#include "method/mln/entailment/repair_tree.h"
#include "scene/letter_case.h"

namespace capella::method::mln {
namespace {

/// "a group of people" is people.
constexpr std::string_view kQuantities[] = {
    "group", "bunch",   "couple", "pair",  "lot",  "number", "crowd",   "set",   "collection", "variety",
    "dozen", "handful", "herd",   "flock", "pack", "team",   "piece",   "kind",  "type",       "row",
    "pile",  "series",  "array",  "range", "sort", "bit",    "cluster", "party",
};

/// Words that say nothing that a picture shows.
constexpr std::string_view kEmptyWords[] = {
    "one",  "something", "several", "few",   "many",  "very", "really",  "also", "too",   "just",
    "then", "there",     "here",    "so",    "as",    "both", "such",    "some", "other", "quite",
    "now",  "even",      "well",    "still", "while", "when", "various", "own",  "able",
};

template <std::size_t N>
bool is_one_of(std::string_view word, const std::string_view (&list)[N]) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

}  // namespace

SentenceReader::SentenceReader(const syntax::Tree& tree, const Knowledge& knowledge, Claims& claims)
    : tree_(tree),
      knowledge_(knowledge),
      claims_(claims),
      first_edge_(claims.edges.size()),
      is_consumed_(tree.tokens.size(), false),
      node_(tree.tokens.size(), kNoNode) {
  for (Place at = 0; at < tree.tokens.size(); ++at) stands_for_.push_back(at);
}

void SentenceReader::read() {
  find_quantities();
  make_nodes();
  for (Place at = 0; at < tree_.tokens.size(); ++at) add_edges(at);
  share_with_conjuncts();
  find_denials();
}

SentenceReader::Place SentenceReader::head(Place at) const {
  const int found = token(at).head;
  if (found < 1 || static_cast<std::size_t>(found) > tree_.tokens.size()) return kNone;
  return static_cast<Place>(found - 1);
}

bool SentenceReader::has_relation(Place at, std::string_view name) const {
  return token(at).relation == name;
}

SentenceReader::Place SentenceReader::child(Place at, std::string_view relation) const {
  for (Place i = 0; i < tree_.tokens.size(); ++i) {
    if (head(i) == at && has_relation(i, relation)) return i;
  }
  return kNone;
}

bool SentenceReader::is_below(Place at, Place ancestor) const {
  for (std::size_t steps = 0; at != kNone && steps <= tree_.tokens.size(); ++steps, at = head(at)) {
    if (at == ancestor) return true;
  }
  return false;
}

void SentenceReader::find_quantities() {
  for (Place at = 0; at < tree_.tokens.size(); ++at) {
    const Place noun = head(at);
    if (noun == kNone || !has_relation(at, "nmod") || !is_one_of(token(noun).lemma, kQuantities)) continue;
    if (case_words(at) != "of" || stands_for_[noun] != noun || at < noun) continue;
    stands_for_[noun] = at;
    is_consumed_[noun] = true;
  }
}

bool SentenceReader::is_content(Place at) const {
  const syntax::Token& word = token(at);
  if (word.head == syntax::kNoHead || is_consumed_[at] || is_one_of(word.lemma, kEmptyWords)) return false;
  if (is_noun(at) || word.tag == "CD") return true;
  if (word.lemma == "be" || word.lemma == "not" || word.lemma == "no" || word.lemma == "never") return false;
  if (is_verb(at))
    return !has_relation(at, "aux") && !has_relation(at, "auxpass") && !has_relation(at, "cop");
  if (word.tag.starts_with("RB"))
    return !has_relation(at, "neg") && !has_relation(at, "case") && !has_relation(at, "mwe");
  return is_adjective(at) && !has_relation(at, "case") && !has_relation(at, "mwe");
}

PartOfSpeech SentenceReader::part(Place at) const {
  if (is_noun(at)) return PartOfSpeech::noun;
  if (is_verb(at) && !has_relation(at, "amod")) return PartOfSpeech::verb;
  if (is_adjective(at) || is_verb(at)) return PartOfSpeech::adjective;
  return PartOfSpeech::other;
}

ClaimNode SentenceReader::make_node(Place at) const {
  const syntax::Token& word = token(at);
  ClaimNode node;
  std::string lemma = scene::trimmed_and_lowered(word.lemma.empty() ? word.word : word.lemma);
  if (lemma == "nobody" || lemma == "none" || lemma == "one") lemma = is_noun(at) ? "person" : lemma;
  if (lemma == "seat" && is_verb(at)) lemma = "sit";
  node.meaning = knowledge_.meaning(lemma, part(at));
  if (is_noun(at) && at > 0 && head(at - 1) == at && has_relation(at - 1, "compound")) {  // "hot dog"
    Meaning name =
        knowledge_.meaning(scene::trimmed_and_lowered(token(at - 1).lemma) + " " + lemma, part(at));
    if (!name.senses.empty()) node.meaning = std::move(name);
  }
  if (is_verb(at)) {
    if (const Place particle = child(at, "compound:prt"); particle != kNone)
      node.particle = scene::trimmed_and_lowered(token(particle).word);
  }
  node.is_plural = word.tag.ends_with("S") && is_noun(at);
  node.is_number = word.tag == "CD";
  node.is_thing = is_noun(at) && !has_relation(at, "compound");
  return node;
}

void SentenceReader::make_nodes() {
  for (Place at = 0; at < tree_.tokens.size(); ++at) {
    if (!is_content(at)) continue;
    node_[at] = static_cast<std::uint32_t>(claims_.nodes.size());
    claims_.nodes.push_back(make_node(at));
  }
}

void add_sentence(const syntax::Tree& tree, const Knowledge& knowledge, Claims& claims) {
  const syntax::Tree known = repaired(tree);
  SentenceReader(known, knowledge, claims).read();
}

}  // namespace capella::method::mln
