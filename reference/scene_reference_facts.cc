// SPICE's rules for the slow twin: one loop over all edges or pairs of edges per rule.
#include <algorithm>
#include <functional>
#include <set>

#include "reference/scene_reference.h"
#include "reference/scene_reference_graph.h"

namespace capella::reference {
namespace {

bool is_complement(const std::string& relation) {
  return relation == "dobj" || relation == "iobj" || relation.starts_with("nmod:");
}

bool is_object(const std::string& relation) {
  return relation.size() == 4 && relation.ends_with("obj");
}

/// The preposition in the relation's name, or "" if it has none that is spoken.
std::string preposition(const std::string& relation) {
  if (!relation.starts_with("nmod:") || relation == "nmod:poss" || relation == "nmod:agent") return "";
  std::string words = relation.substr(5);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

class SlowRules {
 public:
  explicit SlowRules(const SlowGraph& graph) : graph_(graph) {}

  std::vector<SceneFact> apply() {
    complements();
    predicates(false);
    predicates(true);
    attributes();
    phrases();
    agents();
    numbers();
    compounds_and_objects();
    return facts_;
  }

 private:
  std::string lemma(SlowWord word) const {
    return graph_.token(word).lemma.empty() ? graph_.token(word).word : graph_.token(word).lemma;
  }
  std::string name(SlowWord word) const {
    std::string text = lower_slowly(lemma(word));
    while (!text.empty() && text.back() <= ' ') text.pop_back();
    while (!text.empty() && text.front() <= ' ') text.erase(0, 1);
    return text;
  }
  bool has_tag(SlowWord word, const char* beginning) const {
    return graph_.token(word).tag.starts_with(beginning);
  }
  std::string predicate(SlowWord verb) const {
    const auto particles = graph_.children(verb, "compound:prt");
    if (particles.empty()) return lemma(verb);
    return (lemma(verb) == "be" ? "" : lemma(verb)) + " " + graph_.token(particles[0]).word;
  }
  void attribute(SlowWord word, SlowWord attribute) { facts_.push_back({name(word), name(attribute)}); }
  void relation(SlowWord subject, const std::string& words, SlowWord object) {
    facts_.push_back({name(subject), words, name(object)});
  }

  void complements() {
    const auto add = [this](SlowWord subject, SlowWord verb) {
      for (const SlowEdge& edge : graph_.edges_from(verb)) {
        if (!is_complement(edge.relation) || !graph_.is_noun(edge.dependent)) continue;
        const bool is_spoken = edge.relation.starts_with("nmod:") && edge.relation != "nmod:poss" &&
                               edge.relation != "nmod:agent";
        relation(subject, predicate(verb) + (is_spoken ? " " + preposition(edge.relation) : ""),
                 edge.dependent);
      }
    };
    for (const SlowWord verb : graph_.walk())
      for (const SlowWord subject : graph_.children(verb, "nsubj"))
        if (graph_.is_noun(subject) && graph_.children(verb, "cop").empty()) add(subject, verb);
    for (const SlowWord subject : graph_.walk())
      for (const SlowWord verb : graph_.children(subject, "acl"))
        if (has_tag(verb, "V")) add(subject, verb);
  }

  void predicates(bool with_copula) {
    for (const SlowWord head : graph_.walk()) {
      const auto copulas = graph_.children(head, "cop");
      bool has_complement = false;
      for (const SlowEdge& edge : graph_.edges_from(head))
        has_complement = has_complement || (is_complement(edge.relation) && graph_.is_noun(edge.dependent));
      if (copulas.empty() == with_copula || (!with_copula && has_complement)) continue;
      for (const SlowWord subject : graph_.children(head, "nsubj"))
        for (std::size_t i = 0; i < (with_copula ? copulas.size() : 1); ++i)
          if (graph_.is_noun(subject)) add_predicate(subject, head);
    }
  }

  void add_predicate(SlowWord subject, SlowWord head) {
    const auto markers = graph_.children(head, "case");
    if (markers.empty()) {
      if (lemma(head) != "be") attribute(subject, head);
      return;
    }
    std::string words = graph_.token(markers[0]).word;
    JavaMap<SlowWord, int> others;
    for (const SlowWord other : graph_.children(markers[0], "mwe"))
      others.put(static_cast<std::uint32_t>(sentence_hash(other)), other);
    for (const SlowWord other : others.keys()) words += " " + graph_.token(other).word;
    relation(subject, words, head);
  }

  int sentence_hash(SlowWord word) const { return 29 * sentence_ + word.index; }

  void attributes() {
    for (const SlowWord word : graph_.walk())
      for (const SlowWord adjective : graph_.children(word, "amod")) attribute(word, adjective);
    for (const SlowWord adjective : graph_.walk())
      for (const SlowWord subject : graph_.children(adjective, "nsubj"))
        if (has_tag(adjective, "J")) attribute(subject, adjective);
  }

  void phrases() {
    for (const SlowWord noun : graph_.walk())
      for (const SlowEdge& edge : graph_.edges_from(noun))
        if (graph_.is_noun(noun) && edge.relation.starts_with("nmod:") && edge.relation != "nmod:poss" &&
            edge.relation != "nmod:agent")
          relation(noun, preposition(edge.relation), edge.dependent);
    for (const SlowWord thing : graph_.walk())
      for (const SlowWord owner : graph_.children(thing, "nmod:poss"))
        if (graph_.is_noun(thing) && graph_.is_noun(owner)) relation(owner, "have", thing);
  }

  void agents() {
    for (const SlowWord verb : graph_.walk())
      for (const SlowWord subject : graph_.children(verb, "nmod:agent"))
        for (const SlowWord object : graph_.children(verb, "nsubjpass"))
          if (has_tag(verb, "V") && graph_.is_noun(subject) && graph_.is_noun(object))
            relation(subject, predicate(verb), object);
  }

  void number(SlowWord noun) {
    const auto numbers = graph_.children(noun, "nummod");
    const auto quantifiers = graph_.children(noun, "det:qmod");
    if (!numbers.empty()) {
      if (numbers[0].index < noun.index) attribute(noun, numbers[0]);
    } else if (!quantifiers.empty()) {
      attribute(noun, quantifiers[0]);
    }
  }

  std::vector<SlowWord> plural_subjects(SlowWord verb) const {
    std::vector<SlowWord> found = graph_.children(verb, "nsubj");
    std::erase_if(found, [this](SlowWord word) { return !graph_.is_plural(word); });
    return found;
  }
  std::vector<SlowWord> plural_objects(SlowWord verb) const {
    std::vector<SlowWord> objects, phrases;
    for (const SlowEdge& edge : graph_.edges_from(verb)) {
      if (!graph_.is_plural(edge.dependent)) continue;
      if (is_object(edge.relation)) objects.push_back(edge.dependent);
      if (edge.relation.starts_with("nmod:") && edge.relation.find("agent") == std::string::npos &&
          !graph_.children(edge.dependent, "case").empty())
        phrases.push_back(edge.dependent);
    }
    objects.insert(objects.end(), phrases.begin(), phrases.end());
    return objects;
  }

  void numbers() {
    for (const SlowWord verb : graph_.walk()) {
      const auto subjects = plural_subjects(verb), objects = plural_objects(verb);
      if (subjects.empty() || objects.empty()) continue;
      number(subjects[0]);
      number(objects[0]);
    }
    for (const SlowWord noun : graph_.walk()) {
      bool is_lone = graph_.is_root(noun);
      for (const SlowEdge& edge : graph_.edges_to(noun))
        is_lone = is_lone || (edge.relation == "nsubj" && plural_objects(edge.governor).empty());
      if (graph_.is_plural(noun) && is_lone) number(noun);
    }
    for (const SlowWord noun : graph_.walk()) {
      bool is_other = graph_.is_plural(noun) && !graph_.is_root(noun);
      for (const SlowEdge& edge : graph_.edges_to(noun)) {
        const bool is_counted = (is_object(edge.relation) || edge.relation.starts_with("nmod")) &&
                                !plural_subjects(edge.governor).empty();
        if (edge.relation == "nsubj" || is_counted) is_other = false;
      }
      if (is_other) number(noun);
    }
  }

  void compounds_and_objects() {
    std::set<SlowWord> compounds;
    for (const SlowWord noun : graph_.walk()) {
      for (const SlowWord part : graph_.children(noun, "compound")) {
        if (!graph_.is_noun(noun) || !graph_.is_noun(part)) continue;
        compounds.insert(noun);
        compounds.insert(part);
        attribute(noun, part);
      }
    }
    for (const SlowWord noun : graph_.walk())
      if (graph_.is_noun(noun) && !compounds.contains(noun)) facts_.push_back({name(noun)});
  }

  const SlowGraph& graph_;
  int sentence_ = graph_.sentence();
  std::vector<SceneFact> facts_;
};

}  // namespace

std::vector<SceneFact> scene_facts(const std::vector<syntax::Tree>& sentences) {
  std::vector<SceneFact> all;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    SlowGraph graph(sentences[i], static_cast<int>(i));
    collapse_slowly(graph);
    enhance_slowly(graph);
    for (const SceneFact& fact : SlowRules(graph).apply()) all.push_back(fact);
  }
  return all;
}

}  // namespace capella::reference
