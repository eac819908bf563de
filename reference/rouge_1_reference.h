// ROUGE-1 recall from its definition, on strings.
#pragma once

#include <vector>

#include "reference/item.h"

namespace capella::reference {

MeanScores rouge_1_recall(const std::vector<Item>& items);

}  // namespace capella::reference
