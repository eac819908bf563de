// How much of a candidate's scene is in the references' scene: SPICE's counts and scores.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "scene/scene_graph.h"

namespace capella::scene {

enum class Category : std::uint8_t { all, object, relation, attribute, color, size, cardinality };
inline constexpr std::size_t kCategories = 7;
/// In the order of Category, as SPICE writes them.
inline constexpr std::array<std::string_view, kCategories> kCategoryNames = {
    "All", "Object", "Relation", "Attribute", "Color", "Size", "Cardinality"};

/// Tuples of one category. Several of the candidate's tuples may match one of the references', so that
/// `false_negatives` can be negative; candidate tuples = tp + fp, reference tuples = tp + fn.
struct Counts {
  std::int32_t true_positives = 0;
  std::int32_t false_positives = 0;
  std::int32_t false_negatives = 0;

  friend bool operator==(const Counts&, const Counts&) = default;
};
using CountsByCategory = std::array<Counts, kCategories>;

/// Each category is matched within itself: a color only with tuples that are colors too.
CountsByCategory count_matches(const SceneGraph& candidate, const SceneGraph& references);

/// The tuples of both sides in SPICE's order (SceneGraph::sorted_tuples()) and which of them matched. For
/// each candidate tuple that matches, the first reference tuple that is similar is its partner and marked.
struct Match {
  static constexpr std::size_t kNoPartner = SIZE_MAX;

  struct Side {
    std::vector<Tuple> tuples;
    std::vector<bool> matched;  ///< as long as `tuples`: SPICE's truth_value
  };
  Side candidate;
  Side references;
  std::vector<std::size_t> partners;  ///< of the candidate's tuples: places in references.tuples
};
Match match_tuples(const SceneGraph& candidate, const SceneGraph& references);

struct Score {
  double precision = 0;
  double recall = 0;
  double f = 0;
};

/// Without reference tuples, all three are 0 for Category::all and NaN for the others. Without candidate
/// tuples or matches, F is 0.
Score score(const Counts& counts, Category category);

}  // namespace capella::scene
