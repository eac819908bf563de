#include "metric/bleu_statistics.h"

#include <algorithm>

#include <fmt/format.h>

#include "metric/ngram_overlap.h"

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

// For each n-gram of the caption, the most often it stands in any one reference, at most as often as in the
// caption.
std::vector<std::uint32_t> clipped_counts(const Batch& batch, std::size_t k) {
  const text::NgramProfile candidate = batch.tokens.ngrams(k);
  const References& references = batch.references;
  NgramOverlap overlap(candidate);
  std::vector<std::uint32_t> clipped(candidate.all().size());
  for (std::size_t r = references.begin(batch.items[k]); r < references.end(batch.items[k]); ++r) {
    const auto counts = overlap.counts_in(references.tokens.ngrams(r));
    for (std::size_t i = 0; i < clipped.size(); ++i) {
      clipped[i] = std::max(clipped[i], std::min(candidate.all()[i].count, counts[i]));
    }
  }
  return clipped;
}

Explanation::Table matches(const Batch& batch) {
  Explanation::Table table{"n-grams of the caption", {"n", "n-gram", "in caption", "counted"}, {}};
  const text::NgramProfile profile = batch.tokens.ngrams(0);
  const std::vector<std::uint32_t> all_clipped = clipped_counts(batch, 0);
  for (std::size_t n = 1; n <= kMaxOrder; ++n) {
    const auto candidate = profile.order(n);
    const auto clipped = order_of<std::uint32_t>(all_clipped, profile, n);
    for (std::size_t i = 0; i < candidate.size(); ++i) {
      table.rows.push_back({fmt::to_string(n), batch.tokens.ngram_text(candidate[i].id),
                            fmt::to_string(candidate[i].count), fmt::to_string(clipped[i])});
    }
  }
  return table;
}

}  // namespace

void fill_bleu_row(const Batch& batch, std::size_t k, double* row) {
  const std::size_t length = batch.tokens.words(k).size();
  row[kLength] = static_cast<double>(length);
  row[kReferenceLength] = static_cast<double>(closest_length(batch.references, batch.items[k], length));
  const std::vector<std::uint32_t> clipped = clipped_counts(batch, k);
  for (std::size_t n = 1; n <= kMaxOrder; ++n) {
    row[kGuessed + n - 1] = static_cast<double>(length >= n ? length - n + 1 : 0);
    std::uint64_t correct = 0;
    for (const std::uint32_t count : order_of<std::uint32_t>(clipped, batch.tokens.ngrams(k), n))
      correct += count;
    row[kCorrect + n - 1] = static_cast<double>(correct);
  }
}

Explanation explain_bleu(const Batch& batch, std::string metric) {
  double row[kBleuWidth];
  fill_bleu_row(batch, 0, row);
  Explanation explanation{std::move(metric), {}, {matches(batch)}};
  const bool too_short = row[kLength] < row[kReferenceLength];
  explanation.summary.push_back(fmt::format("{} words against {} in the closest reference{}", row[kLength],
                                            row[kReferenceLength],
                                            too_short ? ": too short, so a penalty applies" : ""));
  for (std::size_t n = 1; n <= kMaxOrder; ++n) {
    explanation.summary.push_back(fmt::format("{} of {} {}-grams stand in a reference", row[kCorrect + n - 1],
                                              row[kGuessed + n - 1], n));
  }
  return explanation;
}

}  // namespace capella::metric
