#include "scene/collapse.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scene/letter_case.h"
#include "text/lowercase.h"

namespace capella::scene {
namespace {

using Node = DependencyGraph::Node;
using Edge = DependencyGraph::Edge;
using EdgeId = DependencyGraph::EdgeId;
using Kind = Relation::Kind;

/// Tests relations for being of one kind and without detail.
auto bare(Kind kind) {
  return [kind](const Relation& relation) { return relation.is_bare(kind); };
}

bool awaits_case(const Relation& relation) {
  return relation.awaits_case();
}

/// With a passive auxiliary, subjects are passive subjects.
void mark_passive_subjects(DependencyGraph& graph) {
  if (!graph.has(Kind::auxpass)) return;
  std::vector<EdgeId> subjects;
  for (const Node node : graph.walk()) {
    if (!graph.has_child(node, Kind::auxpass)) continue;
    for (const HashOrder::Entry& entry : graph.out(node)) {
      const Relation& relation = graph.edge(entry.value).relation;
      if (relation.is(Kind::nsubj) || relation.is(Kind::csubj)) subjects.push_back(entry.value);
    }
  }
  for (const EdgeId id : subjects) {
    const Edge subject = graph.edge(id);
    graph.remove_edge(id);
    graph.add_edge(subject.governor, subject.dependent,
                   make_relation(subject.relation.is(Kind::nsubj) ? "nsubjpass" : "csubjpass"));
  }
}

/// A word with one of its conjunctions, and conjuncts that the conjunction may join to it.
struct Conjunction {
  Node governor;
  Node cc;
  std::vector<Node> conjuncts;
};

/// Matches come one by one; neighbours that differ only in the conjunct are one conjunction. What comes after
/// the first `most` is left out.
class Matches {
 public:
  explicit Matches(std::size_t most) : left_(most) {}

  bool is_full() const { return left_ == 0; }
  const std::vector<Conjunction>& all() const { return found_; }

  void add(Node governor, Node cc, Node conjunct) {
    if (is_full()) return;
    --left_;
    if (found_.empty() || found_.back().governor != governor || found_.back().cc != cc) {
      found_.push_back({governor, cc, {}});
    }
    found_.back().conjuncts.push_back(conjunct);
  }

  /// All conjuncts of a word with all its conjunctions.
  void add_all(const DependencyGraph& graph, Node governor) {
    graph.for_each_out(governor, bare(Kind::cc), [&](const Edge& cc) {
      if (is_full()) return;
      graph.for_each_out(governor, bare(Kind::conj),
                         [&](const Edge& conjunct) { add(governor, cc.dependent, conjunct.dependent); });
    });
  }

 private:
  std::vector<Conjunction> found_;
  std::size_t left_;
};

bool has_word(const DependencyGraph& graph, std::uint32_t index, std::string_view lower) {
  const Node node = index == 0 ? DependencyGraph::kNone : graph.at(index);
  return node != DependencyGraph::kNone && text::lowered(graph.token(node).word) == lower;
}

/// What the conjunction means: "negcc" if it says that something is not so, "and" for "as well as" and such.
std::string meaning_of(const DependencyGraph& graph, Node cc) {
  const std::uint32_t place = graph.index(cc);
  const std::string word = text::lowered(graph.token(cc).word);
  const auto is_followed_by = [&](std::string_view next) { return has_word(graph, place + 1, next); };
  if (word == "not" && has_word(graph, place - 1, "but")) return "negcc";
  if (word == "but" && is_followed_by("rather")) return "negcc";
  if (word == "but" && is_followed_by("also")) return "and";
  if (word == "if" && is_followed_by("not")) return "negcc";
  if (word == "instead" && is_followed_by("of")) return "negcc";
  if (word == "rather" && is_followed_by("than")) return "negcc";
  if (word == "as" && is_followed_by("well")) return "and";
  if (word == "not" && is_followed_by("to") && has_word(graph, place + 2, "mention")) return "and";
  return word;
}

void name_conjuncts(DependencyGraph& graph, const Conjunction& conjunction) {
  const Relation named = graph.make_detailed("conj", meaning_of(graph, conjunction.cc));
  for (const Node conjunct : conjunction.conjuncts) {
    const EdgeId id = graph.find(conjunction.governor, conjunct);
    if (id == DependencyGraph::kNone) continue;
    if (graph.edge(id).relation.is_bare(Kind::conj) || graph.index(conjunct) > graph.index(conjunction.cc)) {
      graph.set_relation(id, named);
    }
  }
}

/// A relation and the prepositions that may name it.
struct Phrase {
  Node governor;
  Node dependent;
  std::array<Node, 3> prepositions;
  std::size_t size;

