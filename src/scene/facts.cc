#include "scene/facts.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/replace_all.h"
#include "scene/collapse.h"
#include "scene/dependency_graph.h"
#include "scene/enhance.h"
#include "scene/letter_case.h"

namespace capella::scene {
namespace {

using Node = DependencyGraph::Node;
using Edge = DependencyGraph::Edge;
using Kind = Relation::Kind;

bool is_nsubj(const Relation& relation) {
  return relation.is(Kind::nsubj);
}

/// A direct or indirect object or a phrase with a preposition.
bool is_complement(const Relation& relation) {
  return relation.is(Kind::dobj) || relation.is(Kind::iobj) || relation.is_detailed(Kind::nmod);
}

/// A phrase whose preposition becomes part of the relation.
bool is_prepositional(const Relation& relation) {
  return relation.is_detailed(Kind::nmod) && relation.detail() != "poss" && relation.detail() != "agent";
}

std::string preposition(const Relation& relation) {
  return replace_all(relation.detail(), "_", " ");
}

/// SPICE's rules on one sentence. Each method is one rule; `order_` is the order of its matches.
class Rules {
 public:
  Rules(const DependencyGraph& graph, std::vector<Fact>& facts)
      : graph_(graph), order_(graph.walk()), facts_(facts), is_compound_(graph.nodes_made(), false) {}

  void apply() {
    for (const Node node : order_) subjects_with_complements(node);
    for (const Node node : order_) participles_with_complements(node);
    for (const Node node : order_) predicates(node, /*with_copula=*/false);
    for (const Node node : order_) predicates(node, /*with_copula=*/true);
    for (const Node node : order_) adjectives(node);
    for (const Node node : order_) adjective_predicates(node);
    for (const Node node : order_) phrases(node);
    for (const Node node : order_) possessions(node);
    for (const Node node : order_) agents(node);
    for (const Node node : order_) numbers_of_subject_and_object(node);
    for (const Node node : order_) number_of_subject(node);
    for (const Node node : order_) number_of_other(node);
    for (const Node node : order_) compounds(node);
    for (const Node node : order_) objects(node);
  }

 private:
  // What the rules write.
  std::string_view lemma(Node node) const {
    const syntax::Token& token = graph_.token(node);
    return token.lemma.empty() ? token.word : token.lemma;
  }
  std::string word(Node node) const { return trimmed_and_lowered(lemma(node)); }

  void add_object(Node node) { facts_.push_back({Fact::Kind::object, word(node), {}, {}}); }
  void add_attribute(Node node, Node attribute) {
    facts_.push_back({Fact::Kind::attribute, word(node), word(attribute), {}});
  }
  void add_relation(Node subject, std::string predicate, Node object) {
    facts_.push_back({Fact::Kind::relation, word(subject), std::move(predicate), word(object)});
  }

  // What the rules ask.
  bool has_tag(Node node, char first) const {
    const std::string& tag = graph_.token(node).tag;
    return !tag.empty() && tag.front() == first;
  }
  bool has_nominal_complement(Node node) const {
    return graph_.any_out(node, [&](const Edge& edge) {
      return is_complement(edge.relation) && graph_.is_noun(edge.dependent);
    });
  }

  /// The verb with its particle.
  std::string predicate(Node verb) const {
    const std::string_view base = lemma(verb);
    const Node particle = graph_.child(verb, Kind::compound_prt);
    if (particle == DependencyGraph::kNone) return std::string(base);
    std::string words(base == "be" ? "" : base);
    return words.append(1, ' ').append(graph_.token(particle).word);
  }
  std::string predicate(Node verb, const Relation& complement) const {
    std::string words = predicate(verb);
    if (is_prepositional(complement)) words.append(1, ' ').append(preposition(complement));
    return words;
  }

  // The rules.
  void subjects_with_complements(Node verb) {
    if (graph_.has_child(verb, Kind::cop)) return;
    graph_.for_each_out(verb, is_nsubj, [&](const Edge& subject) {
      if (graph_.is_noun(subject.dependent)) add_complements(subject.dependent, verb);
    });
  }

  void add_complements(Node subject, Node verb) {
    graph_.for_each_out(verb, is_complement, [&](const Edge& complement) {
      if (!graph_.is_noun(complement.dependent)) return;
      add_relation(subject, predicate(verb, complement.relation), complement.dependent);
    });
  }

  void participles_with_complements(Node noun) {
    graph_.for_each_out(
        noun, [](const Relation& relation) { return relation.is_bare(Kind::acl); },
        [&](const Edge& participle) {
          if (has_tag(participle.dependent, 'V')) add_complements(noun, participle.dependent);
        });
  }

  void predicates(Node head, bool with_copula) {
    if (graph_.has_child(head, Kind::cop) != with_copula) return;
    if (!with_copula && has_nominal_complement(head)) return;
    graph_.for_each_out(head, is_nsubj, [&](const Edge& subject) {
      if (!graph_.is_noun(subject.dependent)) return;
      const std::size_t times = with_copula ? count_children(head, Kind::cop) : 1;
      for (std::size_t i = 0; i < times; ++i) add_predicate(subject.dependent, head);
    });
  }

  void add_predicate(Node subject, Node head) {
    const Node marker = graph_.child(head, Kind::case_);
    if (marker != DependencyGraph::kNone) {
      add_relation(subject, marker_words(marker), head);
    } else if (lemma(head) != "be") {
      add_attribute(subject, head);
    }
  }

  std::size_t count_children(Node node, Kind kind) const {
    std::size_t count = 0;
    graph_.for_each_out(
        node, [&](const Relation& relation) { return relation.is(kind); }, [&](const Edge&) { ++count; });
    return count;
  }

