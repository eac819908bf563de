#include "reference/projective_tree_reference.h"

#include <algorithm>
#include <limits>

namespace capella::reference {
namespace {

// True if `ancestor` is met on the way up from `word`; gives up on cycles.
bool is_below(const std::vector<int>& heads, int word, int ancestor) {
  for (std::size_t steps = 0; steps <= heads.size(); ++steps) {
    if (word == ancestor) return true;
    if (word == 0) return false;
    word = heads[static_cast<std::size_t>(word)];
  }
  return false;
}

}  // namespace

bool is_projective(const std::vector<int>& heads) {
  const int words = static_cast<int>(heads.size()) - 1;
  if (std::count(heads.begin() + 1, heads.end(), 0) != 1) return false;
  for (int word = 1; word <= words; ++word) {
    if (!is_below(heads, word, 0)) return false;
    const int head = heads[static_cast<std::size_t>(word)];
    for (int between = std::min(word, head) + 1; between < std::max(word, head); ++between) {
      if (!is_below(heads, between, head)) return false;
    }
  }
  return true;
}

double best_projective_score(const std::vector<std::vector<float>>& scores) {
  const int words = static_cast<int>(scores.size()) - 1;
  std::vector<int> heads(scores.size(), 0);
  double best = -std::numeric_limits<double>::infinity();
  for (;;) {
    double sum = 0;
    bool own_head = false;
    for (std::size_t word = 1; word < heads.size(); ++word) {
      own_head = own_head || heads[word] == static_cast<int>(word);
      sum += scores[word][static_cast<std::size_t>(heads[word])];
    }
    if (!own_head && sum > best && is_projective(heads)) best = sum;
    std::size_t digit = 1;  // the next number in base words + 1
    while (digit < heads.size() && heads[digit] == words) heads[digit++] = 0;
    if (digit == heads.size()) return best;
    ++heads[digit];
  }
}

}  // namespace capella::reference