  std::span<const Node> words() const { return std::span(prepositions).first(size); }
};

/// Names a relation by prepositions, which are sorted by position. Where they are not side by side, the
/// pieces become relations of their own.
void name_by_prepositions(DependencyGraph& graph, const Phrase& phrase) {
  const EdgeId id = graph.find(phrase.governor, phrase.dependent);
  if (id == DependencyGraph::kNone) return;
  const auto named = [&](const std::string& words) {
    const Relation old = graph.edge(id).relation;
    if (!old.takes_case()) return old;
    return graph.make_detailed(old.name.substr(0, old.name.find(':')), text::lowered(words));
  };
  std::string words;
  bool is_first = true;
  std::uint32_t last = 0;
  for (const Node preposition : phrase.words()) {
    const std::string& word = graph.token(preposition).word;
    if (last == 0 || graph.index(preposition) == last + 1) {
      if (!is_first) words += '_';
      words += word;
      is_first = false;
    } else {
      graph.add_edge(phrase.governor, phrase.dependent, named(words));
      words = word;
      is_first = true;
    }
    last = graph.index(preposition);
  }
  graph.set_relation(id, named(words));
}

/// "from the left and from the right": the second phrase gets a copy of the governor of the first one.
void split_phrase(DependencyGraph& graph, const Conjunction& conjunction) {
  const Node above = graph.parent(conjunction.governor);
  if (above == DependencyGraph::kNone) return;
  const Node governor = graph.original(above);
  const Relation relation = graph.edge(graph.find(above, conjunction.governor)).relation;
  Conjunction copies = {governor, conjunction.cc, {}};
  for (const Node conjunct : conjunction.conjuncts) {
    const Node copy = graph.copy(above);
    if (const EdgeId id = graph.find(conjunction.governor, conjunct); id != DependencyGraph::kNone) {
      graph.remove_edge(id);
      graph.add_edge(copy, conjunct, relation);
    }
    graph.add_edge(governor, copy, make_relation("conj"));
    copies.conjuncts.push_back(copy);
  }
  if (const EdgeId id = graph.find(conjunction.governor, conjunction.cc); id != DependencyGraph::kNone) {
    graph.remove_edge(id);
    graph.add_edge(governor, conjunction.cc, make_relation("cc"));
  }
  name_conjuncts(graph, copies);
}

/// For each preposition of the head: all conjunctions with all conjuncts, once for each preposition of these.
void find_phrases(const DependencyGraph& graph, Node head, Matches& found) {
  std::vector<Node> conjuncts;
  graph.for_each_out(head, bare(Kind::conj), [&](const Edge& conjunct) {
    graph.for_each_out(conjunct.dependent, bare(Kind::case_),
                       [&](const Edge&) { conjuncts.push_back(conjunct.dependent); });
  });
  if (conjuncts.empty()) return;
  graph.for_each_out(head, bare(Kind::case_), [&](const Edge&) {
    if (found.is_full()) return;
    graph.for_each_out(head, bare(Kind::cc), [&](const Edge& cc) {
      for (const Node conjunct : conjuncts) found.add(head, cc.dependent, conjunct);
    });
  });
}

void split_phrases(DependencyGraph& graph) {
  Matches found(kMostCopies);
  for (const Node top : graph.walk()) {
    graph.for_each_out(top, awaits_case,
                       [&](const Edge& phrase) { find_phrases(graph, phrase.dependent, found); });
  }
  for (const Conjunction& conjunction : found.all()) split_phrase(graph, conjunction);
}

/// "to and from the house": each preposition but the first gets a copy of what the phrase depends on.
void split_preposition(DependencyGraph& graph, const Conjunction& conjunction) {
  const Node noun = graph.parent(conjunction.governor);
  if (noun == DependencyGraph::kNone) return;
  const Node above = graph.parent(noun);
  if (above == DependencyGraph::kNone) return;
  const Node governor = graph.original(above);
  const Relation relation = graph.edge(graph.find(above, noun)).relation;
  Conjunction copies = {governor, conjunction.cc, {}};
  for (const Node preposition : conjunction.conjuncts) {
    const Node copy = graph.copy(above);
    graph.add_edge(governor, copy, make_relation("conj"));
    graph.add_edge(copy, noun, relation);
    name_by_prepositions(graph, {copy, noun, {preposition}, 1});
    copies.conjuncts.push_back(copy);
  }
  name_conjuncts(graph, copies);
}

void split_prepositions(DependencyGraph& graph) {
  Matches found(kMostCopies);
  for (const Node top : graph.walk()) {
    graph.for_each_out(top, bare(Kind::case_),
                       [&](const Edge& preposition) { found.add_all(graph, preposition.dependent); });
  }
  for (const Conjunction& conjunction : found.all()) split_preposition(graph, conjunction);
}

/// "is watched by a man"
void name_agents(DependencyGraph& graph) {
  if (!graph.has(Kind::auxpass)) return;
  std::vector<EdgeId> agents;
  for (const Node node : graph.walk()) {
    if (!graph.has_child(node, Kind::auxpass)) continue;
    graph.for_each_out(node, bare(Kind::nmod), [&](const Edge& modifier) {
      const bool is_agent = graph.any_out(modifier.dependent, [&](const Edge& marker) {
        return marker.relation.is(Kind::case_) &&
               equals_ignoring_case(graph.token(marker.dependent).word, "by");
      });
      if (is_agent) agents.push_back(graph.find(node, modifier.dependent));
    });
  }
  for (const EdgeId id : agents) graph.set_relation(id, make_relation("nmod:agent"));
}

/// Phrases side by side with the same prepositions are named once.
void name_phrases(DependencyGraph& graph, std::vector<Phrase> phrases) {
  const Phrase* last = nullptr;
  for (Phrase& phrase : phrases) {
    std::sort(phrase.prepositions.begin(), phrase.prepositions.begin() + phrase.size,
              [&](Node a, Node b) { return graph.is_before(a, b); });
    if (last != nullptr && std::ranges::equal(phrase.words(), last->words())) continue;
    name_by_prepositions(graph, phrase);
    last = &phrase;
  }
}

/// Calls use(phrase, preposition) for each preposition of a relation that has not been named.
template <class Use>
void for_each_phrase(const DependencyGraph& graph, Use use) {
  for (const Node node : graph.walk()) {
    graph.for_each_out(node, awaits_case, [&](const Edge& phrase) {
      graph.for_each_out(phrase.dependent, bare(Kind::case_),
                         [&](const Edge& marker) { use(phrase, marker.dependent); });
    });
  }
}

std::vector<Phrase> phrases_of_three(const DependencyGraph& graph) {
  std::vector<Phrase> found;
  for_each_phrase(graph, [&](const Edge& phrase, Node first) {
    graph.for_each_out(first, bare(Kind::mwe), [&](const Edge& second) {
      if (found.size() == kMostTriples) return;
      graph.for_each_out(first, bare(Kind::mwe), [&](const Edge& third) {
        if (second.dependent == third.dependent || found.size() == kMostTriples) return;
        found.push_back({phrase.governor, phrase.dependent, {first, second.dependent, third.dependent}, 3});
      });
    });
  });
  return found;
}

std::vector<Phrase> phrases_of_two(const DependencyGraph& graph) {
  std::vector<Phrase> found;
  for_each_phrase(graph, [&](const Edge& phrase, Node first) {
    graph.for_each_out(first, bare(Kind::mwe), [&](const Edge& second) {
      found.push_back({phrase.governor, phrase.dependent, {first, second.dependent}, 2});
    });
  });
  return found;
}

std::vector<Phrase> phrases_of_one(const DependencyGraph& graph) {
  std::vector<Phrase> found;
  for_each_phrase(graph, [&](const Edge& phrase, Node first) {
    found.push_back({phrase.governor, phrase.dependent, {first}, 1});
  });
  return found;
}

void name_by_case(DependencyGraph& graph) {
  name_agents(graph);
  if (graph.has(Kind::mwe)) {
    name_phrases(graph, phrases_of_three(graph));
    name_phrases(graph, phrases_of_two(graph));
  }
  name_phrases(graph, phrases_of_one(graph));
}

void name_conjunctions(DependencyGraph& graph) {
  Matches found(kMostConjuncts);
  for (const Node head : graph.walk()) found.add_all(graph, head);
  for (const Conjunction& conjunction : found.all()) name_conjuncts(graph, conjunction);
}

/// Says of conjuncts what is said of the words that they are joined to. Only edges that were there before
/// count.
class Propagation {
 public:
  explicit Propagation(DependencyGraph& graph) : graph_(graph), made_before_(graph.edges_made()) {}

