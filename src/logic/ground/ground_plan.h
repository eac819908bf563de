// A network prepared for grounding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "logic/ground/domains.h"
#include "logic/ground/formula_shape.h"
#include "logic/ground/ground.h"

namespace capella::logic {

struct PlannedFormula {
  FormulaShape shape;
  std::vector<DomainId> domains;         ///< one per variable
  std::vector<std::uint32_t> variables;  ///< those that are not bound
  std::vector<ConstantId> constants;     ///< that it names
  double weight = 0;
  bool hard = false;
};

struct Grounder::Plan {
  explicit Plan(const Network& network);

  /// The formulas that can have groundings where only some constants exist, ascending.
  std::vector<std::uint32_t> candidates(const ActiveDomains& active) const;
  /// "FILE:LINE: the formula F" for messages.
  std::string name(std::uint32_t formula) const;

  Network network;  ///< "+x" expanded
  Domains domains;
  std::vector<PlannedFormula> formulas;
  FormulaList sources;
  std::vector<std::string> constant_names;  ///< as they are written

 private:
  void index();

  // Each formula that names constants stands in the list of one of them, the one with the shortest list.
  std::vector<std::vector<std::uint32_t>> by_constant_;
  std::vector<std::uint32_t> without_constants_;
};

}  // namespace capella::logic
