#include "logic/ground/normal_form.h"

#include <algorithm>
#include <bitset>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "capella/error.h"

#include "logic/ground/conjunction_sum.h"

namespace capella::logic {
namespace {

using TreeKind = GroundTree::Kind;
using Clause = std::vector<Literal>;

constexpr std::size_t kRows = std::size_t{1} << kMostTableAtoms;
constexpr std::size_t kMaxNormalFormWork = 200'000;

[[noreturn]] void too_large() {
  throw DataError(
      fmt::format("it is neither a clause nor a conjunction and has too many different atoms ({} "
                  "always work); write it as several formulas",
                  kMostTableAtoms));
}

bool is_literals(const GroundTree& tree) {
  return std::ranges::all_of(tree.parts,
                             [](const GroundTree& part) { return part.kind == TreeKind::literal; });
}

Clause literals_of(const GroundTree& tree) {
  Clause literals;
  literals.reserve(tree.parts.size());
  for (const GroundTree& part : tree.parts) literals.push_back(part.literal);
  return literals;
}

void collect_atoms(const GroundTree& tree, std::vector<AtomId>& atoms) {
  if (tree.kind == TreeKind::literal) atoms.push_back(tree.literal.atom());
  for (const GroundTree& part : tree.parts) collect_atoms(part, atoms);
}

std::vector<AtomId> atoms_of(const GroundTree& tree) {
  std::vector<AtomId> atoms;
  collect_atoms(tree, atoms);
  std::ranges::sort(atoms);
  atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
  return atoms;
}

/// Whether a formula of few atoms is true, in every world of these. Bit i of a row's number is atom i.
class TruthTable {
 public:
  using Rows = std::bitset<kRows>;

  TruthTable(const GroundTree& tree, const std::vector<AtomId>& atoms) : atoms_(atoms) {
    rows_ = evaluate(tree);
  }

  std::size_t rows() const { return std::size_t{1} << atoms_.size(); }
  bool operator[](std::size_t row) const { return rows_[row]; }

 private:
  Rows evaluate(const GroundTree& tree) const {
    switch (tree.kind) {
      case TreeKind::no:
        return {};
      case TreeKind::yes:
        return ~Rows();
      case TreeKind::literal:
        return column(tree.literal);
      case TreeKind::same:
        return ~(evaluate(tree.parts[0]) ^ evaluate(tree.parts[1]));
      case TreeKind::all:
      case TreeKind::any:
        break;
    }
    Rows made = evaluate(tree.parts[0]);
    for (std::size_t i = 1; i < tree.parts.size(); ++i) {
      if (tree.kind == TreeKind::all) {
        made &= evaluate(tree.parts[i]);
      } else {
        made |= evaluate(tree.parts[i]);
      }
    }
    return made;
  }

  Rows column(Literal literal) const {
    const auto bit =
        static_cast<std::size_t>(std::ranges::lower_bound(atoms_, literal.atom()) - atoms_.begin());
    Rows made;
    for (std::size_t row = 0; row < rows(); ++row)
      made[row] = ((row >> bit) & 1) == (literal.positive() ? 1 : 0);
    return made;
  }

  const std::vector<AtomId>& atoms_;
  Rows rows_;
};

// f(x) = sum over sets S of atoms of c(S) x [all atoms of S are true].
SoftParts moebius(const GroundTree& tree, const std::vector<AtomId>& atoms) {
  const TruthTable table(tree, atoms);
  std::vector<int> c(table.rows());
  for (std::size_t row = 0; row < c.size(); ++row) c[row] = table[row] ? 1 : 0;
  for (std::size_t bit = 1; bit < c.size(); bit *= 2)
    for (std::size_t row = 0; row < c.size(); ++row)
      if (row & bit) c[row] -= c[row ^ bit];
  SoftParts made;
  made.constant = c[0];
  for (std::size_t row = 1; row < c.size(); ++row) {
    if (c[row] == 0) continue;
    GroundPart& part = made.parts.emplace_back();
    part.coefficient = c[row];
    for (std::size_t i = 0; i < atoms.size(); ++i)
      if ((row >> i) & 1) part.literals.emplace_back(atoms[i]);
  }
  return made;
}

SoftParts by_algebra(const GroundTree& tree) {
  const std::optional<ConjunctionSum::Sum> sum = ConjunctionSum::of(tree);
  if (!sum) too_large();
  SoftParts made;
  for (const auto& [conjunction, coefficient] : *sum) {
    if (conjunction.empty()) {
      made.constant = coefficient;
    } else {
      made.parts.push_back({GroundFormula::Kind::conjunction, coefficient, conjunction});
    }
  }
  return made;
}

/// Clauses from a table: each false row is forbidden by the most general clause that forbids no true row.
class ClausesFromTable {
 public:
  ClausesFromTable(const GroundTree& tree, const std::vector<AtomId>& atoms)
      : table_(tree, atoms), atoms_(atoms), covered_(table_.rows()) {}

