// Scene graphs beside those of their slow twin.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "reference/scene_reference.h"
#include "scene/facts.h"
#include "scene/match.h"
#include "scene/scene_graph.h"

namespace capella::test {

/// The facts as the twin writes them.
inline std::vector<reference::SceneFact> as_lists(const std::vector<scene::Fact>& facts) {
  std::vector<reference::SceneFact> lists;
  for (const scene::Fact& fact : facts) {
    switch (fact.kind) {
      case scene::Fact::Kind::object:
        lists.push_back({fact.subject});
        break;
      case scene::Fact::Kind::attribute:
        lists.push_back({fact.subject, fact.predicate});
        break;
      case scene::Fact::Kind::relation:
        lists.push_back({fact.subject, fact.predicate, fact.object});
        break;
    }
  }
  return lists;
}

/// As SPICE lists them: those that matched first.
inline std::vector<std::vector<std::string>> listed(const scene::SceneGraph& graph,
                                                    const scene::Match::Side& side) {
  std::vector<std::vector<std::string>> texts;
  for (const bool matched : {true, false}) {
    for (std::size_t i = 0; i < side.tuples.size(); ++i) {
      if (side.matched[i] == matched) texts.push_back(graph.texts(side.tuples[i]));
    }
  }
  return texts;
}

/// What the engine and its twin find different in a caption and its references; empty if nothing.
inline std::string scene_difference(const std::vector<std::vector<scene::Fact>>& captions,
                                    scene::Lexicon& lexicon, const reference::MeteorWords* words) {
  scene::SceneGraph candidate(lexicon), references(lexicon);
  std::vector<std::vector<reference::SceneFact>> lists;
  for (std::size_t i = 0; i < captions.size(); ++i) {
    (i == 0 ? candidate : references).add(captions[i]);
    lists.push_back(as_lists(captions[i]));
  }
  const auto slow_candidate = reference::scene_tuples({lists.begin(), lists.begin() + 1}, words);
  const auto slow_references = reference::scene_tuples({lists.begin() + 1, lists.end()}, words);
  const scene::Match match = scene::match_tuples(candidate, references);
  const reference::SceneListing listing = reference::scene_listing(slow_candidate, slow_references);
  if (listed(candidate, match.candidate) != listing.candidate) return "the candidate's tuples";
  if (listed(references, match.references) != listing.references) return "the references' tuples";
  const auto count = [](const std::vector<bool>& matched) {
    return static_cast<std::size_t>(std::count(matched.begin(), matched.end(), true));
  };
  if (count(match.candidate.matched) != listing.candidate_matches) return "the candidate's matches";
  if (count(match.references.matched) != listing.reference_matches) return "the references' matches";
  const scene::CountsByCategory found = scene::count_matches(candidate, references);
  const std::vector<reference::SceneCounts> counts = reference::scene_counts(slow_candidate, slow_references);
  for (std::size_t i = 0; i < scene::kCategories; ++i) {
    const scene::Counts expected = {counts[i].true_positives, counts[i].false_positives,
                                    counts[i].false_negatives};
    if (found[i] != expected || counts[i].category != scene::kCategoryNames[i]) return counts[i].category;
  }
  return "";
}

}  // namespace capella::test
