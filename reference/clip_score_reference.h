// CLIP-S, RefCLIP-S and MID from their definitions, on vectors.
#pragma once

#include <vector>

namespace capella::reference {

using Numbers = std::vector<double>;

double clip_score(const Numbers& picture, const Numbers& caption, double weight);

double ref_clip_score(const Numbers& picture, const Numbers& caption, const std::vector<Numbers>& references,
                      double weight);

/// An item of MID: its picture, its references and a caption.
struct MidItem {
  Numbers picture;
  std::vector<Numbers> references;
  Numbers caption;
};

struct MidScores {
  std::vector<double> items;
  double corpus = 0;
};

MidScores mid(const std::vector<MidItem>& items, double epsilon);

}  // namespace capella::reference
