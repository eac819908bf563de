#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "text/ptb/compiler/dfa.h"

namespace capella::text::ptb::compiler {
namespace {

using Subset = std::vector<int>;

struct SubsetHash {
  std::size_t operator()(const Subset& subset) const {
    std::uint64_t hash = 0xCBF29CE484222325u;
    for (const int state : subset) hash = (hash ^ static_cast<std::uint64_t>(state)) * 0x100000001B3u;
    return static_cast<std::size_t>(hash);
  }
};

class Builder {
 public:
  Builder(const Nfa& nfa, int classes) : nfa_(nfa.states()), closures_(nfa.closures()), reached_(classes) {
    dfa_.classes = classes;
  }

  Dfa build() {
    number({});
    dfa_.start = number(closures_[0]);
    for (int state = 0; state < static_cast<int>(subsets_.size()); ++state) expand(state);
    return std::move(dfa_);
  }

 private:
  int number(const Subset& subset) {
    const auto [found, added] = numbers_.try_emplace(subset, static_cast<int>(subsets_.size()));
    if (added) {
      subsets_.push_back(&found->first);
      int rule = kNoRule;
      for (const int state : subset) rule = std::min(rule, nfa_[state].accepts);
      dfa_.accepts.push_back(rule);
    }
    return found->second;
  }

  void expand(int state) {
    for (Subset& subset : reached_) subset.clear();
    for (const int member : *subsets_[state]) {
      if (nfa_[member].target < 0) continue;
      const Subset& closure = closures_[nfa_[member].target];
      for (const int one : nfa_[member].classes) {
        reached_[one].insert(reached_[one].end(), closure.begin(), closure.end());
      }
    }
    for (Subset& subset : reached_) {
      std::sort(subset.begin(), subset.end());
      subset.erase(std::unique(subset.begin(), subset.end()), subset.end());
      dfa_.next.push_back(number(subset));
    }
  }

  const std::vector<NfaState>& nfa_;
  std::vector<Subset> closures_;
  std::vector<Subset> reached_;  // by class, for the state being expanded
  std::unordered_map<Subset, int, SubsetHash> numbers_;
  std::vector<const Subset*> subsets_;
  Dfa dfa_;
};

}  // namespace

Dfa determinize(const Nfa& nfa, int classes) {
  return Builder(nfa, classes).build();
}

}  // namespace capella::text::ptb::compiler
