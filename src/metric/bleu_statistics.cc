#include "metric/bleu_statistics.h"

#include <algorithm>

#include <fmt/format.h>

#include "metric/ngram_lookup.h"

namespace capella::metric {
namespace {

using text::kMaxOrder;

// The reference length nearest to the caption's; of two equally near, the shorter.
std::size_t closest_length(const References& references, std::size_t item, std::size_t length) {
  std::size_t best = 0;
  std::size_t best_distance = SIZE_MAX;
  for (std::size_t r = references.begin(item); r < references.end(item); ++r) {
    const std::size_t candidate = references.tokens.words(r).size();
    const std::size_t distance = candidate > length ? candidate - length : length - candidate;
    if (distance < best_distance || (distance == best_distance && candidate < best)) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

// For each n-gram of the caption, the most often it stands in any one reference, at most as often as in the caption.
std::vector<std::uint32_t> clipped_counts(const Batch& batch, std::size_t k, std::size_t n) {
  const auto candidate = batch.tokens.ngrams(k).order(n);
  const References& references = batch.references;
  std::vector<std::uint32_t> clipped(candidate.size());
  for (std::size_t r = references.begin(batch.items[k]); r < references.end(batch.items[k]); ++r) {
    const auto reference = references.tokens.ngrams(r).order(n);
    const NgramLookup lookup(reference);
    for (std::size_t i = 0; i < candidate.size(); ++i) {
      const std::size_t place = lookup.find(candidate[i].id);
      if (place == NgramLookup::kNone) continue;
      clipped[i] = std::max(clipped[i], std::min(candidate[i].count, reference[place].count));
    }
  }
  return clipped;
}

Explanation::Table matches(const Batch& batch) {
  Explanation::Table table{"n-grams of the caption", {"n", "n-gram", "in caption", "counted"}, {}};
  for (std::size_t n = 1; n <= kMaxOrder; ++n) {
    const auto candidate = batch.tokens.ngrams(0).order(n);
    const auto clipped = clipped_counts(batch, 0, n);
    for (std::size_t i = 0; i < candidate.size(); ++i) {
      table.rows.push_back({fmt::to_string(n), batch.tokens.ngram_text(candidate[i].id), fmt::to_string(candidate[i].count),
                            fmt::to_string(clipped[i])});
    }
  }
  return table;
}

}  // namespace

void fill_bleu_row(const Batch& batch, std::size_t k, double* row) {
  const std::size_t length = batch.tokens.words(k).size();
  row[kLength] = static_cast<double>(length);
  row[kReferenceLength] = static_cast<double>(closest_length(batch.references, batch.items[k], length));
  for (std::size_t n = 1; n <= kMaxOrder; ++n) {
    row[kGuessed + n - 1] = static_cast<double>(length >= n ? length - n + 1 : 0);
    std::uint64_t correct = 0;
    for (const std::uint32_t count : clipped_counts(batch, k, n)) correct += count;
    row[kCorrect + n - 1] = static_cast<double>(correct);
  }
}

Explanation explain_bleu(const Batch& batch, std::string metric) {
  double row[kBleuWidth];
  fill_bleu_row(batch, 0, row);
  Explanation explanation{std::move(metric), {}, {matches(batch)}};
  const bool too_short = row[kLength] < row[kReferenceLength];
  explanation.summary.push_back(fmt::format("{} words against {} in the closest reference{}", row[kLength], row[kReferenceLength],
                                            too_short ? ": too short, so a penalty applies" : ""));
  for (std::size_t n = 1; n <= kMaxOrder; ++n) {
    explanation.summary.push_back(
        fmt::format("{} of {} {}-grams stand in a reference", row[kCorrect + n - 1], row[kGuessed + n - 1], n));
  }
  return explanation;
}

}  // namespace capella::metric
