// What the slow twins score: a caption and its references as plain strings.
#pragma once

#include <string>
#include <vector>

namespace capella::reference {

struct Item {
  std::string caption;
  std::vector<std::string> references;
};

/// Scores of a metric whose corpus value is the mean over captions.
struct MeanScores {
  std::vector<double> items;
  double corpus = 0.0;
};

}  // namespace capella::reference
