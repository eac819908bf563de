// Markov logic as text: a subset of Alchemy's .mln and .db files, with `//@` directives that other programs
// skip. See docs/mln.md for the grammar.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "logic/ground/ground_network.h"

namespace capella::logic {

using TypeId = std::uint32_t;
using PredicateId = std::uint32_t;
using ConstantId = std::uint32_t;  ///< a place in Network::constants; two types may share a constant

struct Type {
  std::string name;
  std::vector<ConstantId> constants;  ///< in the order of the file
  bool listed = false;                ///< by `name = {...}` in the network's file
};

struct Predicate {
  std::string name;
  std::string label;          ///< what `//@pred` says it stands for, e.g. "sit on"; else the name
  std::vector<TypeId> types;  ///< of its arguments
  /// `//@domain`: constants that may stand at an argument's place; an empty list: all of the type. A variable
  /// runs over the constants that may stand at all its places.
  std::vector<std::vector<ConstantId>> domains;
  std::size_t line = 0;  ///< of its declaration
};

struct Constant {
  std::string name;
  std::string label;  ///< what `//@const` says it stands for; else the name
};

/// An argument: a constant, or a variable of the formula.
struct Term {
  bool variable = false;
  std::uint32_t id = 0;  ///< ConstantId, or a place in Formula::variables
  friend bool operator==(const Term&, const Term&) = default;
};

/// A formula's syntax tree.
struct Expression {
  enum class Kind : std::uint8_t {
    atom,
    equal,
    negation,
    conjunction,
    disjunction,
    implication,
    equivalence,
    for_all,
    exists
  };

  Kind kind = Kind::atom;
  PredicateId predicate = 0;      ///< of an atom
  std::vector<Term> terms;        ///< of an atom or an equation; the bound variables of a quantifier
  std::vector<Expression> parts;  ///< of all others
  friend bool operator==(const Expression&, const Expression&) = default;
};

struct Variable {
  std::string name;
  TypeId type = 0;
  bool per_constant = false;  ///< "+x": a formula of its own for each constant
  friend bool operator==(const Variable&, const Variable&) = default;
};

/// What `//@stat` says of a learned formula.
struct FormulaStatistics {
  double support = 0;  ///< satisfied groundings
  double groundings = 0;
  double initial = 0;  ///< weight
  double images = 0;
  friend bool operator==(const FormulaStatistics&, const FormulaStatistics&) = default;
};

struct Formula {
  Expression expression;
  std::vector<Variable> variables;  ///< those of quantifiers, too
  std::optional<double> weight;     ///< nothing: to be learned, and 0 until then; kHard: hard
  std::optional<FormulaStatistics> statistics;
  std::size_t line = 0;
};

/// A network with variables.
struct Network {
  std::string source;  ///< its file, for messages
  std::vector<Type> types;
  std::vector<Predicate> predicates;
  std::vector<Constant> constants;
  std::vector<Formula> formulas;

  std::optional<PredicateId> find_predicate(std::string_view name) const;
  std::optional<ConstantId> find_constant(std::string_view name) const;
};

/// Throws DataError "FILE:LINE: ..." for what is no network.
Network read_network(std::string_view text, const std::string& source);
/// Text that read_network reads to the same network; constants may get other numbers. Weights have 17 digits.
/// Throws DataError for names that cannot be written (those of `Names` always can) and weights that are no
/// numbers.
std::string write_network(const Network& network);
/// A formula as it is written, without its weight.
std::string format_formula(const Formula& formula, const Network& network);
/// A constant as it is written: in quotes if it does not look like one.
std::string format_constant(std::string_view name);

/// The network with a formula for every constant in place of each formula with "+x"; only such a network can
/// hold the weights that were learned for each. Throws DataError for too many.
Network expand_per_constant(Network network);

/// A ground atom.
struct Fact {
  PredicateId predicate = 0;
  std::vector<ConstantId> arguments;
  double probability = 1;  ///< 1: true, 0: false, else soft evidence
  std::size_t line = 0;
};

/// Evidence.
struct Database {
  std::string source;
  std::vector<Fact> facts;
  std::vector<ConstantId> unlisted;  ///< that the facts added to types whose constants the network lists
};

/// Constants that the network does not know are added to it, to the types of their places. A fact that is
/// told twice is there once. Throws DataError "FILE:LINE: ..." for unknown predicates, a wrong number of
/// arguments, probabilities outside 0 ... 1, contradicting facts.
Database read_database(std::string_view text, const std::string& source, Network& network);
std::string write_database(const Database& database, const Network& network);

/// Names in an .mln file that stand for any words: "sit on" becomes SitOn; if other words have that name, _2,
/// _3 ... is put behind it. Constants and predicates need one of these each.
class Names {
 public:
  /// The same words always give the same name.
  const std::string& of(std::string_view words);

 private:
  std::unordered_map<std::string, std::string> names_;  // by words
  std::unordered_set<std::string> taken_;
};

}  // namespace capella::logic
