#include "reference/scene_reference_graph.h"

#include <algorithm>
#include <cctype>

namespace capella::reference {
namespace {

bool contains(const std::vector<SlowWord>& words, SlowWord word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

std::string lower_slowly(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

SlowGraph::SlowGraph(const syntax::Tree& tree, int sentence)
    : tree_(tree), sentence_(sentence), copies_(tree.tokens.size() + 1, 0) {
  const int size = static_cast<int>(tree.tokens.size());
  for (int index = 1; index <= size; ++index) {
    const syntax::Token& of = token({index, 0});
    if (of.head == syntax::kNoHead) continue;
    if (of.head >= 1 && of.head <= size) {
      add({of.head, 0}, {index, 0}, of.relation);
    } else {
      outgoing_.put(hash({index, 0}), {index, 0});
      roots_.put(hash({index, 0}), {index, 0});
    }
  }
}

bool SlowGraph::is_noun(SlowWord word) const {
  const std::string& tag = token(word).tag;
  return tag == "NN" || tag == "NNP" || is_plural(word);
}

bool SlowGraph::is_plural(SlowWord word) const {
  return token(word).tag == "NNS" || token(word).tag == "NNPS";
}

bool SlowGraph::visit(SlowWord word, std::vector<SlowWord>& begun, std::vector<SlowWord>& done) const {
  begun.push_back(word);
  for (const SlowEdge& edge : edges_from(word)) {
    if (contains(done, edge.dependent)) continue;
    if (contains(begun, edge.dependent) || !visit(edge.dependent, begun, done)) return false;
  }
  done.push_back(word);
  return true;
}

std::vector<SlowWord> SlowGraph::walk() const {
  std::vector<SlowWord> begun, done;
  for (const SlowWord word : words()) {
    if (!contains(begun, word) && !visit(word, begun, done)) return words();
  }
  std::reverse(done.begin(), done.end());
  return done;
}

std::optional<SlowWord> SlowGraph::at(int index) const {
  for (const SlowWord word : words()) {
    if (word.index == index) return word;
  }
  return std::nullopt;
}

SlowWord SlowGraph::copy(SlowWord word) {
  return {word.index, ++copies_[static_cast<std::size_t>(word.index)]};
}

bool SlowGraph::is_root(SlowWord word) const {
  return contains(roots_.keys(), word);
}

void SlowGraph::move_root(SlowWord from, SlowWord to) {
  roots_.erase(from);
  roots_.put(hash(to), to);
}

std::vector<SlowEdge> SlowGraph::edges_from(SlowWord word) const {
  std::vector<SlowEdge> found;
  if (const Dependents* dependents = outgoing_.find(word)) {
    for (const SlowWord dependent : dependents->keys()) {
      for (const std::string& relation : *dependents->find(dependent))
        found.push_back({word, dependent, relation});
    }
  }
  return found;
}

std::vector<SlowEdge> SlowGraph::edges() const {
  std::vector<SlowEdge> all;
  for (const SlowWord word : words()) {
    for (const SlowEdge& edge : edges_from(word)) all.push_back(edge);
  }
  return all;
}

std::vector<SlowEdge> SlowGraph::edges_to(SlowWord word) const {
  std::vector<SlowEdge> found;
  for (const SlowEdge& edge : edges()) {
    if (edge.dependent == word) found.push_back(edge);
  }
  std::stable_sort(found.begin(), found.end(), [](const SlowEdge& a, const SlowEdge& b) {
    return a.governor != b.governor ? a.governor < b.governor : a.relation < b.relation;
  });
  return found;
}

std::vector<SlowWord> SlowGraph::children(SlowWord word, const std::string& wanted) const {
  std::vector<SlowWord> found;
  for (const SlowEdge& edge : edges_from(word)) {
    if (edge.relation == wanted) found.push_back(edge.dependent);
  }
  return found;
}

std::optional<std::string> SlowGraph::relation(SlowWord governor, SlowWord dependent) const {
  for (const SlowEdge& edge : edges_from(governor)) {
    if (edge.dependent == dependent) return edge.relation;
  }
  return std::nullopt;
}

bool SlowGraph::reaches_root(SlowWord word, std::vector<SlowWord>& seen) const {
  if (is_root(word)) return true;
  seen.push_back(word);
  for (const SlowEdge& edge : edges_to(word)) {
    if (!contains(seen, edge.governor) && reaches_root(edge.governor, seen)) return true;
  }
  return false;
}

std::optional<SlowWord> SlowGraph::parent(SlowWord word) const {
  if (is_root(word)) return std::nullopt;
  for (const SlowEdge& edge : edges_to(word)) {
    std::vector<SlowWord> seen = {word};
    if (edge.governor != word && reaches_root(edge.governor, seen)) return edge.governor;
  }
  return std::nullopt;
}

void SlowGraph::add(SlowWord governor, SlowWord dependent, const std::string& relation) {
  outgoing_.put(hash(governor), governor);
  outgoing_.put(hash(dependent), dependent);
  outgoing_.find(governor)->put(hash(dependent), dependent).push_back(relation);
}

void SlowGraph::remove(SlowWord governor, SlowWord dependent, const std::string& relation) {
  Dependents& dependents = *outgoing_.find(governor);
  Relations& relations = *dependents.find(dependent);
  relations.erase(std::find(relations.begin(), relations.end(), relation));
  if (relations.empty()) dependents.erase(dependent);
}

void SlowGraph::rename(SlowWord governor, SlowWord dependent, const std::string& relation) {
  outgoing_.find(governor)->find(dependent)->front() = relation;
}

void SlowGraph::rebuild() {
  std::vector<SlowEdge> all;
  for (const SlowWord root : roots()) all.push_back({{0, 0}, root, ""});
  for (const SlowEdge& edge : edges()) all.push_back(edge);
  std::stable_sort(all.begin(), all.end(), [](const SlowEdge& a, const SlowEdge& b) {
    if (a.dependent.index != b.dependent.index) return a.dependent.index < b.dependent.index;
    if (a.governor.index != b.governor.index) return a.governor.index < b.governor.index;
    return a.relation < b.relation;
  });
  outgoing_ = JavaMap<SlowWord, Dependents>();
  roots_ = JavaMap<SlowWord, int>();
  for (const SlowEdge& edge : all) {
    if (edge.governor.index == 0) {
      outgoing_.put(hash(edge.dependent), edge.dependent);
      roots_.put(hash(edge.dependent), edge.dependent);
    } else {
      add(edge.governor, edge.dependent, edge.relation);
    }
  }
}

}  // namespace capella::reference
