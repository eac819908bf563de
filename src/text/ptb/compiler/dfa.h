// The deterministic automaton of an Nfa, with as few states as possible.
#pragma once

#include <vector>

#include "text/ptb/compiler/nfa.h"

namespace capella::text::ptb::compiler {

/// State 0 is dead: nothing leads out of it and it does not accept. After minimize(), states from
/// `first_accepting` on accept, the others do not, and from `first_final` on nothing leads further.
/// next[state * classes + class] is the state reached.
struct Dfa {
  int classes = 0;
  int start = 0;
  int first_accepting = 0;
  int first_final = 0;
  std::vector<int> accepts;  // by state: the first rule that ends there, or kNoRule
  std::vector<int> next;

  int states() const { return static_cast<int>(accepts.size()); }
};

/// Subset construction: a state for each set of Nfa states that some text leads to, in order of discovery.
Dfa determinize(const Nfa& nfa, int classes);

/// Merges states that no text tells apart and orders them as Dfa promises, near ones side by side.
Dfa minimize(const Dfa& dfa);

}  // namespace capella::text::ptb::compiler
