#include "scene/dependency_graph.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace capella::scene {
namespace {

bool is_plural_tag(std::string_view tag) {
  return tag == "NNS" || tag == "NNPS";
}

bool is_noun_tag(std::string_view tag) {
  return tag == "NN" || tag == "NNP" || is_plural_tag(tag);
}

// A word's hash in Stanford's IndexedWord goes by the sentence and the position.
constexpr std::uint32_t kSentenceStep = 29;

}  // namespace

DependencyGraph::DependencyGraph(const syntax::Tree& tree, std::size_t sentence)
    : tree_size_(tree.tokens.size()) {
  const std::size_t size = tree_size_;
  nodes_.reserve(size + 2);
  edges_.reserve(2 * size);
  for (std::size_t i = 0; i < size; ++i) {
    const syntax::Token& token = tree.tokens[i];
    const auto index = static_cast<std::uint32_t>(i + 1);
    const auto hash = static_cast<std::uint32_t>(sentence) * kSentenceStep + index;
    nodes_.push_back({&token, index, hash ^ (hash >> 16), static_cast<Node>(i)});
    nodes_.back().is_noun = is_noun_tag(token.tag);
    nodes_.back().is_plural = is_plural_tag(token.tag);
  }
  is_listed_.assign(size, false);
  for (Node node = 0; node < size; ++node) {
    const int head = tree.tokens[node].head;
    if (head == syntax::kNoHead) continue;
    if (head >= 1 && static_cast<std::size_t>(head) <= size) {
      add_edge(static_cast<Node>(head - 1), node, make_relation(tree.tokens[node].relation));
    } else {
      add_root(node);
    }
  }
}

DependencyGraph::Node DependencyGraph::at(std::uint32_t wanted) const {
  if (wanted == 0 || wanted > tree_size_) return kNone;
  for (const HashOrder::Entry& entry : words_.bucket_of(nodes_[wanted - 1].hash)) {
    if (index(entry.value) == wanted) return entry.value;
  }
  return kNone;
}

DependencyGraph::Node DependencyGraph::copy(Node node) {
  const Node first = original(node);
  NodeData made = {nodes_[first].token, nodes_[first].index, nodes_[first].hash, first};
  made.copy_number = ++nodes_[first].copies;
  made.is_noun = nodes_[first].is_noun;
  made.is_plural = nodes_[first].is_plural;
  nodes_.push_back(std::move(made));
  is_listed_.push_back(false);
  return static_cast<Node>(nodes_.size() - 1);
}

std::vector<DependencyGraph::Node> DependencyGraph::sorted_words() const {
  std::vector<Node> sorted;
  for (const HashOrder::Entry& entry : words_) sorted.push_back(entry.value);
  std::sort(sorted.begin(), sorted.end(), [this](Node a, Node b) { return is_before(a, b); });
  return sorted;
}

// False if the words are in a cycle. `state`: 0 not seen, 1 begun, 2 done.
bool DependencyGraph::depth_first(Node start, std::vector<std::uint8_t>& state,
                                  std::vector<Node>& done) const {
  std::vector<std::pair<Node, std::size_t>> path = {{start, 0}};
  state[start] = 1;
  while (!path.empty()) {
    auto& [node, next] = path.back();
    if (next == out(node).size()) {
      state[node] = 2;
      done.push_back(node);
      path.pop_back();
      continue;
    }
    const Node target = out(node)[next++].key;
    if (state[target] == 1) return false;
    if (state[target] == 2) continue;
    state[target] = 1;
    path.emplace_back(target, 0);
  }
  return true;
}

std::vector<DependencyGraph::Node> DependencyGraph::walk() const {
  std::vector<std::uint8_t> state(nodes_.size(), 0);
  std::vector<Node> done;
  done.reserve(words_.size());
  for (const HashOrder::Entry& entry : words_) {
    if (state[entry.value] != 0 || depth_first(entry.value, state, done)) continue;
    done.clear();
    for (const HashOrder::Entry& word : words_) done.push_back(word.value);
    return done;
  }
  std::reverse(done.begin(), done.end());
  return done;
}

bool DependencyGraph::is_root(Node node) const {
  return roots_.find(nodes_[node].hash, node) != nullptr;
}

bool DependencyGraph::has(Relation::Kind kind) const {
  return std::any_of(edges_.begin(), edges_.end(),
                     [kind](const Edge& made) { return made.relation.is(kind); });
}

DependencyGraph::EdgeId DependencyGraph::find(Node governor, Node dependent) const {
  const HashOrder::Entry* found = out(governor).find(nodes_[dependent].hash, dependent);
  return found == nullptr ? kNone : found->value;
}

