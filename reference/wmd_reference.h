// Word Mover's Distance from its definition, on strings: as an exact number, as gensim 1 to 3 rounded it, and
// its bounds. A text is a list of words, of which those without a vector do not count.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reference/item.h"

namespace capella::reference {

using Vectors = std::map<std::string, std::vector<float>>;
using Words = std::vector<std::string>;

/// Infinite if a text has no word that counts.
double wmd(const Words& a, const Words& b, const Vectors& vectors);
double gensim3_wmd(const Words& a, const Words& b, const Vectors& vectors);

/// Sum over the words of a of their share times the distance of the nearest word of b.
double relaxed_wmd(const Words& a, const Words& b, const Vectors& vectors);
/// The distance of the mean vectors.
double centroid_distance(const Words& a, const Words& b, const Vectors& vectors);

/// Each vector divided by its length, in floats.
Vectors unit_vectors(Vectors vectors);

/// exp(-distance) of the nearest reference; words are between single spaces.
MeanScores wmd_scores(const std::vector<Item>& items, const Vectors& vectors, bool gensim3);

}  // namespace capella::reference
