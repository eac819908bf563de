#include "scene/scene_graph.h"

#include <algorithm>
#include <iterator>

#include "base/hash.h"
#include "scene/hash_order.h"

namespace capella::scene {
namespace {

// Words and synsets each get one of 64 bits.
std::uint64_t bit_of(std::uint64_t number) {
  return std::uint64_t{1} << (number * 0x9E3779B97F4A7C15u >> 58);
}
constexpr std::uint64_t kWordSpace = std::uint64_t{1} << 32;

bool has_word(const Concept& of, text::WordId word) {
  return std::find(of.words.begin(), of.words.end(), word) != of.words.end();
}

bool is_only_word(const Concept& of, text::WordId word) {
  return of.words.size() == 1 && of.words.front() == word;
}

std::size_t count_common(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::size_t common = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) {
      ++common;
      ++i;
      ++j;
    } else {
      a[i] < b[j] ? ++i : ++j;
    }
  }
  return common;
}

bool have_common(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) return true;
    a[i] < b[j] ? ++i : ++j;
  }
  return false;
}

/// The share of common synsets in all synsets of the two, which have no word in common.
float share_of_synsets(const Concept& a, const Concept& b) {
  if ((a.signature & b.signature) == 0) return 0;
  const std::size_t common = count_common(a.synsets, b.synsets);
  const std::size_t all = a.synsets.size() + b.synsets.size() - common;
  return all == 0 ? 0 : static_cast<float>(common) / static_cast<float>(all);
}

void absorb(Concept& grown, const Concept& added) {
  if (!has_word(grown, added.words.front())) grown.words.push_back(added.words.front());
  std::vector<std::uint32_t> all;
  all.reserve(grown.synsets.size() + added.synsets.size());
  std::set_union(grown.synsets.begin(), grown.synsets.end(), added.synsets.begin(), added.synsets.end(),
                 std::back_inserter(all));
  grown.synsets = std::move(all);
  grown.signature |= added.signature;
}

/// The words in the order of a java.util.HashSet.
std::vector<std::string_view> ordered_words(const Concept& of, const Lexicon& lexicon) {
  HashOrder order;
  for (const text::WordId word : of.words) order.add({lexicon.java_hash(word), word, word});
  std::vector<std::string_view> words;
  for (const HashOrder::Entry& entry : order) words.push_back(lexicon.text(entry.value));
  return words;
}

}  // namespace

bool similar(const Concept& a, const Concept& b) {
  if ((a.signature & b.signature) == 0) return false;
  const bool share_word =
      std::any_of(a.words.begin(), a.words.end(), [&](text::WordId word) { return has_word(b, word); });
  return share_word || have_common(a.synsets, b.synsets);
}

void SceneGraph::add(std::span<const Fact> facts) {
  for (const Fact& fact : facts) {
    const Place subject = object(fact.subject);
    if (fact.kind == Fact::Kind::attribute) add_attribute(subject, fact.predicate);
    if (fact.kind == Fact::Kind::relation) add_relation(subject, fact.predicate, object(fact.object));
  }
}

Concept SceneGraph::make(text::WordId word) const {
  const std::span<const std::uint32_t> synsets = lexicon_->synsets(word);
  Concept made{{word}, {synsets.begin(), synsets.end()}, bit_of(word + kWordSpace)};
  for (const std::uint32_t synset : synsets) made.signature |= bit_of(synset);
  return made;
}

SceneGraph::Place SceneGraph::store(Concept added) {
  concepts_.push_back(std::move(added));
  return static_cast<Place>(concepts_.size() - 1);
}

// A word is never in two objects: once it is in one, that is the most similar.
SceneGraph::Place SceneGraph::object(std::string_view words) {
  const text::WordId word = lexicon_->intern(words);
  for (const Place place : objects_) {
    if (has_word(concepts_[place], word)) return place;
  }
  Concept added = make(word);
  float best = 0;
  const Place* nearest = nullptr;
  for (const Place& place : objects_) {
    const float share = share_of_synsets(concepts_[place], added);
    if (share > best) {
      best = share;
      nearest = &place;
    }
  }
  if (nearest == nullptr) return objects_.emplace_back(store(std::move(added)));
  absorb(concepts_[*nearest], added);
  return *nearest;
}

bool SceneGraph::merge(std::span<const Place> places, const Concept& added) {
  for (const Place place : places) {
    if (is_only_word(concepts_[place], added.words.front())) return true;
  }
  for (const Place place : places) {
    if (!similar(concepts_[place], added)) continue;
    absorb(concepts_[place], added);
    return true;
  }
  return false;
}

void SceneGraph::add_attribute(Place object, std::string_view words) {
  std::vector<Place> others;
  for (const Attribute& known : attributes_) {
    if (known.object == object) others.push_back(known.attribute);
  }
  Concept added = make(lexicon_->intern(words));
  if (!merge(others, added)) attributes_.push_back({object, store(std::move(added))});
}

void SceneGraph::add_relation(Place subject, std::string_view words, Place object) {
  if (words.starts_with("be ")) words.remove_prefix(3);
  std::vector<Place> others;
  for (const Relation& known : relations_) {
    if (known.subject == subject && known.object == object) others.push_back(known.relation);
  }
  Concept added = make(lexicon_->intern(words));
  if (!merge(others, added)) relations_.push_back({subject, store(std::move(added)), object});
}

std::vector<Tuple> SceneGraph::tuples() const {
  std::vector<Tuple> all;
  all.reserve(objects_.size() + attributes_.size() + relations_.size());
  for (const Place place : objects_) all.push_back({1, {place, 0, 0}});
  for (const Attribute& each : attributes_) all.push_back({2, {each.object, each.attribute, 0}});
  for (const Relation& each : relations_) all.push_back({3, {each.subject, each.relation, each.object}});
  return all;
}

std::vector<Tuple> SceneGraph::sorted_tuples() const {
  std::vector<std::vector<std::string_view>> words;
  for (const Concept& each : concepts_) words.push_back(ordered_words(each, *lexicon_));
  const auto is_before = [&](const Tuple& a, const Tuple& b) {
    return std::lexicographical_compare(a.parts.begin(), a.parts.begin() + a.size, b.parts.begin(),
                                        b.parts.begin() + b.size,
                                        [&](Place x, Place y) { return words[x] < words[y]; });
  };
  std::vector<Tuple> sorted = tuples();
  std::stable_sort(sorted.begin(), sorted.end(), is_before);
  return sorted;
}

std::string SceneGraph::text(const Concept& of) const {
  std::string joined;
  for (const std::string_view word : ordered_words(of, *lexicon_)) {
    if (!joined.empty()) joined += '/';
    joined += word;
  }
  return joined;
}

std::vector<std::string> SceneGraph::texts(const Tuple& tuple) const {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < tuple.size; ++i) parts.push_back(text(concepts_[tuple.parts[i]]));
  return parts;
}

WordList SceneGraph::list(const Tuple& tuple) const {
  if (tuple.size != 2) return WordList::none;
  const Concept& attribute = concepts_[tuple.parts[1]];
  return attribute.words.size() == 1 ? lexicon_->list(attribute.words.front()) : WordList::none;
}

}  // namespace capella::scene