DependencyGraph::Node DependencyGraph::child(Node node, Relation::Kind kind) const {
  for (const HashOrder::Entry& entry : out(node)) {
    if (edge(entry.value).relation.is(kind)) return entry.key;
  }
  return kNone;
}

// Whether governors lead from `from` to a root, not through `avoided`.
bool DependencyGraph::leads_to_root(Node from, Node avoided) const {
  std::vector<bool> seen(nodes_.size(), false);
  seen[avoided] = true;
  std::vector<Node> left;
  const auto visit = [&](Node node) {
    if (!seen[node]) left.push_back(node);
    seen[node] = true;
  };
  visit(from);
  while (!left.empty()) {
    const Node node = left.back();
    left.pop_back();
    if (is_root(node)) return true;
    for (const HashOrder::Entry& entry : in(node)) visit(entry.key);
  }
  return false;
}

DependencyGraph::Node DependencyGraph::parent(Node node) const {
  if (is_root(node)) return kNone;
  Node best = kNone;
  for (const HashOrder::Entry& entry : in(node)) {
    if (best != kNone && !is_before(entry.key, best)) continue;
    if (leads_to_root(entry.key, node)) best = entry.key;
  }
  return best;
}

std::vector<DependencyGraph::EdgeId> DependencyGraph::sorted(const HashOrder& list) const {
  std::vector<EdgeId> ids;
  for (const HashOrder::Entry& entry : list) ids.push_back(entry.value);
  std::stable_sort(ids.begin(), ids.end(), [this](EdgeId a, EdgeId b) {
    const auto key = [this](const Edge& of) {
      return std::tuple(rank(of.governor), rank(of.dependent), of.relation.name);
    };
    return key(edges_[a]) < key(edges_[b]);
  });
  return ids;
}

std::vector<DependencyGraph::EdgeId> DependencyGraph::sorted_out(Node node) const {
  return sorted(out(node));
}

std::vector<DependencyGraph::EdgeId> DependencyGraph::sorted_in(Node node) const {
  return sorted(in(node));
}

void DependencyGraph::list_word(Node node) {
  if (is_listed_[node]) return;
  is_listed_[node] = true;
  words_.add({nodes_[node].hash, node, node});
}

void DependencyGraph::add_root(Node node) {
  list_word(node);
  if (!is_root(node)) roots_.add({nodes_[node].hash, node, node});
}

void DependencyGraph::move_root(Node from, Node to) {
  roots_.remove(from);
  add_root(to);
}

DependencyGraph::EdgeId DependencyGraph::add_edge(Node governor, Node dependent, const Relation& relation) {
  const EdgeId id = edges_made();
  edges_.push_back({governor, dependent, relation});
  list_word(governor);
  list_word(dependent);
  nodes_[governor].out.add({nodes_[dependent].hash, dependent, id});
  nodes_[dependent].in.add({nodes_[governor].hash, governor, id});
  return id;
}

void DependencyGraph::remove_edge(EdgeId id) {
  nodes_[edges_[id].governor].out.remove(id);
  nodes_[edges_[id].dependent].in.remove(id);
}

Relation DependencyGraph::make_detailed(std::string_view kind, std::string_view detail) {
  std::string& name = names_.emplace_back();
  name.reserve(kind.size() + 1 + detail.size());
  name.append(kind).append(1, ':').append(detail);
  return make_relation(name);
}

void DependencyGraph::rebuild() {
  std::vector<Edge> listed;  // a root as an edge without governor
  listed.reserve(edges_.size());
  for (const HashOrder::Entry& root : roots_) listed.push_back({kNone, root.value, Relation()});
  for (const HashOrder::Entry& word : words_) {
    for (const HashOrder::Entry& entry : out(word.value)) listed.push_back(edges_[entry.value]);
  }
  const auto key = [this](const Edge& of) {
    const std::uint32_t governor = of.governor == kNone ? 0 : index(of.governor);
    return std::tuple(index(of.dependent), governor, of.relation.name);
  };
  std::stable_sort(listed.begin(), listed.end(),
                   [&](const Edge& a, const Edge& b) { return key(a) < key(b); });
  for (NodeData& node : nodes_) {
    node.out.clear();
    node.in.clear();
  }
  is_listed_.assign(nodes_.size(), false);
  words_.clear();
  roots_.clear();
  edges_.clear();
  for (const Edge& each : listed) {
    if (each.governor == kNone) {
      add_root(each.dependent);
    } else {
      add_edge(each.governor, each.dependent, each.relation);
    }
  }
}

}  // namespace capella::scene
