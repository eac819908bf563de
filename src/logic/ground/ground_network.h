// A Markov logic network after grounding: atoms without variables, and formulas over them.
//
// A world x says of every atom whether it is true. Its weight is
//   exp( sum over formulas of weight x coefficient, where the formula holds in x ) x what soft evidence says
//   of x,
// and 0 if x breaks a hard formula or hard evidence. Probabilities are weights over their sum Z.
//
// Grounding (logic/ground/ground.h) turns every formula into conjunctions and clauses of literals; nothing
// else is left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "logic/language/id_table.h"

namespace capella::logic {

using AtomId = std::uint32_t;

/// An atom or its negation.
class Literal {
 public:
  constexpr Literal() = default;
  constexpr explicit Literal(AtomId atom, bool positive = true) : code_(2 * atom + (positive ? 0 : 1)) {}

  constexpr AtomId atom() const { return code_ / 2; }
  constexpr bool positive() const { return code_ % 2 == 0; }
  constexpr Literal operator!() const { return Literal(atom(), !positive()); }
  constexpr std::uint32_t code() const { return code_; }
  friend constexpr auto operator<=>(Literal, Literal) = default;

 private:
  std::uint32_t code_ = 0;
};

/// Worlds that break it are impossible.
inline constexpr double kHard = std::numeric_limits<double>::infinity();

/// Weights of soft formulas are within +- this, so that sums of millions of them are still numbers.
inline constexpr double kMostWeight = 1e15;
/// Whether a formula may have it: a number within these bounds, or kHard.
inline bool is_weight(double weight) {
  return weight == kHard || (weight >= -kMostWeight && weight <= kMostWeight);
}

/// One grounding of a formula, or several equal ones.
struct GroundFormula {
  enum class Kind : std::uint8_t { conjunction, clause };

  Kind kind;
  std::uint32_t formula;  ///< a place in GroundNetwork::formulas
  double coefficient;  ///< how many equal groundings; where a formula had to be taken apart, any number. 1 if
                       ///< hard
  std::span<const Literal> literals;  ///< distinct atoms, ascending; at least one
};

/// The formula that groundings come from.
struct FormulaSource {
  std::string text;      ///< as it is printed, e.g. "Ride(x,y) ^ On(x,y)"
  double weight = 0;     ///< kHard: a hard formula, whose groundings are clauses
  std::size_t line = 0;  ///< in its file; 0: none
};

/// The formulas of networks that were made from the same rules: copies share them until one is changed.
class FormulaList {
 public:
  FormulaList() : list_(std::make_shared<std::vector<FormulaSource>>()) {}
  FormulaList(std::vector<FormulaSource> list)  // NOLINT: a list is one
      : list_(std::make_shared<std::vector<FormulaSource>>(std::move(list))) {}

  std::size_t size() const { return list_->size(); }
  bool empty() const { return list_->empty(); }
  auto begin() const { return list_->cbegin(); }
  auto end() const { return list_->cend(); }
  const FormulaSource& operator[](std::size_t place) const { return (*list_)[place]; }
  FormulaSource& change(std::size_t place) { return own()[place]; }
  void push_back(FormulaSource formula) { own().push_back(std::move(formula)); }

 private:
  std::vector<FormulaSource>& own() {
    if (list_.use_count() > 1) list_ = std::make_shared<std::vector<FormulaSource>>(*list_);
    return *list_;
  }

  std::shared_ptr<std::vector<FormulaSource>> list_;
};

class GroundNetwork {
 public:
  FormulaList formulas;
  std::string source;  ///< the file it came from, for messages; may be empty
  /// For messages: the file or, where there is none, "the network".
  std::string source_name() const { return source.empty() ? "the network" : source; }
  /// Formulas that are true in every world count in log Z, as do the weights of soft evidence: this is their
  /// sum. (Multiplied with the weights that the formulas had when the network was made.)
  double offset = 0;
  /// Further atoms that nothing is said about; each doubles Z. They have no number and no name.
  double unmentioned_atoms = 0;

  /// `parts`: see parts().
  AtomId add_atom(std::string name, std::span<const std::uint32_t> parts = {});
  std::size_t atoms() const { return names_.size(); }
  const std::string& name(AtomId atom) const { return names_[atom]; }
  /// What the name is made of: the numbers of the predicate and of its arguments in the network with
  /// variables (logic/language/language.h). Empty where there was none.
  std::span<const std::uint32_t> parts(AtomId atom) const {
    return std::span(parts_).subspan(part_starts_[atom], part_starts_[atom + 1] - part_starts_[atom]);
  }
  /// The atom of this name, e.g. "Ride(Man,Bike)"; the first of several.
  std::optional<AtomId> find(std::string_view name) const;

  /// Adds a grounding. A hard one must be a clause. `literals` as in GroundFormula.
  void add(GroundFormula::Kind kind, std::uint32_t formula, double coefficient,
           std::span<const Literal> literals);
  /// For another grounding that equals this one.
  void add_coefficient(std::size_t grounding, double coefficient) { coefficients_[grounding] += coefficient; }
  void reserve(std::size_t groundings, std::size_t literals);  ///< in all
  std::size_t size() const { return kinds_.size(); }           ///< groundings
  GroundFormula operator[](std::size_t grounding) const;
  double weight(std::size_t grounding) const {
    return formulas[formula_[grounding]].weight * coefficients_[grounding];
  }

  /// Soft evidence: worlds where the atom is true weigh p, the others 1 - p. 0 and 1 are hard evidence. Later
  /// calls replace earlier ones.
  void set_probability(AtomId atom, double p);
  /// The probability it was given; not a number: none.
  double probability(AtomId atom) const { return probabilities_[atom]; }

 private:
  std::vector<std::string> names_;
  IdTable by_name_;
  std::vector<std::uint32_t> parts_;            // of the names
  std::vector<std::size_t> part_starts_ = {0};  // of each atom's
  std::vector<double> probabilities_;           // of atoms
  std::vector<GroundFormula::Kind> kinds_;
  std::vector<std::uint32_t> formula_;
  std::vector<double> coefficients_;
  std::vector<std::size_t> starts_ = {0};  // of each grounding's literals
  std::vector<Literal> literals_;
};

/// What is asked for: that every clause holds. A conjunction of literals is a clause of one literal for each.
struct Query {
  std::vector<std::vector<Literal>> clauses;

  /// Whether all clauses have one literal.
  bool conjunction() const;
};

}  // namespace capella::logic
