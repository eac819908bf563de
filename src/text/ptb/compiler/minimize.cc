#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

#include "text/ptb/compiler/dfa.h"

namespace capella::text::ptb::compiler {
namespace {

/// Gives states the same block while no text of growing length tells them apart (Moore's algorithm).
std::vector<int> blocks_of(const Dfa& dfa, int& count) {
  std::vector<int> block(dfa.accepts);
  std::map<int, int> first_blocks;
  for (int& one : block)
    one = first_blocks.try_emplace(one, static_cast<int>(first_blocks.size())).first->second;
  count = static_cast<int>(first_blocks.size());
  while (true) {
    std::unordered_map<std::string, int> signatures;
    std::vector<int> refined(block.size());
    std::vector<int> signature(dfa.classes + 1);
    for (int state = 0; state < dfa.states(); ++state) {
      signature[dfa.classes] = block[state];
      for (int c = 0; c < dfa.classes; ++c) signature[c] = block[dfa.next[state * dfa.classes + c]];
      std::string key(reinterpret_cast<const char*>(signature.data()), signature.size() * sizeof(int));
      refined[state] =
          signatures.try_emplace(std::move(key), static_cast<int>(signatures.size())).first->second;
    }
    const bool stable = static_cast<int>(signatures.size()) == count;
    count = static_cast<int>(signatures.size());
    block = std::move(refined);
    if (stable) return block;
  }
}

}  // namespace

Dfa minimize(const Dfa& dfa) {
  int count = 0;
  const std::vector<int> block = blocks_of(dfa, count);

  // One member of each block speaks for it. Discovery order keeps states near the start side by side.
  std::vector<int> speaker(count, -1);
  for (int state = dfa.states() - 1; state >= 0; --state) speaker[block[state]] = state;
  std::vector<int> order(speaker);
  std::sort(order.begin(), order.end());
  const auto passing = [&](int state) { return dfa.accepts[state] == kNoRule; };
  const auto first = std::stable_partition(order.begin(), order.end(), passing);
  const auto goes_on = [&](int state) {
    const auto row = dfa.next.begin() + static_cast<std::ptrdiff_t>(state) * dfa.classes;
    return std::any_of(row, row + dfa.classes, [&](int next) { return block[next] != block[0]; });
  };
  const auto last = std::stable_partition(first, order.end(), goes_on);

  std::vector<int> renamed(count);
  for (int i = 0; i < count; ++i) renamed[block[order[i]]] = i;
  Dfa result;
  result.classes = dfa.classes;
  result.start = renamed[block[dfa.start]];
  result.first_accepting = static_cast<int>(first - order.begin());
  result.first_final = static_cast<int>(last - order.begin());
  for (const int state : order) {
    result.accepts.push_back(dfa.accepts[state]);
    for (int c = 0; c < dfa.classes; ++c)
      result.next.push_back(renamed[block[dfa.next[state * dfa.classes + c]]]);
  }
  return result;
}

}  // namespace capella::text::ptb::compiler
