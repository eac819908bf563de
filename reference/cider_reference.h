// The CIDEr family on strings.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reference/item.h"

namespace capella::reference {

enum class Cider { d, plain, r };

/// In how many of `documents` items each n-gram (words joined by line feeds) stands.
struct DocumentFrequencies {
  double documents = 0;
  std::map<std::string, double> counts;
};

DocumentFrequencies count_document_frequencies(const std::vector<Item>& items);

MeanScores cider(Cider kind, const std::vector<Item>& items, const DocumentFrequencies& frequencies);

/// With the frequencies of the items' own references.
MeanScores cider(Cider kind, const std::vector<Item>& items);

}  // namespace capella::reference
