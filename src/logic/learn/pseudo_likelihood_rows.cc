#include "logic/learn/pseudo_likelihood_rows.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/hash.h"
#include "base/thread_pool.h"
#include "logic/learn/learn_weights.h"

namespace capella::logic {
namespace {

constexpr std::size_t kWorldsPerPiece = 64;

std::uint64_t hash_row(std::span<const RowEntry> row, std::uint32_t group) {
  std::uint64_t hash = hash_combine(group, row.size());
  for (const RowEntry& entry : row)
    hash = hash_combine(hash ^ entry.formula, std::bit_cast<std::uint64_t>(entry.change));
  return hash;
}

}  // namespace

void tidy(std::vector<RowEntry>& row) {
  std::ranges::stable_sort(row, {}, &RowEntry::formula);
  std::size_t out = 0;
  for (std::size_t k = 0; k < row.size();) {
    RowEntry entry = row[k];
    for (++k; k < row.size() && row[k].formula == entry.formula; ++k) entry.change += row[k].change;
    if (entry.change != 0) row[out++] = entry;
  }
  row.resize(out);
}

void PseudoRows::begin_world() {
  world_starts_.push_back(uses_.size());
}

void PseudoRows::add(std::span<const RowEntry> row, bool truth, std::size_t count, std::uint32_t group) {
  if (count == 0) return;
  if (group >= group_atoms_.size()) {
    group_atoms_.resize(group + 1);
    group_empty_atoms_.resize(group + 1);
  }
  group_atoms_[group] += count;
  if (row.empty()) {
    group_empty_atoms_[group] += count;
    return;
  }
  if (!truth) {
    signed_row_.assign(row.begin(), row.end());
    for (RowEntry& entry : signed_row_) entry.change = -entry.change;
    row = signed_row_;
  }
  const std::uint32_t at = find_or_add(row, group);
  counts_[at] += count;
  uses_.push_back({at, static_cast<std::uint32_t>(count)});
}

void PseudoRows::append(const PseudoRows& next) {
  std::vector<std::uint32_t> places(next.rows());
  std::vector<RowEntry> row;
  for (std::size_t r = 0; r < next.rows(); ++r) {
    row.clear();
    for (std::size_t k = next.starts_[r]; k < next.starts_[r + 1]; ++k)
      row.push_back({next.columns_[k], next.values_[k]});
    places[r] = find_or_add(row, next.groups_[r]);
    counts_[places[r]] += next.counts_[r];
  }
  for (const std::size_t start : next.world_starts_) world_starts_.push_back(uses_.size() + start);
  for (const Use& use : next.uses_) uses_.push_back({places[use.row], use.count});
  unmentioned_atoms_ += next.unmentioned_atoms_;
  group_atoms_.resize(std::max(group_atoms_.size(), next.group_atoms_.size()));
  group_empty_atoms_.resize(group_atoms_.size());
  for (std::size_t g = 0; g < next.group_atoms_.size(); ++g) {
    group_atoms_[g] += next.group_atoms_[g];
    group_empty_atoms_[g] += next.group_empty_atoms_[g];
  }
}

std::size_t PseudoRows::atoms() const {
  return std::accumulate(group_atoms_.begin(), group_atoms_.end(), std::size_t{0});
}

std::size_t PseudoRows::empty_atoms() const {
  return std::accumulate(group_empty_atoms_.begin(), group_empty_atoms_.end(), std::size_t{0});
}

std::span<const PseudoRows::Use> PseudoRows::world(std::size_t k) const {
  const std::size_t end = k + 1 < world_starts_.size() ? world_starts_[k + 1] : uses_.size();
  return std::span(uses_).subspan(world_starts_[k], end - world_starts_[k]);
}

bool PseudoRows::equal(std::uint32_t row, std::span<const RowEntry> other, std::uint32_t group) const {
  const std::size_t start = starts_[row];
  if (groups_[row] != group || starts_[row + 1] - start != other.size()) return false;
  for (std::size_t k = 0; k < other.size(); ++k) {
    if (columns_[start + k] != other[k].formula || values_[start + k] != other[k].change) return false;
  }
  return true;
}

void PseudoRows::grow_index() {
  index_.assign(std::max<std::size_t>(1024, 2 * index_.size()), 0);
  const std::size_t mask = index_.size() - 1;
  for (std::size_t row = 0; row < hashes_.size(); ++row) {
    std::size_t at = hashes_[row] & mask;
    while (index_[at] != 0) at = (at + 1) & mask;
    index_[at] = static_cast<std::uint32_t>(row + 1);
  }
}

std::uint32_t PseudoRows::find_or_add(std::span<const RowEntry> row, std::uint32_t group) {
  if (2 * (rows() + 1) > index_.size()) grow_index();
  const std::uint64_t hash = hash_row(row, group);
  const std::size_t mask = index_.size() - 1;
  std::size_t at = hash & mask;
  for (; index_[at] != 0; at = (at + 1) & mask) {
    const std::uint32_t found = index_[at] - 1;
    if (hashes_[found] == hash && equal(found, row, group)) return found;
  }
  if (rows() + 1 >= std::numeric_limits<std::uint32_t>::max())
    throw DataError("more than 4,294,967,294 different rows to learn from; give fewer worlds");
  const auto added = static_cast<std::uint32_t>(rows());
  index_[at] = added + 1;
  hashes_.push_back(hash);
  groups_.push_back(group);
  counts_.push_back(0);
  for (const RowEntry& entry : row) {
    columns_.push_back(entry.formula);
    values_.push_back(entry.change);
  }
  starts_.push_back(columns_.size());
  return added;
}

namespace {

using GroupNumbers = std::map<std::string, std::uint32_t, std::less<>>;

std::string_view predicate_of(std::string_view atom) {
  return atom.substr(0, atom.find('('));
}

// Predicates in the order in which the worlds' atoms mention them.
GroupNumbers number_groups(std::span<const TrainingWorld> worlds) {
  GroupNumbers groups;
  for (const TrainingWorld& world : worlds) {
    for (AtomId atom = 0; atom < world.network->atoms(); ++atom) {
      const std::string_view predicate = predicate_of(world.network->name(atom));
      if (groups.contains(predicate)) continue;
      const auto number = static_cast<std::uint32_t>(groups.size());
      groups.emplace(predicate, number);
    }
  }
  return groups;
}

void check_hard(const TrainingWorld& world, const GroundFormula& grounding, std::size_t true_literals) {
  if (true_literals > 0) return;
  const FormulaSource& source = world.network->formulas[grounding.formula];
  std::string atoms;
  for (const Literal literal : grounding.literals)
    atoms += fmt::format("{}{}{}", atoms.empty() ? "" : ", ", literal.positive() ? "" : "!",
                         world.network->name(literal.atom()));
  const std::string& file = world.network->source;
  const std::string place = file.empty() ? "" : fmt::format(" of {}:{}", file, source.line);
  throw DataError(
      fmt::format("{}: the world breaks the hard formula `{}`{} (none of {} is true); correct the data, or "
                  "give the formula a weight",
                  world.name, source.text, place, atoms));
}

// Adds what one grounding contributes to the rows of its atoms. A conjunction changes with an atom if all
// other literals hold, a clause if no other does.
void add_grounding(const TrainingWorld& world, const GroundFormula& grounding,
                   std::vector<std::vector<RowEntry>>& rows) {
  const auto holds = [&](Literal literal) { return world.truth[literal.atom()] == literal.positive(); };
  const auto true_literals = static_cast<std::size_t>(std::ranges::count_if(grounding.literals, holds));
  if (world.network->formulas[grounding.formula].weight == kHard)
    return check_hard(world, grounding, true_literals);
  const bool conjunction = grounding.kind == GroundFormula::Kind::conjunction;
  const std::size_t in_the_way = conjunction ? grounding.literals.size() - true_literals : true_literals;
  if (in_the_way > 1) return;
  for (const Literal literal : grounding.literals) {
    const bool is_in_the_way = holds(literal) != conjunction;
    if (in_the_way == 1 && !is_in_the_way) continue;
    rows[literal.atom()].push_back(
        {grounding.formula, literal.positive() ? grounding.coefficient : -grounding.coefficient});
  }
}

void add_world(const TrainingWorld& world, const GroupNumbers* groups, PseudoRows& rows) {
  const GroundNetwork& network = *world.network;
  if (network.formulas.size() != rows.formulas() || world.truth.size() != network.atoms())
    throw DataError(fmt::format("{}: {} formulas and {} truth values, expected {} and {} as its network has",
                                world.name, network.formulas.size(), world.truth.size(), rows.formulas(),
                                network.atoms()));
  std::vector<std::vector<RowEntry>> changes(network.atoms());
  for (std::size_t k = 0; k < network.size(); ++k) add_grounding(world, network[k], changes);
  rows.begin_world();
  for (AtomId atom = 0; atom < network.atoms(); ++atom) {
    tidy(changes[atom]);
    const std::uint32_t group = groups ? groups->find(predicate_of(network.name(atom)))->second : 0;
    rows.add(changes[atom], world.truth[atom], 1, group);
  }
  // Atoms without a number: nobody knows their predicates, so groups do not count them.
  if (!groups) rows.add_unmentioned(network.unmentioned_atoms);
}

}  // namespace

PseudoRows collect_rows(std::span<const TrainingWorld> worlds, bool groups, ThreadPool& pool) {
  if (worlds.empty()) throw DataError("no worlds to learn from; give a database or triplets");
  const std::size_t formulas = worlds[0].network->formulas.size();
  const GroupNumbers numbers = groups ? number_groups(worlds) : GroupNumbers{};
  const std::size_t pieces = (worlds.size() + kWorldsPerPiece - 1) / kWorldsPerPiece;
  std::vector<PseudoRows> parts(pieces, PseudoRows(formulas));
  pool.parallel_for(pieces, [&](std::size_t piece) {
    const std::size_t begin = piece * kWorldsPerPiece;
    for (const TrainingWorld& world : worlds.subspan(begin, std::min(kWorldsPerPiece, worlds.size() - begin)))
      add_world(world, groups ? &numbers : nullptr, parts[piece]);
  });
  PseudoRows rows(formulas);
  for (PseudoRows& part : parts) {
    rows.append(part);
    part = PseudoRows(0);
  }
  return rows;
}

}  // namespace capella::logic
