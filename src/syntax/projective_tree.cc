#include "syntax/projective_tree.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace capella::syntax {
namespace {

bool has_one_root(const std::vector<int>& heads) {
  std::size_t roots = 0;
  for (std::size_t word = 1; word < heads.size(); ++word) roots += heads[word] == 0;
  return roots == 1;
}

// Follows each word's heads; a tree reaches ROOT within as many steps as there are words.
bool reaches_root(const std::vector<int>& heads) {
  for (std::size_t word = 1; word < heads.size(); ++word) {
    std::size_t at = word;
    for (std::size_t steps = 0; at != 0; ++steps) {
      if (steps == heads.size()) return false;
      at = static_cast<std::size_t>(heads[at]);
    }
  }
  return true;
}

// True if no two arcs cross when drawn above the words, ROOT on the left.
bool has_no_crossing(const std::vector<int>& heads) {
  const auto arc = [&heads](std::size_t word) {
    const int end = static_cast<int>(word);
    return heads[word] < end ? std::pair(heads[word], end) : std::pair(end, heads[word]);
  };
  for (std::size_t a = 1; a < heads.size(); ++a) {
    const auto [left, right] = arc(a);
    for (std::size_t b = a + 1; b < heads.size(); ++b) {
      const auto [begin, end] = arc(b);
      if ((left < begin && begin < right && right < end) || (begin < left && left < end && end < right)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

bool is_projective_tree(const std::vector<int>& heads) {
  return has_one_root(heads) && has_no_crossing(heads) && reaches_root(heads);
}

const std::vector<int>& ProjectiveTreeSearch::find(const ArcScores& scores) {
  heads_.assign(scores.words() + 1, 0);
  if (scores.words() > 0 && !take_best_heads(scores)) {
    fill(scores);
    read_heads(best_root(scores));
  }
  return heads_;
}

bool ProjectiveTreeSearch::take_best_heads(const ArcScores& scores) {
  for (std::size_t word = 1; word <= scores.words(); ++word) {
    std::size_t best = 0;
    for (std::size_t head = 1; head <= scores.words(); ++head) {
      if (head != word && scores.at(word, head) > scores.at(word, best)) best = head;
    }
    heads_[word] = static_cast<int>(best);
  }
  return is_projective_tree(heads_);
}

void ProjectiveTreeSearch::fill(const ArcScores& scores) {
  side_ = scores.words() + 1;
  for (auto* table : {&complete_, &incomplete_}) table->assign(side_ * side_, 0.0);
  for (auto* table : {&complete_cut_, &incomplete_cut_}) table->assign(side_ * side_, 0);
  for (std::size_t length = 1; length < scores.words(); ++length) {
    for (std::size_t left = 1; left + length <= scores.words(); ++left) join(scores, left, left + length);
  }
}

// The four spans between two words, each the best of all ways to make it of two shorter ones; the first of
// equals.
void ProjectiveTreeSearch::join(const ArcScores& scores, std::size_t left, std::size_t right) {
  const auto best_cut = [](std::size_t begin, std::size_t end, auto score) {
    std::pair<double, std::uint32_t> best(score(begin), static_cast<std::uint32_t>(begin));
    for (std::size_t cut = begin + 1; cut < end; ++cut) {
      if (const double sum = score(cut); sum > best.first) best = {sum, static_cast<std::uint32_t>(cut)};
    }
    return best;
  };
  const auto [inner, inner_cut] = best_cut(left, right, [&](std::size_t cut) {
    return complete_[cell(left, cut)] + complete_[cell(right, cut + 1)];
  });
  incomplete_[cell(left, right)] = inner + scores.at(right, left);
  incomplete_[cell(right, left)] = inner + scores.at(left, right);
  incomplete_cut_[cell(left, right)] = incomplete_cut_[cell(right, left)] = inner_cut;
  std::tie(complete_[cell(left, right)], complete_cut_[cell(left, right)]) =
      best_cut(left + 1, right + 1,
               [&](std::size_t cut) { return incomplete_[cell(left, cut)] + complete_[cell(cut, right)]; });
  std::tie(complete_[cell(right, left)], complete_cut_[cell(right, left)]) =
      best_cut(left, right,
               [&](std::size_t cut) { return incomplete_[cell(right, cut)] + complete_[cell(cut, left)]; });
}

std::size_t ProjectiveTreeSearch::best_root(const ArcScores& scores) const {
  const auto score = [&](std::size_t root) {
    return complete_[cell(root, 1)] + complete_[cell(root, scores.words())] + scores.at(root, 0);
  };
  std::size_t best = 1;
  for (std::size_t root = 2; root <= scores.words(); ++root) {
    if (score(root) > score(best)) best = root;
  }
  return best;
}

void ProjectiveTreeSearch::read_heads(std::size_t root) {
  heads_[root] = 0;
  std::vector<std::pair<std::size_t, std::size_t>> complete = {{root, 1}, {root, side_ - 1}};
  while (!complete.empty()) {
    const auto [head, end] = complete.back();
    complete.pop_back();
    if (head == end) continue;
    const std::size_t child = complete_cut_[cell(head, end)];
    heads_[child] = static_cast<int>(head);
    const std::size_t cut = incomplete_cut_[cell(head, child)];
    const auto [left, right] = std::minmax(head, child);
    complete.insert(complete.end(), {{child, end}, {left, cut}, {right, cut + 1}});
  }
}

}  // namespace capella::syntax
