// What ConjunctionNetwork is made of.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <tsl/robin_map.h>

#include "base/hash.h"
#include "method/mln/rules/training_rows.h"

namespace capella::method::mln {

/// Longer conjunctions are grounded.
inline constexpr std::size_t kMostTerms = 8;

struct AtomPattern {
  logic::PredicateId predicate;
  std::array<logic::Term, 2> terms;
};

struct Conjunction {
  std::uint32_t formula;
  std::vector<AtomPattern> literals;   // two or more
  std::vector<std::uint32_t> domains;  // of variables
};

/// Atoms of a predicate of which all, or all with equal arguments, are formulas.
struct PredicateAtoms {
  bool all = false;
  bool equal = false;
  std::uint32_t subjects = 0, objects = 0, both = 0;  // domains
  std::vector<logic::RowEntry> row;                   // what every atom has
  std::vector<logic::RowEntry> equal_row;             // what those with equal arguments have
};

/// Of atoms that are formulas with constants.
struct NamedAtom {
  logic::PredicateId predicate;
  std::uint32_t formula;
};

inline std::uint64_t pair_key(logic::ConstantId subject, logic::ConstantId object) {
  return (std::uint64_t{subject} << 32) | object;
}

struct ConjunctionNetwork::Parts {
  std::vector<std::vector<bool>> domains;  // by constant
  std::vector<PredicateAtoms> predicates;
  tsl::robin_map<std::uint64_t, std::vector<NamedAtom>, IntegerHash> named;  // by pair of constants
  std::vector<Conjunction> conjunctions;
  std::vector<std::vector<std::uint32_t>> by_predicate;  // conjunctions with variables
  tsl::robin_map<std::uint64_t, std::vector<std::uint32_t>, IntegerHash> by_pair;  // ... with constants
};

/// Makes the rows of one world.
class WorldRows {
 public:
  WorldRows(const ConjunctionNetwork::Parts& parts, const TrainingImage& image);
  void add_to(logic::PseudoRows& rows, bool groups);

 private:
  /// An atom's part in one grounding.
  struct Part {
    TrueAtom atom;
    std::uint32_t formula;
    friend auto operator<=>(const Part&, const Part&) = default;
  };
  static constexpr std::uint32_t kOpen = 0xFFFFFFFF;
  using Values = std::array<std::uint32_t, kMostTerms>;  // of a conjunction's variables; kOpen: none yet

  bool exists(const TrueAtom& atom) const;
  bool in_image(logic::ConstantId constant) const;
  void find_parts();
  void find_parts(const Conjunction& conjunction);
  void bind_others(const Conjunction& conjunction, unsigned left_out, std::size_t literal,
                   const Values& values);
  void bind_left_out(const Conjunction& conjunction, unsigned left_out, const Values& values);
  bool bind(const Conjunction& conjunction, const AtomPattern& pattern, const TrueAtom& atom,
            Values& values) const;
  bool holds_elsewhere(const Conjunction& conjunction, unsigned left_out, const TrueAtom& atom,
                       const Values& values) const;
  std::vector<logic::RowEntry> base_row(const TrueAtom& atom) const;
  void add_listed(logic::PseudoRows& rows, bool groups);
  void add_unlisted(logic::PseudoRows& rows, bool groups) const;
  void add_unlisted_named(logic::PseudoRows& rows, bool groups) const;
  void note_listed(const TrueAtom& atom);

  const ConjunctionNetwork::Parts& parts_;
  const TrainingImage& image_;
  std::vector<TrueAtom> atoms_;  // true ones that the world has
  std::vector<Part> found_;
  std::vector<TrueAtom> listed_;  // atoms whose rows were added one by one; sorted
  struct Listed {
    std::size_t different = 0, equal = 0;  // by whether the arguments are
  };
  std::vector<Listed> listed_counts_;  // by predicate
};

}  // namespace capella::method::mln