  std::vector<Clause> make() {
    std::vector<Clause> clauses;
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      if (table_[row] || covered_[row]) continue;
      std::size_t mask = table_.rows() - 1;
      for (std::size_t bit = 1; bit < table_.rows(); bit *= 2)
        if (all_false(row, mask & ~bit)) mask &= ~bit;
      clauses.push_back(forbid(row, mask));
    }
    return clauses;
  }

 private:
  template <class Visit>
  void for_rows(std::size_t row, std::size_t mask, Visit visit) const {
    const std::size_t open = (table_.rows() - 1) & ~mask;
    for (std::size_t choice = open;; choice = (choice - 1) & open) {
      visit((row & mask) | choice);
      if (choice == 0) return;
    }
  }

  bool all_false(std::size_t row, std::size_t mask) const {
    bool all = true;
    for_rows(row, mask, [&](std::size_t other) { all &= !table_[other]; });
    return all;
  }

  Clause forbid(std::size_t row, std::size_t mask) {
    for_rows(row, mask, [&](std::size_t other) { covered_[other] = true; });
    Clause clause;
    for (std::size_t i = 0; i < atoms_.size(); ++i)
      if ((mask >> i) & 1) clause.emplace_back(atoms_[i], ((row >> i) & 1) == 0);
    return clause;
  }

  TruthTable table_;
  const std::vector<AtomId>& atoms_;
  std::vector<bool> covered_;
};

/// Distributes "or" over "and"; tautologies are dropped. Its work is bounded.
class Distributor {
 public:
  std::vector<Clause> clauses(const GroundTree& tree) {
    work(1);
    if (tree.kind == TreeKind::yes) return {};
    if (tree.kind == TreeKind::no) return {Clause()};
    if (tree.kind == TreeKind::literal) return {{tree.literal}};
    if (tree.kind == TreeKind::any) return of_any(tree);
    if (tree.kind == TreeKind::same) return of_same(tree.parts[0], tree.parts[1]);
    std::vector<Clause> made;
    for (const GroundTree& part : tree.parts) append(made, clauses(part));
    return made;
  }

 private:
  std::vector<Clause> of_same(const GroundTree& a, const GroundTree& b) {
    std::vector<Clause> made = either(clauses(negated(a)), clauses(b));
    append(made, either(clauses(a), clauses(negated(b))));
    return made;
  }

  std::vector<Clause> of_any(const GroundTree& tree) {
    Clause units;
    for (const GroundTree& part : tree.parts)
      if (part.kind == TreeKind::literal) units.push_back(part.literal);
    if (!normalise(units)) return {};
    std::vector<Clause> made = {std::move(units)};
    for (const GroundTree& part : tree.parts)
      if (part.kind != TreeKind::literal) made = either(made, clauses(part));
    return made;
  }

  std::vector<Clause> either(const std::vector<Clause>& left, const std::vector<Clause>& right) {
    std::vector<Clause> made;
    for (const Clause& a : left) {
      for (const Clause& b : right) {
        Clause both = a;
        both.insert(both.end(), b.begin(), b.end());
        work(both.size() + 1);
        if (normalise(both)) made.push_back(std::move(both));
      }
    }
    std::ranges::sort(made);
    made.erase(std::unique(made.begin(), made.end()), made.end());
    return made;
  }

  void append(std::vector<Clause>& made, std::vector<Clause> more) {
    for (Clause& clause : more) {
      work(clause.size() + 1);
      made.push_back(std::move(clause));
    }
  }