  /// "in front of": the marker and the words that belong to it.
  std::string marker_words(Node marker) const {
    std::string words = graph_.token(marker).word;
    HashOrder others;
    for (const HashOrder::Entry& entry : graph_.out(marker)) {
      if (graph_.edge(entry.value).relation.is(Kind::mwe)) others.add({entry.hash, entry.key, entry.value});
    }
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (i > 0 && others[i].key == others[i - 1].key) continue;
      words.append(1, ' ').append(graph_.token(others[i].key).word);
    }
    return words;
  }

  void adjectives(Node noun) {
    graph_.for_each_out(
        noun, [](const Relation& relation) { return relation.is(Kind::amod); },
        [&](const Edge& edge) { add_attribute(noun, edge.dependent); });
  }

  void adjective_predicates(Node adjective) {
    if (!has_tag(adjective, 'J')) return;
    graph_.for_each_out(adjective, is_nsubj,
                        [&](const Edge& subject) { add_attribute(subject.dependent, adjective); });
  }

  void phrases(Node noun) {
    if (!graph_.is_noun(noun)) return;
    graph_.for_each_out(noun, is_prepositional, [&](const Edge& phrase) {
      add_relation(noun, preposition(phrase.relation), phrase.dependent);
    });
  }

  void possessions(Node thing) {
    if (!graph_.is_noun(thing)) return;
    graph_.for_each_out(
        thing, [](const Relation& relation) { return relation.name == "nmod:poss"; },
        [&](const Edge& owner) {
          if (graph_.is_noun(owner.dependent)) add_relation(owner.dependent, "have", thing);
        });
  }

  void agents(Node verb) {
    if (!has_tag(verb, 'V')) return;
    graph_.for_each_out(
        verb, [](const Relation& relation) { return relation.name == "nmod:agent"; },
        [&](const Edge& agent) {
          if (!graph_.is_noun(agent.dependent)) return;
          graph_.for_each_out(
              verb, [](const Relation& relation) { return relation.is(Kind::nsubjpass); },
              [&](const Edge& object) {
                if (!graph_.is_noun(object.dependent)) return;
                add_relation(agent.dependent, predicate(verb), object.dependent);
              });
        });
  }

  /// A number or quantifier, but not the one of "number 5".
  void add_number(Node noun) {
    const Node number = graph_.child(noun, Kind::nummod);
    if (number != DependencyGraph::kNone) {
      if (graph_.index(number) < graph_.index(noun)) add_attribute(noun, number);
      return;
    }
    const Node quantifier = graph_.child(noun, Kind::det_qmod);
    if (quantifier != DependencyGraph::kNone) add_attribute(noun, quantifier);
  }

  template <class IsWanted>
  Node first_plural(Node node, IsWanted is_wanted) const {
    for (const HashOrder::Entry& entry : graph_.out(node)) {
      if (graph_.is_plural(entry.key) && is_wanted(graph_.edge(entry.value))) return entry.key;
    }
    return DependencyGraph::kNone;
  }
  Node plural_subject(Node verb) const {
    return first_plural(verb, [](const Edge& edge) { return is_nsubj(edge.relation); });
  }
  Node plural_object(Node verb) const {
    const Node object = first_plural(verb, [](const Edge& edge) { return edge.relation.is_object(); });
    if (object != DependencyGraph::kNone) return object;
    return first_plural(verb, [this](const Edge& edge) {
      return edge.relation.is_detailed(Kind::nmod) &&
             edge.relation.detail().find("agent") == std::string_view::npos &&
             graph_.has_child(edge.dependent, Kind::case_);
    });
  }

  void numbers_of_subject_and_object(Node verb) {
    const Node subject = plural_subject(verb);
    const Node object = subject == DependencyGraph::kNone ? DependencyGraph::kNone : plural_object(verb);
    if (object == DependencyGraph::kNone) return;
    add_number(subject);
    add_number(object);
  }

  void number_of_subject(Node noun) {
    if (!graph_.is_plural(noun)) return;
    const bool is_lone_subject = graph_.any_in(noun, [&](const Edge& edge) {
      return is_nsubj(edge.relation) && plural_object(edge.governor) == DependencyGraph::kNone;
    });
    if (is_lone_subject || graph_.is_root(noun)) add_number(noun);
  }

  void number_of_other(Node noun) {
    if (!graph_.is_plural(noun) || graph_.is_root(noun)) return;
    const bool is_counted_before = graph_.any_in(noun, [&](const Edge& edge) {
      const bool is_complement = edge.relation.is_object() || edge.relation.name.starts_with("nmod");
      return is_nsubj(edge.relation) ||
             (is_complement && plural_subject(edge.governor) != DependencyGraph::kNone);
    });
    if (!is_counted_before) add_number(noun);
  }

  void compounds(Node noun) {
    if (!graph_.is_noun(noun)) return;
    graph_.for_each_out(
        noun, [](const Relation& relation) { return relation.is(Kind::compound); },
        [&](const Edge& part) {
          if (!graph_.is_noun(part.dependent)) return;
          is_compound_[noun] = is_compound_[part.dependent] = true;
          add_attribute(noun, part.dependent);
        });
  }

  void objects(Node noun) {
    if (graph_.is_noun(noun) && !is_compound_[noun]) add_object(noun);
  }

  const DependencyGraph& graph_;
  std::vector<Node> order_;
  std::vector<Fact>& facts_;
  std::vector<bool> is_compound_;
};

}  // namespace

std::vector<Fact> extract_facts(std::span<const syntax::Tree> sentences) {
  std::vector<Fact> facts;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    DependencyGraph graph(sentences[i], i);
    collapse(graph);
    enhance(graph);
    Rules(graph, facts).apply();
  }
  return facts;
}

}  // namespace capella::scene
