#include "metric/spice_explanation.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scene/match.h"

namespace capella::metric {
namespace {

using scene::Match;
using scene::SceneGraph;
using scene::Tuple;

std::string tuple_text(const SceneGraph& graph, const Tuple& tuple) {
  return fmt::format("{}", fmt::join(graph.texts(tuple), " - "));
}

std::string decimals(double number) {
  return std::isnan(number) ? "-" : fmt::format("{:.4f}", number);
}

Explanation::Table category_table(const scene::CountsByCategory& counts) {
  Explanation::Table table{
      "by category", {"category", "matched", "extra", "missed", "precision", "recall", "F"}, {}};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const scene::Score score = scene::score(counts[i], static_cast<scene::Category>(i));
    table.rows.push_back({std::string(scene::kCategoryNames[i]), fmt::to_string(counts[i].true_positives),
                          fmt::to_string(counts[i].false_positives),
                          fmt::to_string(counts[i].false_negatives), decimals(score.precision),
                          decimals(score.recall), decimals(score.f)});
  }
  return table;
}

Explanation::Table match_table(const SceneGraph& caption, const SceneGraph& references, const Match& match) {
  Explanation::Table table{"matched: in both", {"caption", "references"}, {}};
  for (std::size_t i = 0; i < match.partners.size(); ++i) {
    if (match.partners[i] == Match::kNoPartner) continue;
    table.rows.push_back({tuple_text(caption, match.candidate.tuples[i]),
                          tuple_text(references, match.references.tuples[match.partners[i]])});
  }
  return table;
}

Explanation::Table rest_table(std::string title, std::string column, const SceneGraph& graph,
                              const Match::Side& side) {
  Explanation::Table table{std::move(title), {std::move(column)}, {}};
  for (std::size_t i = 0; i < side.tuples.size(); ++i) {
    if (!side.matched[i]) table.rows.push_back({tuple_text(graph, side.tuples[i])});
  }
  return table;
}

}  // namespace

Explanation explain_spice(const SceneGraph& caption, const SceneGraph& references) {
  const Match match = scene::match_tuples(caption, references);
  const scene::CountsByCategory counts = scene::count_matches(caption, references);
  const scene::Counts& all = counts[0];
  const scene::Score score = scene::score(all, scene::Category::all);
  Explanation explanation{"spice", {}, {category_table(counts), match_table(caption, references, match)}};
  explanation.summary = {
      fmt::format("{} of the caption's {} tuples are among the {} of the references", all.true_positives,
                  all.true_positives + all.false_positives, all.true_positives + all.false_negatives),
      fmt::format("F {:.4f} of precision {:.4f} and recall {:.4f}", score.f, score.precision, score.recall)};
  explanation.tables.push_back(rest_table("extra: in the caption only", "caption", caption, match.candidate));
  explanation.tables.push_back(
      rest_table("missed: in the references only", "references", references, match.references));
  return explanation;
}

}  // namespace capella::metric
