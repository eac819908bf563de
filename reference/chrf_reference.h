// chrF and chrF++ as sacreBLEU defines them, on strings.
#pragma once

#include <string>
#include <vector>

#include "reference/item.h"

namespace capella::reference {

struct ChrfOptions {
  std::size_t char_order = 6;
  std::size_t word_order = 0;
  double beta = 2;
};

struct ChrfScores {
  std::vector<double> items;
  double corpus = 0.0;  ///< from the sums of the statistics, not the mean
};

ChrfScores chrf(const std::vector<Item>& items, const ChrfOptions& options);

}  // namespace capella::reference
