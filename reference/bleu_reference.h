// BLEU as coco-caption defines it, on strings.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "reference/item.h"

namespace capella::reference {

/// The counts of one caption, or the sums over many.
struct BleuCounts {
  double length = 0;
  double reference_length = 0;
  std::array<double, 4> guessed{};
  std::array<double, 4> correct{};

  BleuCounts& operator+=(const BleuCounts& other);
};

/// Counts of a caption against its references, all given as words.
BleuCounts count_bleu(const std::vector<std::string>& caption,
                      const std::vector<std::vector<std::string>>& references);

/// Counts with words as Python's str.split() cuts them.
BleuCounts count_bleu(const Item& item);

/// BLEU-1 ... BLEU-4.
std::array<double, 4> bleu(const BleuCounts& counts);

}  // namespace capella::reference
