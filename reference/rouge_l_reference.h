// ROUGE-L as coco-caption defines it, on strings.
#pragma once

#include <string>
#include <vector>

#include "reference/item.h"

namespace capella::reference {

/// The textbook table.
template <class Sequence>
std::size_t lcs_length(const Sequence& a, const Sequence& b) {
  std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1, 0));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      if (a[i - 1] == b[j - 1]) {
        table[i][j] = table[i - 1][j - 1] + 1;
      } else {
        table[i][j] = table[i - 1][j] > table[i][j - 1] ? table[i - 1][j] : table[i][j - 1];
      }
    }
  }
  return table[a.size()][b.size()];
}

MeanScores rouge_l(const std::vector<Item>& items);

}  // namespace capella::reference
