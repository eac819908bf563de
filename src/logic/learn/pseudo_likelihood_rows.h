// What worlds say of weights, as pseudo-likelihood sees it: one row per atom.
//
// A row holds, for each formula, by how much the number of its true groundings grows when the atom becomes
// true and all others stay. Given the rest of its world the atom is true with probability s(weights . row),
// so this is logistic regression without intercept. Of a false atom the opposite row is kept: then every atom
// says ln s(weights . row). Equal rows are kept once and counted; rows without entries are only counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "logic/ground/ground_network.h"

namespace capella {
class ThreadPool;
}

namespace capella::logic {

struct RowEntry {
  std::uint32_t formula;
  double change;  ///< not 0
  friend bool operator==(const RowEntry&, const RowEntry&) = default;
};

/// Sorts by formula, adds up entries of the same one, drops zeros.
void tidy(std::vector<RowEntry>& row);

class PseudoRows {
 public:
  explicit PseudoRows(std::size_t formulas) : formulas_(formulas) {}

  void begin_world();
  /// `count` atoms of the world that was begun last. `row` ascends by formula. `group` is the predicate, by
  /// any number.
  void add(std::span<const RowEntry> row, bool truth, std::size_t count = 1, std::uint32_t group = 0);
  /// Atoms that no formula mentions and no group counts: they may be more than can be counted one by one.
  void add_unmentioned(double count) { unmentioned_atoms_ += count; }
  /// Adds the worlds of `next` behind those that are here. The order of rows depends on the worlds' alone.
  void append(const PseudoRows& next);

  std::size_t formulas() const { return formulas_; }
  std::size_t worlds() const { return world_starts_.size(); }
  std::size_t rows() const { return counts_.size(); }
  std::size_t nonzeros() const { return columns_.size(); }
  double unmentioned_atoms() const { return unmentioned_atoms_; }
  std::size_t atoms() const;        ///< rows without entries, too; not those that nothing mentions
  std::size_t empty_atoms() const;  ///< those alone
  std::span<const std::size_t> starts() const { return starts_; }
  std::span<const std::uint32_t> columns() const { return columns_; }
  std::span<const double> values() const { return values_; }
  std::size_t count(std::size_t row) const { return counts_[row]; }
  std::uint32_t group(std::size_t row) const { return groups_[row]; }
  /// By group: how many atoms there are, and how many of them have no entries.
  std::span<const std::size_t> group_atoms() const { return group_atoms_; }
  std::span<const std::size_t> group_empty_atoms() const { return group_empty_atoms_; }

  /// The rows that a world has, and how often.
  struct Use {
    std::uint32_t row;
    std::uint32_t count;
  };
  std::span<const Use> world(std::size_t k) const;

 private:
  std::uint32_t find_or_add(std::span<const RowEntry> row, std::uint32_t group);
  bool equal(std::uint32_t row, std::span<const RowEntry> other, std::uint32_t group) const;
  void grow_index();

  std::size_t formulas_;
  std::vector<std::size_t> starts_ = {0};
  std::vector<std::uint32_t> columns_;
  std::vector<double> values_;
  std::vector<std::size_t> counts_;
  std::vector<std::uint32_t> groups_;
  std::vector<std::uint64_t> hashes_;  // one per row
  std::vector<std::uint32_t> index_;   // open addressing: row + 1, or 0
  std::vector<std::size_t> group_atoms_;
  std::vector<std::size_t> group_empty_atoms_;
  double unmentioned_atoms_ = 0;
  std::vector<std::size_t> world_starts_;  // of uses
  std::vector<Use> uses_;
  std::vector<RowEntry> signed_row_;
};

struct TrainingWorld;

/// The rows of worlds that are ground networks. `groups`: one group per predicate, else all atoms are one.
/// Throws DataError if a world breaks a hard formula; it names both.
PseudoRows collect_rows(std::span<const TrainingWorld> worlds, bool groups, ThreadPool& pool);

}  // namespace capella::logic
