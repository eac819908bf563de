// Units that no set of the grammar tells apart share a class; automata run on classes.
#pragma once

#include <cstdint>
#include <vector>

#include "text/ptb/compiler/grammar.h"

namespace capella::text::ptb::compiler {

class UnitClasses {
 public:
  explicit UnitClasses(const std::vector<Rule>& rules);

  int count() const { return count_; }
  int of(std::uint32_t unit) const { return class_of_[unit]; }
  /// The classes a set of the grammar consists of.
  std::vector<int> members(const UnitSet& set) const;

 private:
  void refine(const UnitSet& set);
  void number_by_use();

  std::vector<int> class_of_;
  int count_ = 1;
};

}  // namespace capella::text::ptb::compiler
