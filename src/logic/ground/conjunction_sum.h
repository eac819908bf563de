// The truth of a ground formula as a sum of conjunctions with coefficients, by algebra: "and" multiplies,
// "not a" is 1 - a. Conjunctions keep negated literals, so that formulas of many atoms often need few of
// them.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "logic/ground/normal_form.h"

namespace capella::logic {

class ConjunctionSum {
 public:
  /// Coefficients by conjunctions; the empty one is always true.
  using Sum = std::map<std::vector<Literal>, double>;

  /// Nothing if it would take too much work.
  static std::optional<Sum> of(const GroundTree& tree);

 private:
  struct TooMuch {};

  Sum sum(const GroundTree& tree);
  Sum product(const GroundTree& tree);
  Sum same(const GroundTree& tree);
  Sum multiply(const Sum& left, const Sum& right);
  void add(Sum& to, const std::vector<Literal>& conjunction, double coefficient);

  std::size_t work_ = 0;
};

}  // namespace capella::logic