  void work(std::size_t steps) {
    done_ += steps;
    if (done_ > kMaxNormalFormWork) too_large();
  }

  std::size_t done_ = 0;
};

}  // namespace

GroundTree truth(bool value) {
  GroundTree made;
  made.kind = value ? TreeKind::yes : TreeKind::no;
  return made;
}

GroundTree leaf(Literal literal) {
  GroundTree made;
  made.kind = TreeKind::literal;
  made.literal = literal;
  return made;
}

GroundTree join(TreeKind kind, std::vector<GroundTree> parts) {
  if (kind == TreeKind::same) {
    for (std::size_t i = 0; i < 2; ++i) {
      if (parts[i].kind == TreeKind::yes) return std::move(parts[1 - i]);
      if (parts[i].kind == TreeKind::no) return negated(parts[1 - i]);
    }
    GroundTree made;
    made.kind = kind;
    made.parts = std::move(parts);
    return made;
  }
  const TreeKind nothing = kind == TreeKind::all ? TreeKind::yes : TreeKind::no;
  const TreeKind decided = kind == TreeKind::all ? TreeKind::no : TreeKind::yes;
  GroundTree made;
  made.kind = kind;
  for (GroundTree& part : parts) {
    if (part.kind == decided) return truth(kind == TreeKind::any);
    if (part.kind == nothing) continue;
    if (part.kind == kind) {
      std::ranges::move(part.parts, std::back_inserter(made.parts));
    } else {
      made.parts.push_back(std::move(part));
    }
  }
  if (made.parts.empty()) return truth(kind == TreeKind::all);
  if (made.parts.size() > 1) return made;
  GroundTree only = std::move(made.parts[0]);
  return only;
}

GroundTree negated(const GroundTree& tree) {
  GroundTree made = tree;
  switch (tree.kind) {
    case TreeKind::no:
    case TreeKind::yes:
      return truth(tree.kind == TreeKind::no);
    case TreeKind::literal:
      return leaf(!tree.literal);
    case TreeKind::same:
      made.parts[0] = negated(tree.parts[0]);
      return made;
    case TreeKind::all:
    case TreeKind::any:
      break;
  }
  made.kind = tree.kind == TreeKind::all ? TreeKind::any : TreeKind::all;
  for (GroundTree& part : made.parts) part = negated(part);
  return made;
}

bool normalise(std::vector<Literal>& literals) {
  std::ranges::sort(literals);
  literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
  for (std::size_t i = 1; i < literals.size(); ++i)
    if (literals[i].atom() == literals[i - 1].atom()) return false;
  return true;
}

SoftParts soft_parts(const GroundTree& tree) {
  SoftParts made;
  if (tree.kind == TreeKind::no) return made;
  if (tree.kind == TreeKind::yes) return {1, {}};
  if (tree.kind == TreeKind::literal) return {0, {{GroundFormula::Kind::conjunction, 1, {tree.literal}}}};
  if (tree.kind != TreeKind::same && is_literals(tree)) {
    Clause literals = literals_of(tree);
    const bool possible = normalise(literals);
    const bool clause = tree.kind == TreeKind::any && literals.size() > 1;
    if (!possible) return {tree.kind == TreeKind::any ? 1.0 : 0.0, {}};
    return {
        0,
        {{clause ? GroundFormula::Kind::clause : GroundFormula::Kind::conjunction, 1, std::move(literals)}}};
  }
  const std::vector<AtomId> atoms = atoms_of(tree);
  return atoms.size() <= kMostTableAtoms ? moebius(tree, atoms) : by_algebra(tree);
}

std::vector<std::vector<Literal>> hard_clauses(const GroundTree& tree) {
  if (tree.kind == TreeKind::all) {
    std::vector<Clause> made;
    for (const GroundTree& part : tree.parts) {
      std::vector<Clause> more = hard_clauses(part);
      std::ranges::move(more, std::back_inserter(made));
    }
    return made;
  }
  if (tree.kind == TreeKind::same || (tree.kind == TreeKind::any && !is_literals(tree))) {
    const std::vector<AtomId> atoms = atoms_of(tree);
    if (atoms.size() <= kMostTableAtoms) return ClausesFromTable(tree, atoms).make();
  }
  return Distributor().clauses(tree);
}

}  // namespace capella::logic
