#include "scene/match.h"

#include <algorithm>
#include <limits>

namespace capella::scene {
namespace {

/// Which concepts of two graphs are similar, each pair compared at most once.
class Comparison {
 public:
  Comparison(const SceneGraph& candidate, const SceneGraph& references)
      : candidate_(candidate.concepts()),
        references_(references.concepts()),
        known_(candidate_.size() * references_.size(), kUnknown) {}

  bool are_similar(const Tuple& a, const Tuple& b) {
    if (a.size != b.size) return false;
    for (std::size_t i = 0; i < a.size; ++i) {
      if (!are_similar(a.parts[i], b.parts[i])) return false;
    }
    return true;
  }

 private:
  static constexpr std::uint8_t kUnknown = 2;

  bool are_similar(std::size_t a, std::size_t b) {
    std::uint8_t& known = known_[a * references_.size() + b];
    if (known == kUnknown) known = similar(candidate_[a], references_[b]) ? 1 : 0;
    return known == 1;
  }

  const std::vector<Concept>& candidate_;
  const std::vector<Concept>& references_;
  std::vector<std::uint8_t> known_;
};

Category category_of_size(const Tuple& tuple) {
  return tuple.size == 1 ? Category::object : tuple.size == 2 ? Category::attribute : Category::relation;
}

Category category_of_list(WordList list) {
  return list == WordList::color  ? Category::color
         : list == WordList::size ? Category::size
                                  : Category::cardinality;
}

}  // namespace

CountsByCategory count_matches(const SceneGraph& candidate, const SceneGraph& references) {
  CountsByCategory all{};
  const auto counts = [&](Category category) -> Counts& { return all[static_cast<std::size_t>(category)]; };
  const std::vector<Tuple> wanted = references.tuples();
  std::vector<WordList> lists;
  lists.reserve(wanted.size());
  // First all reference tuples count as not found, then each match takes one away.
  for (const Tuple& tuple : wanted) {
    ++counts(Category::all).false_negatives;
    ++counts(category_of_size(tuple)).false_negatives;
    lists.push_back(references.list(tuple));
    if (lists.back() != WordList::none) ++counts(category_of_list(lists.back())).false_negatives;
  }
  const auto add = [&](Category category, bool is_match) {
    Counts& changed = counts(category);
    is_match ? ++changed.true_positives : ++changed.false_positives;
    if (is_match) --changed.false_negatives;
  };
  Comparison comparison(candidate, references);
  for (const Tuple& tuple : candidate.tuples()) {
    const WordList list = candidate.list(tuple);
    bool is_match = false;
    bool is_match_in_list = false;
    for (std::size_t i = 0; i < wanted.size() && !(is_match && list == WordList::none); ++i) {
      if (!comparison.are_similar(tuple, wanted[i])) continue;
      is_match = true;
      is_match_in_list = is_match_in_list || lists[i] == list;
    }
    add(Category::all, is_match);
    add(category_of_size(tuple), is_match);
    if (list != WordList::none) add(category_of_list(list), is_match_in_list);
  }
  return all;
}

Match match_tuples(const SceneGraph& candidate, const SceneGraph& references) {
  Match match{{candidate.sorted_tuples(), {}}, {references.sorted_tuples(), {}}, {}};
  const std::vector<Tuple>& wanted = match.references.tuples;
  match.references.matched.assign(wanted.size(), false);
  Comparison comparison(candidate, references);
  for (const Tuple& tuple : match.candidate.tuples) {
    const auto found = std::find_if(wanted.begin(), wanted.end(), [&](const Tuple& reference) {
      return comparison.are_similar(tuple, reference);
    });
    const bool is_match = found != wanted.end();
    const auto place = static_cast<std::size_t>(found - wanted.begin());
    match.candidate.matched.push_back(is_match);
    match.partners.push_back(is_match ? place : Match::kNoPartner);
    if (is_match) match.references.matched[place] = true;
  }
  return match;
}

Score score(const Counts& counts, Category category) {
  const int wanted = counts.true_positives + counts.false_negatives;
  const int given = counts.true_positives + counts.false_positives;
  if (wanted == 0) {
    if (category == Category::all) return {};
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    return {kNan, kNan, kNan};
  }
  Score found;
  found.recall = static_cast<double>(counts.true_positives) / wanted;
  if (given > 0) found.precision = static_cast<double>(counts.true_positives) / given;
  if (found.precision > 0 && found.recall > 0) {
    found.f = 2 * (found.precision * found.recall) / (found.precision + found.recall);
  }
  return found;
}

}  // namespace capella::scene
