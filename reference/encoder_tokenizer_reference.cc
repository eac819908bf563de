#include "reference/encoder_tokenizer_reference.h"

#include <algorithm>
#include <limits>

namespace capella::reference {

std::vector<std::string> byte_pairs(const std::vector<std::string>& symbols, const MergeRanks& ranks,
                                    const std::string& word_end) {
  std::vector<std::string> word = symbols;
  if (!word.empty()) word.back() += word_end;
  while (true) {
    std::size_t best = word.size();
    int lowest = std::numeric_limits<int>::max();
    for (std::size_t i = 0; i + 1 < word.size(); ++i) {
      const auto found = ranks.find({word[i], word[i + 1]});
      if (found == ranks.end() || found->second >= lowest) continue;
      lowest = found->second;
      best = i;
    }
    if (best == word.size()) return word;
    word[best] += word[best + 1];
    word.erase(word.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
}

std::vector<std::string> word_pieces(const std::string& word, const std::vector<std::string>& vocabulary,
                                     const std::string& unknown) {
  if (word.size() > 100) return {unknown};
  std::vector<std::string> pieces;
  for (std::size_t begin = 0; begin < word.size();) {
    std::size_t end = word.size();
    const auto piece = [&] { return (begin == 0 ? "" : "##") + word.substr(begin, end - begin); };
    while (end > begin && std::ranges::find(vocabulary, piece()) == vocabulary.end()) --end;
    if (end == begin) return {unknown};
    pieces.push_back(piece());
    begin = end;
  }
  return pieces;
}

}  // namespace capella::reference
