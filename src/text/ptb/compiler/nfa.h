// A nondeterministic automaton built from expressions (Thompson's construction).
#pragma once

#include <vector>

#include "text/ptb/compiler/grammar.h"
#include "text/ptb/compiler/unit_classes.h"

namespace capella::text::ptb::compiler {

inline constexpr int kNoRule = 1 << 20;

struct NfaState {
  std::vector<int> classes = {};  // units that lead to `target`
  int target = -1;
  std::vector<int> silent = {};  // states reached without reading
  int accepts = kNoRule;         // the rule that ends here
};

class Nfa {
 public:
  explicit Nfa(const UnitClasses& classes) : classes_(classes), states_(1) {}

  /// Adds a way from the start through body and tail to an end that accepts `rule`. The tail may be null.
  void add(int rule, const ExpressionPtr& body, const ExpressionPtr& tail);

  const std::vector<NfaState>& states() const { return states_; }

  /// For each state, the states that read or accept and are reached from it silently, ascending.
  std::vector<std::vector<int>> closures() const;

 private:
  int append(const Expression& expression, int from);
  int append_repeat(const Expression& expression, int from);
  int new_state();

  const UnitClasses& classes_;
  std::vector<NfaState> states_;
};

}  // namespace capella::text::ptb::compiler
