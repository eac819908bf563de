// Byte pair encoding and WordPiece from their definitions: the best pair is looked for again and again,
// pieces are tried from the longest to the shortest.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace capella::reference {

using MergeRanks = std::map<std::pair<std::string, std::string>, int>;

/// The symbols of a word after all merges; the last is marked with `word_end` before.
std::vector<std::string> byte_pairs(const std::vector<std::string>& symbols, const MergeRanks& ranks,
                                    const std::string& word_end);

/// The pieces of a word; `unknown` alone if it cannot be cut. Words are ASCII.
std::vector<std::string> word_pieces(const std::string& word, const std::vector<std::string>& vocabulary,
                                     const std::string& unknown);

}  // namespace capella::reference
