// The scene that captions describe: objects with attributes, and relations between them.
//
// Words that share a WordNet synset are taken for one: what is added later is merged into the nearest thing
// that is there, so that a thing's words and synsets grow. This is how SPICE merges the references of an
// image. What merges depends on the order of adding; ties go to the earliest.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scene/facts.h"
#include "scene/lexicon.h"

namespace capella::scene {

/// Words that have become one, with all their synsets.
struct Concept {
  std::vector<text::WordId> words;     ///< in the order in which they came
  std::vector<std::uint32_t> synsets;  ///< ascending
  std::uint64_t signature = 0;         ///< no bit in common: neither a word nor a synset is
};

/// Whether they share a word or a synset.
bool similar(const Concept& a, const Concept& b);

/// (object), (object, attribute) or (object, relation, object): places in SceneGraph::concepts().
struct Tuple {
  std::uint8_t size = 0;
  std::array<std::uint32_t, 3> parts{};
};

class SceneGraph {
 public:
  /// `lexicon` must outlive the graph; only add() changes it. Graphs that are compared with each other have
  /// the same lexicon, or one has a lexicon that extends the other's.
  explicit SceneGraph(Lexicon& lexicon) : lexicon_(&lexicon) {}

  /// Adds a caption. A candidate's graph has one, a reference graph all references of the image in their
  /// order.
  void add(std::span<const Fact> facts);

  const Lexicon& lexicon() const { return *lexicon_; }
  const std::vector<Concept>& concepts() const { return concepts_; }

  /// Objects, then attributes, then relations, each kind in the order in which they came.
  std::vector<Tuple> tuples() const;
  /// In the order in which SPICE compares and lists them: by their words.
  std::vector<Tuple> sorted_tuples() const;

  /// A concept as SPICE prints it: its words joined by "/", in the order of a java.util.HashSet.
  std::string text(const Concept& of) const;
  /// A tuple as SPICE prints it, e.g. {"toilet/bathroom", "with", "sink"}.
  std::vector<std::string> texts(const Tuple& tuple) const;
  /// The list that an attribute tuple's attribute stands in; a merged attribute stands in none.
  WordList list(const Tuple& tuple) const;

 private:
  using Place = std::uint32_t;  // in concepts_
  struct Attribute {
    Place object;
    Place attribute;
  };
  struct Relation {
    Place subject;
    Place relation;
    Place object;
  };

  Place object(std::string_view words);
  void add_attribute(Place object, std::string_view words);
  void add_relation(Place subject, std::string_view words, Place object);
  Concept make(text::WordId word) const;
  Place store(Concept added);
  /// Whether one of the concepts has it already or takes it up.
  bool merge(std::span<const Place> places, const Concept& added);

  Lexicon* lexicon_;
  std::vector<Concept> concepts_;
  std::vector<Place> objects_;
  std::vector<Attribute> attributes_;
  std::vector<Relation> relations_;
};

}  // namespace capella::scene
