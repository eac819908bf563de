#include "text/ptb/compiler/nfa.h"

#include <algorithm>

namespace capella::text::ptb::compiler {

int Nfa::new_state() {
  states_.emplace_back();
  return static_cast<int>(states_.size()) - 1;
}

void Nfa::add(int rule, const ExpressionPtr& body, const ExpressionPtr& tail) {
  int state = new_state();
  states_[0].silent.push_back(state);
  for (const ExpressionPtr& part : {body, tail}) {
    if (part != nullptr) state = append(*part, state);
  }
  states_[state].accepts = rule;
}

/// Returns the state in which the expression has been read when it began in `from`.
int Nfa::append(const Expression& expression, int from) {
  switch (expression.kind) {
    case Expression::Kind::set: {
      const int start = new_state();
      const int end = new_state();
      states_[from].silent.push_back(start);
      states_[start].classes = classes_.members(expression.set);
      states_[start].target = end;
      return end;
    }
    case Expression::Kind::sequence:
      for (const ExpressionPtr& child : expression.children) from = append(*child, from);
      return from;
    case Expression::Kind::choice: {
      const int end = new_state();
      for (const ExpressionPtr& child : expression.children)
        states_[append(*child, from)].silent.push_back(end);
      return end;
    }
    default:
      return append_repeat(expression, from);
  }
}

int Nfa::append_repeat(const Expression& expression, int from) {
  const Expression& once = *expression.children.front();
  for (int i = 0; i < expression.least; ++i) from = append(once, from);
  const int end = new_state();
  if (expression.most == Expression::kUnbounded) {
    const int loop = new_state();
    states_[from].silent.push_back(loop);
    states_[append(once, loop)].silent.push_back(loop);
    states_[loop].silent.push_back(end);
    return end;
  }
  for (int i = expression.least; i < expression.most; ++i) {
    states_[from].silent.push_back(end);
    const int next = new_state();
    states_[from].silent.push_back(next);
    from = append(once, next);
  }
  states_[from].silent.push_back(end);
  return end;
}

std::vector<std::vector<int>> Nfa::closures() const {
  std::vector<std::vector<int>> closures(states_.size());
  std::vector<int> seen_by(states_.size(), -1);
  for (int origin = 0; origin < static_cast<int>(states_.size()); ++origin) {
    std::vector<int> open = {origin};
    while (!open.empty()) {
      const int state = open.back();
      open.pop_back();
      if (seen_by[state] == origin) continue;
      seen_by[state] = origin;
      if (states_[state].target >= 0 || states_[state].accepts != kNoRule) closures[origin].push_back(state);
      open.insert(open.end(), states_[state].silent.begin(), states_[state].silent.end());
    }
    std::sort(closures[origin].begin(), closures[origin].end());
  }
  return closures;
}

}  // namespace capella::text::ptb::compiler
