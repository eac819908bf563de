// SPICE from the definition: facts, scene graphs, tuples and matches in plain strings, sets and nested loops.
//
// The twin knows only ASCII letters.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "reference/meteor_reference_words.h"
#include "syntax/tree.h"

namespace capella::reference {

/// (object), (object, attribute) or (subject, relation, object).
using SceneFact = std::vector<std::string>;

std::vector<SceneFact> scene_facts(const std::vector<syntax::Tree>& sentences);

struct SceneConcept {
  std::vector<std::string> words;  ///< in the order in which they came
  std::set<std::uint32_t> synsets;
};
using SceneTuple = std::vector<SceneConcept>;

/// The tuples of one graph that captions were added to, in any order. Without words, no words are synonyms.
std::vector<SceneTuple> scene_tuples(const std::vector<std::vector<SceneFact>>& captions,
                                     const MeteorWords* words);

/// "a/b"
std::string scene_text(const SceneConcept& of);

struct SceneCounts {
  std::string category;
  int true_positives = 0;
  int false_positives = 0;
  int false_negatives = 0;
};
/// All, Object, Relation, Attribute, Color, Size, Cardinality.
std::vector<SceneCounts> scene_counts(const std::vector<SceneTuple>& candidate,
                                      const std::vector<SceneTuple>& references);

/// What SPICE lists: the tuples' texts, those that matched first, each group by its words.
struct SceneListing {
  std::vector<std::vector<std::string>> candidate;
  std::vector<std::vector<std::string>> references;
  std::size_t candidate_matches = 0;
  std::size_t reference_matches = 0;
};
SceneListing scene_listing(const std::vector<SceneTuple>& candidate,
                           const std::vector<SceneTuple>& references);

}  // namespace capella::reference
