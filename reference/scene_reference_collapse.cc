// Collapsing and enhancing for SPICE's slow twin: each step looks at a copy of the graph and changes the
// graph.
#include <algorithm>
#include <set>
#include <sstream>
#include <tuple>

#include "reference/scene_reference_graph.h"

namespace capella::reference {
namespace {

constexpr char kSimple[] =
    "across_from along_with alongside_of apart_from as_for as_from as_of as_per as_to aside_from based_on "
    "close_by close_to contrary_to compared_to compared_with except_for exclusive_of far_from followed_by "
    "inside_of irrespective_of next_to near_to off_of out_of outside_of owing_to preliminary_to "
    "preparatory_to previous_to pursuant_to regardless_of subsequent_to thanks_to together_with";
constexpr char kComplex[] =
    "apart_from as_from aside_from away_from close_by close_to contrary_to far_from next_to near_to out_of "
    "outside_of pursuant_to regardless_of together_with";
constexpr char kThree[] =
    "by_means_of in_accordance_with in_addition_to in_case_of in_front_of in_lieu_of in_place_of in_spite_of "
    "on_account_of on_behalf_of on_top_of with_regard_to with_respect_to";
constexpr char kClausal[] = " conj xcomp ccomp acl advcl acl:relcl parataxis appos list ";

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

bool is_one_of(const std::string& word, const std::string& spaced_list) {
  return (" " + spaced_list + " ").find(" " + word + " ") != std::string::npos;
}

std::string word_at(const SlowGraph& graph, int index) {
  const auto word = graph.at(index);
  return word ? lower_slowly(graph.token(*word).word) : "";
}

void mark_passive(SlowGraph& graph) {
  const SlowGraph before = graph;
  for (const SlowEdge& edge : before.edges()) {
    if (edge.relation != "nsubj" && edge.relation != "csubj") continue;
    if (before.children(edge.governor, "auxpass").empty()) continue;
    graph.remove(edge.governor, edge.dependent, edge.relation);
    graph.add(edge.governor, edge.dependent, edge.relation + "pass");
  }
}

/// The governor and relation of a word of a tree.
std::optional<SlowEdge> edge_to(const SlowGraph& graph, SlowWord word) {
  const auto edges = graph.edges_to(word);
  if (edges.empty()) return std::nullopt;
  return edges.front();
}

bool is_leaf(const SlowGraph& graph, SlowWord word) {
  return graph.edges_from(word).empty();
}

void join(SlowGraph& graph, SlowWord governor, const std::string& relation,
          const std::vector<SlowWord>& words) {
  for (const SlowWord word : words) {
    for (const SlowEdge& edge : graph.edges_to(word)) graph.remove(edge.governor, word, edge.relation);
    if (word == words.front()) {
      graph.add(governor, word, relation);
    } else {
      graph.add(words.front(), word, "mwe");
    }
  }
}

void join_simple(SlowGraph& graph, SlowWord w1, SlowWord w2) {
  const auto first = edge_to(graph, w1), second = edge_to(graph, w2);
  if (!first || !second || first->governor != second->governor) return;
  if (first->relation != "case" && first->relation != "advmod") return;
  if (second->relation != "case" || !is_leaf(graph, w1) || !is_leaf(graph, w2)) return;
  join(graph, first->governor, "case", {w1, w2});
}

/// x takes the place of `old` with the relation given; false if there is no place.
bool replace(SlowGraph& graph, SlowWord old, SlowWord x, const std::string& relation_if_governed) {
  const std::string inner = *graph.relation(old, x);
  if (graph.is_root(old)) {
    graph.remove(old, x, inner);
    graph.move_root(old, x);
  } else {
    const auto above = edge_to(graph, old);
    if (!above) return false;
    graph.remove(old, x, inner);
    graph.add(above->governor, x, relation_if_governed);
  }
  auto children = graph.edges_from(old);
  std::stable_sort(children.begin(), children.end(), [](const SlowEdge& a, const SlowEdge& b) {
    return std::tuple(a.dependent, a.relation) < std::tuple(b.dependent, b.relation);
  });
  for (const SlowEdge& child : children) {
    graph.remove(old, child.dependent, child.relation);
    graph.add(x, child.dependent, child.relation);
  }
  return true;
}

void join_complex(SlowGraph& graph, SlowWord w1, SlowWord w2) {
  const auto marker = edge_to(graph, w2);
  if (!marker || marker->relation != "case" || !is_leaf(graph, w2)) return;
  const SlowWord x = marker->governor;
  if (x == w1 || graph.relation(w1, x) != "nmod") return;
  const auto above = edge_to(graph, w1);
  const bool keeps = above && !graph.children(w1, "cop").empty() && is_one_of(above->relation, kClausal);
  if (replace(graph, w1, x, keeps ? above->relation : "nmod")) join(graph, x, "case", {w1, w2});
}

void join_three(SlowGraph& graph, SlowWord w1, SlowWord w2, SlowWord w3) {
  const auto first = edge_to(graph, w1), last = edge_to(graph, w3);
  if (!first || !last || first->relation != "case" || first->governor != w2) return;
  if ((last->relation != "case" && last->relation != "mark") || !is_leaf(graph, w1) || !is_leaf(graph, w3))
    return;
  const SlowWord x = last->governor;
  const auto inner = graph.relation(w2, x);
  if (x == w2 || !inner || !is_one_of(*inner, "nmod acl advcl")) return;
  const auto above = edge_to(graph, w2);
  const bool is_clause = !graph.is_root(w2) && above && above->relation == "nmod" && *inner != "nmod";
  if (!replace(graph, w2, x, is_clause || !above ? *inner : above->relation)) return;
  join(graph, x, is_clause ? "mark" : "case", {w1, w2, w3});
}

void join_prepositions_slowly(SlowGraph& graph) {
  for (const char* list : {kSimple, kComplex, kThree}) {
    for (const std::string& preposition : split(list, ' ')) {
      const std::vector<std::string> parts = split(preposition, '_');
      for (int index = 1; index <= graph.size(); ++index) {
        std::vector<SlowWord> words;
        for (std::size_t i = 0; i < parts.size(); ++i) {
          const int place = index + static_cast<int>(i);
          if (word_at(graph, place) == parts[i]) words.push_back(*graph.at(place));
        }
        if (words.size() < parts.size()) continue;
        if (list == kSimple) join_simple(graph, words[0], words[1]);
        if (list == kComplex) join_complex(graph, words[0], words[1]);
        if (list == kThree) join_three(graph, words[0], words[1], words[2]);
      }
    }
  }
}

std::string conjunction_name(const SlowGraph& graph, SlowWord cc) {
  const std::string before = word_at(graph, cc.index - 1), word = lower_slowly(graph.token(cc).word);
  const std::string after = word_at(graph, cc.index + 1), last = word_at(graph, cc.index + 2);
  if (before == "but" && word == "not") return "conj:negcc";
  for (const char* denial : {"but rather", "if not", "instead of", "rather than"}) {
    if (word + " " + after == denial) return "conj:negcc";
  }
  if (word + " " + after == "but also" || word + " " + after == "as well") return "conj:and";
  if (word + " " + after + " " + last == "not to mention") return "conj:and";
  return "conj:" + word;
}

using Match = std::tuple<SlowWord, SlowWord, std::vector<SlowWord>>;  // governor, cc, conjuncts

// Of nonsense only the first ones count.
constexpr std::size_t kMostCopies = 100;
constexpr std::size_t kMostTriples = 1000;
constexpr std::size_t kMostConjuncts = 10'000;

void add_match(std::vector<Match>& found, std::size_t most, SlowWord governor, SlowWord cc,
               SlowWord conjunct) {
  std::size_t count = 0;
  for (const Match& match : found) count += std::get<2>(match).size();
  if (count == most) return;
  if (found.empty() || std::get<0>(found.back()) != governor || std::get<1>(found.back()) != cc)
    found.push_back({governor, cc, {}});
  std::get<2>(found.back()).push_back(conjunct);
}

void name_conjuncts(SlowGraph& graph, SlowWord governor, SlowWord cc,
                    const std::vector<SlowWord>& conjuncts) {
  for (const SlowWord conjunct : conjuncts) {
    const auto relation = graph.relation(governor, conjunct);
    if (relation && (relation == "conj" || conjunct.index > cc.index))
      graph.rename(governor, conjunct, conjunction_name(graph, cc));
  }
}

bool is_unnamed(const std::string& relation) {
  return relation == "nmod" || relation == "acl" || relation == "advcl";
}

/// "nmod:with" from "nmod" or "nmod:to"; other relations stay.
std::string named(const std::string& relation, const std::string& preposition) {
  if (is_one_of(relation, "nmod:poss nmod:tmod nmod:npmod acl:relcl")) return relation;
  const std::string kind = relation.substr(0, relation.find(':'));
  return is_unnamed(kind) ? kind + ":" + lower_slowly(preposition) : relation;
}

void name_by(SlowGraph& graph, SlowWord governor, SlowWord dependent, std::vector<SlowWord> markers) {
  const auto relation = graph.relation(governor, dependent);
  if (!relation) return;
  std::string text = graph.token(markers[0]).word;
  bool is_joined = true;
  for (std::size_t i = 1; i < markers.size(); ++i) {
    const std::string& word = graph.token(markers[i]).word;
    if (markers[i].index == markers[i - 1].index + 1) {
      text += (is_joined ? "_" : "") + word;
      is_joined = true;
    } else {
      graph.add(governor, dependent, named(*relation, text));
      text = word;
      is_joined = false;
    }
  }
  graph.rename(governor, dependent, named(*relation, text));
}

void split_phrases_slowly(SlowGraph& graph) {
  std::vector<Match> found;
  for (const SlowWord top : graph.walk()) {
    for (const SlowEdge& phrase : graph.edges_from(top)) {
      if (!is_unnamed(phrase.relation)) continue;
      const SlowWord gov = phrase.dependent;
      for (std::size_t i = 0; i < graph.children(gov, "case").size(); ++i)
        for (const SlowWord cc : graph.children(gov, "cc"))
          for (const SlowWord conjunct : graph.children(gov, "conj"))
            for (std::size_t k = 0; k < graph.children(conjunct, "case").size(); ++k)
              add_match(found, kMostCopies, gov, cc, conjunct);
    }
  }
  for (const auto& [gov, cc, conjuncts] : found) {
    const auto above = graph.parent(gov);
    if (!above) continue;
    const SlowWord first = {above->index, 0};
    const std::string relation = *graph.relation(*above, gov);
    std::vector<SlowWord> copies;
    for (const SlowWord conjunct : conjuncts) {
      copies.push_back(graph.copy(*above));
      if (const auto old = graph.relation(gov, conjunct)) {
        graph.remove(gov, conjunct, *old);
        graph.add(copies.back(), conjunct, relation);
      }
      graph.add(first, copies.back(), "conj");
    }
    if (const auto old = graph.relation(gov, cc)) {
      graph.remove(gov, cc, *old);
      graph.add(first, cc, "cc");
    }
    name_conjuncts(graph, first, cc, copies);
  }
}

void split_prepositions_slowly(SlowGraph& graph) {
  std::vector<Match> found;
  for (const SlowWord top : graph.walk())
    for (const SlowWord preposition : graph.children(top, "case"))
      for (const SlowWord cc : graph.children(preposition, "cc"))
        for (const SlowWord conjunct : graph.children(preposition, "conj"))
          add_match(found, kMostCopies, preposition, cc, conjunct);
  for (const auto& [preposition, cc, conjuncts] : found) {
    const auto noun = graph.parent(preposition);
    const auto above = noun ? graph.parent(*noun) : std::nullopt;
    if (!above) continue;
    const SlowWord first = {above->index, 0};
    const std::string relation = *graph.relation(*above, *noun);
    std::vector<SlowWord> copies;
    for (const SlowWord conjunct : conjuncts) {
      copies.push_back(graph.copy(*above));
      graph.add(first, copies.back(), "conj");
      graph.add(copies.back(), *noun, relation);
      name_by(graph, copies.back(), *noun, {conjunct});
    }
    name_conjuncts(graph, first, cc, copies);
  }
}

void name_agents(SlowGraph& graph) {
  const SlowGraph before = graph;
  for (const SlowEdge& edge : before.edges()) {
    if (edge.relation != "nmod" || before.children(edge.governor, "auxpass").empty()) continue;
    for (const SlowWord marker : before.children(edge.dependent, "case")) {
      if (lower_slowly(before.token(marker).word) == "by")
        graph.rename(edge.governor, edge.dependent, "nmod:agent");
    }
  }
}

/// Prepositions of `size` words.
void name_by_case_slowly(SlowGraph& graph, std::size_t size) {
  const SlowGraph before = graph;
  std::vector<SlowWord> last;
  std::size_t triples = 0;
  const auto use = [&](const SlowEdge& edge, std::vector<SlowWord> markers) {
    std::sort(markers.begin(), markers.end());
    if (markers != last) name_by(graph, edge.governor, edge.dependent, markers);
    last = markers;
  };
  for (const SlowWord word : before.walk()) {
    for (const SlowEdge& edge : before.edges_from(word)) {
      if (!is_unnamed(edge.relation)) continue;
      for (const SlowWord c1 : before.children(edge.dependent, "case")) {
        if (size == 1) use(edge, {c1});
        for (const SlowWord c2 : before.children(c1, "mwe")) {
          if (size == 2) use(edge, {c1, c2});
          for (const SlowWord c3 : before.children(c1, "mwe")) {
            if (size == 3 && c2 != c3 && triples++ < kMostTriples) use(edge, {c1, c2, c3});
          }
        }
      }
    }
  }
}

void name_conjunctions_slowly(SlowGraph& graph) {
  std::vector<Match> found;
  for (const SlowWord word : graph.walk())
    for (const SlowWord cc : graph.children(word, "cc"))
      for (const SlowWord conjunct : graph.children(word, "conj"))
        add_match(found, kMostConjuncts, word, cc, conjunct);
  for (const auto& [word, cc, conjuncts] : found) name_conjuncts(graph, word, cc, conjuncts);
}

std::optional<SlowEdge> subject_of(const SlowGraph& graph, SlowWord word) {
  for (const SlowEdge& edge : graph.edges_from(word)) {
    if (is_one_of(edge.relation, "nsubj nsubjpass csubj csubjpass")) return edge;
  }
  return std::nullopt;
}

void propagate_slowly(SlowGraph& graph) {
  const SlowGraph before = graph;
  for (const SlowEdge& edge : before.edges()) {
    if (!edge.relation.starts_with("conj:")) continue;
    const SlowWord from = edge.governor, to = edge.dependent;
    const bool are_relative =
        !before.children(from, "acl:relcl").empty() && !before.children(to, "acl:relcl").empty();
    std::set<std::pair<SlowWord, std::string>> copied;
    for (const SlowEdge& above : before.edges_to(from)) copied.insert({above.governor, above.relation});
    for (const auto& [governor, relation] : copied) {
      if (governor == to || relation == "case") continue;
      if (are_relative && (relation == "dobj" || relation == "nsubj")) continue;
      graph.add(governor, to, relation);
    }
    const auto subject = subject_of(before, from);
    const std::string& tag = before.token(to).tag;
    if (!subject || subject_of(before, to) || (!tag.starts_with("VB") && !tag.starts_with("JJ"))) continue;
    const bool is_active = is_one_of(tag, "VB VBZ VBP") || tag.starts_with("JJ");
    const bool has_passive = !before.children(to, "auxpass").empty();
    std::string relation = subject->relation;
    if (relation.ends_with("pass") && is_active) {
      relation = relation.substr(0, relation.size() - 4);
    } else if (!relation.ends_with("pass") && has_passive) {
      relation += "pass";
    }
    graph.add(to, subject->dependent, relation);
  }
}

}  // namespace

void collapse_slowly(SlowGraph& graph) {
  if (!graph.roots().empty()) {
    mark_passive(graph);
    join_prepositions_slowly(graph);
    split_phrases_slowly(graph);
    split_prepositions_slowly(graph);
    name_agents(graph);
    for (const std::size_t size : {3, 2, 1}) name_by_case_slowly(graph, size);
    name_conjunctions_slowly(graph);
  }
  propagate_slowly(graph);
  graph.rebuild();
}

}  // namespace capella::reference
