// The groundings of one formula after the other, put into a ground network.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "logic/ground/atom_table.h"
#include "logic/ground/ground_plan.h"
#include "logic/ground/ground_tree.h"
#include "logic/ground/normal_form.h"
#include "logic/language/id_table.h"
#include "logic/work_progress.h"

namespace capella::logic {

/// On average; more are refused.
inline constexpr std::size_t kLiteralsPerGrounding = 10;

class FormulaGrounder {
 public:
  /// All must outlive this. More than `most` conjunctions and clauses are refused.
  FormulaGrounder(const Grounder::Plan& plan, const ActiveDomains& active, AtomTable& atoms, std::size_t most,
                  GroundNetwork& made, WorkProgress& progress)
      : plan_(plan), active_(active), atoms_(atoms), most_(most), made_(made), progress_(progress) {}

  /// Every variable must have a constant.
  void ground(std::uint32_t formula);

 private:
  /// A formula that is neither conjunction nor clause, taken apart; the atoms of its literals are places in
  /// its list of atoms.
  struct Parts {
    double constant = 0;
    bool impossible = false;
    std::vector<GroundPart> parts;
  };

  template <class Visit>
  void for_each_binding(Visit visit);
  void ground_list();
  void ground_mixed();
  void ground_quantified();

  ConstantId value(const Term& term) const { return term.variable ? binding_[term.id] : term.id; }
  bool holds(const EquationPattern& equation) const {
    return (value(equation.left) == value(equation.right)) == equation.positive;
  }
  AtomId atom(PredicateId predicate, const std::vector<Term>& terms);
  const Parts& mixed_parts();
  Parts take_apart(const GroundTree& tree) const;
  void add_parts(const Parts& parts, std::span<const AtomId> ids);

  void add_true(double coefficient);
  void add(GroundFormula::Kind kind, double coefficient);  ///< `literals_`, normalised
  [[noreturn]] void impossible() const;
  [[noreturn]] void too_many() const;

  const Grounder::Plan& plan_;
  const ActiveDomains& active_;
  AtomTable& atoms_;
  std::size_t most_;
  GroundNetwork& made_;
  WorkProgress& progress_;  // in atoms that were looked up and groundings
  std::size_t literals_made_ = 0;
  // Of the formula that is being grounded.
  std::uint32_t number_ = 0;
  const PlannedFormula* formula_ = nullptr;
  std::size_t first_ = 0;  // its first grounding
  IdTable known_;          // its groundings, counted from that
  std::map<std::vector<std::uint32_t>, Parts> mixed_;
  // Of the grounding.
  std::vector<ConstantId> binding_;
  std::vector<ConstantId> arguments_;
  std::vector<Literal> literals_;
  std::vector<AtomId> ids_;
  std::vector<std::uint32_t> pattern_;
};

}  // namespace capella::logic
