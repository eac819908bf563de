// A sentence's dependencies for SPICE's slow twin: words and edges in maps that are built as Java's are.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "syntax/tree.h"

namespace capella::reference {

/// A word by its position in the sentence, from 1; copies of it are numbered from 1.
struct SlowWord {
  int index = 0;
  int copy = 0;

  friend auto operator<=>(const SlowWord&, const SlowWord&) = default;
};

/// java.util.HashMap, bucket by bucket.
template <class Key, class Value>
class JavaMap {
 public:
  explicit JavaMap(std::size_t buckets = 16) : buckets_(buckets) {}

  Value* find(const Key& key) {
    for (auto& bucket : buckets_) {
      for (Item& item : bucket) {
        if (item.key == key) return &item.value;
      }
    }
    return nullptr;
  }

  const Value* find(const Key& key) const { return const_cast<JavaMap*>(this)->find(key); }

  Value& put(std::uint32_t hash, const Key& key) {
    if (Value* found = find(key)) return *found;
    auto& bucket = buckets_[hash % buckets_.size()];
    bucket.push_back({hash, key, Value()});
    const bool is_long = bucket.size() > 8;
    if (is_long && buckets_.size() < 64) grow();
    if (keys().size() > buckets_.size() * 3 / 4) grow();
    return *find(key);
  }

  void erase(const Key& key) {
    for (auto& bucket : buckets_) {
      std::erase_if(bucket, [&](const Item& item) { return item.key == key; });
    }
  }

  std::vector<Key> keys() const {
    std::vector<Key> all;
    for (const auto& bucket : buckets_) {
      for (const Item& item : bucket) all.push_back(item.key);
    }
    return all;
  }

 private:
  struct Item {
    std::uint32_t hash;
    Key key;
    Value value;
  };

  void grow() {
    std::vector<std::vector<Item>> larger(2 * buckets_.size());
    for (const auto& bucket : buckets_) {
      for (const Item& item : bucket) larger[item.hash % larger.size()].push_back(item);
    }
    buckets_ = larger;
  }

  std::vector<std::vector<Item>> buckets_;
};

struct SlowEdge {
  SlowWord governor;
  SlowWord dependent;
  std::string relation;
};

class SlowGraph {
 public:
  SlowGraph(const syntax::Tree& tree, int sentence);

  const syntax::Token& token(SlowWord word) const {
    return tree_.tokens[static_cast<std::size_t>(word.index - 1)];
  }
  int sentence() const { return sentence_; }
  int size() const { return static_cast<int>(tree_.tokens.size()); }
  bool is_noun(SlowWord word) const;
  bool is_plural(SlowWord word) const;

  std::vector<SlowWord> words() const { return outgoing_.keys(); }
  std::vector<SlowWord> walk() const;
  std::optional<SlowWord> at(int index) const;
  SlowWord copy(SlowWord word);

  std::vector<SlowWord> roots() const { return roots_.keys(); }
  bool is_root(SlowWord word) const;
  void move_root(SlowWord from, SlowWord to);

  std::vector<SlowEdge> edges() const;
  std::vector<SlowEdge> edges_from(SlowWord word) const;
  /// By governor, then name.
  std::vector<SlowEdge> edges_to(SlowWord word) const;
  /// Dependents with the relation.
  std::vector<SlowWord> children(SlowWord word, const std::string& relation) const;
  /// The name of the first edge between the two.
  std::optional<std::string> relation(SlowWord governor, SlowWord dependent) const;
  std::optional<SlowWord> parent(SlowWord word) const;

  void add(SlowWord governor, SlowWord dependent, const std::string& relation);
  void remove(SlowWord governor, SlowWord dependent, const std::string& relation);
  /// Renames the first edge between the two.
  void rename(SlowWord governor, SlowWord dependent, const std::string& relation);
  void rebuild();

 private:
  using Relations = std::vector<std::string>;
  using Dependents = JavaMap<SlowWord, Relations>;

  std::uint32_t hash(SlowWord word) const { return static_cast<std::uint32_t>(29 * sentence_ + word.index); }
  bool visit(SlowWord word, std::vector<SlowWord>& begun, std::vector<SlowWord>& done) const;
  bool reaches_root(SlowWord word, std::vector<SlowWord>& seen) const;

  syntax::Tree tree_;
  int sentence_;
  std::vector<int> copies_;
  JavaMap<SlowWord, Dependents> outgoing_;
  JavaMap<SlowWord, int> roots_;
};

/// What the twin does before it applies its rules.
void collapse_slowly(SlowGraph& graph);
void enhance_slowly(SlowGraph& graph);

/// ASCII letters in lower case; the twin is given no others.
std::string lower_slowly(std::string text);

}  // namespace capella::reference
