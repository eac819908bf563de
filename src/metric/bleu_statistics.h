// What both kinds of BLEU count: n-grams tried and right, and lengths.
#pragma once

#include <cstddef>

#include "metric/metric.h"

namespace capella::metric {

/// The row: words of the caption, words of the closest reference, n-grams tried and n-grams right for n = 1
/// ... 4.
enum BleuColumn : std::size_t {
  kLength,
  kReferenceLength,
  kGuessed,
  kCorrect = kGuessed + text::kMaxOrder,
  kBleuWidth = kCorrect + text::kMaxOrder
};

/// Fills one row of kBleuWidth numbers for caption k.
void fill_bleu_row(const Batch& batch, std::size_t k, double* row);

/// Which n-grams of caption 0 counted, for people.
Explanation explain_bleu(const Batch& batch, std::string metric);

}  // namespace capella::metric
