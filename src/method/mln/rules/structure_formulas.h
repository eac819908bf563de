// Formulas as numbers: what a chain says, with variables in place of constants, the same for every order of
// its literals.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "method/mln/rules/chains.h"

namespace capella::method::mln {

inline constexpr std::size_t kMostVariables = 2 * kLongestChain;

/// Predicate, first term, second term of each literal. Terms are constants (ground), or variables by the
/// place of their names in the alphabet, so that keys have the order of the formulas' texts.
struct FormulaKey {
  std::array<std::uint32_t, 3 * kLongestChain> codes{};
  std::uint32_t size = 0;  ///< literals

  std::span<const std::uint32_t> used() const { return std::span(codes).first(3 * size); }
  friend bool operator==(const FormulaKey&, const FormulaKey&) = default;
};
bool operator<(const FormulaKey& a, const FormulaKey& b);

struct FormulaKeyHash {
  std::size_t operator()(const FormulaKey& key) const {
    return hash_bytes({reinterpret_cast<const char*>(key.codes.data()), sizeof key.codes});
  }
};

/// The constants of a formula's variables, in the order of their first occurrence; unused ones are 0.
using Substitution = std::array<std::uint32_t, kMostVariables>;

/// Which variable a term's code means: 0 is the first to occur.
std::size_t variable_of(std::uint32_t code);
/// x, y, z ...: the name of the variable that occurs first, second ...
std::string_view variable_name(std::size_t variable);

/// The least key over all orders of the literals. `ways`, if given, gets the constants of the variables;
/// there are several where the formula is symmetric.
FormulaKey lifted_key(std::span<const GroundLiteral> literals, std::vector<Substitution>* ways = nullptr);
/// Constants stay.
FormulaKey ground_key(std::span<const GroundLiteral> literals);

/// The formula of one of its literals alone.
FormulaKey literal_key(const FormulaKey& key, std::size_t literal, bool ground);

}  // namespace capella::method::mln
