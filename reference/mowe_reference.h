// The mean of word embeddings from its definition, on strings.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "reference/item.h"

namespace capella::reference {

using NamedVectors = std::map<std::string, std::vector<float>>;

MeanScores mowe(const std::vector<Item>& items, const NamedVectors& vectors,
                const std::set<std::string>& stop_words);

}  // namespace capella::reference
