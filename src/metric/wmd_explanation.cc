#include "metric/wmd_explanation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace capella::metric {
namespace {

std::string decimals(double number) {
  return std::isinf(number) ? "infinite" : fmt::format("{:.4f}", number);
}

Explanation::Table reference_table(const Batch& batch, const std::vector<double>& distances) {
  Explanation::Table table{"against each reference", {"reference", "distance", "score"}, {}};
  const std::size_t first = batch.references.begin(batch.items[0]);
  for (std::size_t i = 0; i < distances.size(); ++i) {
    table.rows.push_back({std::string(batch.references.tokens.text(first + i)), decimals(distances[i]),
                          fmt::format("{:.4f}", std::exp(-distances[i]))});
  }
  return table;
}

// The dearest first: these are what the score was lost by.
Explanation::Table move_table(const Batch& batch, WmdScorer& scorer, std::size_t reference) {
  Explanation::Table table{"what moves to the nearest reference",
                           {"caption", "reference", "mass", "distance", "mass x distance"},
                           {}};
  std::vector<WmdMove> moves = scorer.moves(0, reference);
  std::ranges::stable_sort(moves, std::greater(), [](const WmdMove& m) { return m.mass * m.distance; });
  const text::Vocabulary& vocabulary = batch.tokens.vocabulary();
  for (const WmdMove& move : moves) {
    table.rows.push_back({std::string(vocabulary.word(scorer.caption_word(move))),
                          std::string(vocabulary.word(scorer.reference_word(0, move))), decimals(move.mass),
                          decimals(move.distance), decimals(move.mass * move.distance)});
  }
  return table;
}

void list_left_out(std::string_view where, std::span<const text::WordId> pieces, const WmdScorer& scorer,
                   const text::Vocabulary& vocabulary, Explanation::Table& table) {
  std::vector<text::WordId> told;
  for (const text::WordId id : pieces) {
    const std::string_view word = vocabulary.word(id);
    if (scorer.words().counts(id) || word.empty() || std::ranges::find(told, id) != told.end()) continue;
    told.push_back(id);
    table.rows.push_back({std::string(where), std::string(word),
                          scorer.words().row(id) == VectorWords::kStopWord ? "stop word" : "no vector"});
  }
}

// With the solver gensim3 a distance can be infinite though there are words that count.
std::string why_infinite(bool has_words) {
  return fmt::format("the distance is infinite and the score 0: {}",
                     has_words ? "all words that count have the same vector, which gensim 1 to 3 takes for a "
                                 "failure; with wmd.solver=exact the distance is 0"
                               : "the caption or every reference has no word that counts");
}

std::vector<std::string> summarize(const std::vector<double>& distances, double nearest, WmdSolver solver) {
  std::vector<std::string> summary = {
      fmt::format("distance {:.4f} to the nearest of {} reference{}, score exp(-{:.4f}) = {:.4f}", nearest,
                  distances.size(), distances.size() == 1 ? "" : "s", nearest, std::exp(-nearest))};
  if (solver == WmdSolver::gensim3) {
    summary.push_back("distances are rounded as in gensim 1 to 3; what moves is that of exact transport");
  }
  return summary;
}

}  // namespace

Explanation explain_wmd(const Batch& batch, const WmdPrepared& prepared, WmdSolver solver) {
  WmdScorer scorer(batch, prepared, solver);
  const std::vector<double> distances = scorer.distances(0);
  const auto best = std::ranges::min_element(distances);
  const double nearest = best == distances.end() ? WmdComparer::kInfinite : *best;
  Explanation explanation{"wmd", {}, {reference_table(batch, distances)}};
  explanation.summary = std::isinf(nearest) ? std::vector{why_infinite(scorer.has_words(0))}
                                            : summarize(distances, nearest, solver);
  Explanation::Table left_out{"words left out", {"of", "word", "why"}, {}};
  const text::Vocabulary& vocabulary = batch.tokens.vocabulary();
  list_left_out("caption", batch.tokens.pieces(0), scorer, vocabulary, left_out);
  if (best != distances.end()) {
    const std::size_t reference =
        batch.references.begin(batch.items[0]) + static_cast<std::size_t>(best - distances.begin());
    list_left_out("nearest reference", batch.references.tokens.pieces(reference), scorer, vocabulary,
                  left_out);
    if (!std::isinf(nearest)) explanation.tables.push_back(move_table(batch, scorer, reference));
  }
  explanation.tables.push_back(std::move(left_out));
  return explanation;
}

}  // namespace capella::metric
