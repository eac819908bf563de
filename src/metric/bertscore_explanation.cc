#include "metric/bertscore_explanation.h"

#include <algorithm>

#include <fmt/format.h>

#include "metric/bertscore_matching.h"

namespace capella::metric {
namespace {

using encoder::EncodedText;

// What each token of `text` found in `other`; special tokens count nothing and are left out.
Explanation::Table match_table(std::string title, std::vector<std::string> columns, const EncodedText& text,
                               const EncodedText& other, const std::vector<TokenMatch>& matches,
                               const TokenState& state) {
  Explanation::Table table{std::move(title), std::move(columns), {}};
  const std::vector<double> weights = token_weights(text, state.rarity());
  const encoder::Tokenizer& tokenizer = state.encoder().tokenizer();
  for (std::size_t i = 1; i + 1 < text.ids.size(); ++i) {
    table.rows.push_back({shown_token(tokenizer, text.ids[i]),
                          shown_token(tokenizer, other.ids[matches[i].token]),
                          fmt::format("{:.4f}", matches[i].cosine), fmt::format("{:.4f}", weights[i])});
  }
  return table;
}

std::vector<std::string> row_of(const std::string& reference, const BertScoreValues& values) {
  return {reference, fmt::format("{:.4f}", values[0]), fmt::format("{:.4f}", values[1]),
          fmt::format("{:.4f}", values[2])};
}

}  // namespace

Explanation explain_bertscore(const Batch& batch, const TokenState& state) {
  const TokenBatchVectors vectors(batch, state, false);
  Explanation explanation{
      "bertscore", {}, {{"against each reference", {"reference", "precision", "recall", "F"}, {}}}};
  std::size_t best = 0;
  double highest = -1.0;
  for (std::size_t r = 0; r < vectors.references(0); ++r) {
    const BertScoreValues values =
        bertscore_values(vectors.caption(0), vectors.reference(0, r), state.rarity());
    const std::size_t place = batch.references.begin(batch.items[0]) + r;
    explanation.tables[0].rows.push_back(row_of(std::string(batch.references.raw[place]), values));
    if (values[2] > highest) best = r;
    highest = std::max(highest, values[2]);
  }
  if (vectors.references(0) == 0) {
    explanation.summary.push_back("there is no reference to compare with");
    return explanation;
  }
  explanation.summary.push_back(fmt::format(
      "F is {:.4f} with the best of {} references, before any rescaling", highest, vectors.references(0)));
  const EncodedText caption = vectors.caption(0);
  const EncodedText reference = vectors.reference(0, best);
  const TokenMatches matches = match_tokens(caption, reference);
  explanation.tables.push_back(match_table("precision: what the caption's tokens find in the best reference",
                                           {"caption", "reference", "cosine", "weight"}, caption, reference,
                                           matches.of_caption, state));
  explanation.tables.push_back(match_table("recall: what the best reference's tokens find in the caption",
                                           {"reference", "caption", "cosine", "weight"}, reference, caption,
                                           matches.of_reference, state));
  return explanation;
}

}  // namespace capella::metric
