#include "reference/scene_reference.h"

#include <algorithm>
#include <map>

#include "reference/scene_reference_graph.h"

namespace capella::reference {
namespace {

struct Node {
  SceneConcept object;
  std::vector<SceneConcept> attributes;
};
struct Link {
  std::size_t from;
  std::size_t to;
  SceneConcept relation;
};

std::set<std::uint32_t> direct(const std::string& key, const MeteorWords& words) {
  const auto found = words.synsets.find(to_meteor_word(key));
  return found == words.synsets.end() ? std::set<std::uint32_t>() : found->second;
}

/// The base form by the endings, or "".
std::string base_form(const std::string& key, const MeteorWords& words) {
  static const std::vector<std::pair<std::string, std::string>> kEndings = {
      {"s", ""},      {"ses", "s"}, {"xes", "x"}, {"zes", "z"}, {"ches", "ch"}, {"shes", "sh"},
      {"men", "man"}, {"ies", "y"}, {"es", "e"},  {"es", ""},   {"ed", "e"},    {"ed", ""},
      {"ing", "e"},   {"ing", ""},  {"er", ""},   {"est", ""},  {"er", "e"},    {"est", "e"}};
  if (key.ends_with("ss") || key.size() <= 2) return key;
  for (const auto& [ending, replacement] : kEndings) {
    if (!key.ends_with(ending)) continue;
    const std::string base = key.substr(0, key.size() - ending.size()) + replacement;
    if (words.synsets.contains(to_meteor_word(base))) return base;
  }
  return "";
}

SceneConcept make(const std::string& text, const MeteorWords* words) {
  SceneConcept made{{text}, {}};
  if (words == nullptr) return made;
  std::string key = lower_slowly(text);
  while (!key.empty() && key.back() <= ' ') key.pop_back();
  while (!key.empty() && key.front() <= ' ') key.erase(0, 1);
  std::replace(key.begin(), key.end(), ' ', '_');
  made.synsets = direct(key, *words);
  std::vector<std::string> bases = {base_form(key, *words)};
  if (const auto found = words->bases.find(to_meteor_word(key)); found != words->bases.end()) {
    bases.clear();
    for (const MeteorWord& base : found->second) bases.push_back(to_utf8(base));
  }
  for (const std::string& base : bases) made.synsets.merge(direct(base, *words));
  return made;
}

std::set<std::string> word_set(const SceneConcept& of) {
  return {of.words.begin(), of.words.end()};
}

template <class T>
std::set<T> common(const std::set<T>& a, const std::set<T>& b) {
  std::set<T> both;
  for (const T& each : a) {
    if (b.contains(each)) both.insert(each);
  }
  return both;
}

bool is_equal(const SceneConcept& a, const SceneConcept& b) {
  return word_set(a) == word_set(b) && a.synsets == b.synsets;
}

bool is_similar(const SceneConcept& a, const SceneConcept& b) {
  return !common(word_set(a), word_set(b)).empty() || !common(a.synsets, b.synsets).empty();
}

double similarity(const SceneConcept& a, const SceneConcept& b) {
  if (!common(word_set(a), word_set(b)).empty()) return 1;
  std::set<std::uint32_t> all = a.synsets;
  all.insert(b.synsets.begin(), b.synsets.end());
  if (all.empty()) return 0;
  return static_cast<double>(common(a.synsets, b.synsets).size()) / static_cast<double>(all.size());
}

void unite(SceneConcept& grown, const SceneConcept& added) {
  for (const std::string& word : added.words) {
    if (!word_set(grown).contains(word)) grown.words.push_back(word);
  }
  grown.synsets.insert(added.synsets.begin(), added.synsets.end());
}

class SlowScene {
 public:
  explicit SlowScene(const MeteorWords* words) : words_(words) {}

