// The best projective tree by trying every assignment of heads; for sentences of few words.
#pragma once

#include <vector>

namespace capella::reference {

/// scores[word][head] for words from 1 (row 0 is not looked at), heads from 0 (ROOT). The sum of scores of
/// the best projective tree with exactly one child of ROOT.
double best_projective_score(const std::vector<std::vector<float>>& scores);

/// True if every word between a word and its head is below that head, all are below ROOT, and ROOT has
/// exactly one child.
bool is_projective(const std::vector<int>& heads);

}  // namespace capella::reference