  void run() {
    std::vector<Edge> joined;
    for (const HashOrder::Entry& word : graph_.words()) {
      graph_.for_each_out(
          word.value, [](const Relation& relation) { return relation.is_detailed(Kind::conj); },
          [&](const Edge& edge) { joined.push_back(edge); });
    }
    for (const Edge& edge : joined) {
      copy_governors(edge.governor, edge.dependent);
      copy_subject(edge.governor, edge.dependent);
    }
  }

 private:
  bool was_there(EdgeId id) const { return id < made_before_; }

  template <class IsWanted>
  EdgeId first_out(Node node, IsWanted is_wanted) const {
    for (const HashOrder::Entry& entry : graph_.out(node)) {
      if (was_there(entry.value) && is_wanted(graph_.edge(entry.value).relation)) return entry.value;
    }
    return DependencyGraph::kNone;
  }
  EdgeId subject_of(Node node) const {
    return first_out(node, [](const Relation& relation) { return relation.is_subject(); });
  }
  bool has_relative_clause(Node node) const {
    return first_out(node, [](const Relation& relation) { return relation.is_relative_clause(); }) !=
           DependencyGraph::kNone;
  }

  void copy_governors(Node from, Node to) {
    const bool are_relative = has_relative_clause(from) && has_relative_clause(to);
    Edge last = {DependencyGraph::kNone, DependencyGraph::kNone, Relation()};
    for (const EdgeId id : graph_.sorted_in(from)) {
      const Edge edge = graph_.edge(id);
      if (!was_there(id) || edge.governor == to || edge.relation.is(Kind::case_)) continue;
      if (are_relative && (edge.relation.is(Kind::dobj) || edge.relation.is(Kind::nsubj))) continue;
      if (edge.governor == last.governor && edge.relation.name == last.relation.name) continue;
      graph_.add_edge(edge.governor, to, edge.relation);
      last = edge;
    }
  }

