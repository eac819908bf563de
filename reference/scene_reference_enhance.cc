// Quantifiers and pronouns for SPICE's slow twin.
#include <algorithm>
#include <deque>
#include <regex>
#include <set>

#include "reference/scene_reference_graph.h"

namespace capella::reference {
namespace {

struct Kind {
  std::regex word;
  bool needs_article;
  bool needs_known;  ///< a pronoun, or a noun with a determiner
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> kKinds = {
      {std::regex(
           "lot|assortment|number|couple|bunch|handful|litany|sheaf|slew|dozen|series|variety|multitude|wad|"
           "clutch|wave|mountain|array|spate|string|ton|range|plethora|heap|sort|form|kind|type|version|bit|"
           "pair|triple|total"),
       true, false},
      {std::regex(
           "lots|many|several|plenty|tons|dozens|multitudes|mountains|loads|pairs|tens|hundreds|thousands|"
           "millions|billions|trillions|[0-9]+s"),
       false, false},
      {std::regex(
           "some|all|both|neither|everyone|nobody|one|two|three|four|five|six|seven|eight|nine|ten|hundred|"
           "thousand|million|billion|trillion|[0-9]+"),
       false, true},
  };
  return kKinds;
}

struct Found {
  SlowWord word, of, noun;
  std::optional<SlowWord> article;
};

bool has_tag(const SlowGraph& graph, SlowWord word, const char* beginning) {
  return graph.token(word).tag.starts_with(beginning);
}

bool is_wanted_noun(const SlowGraph& graph, const Kind& kind, bool is_pronoun, SlowWord noun, SlowWord of) {
  if (!kind.needs_known) return has_tag(graph, noun, "NN") || has_tag(graph, noun, "PRP");
  if (is_pronoun) return has_tag(graph, noun, "PRP");
  for (const SlowWord det : graph.children(noun, "det")) {
    if (det.index == of.index + 1 && has_tag(graph, noun, "NN")) return true;
  }
  return false;
}

std::optional<Found> find(const SlowGraph& graph, const Kind& kind, SlowWord word) {
  if (!std::regex_match(lower_slowly(graph.token(word).word), kind.word)) return std::nullopt;
  std::optional<SlowWord> article;
  for (const SlowWord det : graph.children(word, "det")) {
    const std::string text = lower_slowly(graph.token(det).word);
    if (!article && (text == "a" || text == "an")) article = det;
  }
  if (kind.needs_article && !article) return std::nullopt;
  if (!kind.needs_article) article.reset();
  for (const bool is_pronoun : {false, true}) {
    for (const SlowEdge& edge : graph.edges_from(word)) {
      if (!edge.relation.starts_with("nmod")) continue;
      for (const SlowWord of : graph.children(edge.dependent, "case")) {
        if (lower_slowly(graph.token(of).word) != "of" || of.index != word.index + 1) continue;
        if (is_wanted_noun(graph, kind, is_pronoun, edge.dependent, of))
          return Found{word, of, edge.dependent, article};
      }
    }
  }
  return std::nullopt;
}

bool join(SlowGraph& graph, const Found& found) {
  const auto between = graph.relation(found.word, found.noun);
  if (graph.is_root(found.word)) {
    graph.move_root(found.word, found.noun);
  } else {
    const auto parent = graph.parent(found.word);
    if (!parent) return false;
    const std::string relation = *graph.relation(*parent, found.word);
    graph.remove(*parent, found.word, relation);
    graph.add(*parent, found.noun, relation);
  }
  if (between) graph.remove(found.word, found.noun, *between);
  std::set<SlowWord> words = {found.word, found.of};
  if (found.article) words.insert(*found.article);
  for (const SlowEdge& edge : graph.edges_from(found.word)) {
    if ((!found.article || edge.relation == "amod") && edge.dependent.index < found.word.index)
      words.insert(edge.dependent);
  }
  if (graph.roots().empty()) return true;
  const SlowWord first = *words.begin();
  for (const SlowWord word : words) {
    for (const SlowEdge& edge : graph.edges_to(word)) graph.remove(edge.governor, word, edge.relation);
    word == first ? graph.add(found.noun, word, "det:qmod") : graph.add(first, word, "mwe");
  }
  return true;
}

void join_quantifiers(SlowGraph& graph) {
  for (const Kind& kind : kinds()) {
    std::vector<Found> all;
    for (const SlowWord word : graph.walk()) {
      if (const auto found = find(graph, kind, word)) all.push_back(*found);
    }
    for (const Found& found : all) {
      if (!join(graph, found)) return;
    }
  }
}

std::optional<SlowWord> first_noun(const SlowGraph& graph, bool must_be_singular) {
  std::deque<SlowWord> queue = {graph.roots().front()};
  std::set<SlowWord> seen;
  while (!queue.empty()) {
    const SlowWord word = queue.front();
    queue.pop_front();
    if (!seen.insert(word).second) continue;
    if (graph.is_noun(word) && !(must_be_singular && graph.is_plural(word))) return word;
    std::set<SlowWord> children;
    for (const SlowEdge& edge : graph.edges_from(word)) children.insert(edge.dependent);
    queue.insert(queue.end(), children.begin(), children.end());
  }
  return std::nullopt;
}

void hand_over(SlowGraph& graph, SlowWord pronoun, SlowWord noun) {
  for (const SlowEdge& edge : graph.edges_to(pronoun)) {
    graph.remove(edge.governor, pronoun, edge.relation);
    graph.add(edge.governor, noun, edge.relation);
  }
  auto children = graph.edges_from(pronoun);
  std::stable_sort(children.begin(), children.end(), [](const SlowEdge& a, const SlowEdge& b) {
    return a.dependent != b.dependent ? a.dependent < b.dependent : a.relation < b.relation;
  });
  for (const SlowEdge& edge : children) {
    graph.remove(pronoun, edge.dependent, edge.relation);
    graph.add(noun, edge.dependent, edge.relation);
  }
}

void resolve_pronouns(SlowGraph& graph) {
  static const std::set<std::string> kSingular = {
      "i",   "me",  "myself",  "mine", "my", "yourself", "he",  "him", "himself", "his",
      "she", "her", "herself", "hers", "it", "itself",   "its", "one", "oneself", "one's"};
  JavaMap<int, int> nouns(1);
  std::vector<SlowWord> words = graph.words();
  std::sort(words.begin(), words.end());
  for (const SlowWord word : words) {
    if (word.index == 1 || !has_tag(graph, word, "PRP") || !graph.parent(*graph.at(word.index))) continue;
    const auto noun = first_noun(graph, kSingular.contains(graph.token(word).word));
    if (noun && noun->index < word.index)
      nouns.put(static_cast<std::uint32_t>(word.index), word.index) = noun->index;
  }
  for (const int pronoun : nouns.keys())
    hand_over(graph, *graph.at(pronoun), *graph.at(*nouns.find(pronoun)));
}

}  // namespace

void enhance_slowly(SlowGraph& graph) {
  join_quantifiers(graph);
  if (!graph.roots().empty()) resolve_pronouns(graph);
}

}  // namespace capella::reference