  void add(const SceneFact& fact) {
    const std::size_t first = node(fact.front());
    if (fact.size() == 2) add_attribute(first, make(fact[1], words_));
    if (fact.size() < 3) return;
    const std::size_t second = node(fact[2]);
    std::string relation = fact[1];
    if (relation.starts_with("be ")) relation = relation.substr(3);
    add_relation(first, second, make(relation, words_));
  }

  std::vector<SceneTuple> tuples() const {
    std::vector<SceneTuple> all;
    for (const Node& each : nodes_) {
      all.push_back({each.object});
      for (const SceneConcept& attribute : each.attributes) all.push_back({each.object, attribute});
    }
    for (const Link& link : links_)
      all.push_back({nodes_[link.from].object, link.relation, nodes_[link.to].object});
    return all;
  }

 private:
  std::size_t node(const std::string& text) {
    const SceneConcept added = make(text, words_);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (is_equal(nodes_[i].object, added)) return i;
    }
    double best = 0;
    std::size_t nearest = nodes_.size();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (similarity(nodes_[i].object, added) > best) {
        best = similarity(nodes_[i].object, added);
        nearest = i;
      }
    }
    if (nearest == nodes_.size()) {
      nodes_.push_back({added, {}});
    } else {
      unite(nodes_[nearest].object, added);
    }
    return nearest;
  }

  void add_attribute(std::size_t to, const SceneConcept& added) {
    std::vector<SceneConcept>& attributes = nodes_[to].attributes;
    for (const SceneConcept& known : attributes) {
      if (is_equal(known, added)) return;
    }
    for (SceneConcept& known : attributes) {
      if (is_similar(known, added)) return unite(known, added);
    }
    attributes.push_back(added);
  }

  void add_relation(std::size_t from, std::size_t to, const SceneConcept& added) {
    for (const Link& link : links_) {
      if (link.from == from && link.to == to && is_equal(link.relation, added)) return;
    }
    for (Link& link : links_) {
      if (link.from == from && link.to == to && is_similar(link.relation, added))
        return unite(link.relation, added);
    }
    links_.push_back({from, to, added});
  }

  const MeteorWords* words_;
  std::vector<Node> nodes_;
  std::vector<Link> links_;
};

bool tuples_are_similar(const SceneTuple& a, const SceneTuple& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!is_similar(a[i], b[i])) return false;
  }
  return true;
}

/// Java's String.hashCode for ASCII, as HashMap mixes it.
std::uint32_t hash_of(const std::string& word) {
  std::uint32_t hash = 0;
  for (const char c : word) hash = 31 * hash + static_cast<unsigned char>(c);
  return hash ^ (hash >> 16);
}

std::vector<std::string> ordered_words(const SceneConcept& of) {
  JavaMap<std::string, int> set;
  for (const std::string& word : of.words) set.put(hash_of(word), word);
  return set.keys();
}

bool is_in_category(const SceneTuple& tuple, const std::string& category) {
  static const std::map<std::string, std::string> kLists = {
      {"Color",
       "black brown blue red yellow pink gray grey green dark light white cream orange purple maroon beige "
       "violet"},
      {"Cardinality", "one two three four five six seven eight nine ten"},
      {"Size",
       "baby beefy big bony boundless brawny broad bulky chunky colossal compact corpulent cosmic cubby "
       "curvy elfin "
       "emaciated endless enormous epic expansive extensive fat fleshy full-size gargantuan gaunt giant "
       "gigantic "
       "grand great heavy hefty huge hulking illimitable immeasurable immense infinitesimal lanky large lean "
       "life-size limitless little mammoth massive meager measly microscopic mini miniature minuscule minute "
       "narrow "
       "obese outsized oversize overweight paltry petite pint-size plump pocket-size portly pudgy puny "
       "rotund scanty "
       "scraggy scrawny short sizable skeletal skimpy skinny slender slim small squat stocky stout strapping "
       "sturdy "
       "tall teensy teeny teeny-tiny teeny-weeny thick thickset thin tiny titanic towering trifling trim "
       "tubby "
       "undersized underweight unlimited vast wee whopping wide"}};
  if (category == "All") return true;
  if (category == "Object") return tuple.size() == 1;
  if (category == "Attribute") return tuple.size() == 2;
  if (category == "Relation") return tuple.size() == 3;
  const std::string list = " " + kLists.at(category) + " ";
  return tuple.size() == 2 && scene_text(tuple[1]).find(' ') == std::string::npos &&
         list.find(" " + scene_text(tuple[1]) + " ") != std::string::npos;
}