  void copy_subject(Node from, Node to) {
    const std::string_view tag = graph_.token(to).tag;
    if (!tag.starts_with("VB") && !tag.starts_with("JJ")) return;
    const EdgeId id = subject_of(from);
    if (id == DependencyGraph::kNone || subject_of(to) != DependencyGraph::kNone) return;
    const Edge subject = graph_.edge(id);
    graph_.add_edge(to, subject.dependent, subject_relation(subject.relation, to, tag));
  }

  /// Active or passive, as the verb is.
  Relation subject_relation(const Relation& relation, Node verb, std::string_view tag) const {
    const bool is_active = tag == "VB" || tag == "VBZ" || tag == "VBP" || tag.starts_with("JJ");
    const bool is_passive = first_out(verb, bare(Kind::auxpass)) != DependencyGraph::kNone;
    if (relation.is(Kind::nsubjpass) && is_active) return make_relation("nsubj");
    if (relation.is(Kind::csubjpass) && is_active) return make_relation("csubj");
    if (relation.is(Kind::nsubj) && is_passive) return make_relation("nsubjpass");
    if (relation.is(Kind::csubj) && is_passive) return make_relation("csubjpass");
    return relation;
  }

  DependencyGraph& graph_;
  EdgeId made_before_;
};

}  // namespace

void collapse(DependencyGraph& graph) {
  if (!graph.roots().empty()) {
    mark_passive_subjects(graph);
    join_prepositions(graph);
    if (graph.has(Kind::conj) && graph.has(Kind::cc)) {
      split_phrases(graph);
      split_prepositions(graph);
    }
    name_by_case(graph);
    if (graph.has(Kind::cc)) name_conjunctions(graph);
  }
  if (graph.has(Kind::conj)) Propagation(graph).run();
  graph.rebuild();
}

}  // namespace capella::scene