std::vector<SceneTuple> filtered(const std::vector<SceneTuple>& tuples, const std::string& category) {
  std::vector<SceneTuple> kept;
  for (const SceneTuple& tuple : tuples) {
    if (is_in_category(tuple, category)) kept.push_back(tuple);
  }
  return kept;
}

std::vector<SceneTuple> sorted(std::vector<SceneTuple> tuples) {
  std::stable_sort(tuples.begin(), tuples.end(), [](const SceneTuple& a, const SceneTuple& b) {
    std::vector<std::vector<std::string>> left, right;
    for (const SceneConcept& each : a) left.push_back(ordered_words(each));
    for (const SceneConcept& each : b) right.push_back(ordered_words(each));
    return left < right;
  });
  return tuples;
}

std::vector<std::vector<std::string>> texts(const std::vector<SceneTuple>& tuples,
                                            const std::vector<bool>& matched) {
  std::vector<std::vector<std::string>> all;
  for (const bool wanted : {true, false}) {
    for (std::size_t i = 0; i < tuples.size(); ++i) {
      if (matched[i] != wanted) continue;
      all.emplace_back();
      for (const SceneConcept& each : tuples[i]) all.back().push_back(scene_text(each));
    }
  }
  return all;
}

}  // namespace

std::vector<SceneTuple> scene_tuples(const std::vector<std::vector<SceneFact>>& captions,
                                     const MeteorWords* words) {
  SlowScene scene(words);
  for (const auto& facts : captions) {
    for (const SceneFact& fact : facts) scene.add(fact);
  }
  return scene.tuples();
}

std::string scene_text(const SceneConcept& of) {
  std::string text;
  for (const std::string& word : ordered_words(of)) text += word + "/";
  return text.substr(0, text.size() - 1);
}

std::vector<SceneCounts> scene_counts(const std::vector<SceneTuple>& candidate,
                                      const std::vector<SceneTuple>& references) {
  std::vector<SceneCounts> all;
  for (const char* category : {"All", "Object", "Relation", "Attribute", "Color", "Size", "Cardinality"}) {
    const auto given = filtered(candidate, category), wanted = filtered(references, category);
    SceneCounts counts{category};
    for (const SceneTuple& tuple : given) {
      for (const SceneTuple& reference : wanted) {
        if (!tuples_are_similar(tuple, reference)) continue;
        ++counts.true_positives;
        break;
      }
    }
    counts.false_positives = static_cast<int>(given.size()) - counts.true_positives;
    counts.false_negatives = static_cast<int>(wanted.size()) - counts.true_positives;
    all.push_back(counts);
  }
  return all;
}

SceneListing scene_listing(const std::vector<SceneTuple>& candidate,
                           const std::vector<SceneTuple>& references) {
  const auto given = sorted(candidate), wanted = sorted(references);
  std::vector<bool> of_given(given.size(), false), of_wanted(wanted.size(), false);
  for (std::size_t i = 0; i < given.size(); ++i) {
    for (std::size_t k = 0; k < wanted.size() && !of_given[i]; ++k) {
      if (tuples_are_similar(given[i], wanted[k])) of_given[i] = of_wanted[k] = true;
    }
  }
  SceneListing listing{texts(given, of_given), texts(wanted, of_wanted), 0, 0};
  listing.candidate_matches = static_cast<std::size_t>(std::count(of_given.begin(), of_given.end(), true));
  listing.reference_matches = static_cast<std::size_t>(std::count(of_wanted.begin(), of_wanted.end(), true));
  return listing;
}

}  // namespace capella::reference
