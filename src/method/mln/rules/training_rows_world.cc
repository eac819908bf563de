#include <algorithm>
#include <bit>
#include <iterator>

#include <fmt/format.h>

#include "capella/error.h"

#include "method/mln/rules/training_rows_parts.h"

namespace capella::method::mln {
namespace {

using logic::ConstantId;
using logic::RowEntry;

constexpr std::size_t kMostParts = 200'000'000;

}  // namespace

WorldRows::WorldRows(const ConjunctionNetwork::Parts& parts, const TrainingImage& image)
    : parts_(parts), image_(image), listed_counts_(parts.predicates.size()) {
  for (const TrueAtom& atom : image.atoms) {
    if (exists(atom)) atoms_.push_back(atom);
  }
}

bool WorldRows::in_image(ConstantId constant) const {
  return std::ranges::binary_search(image_.constants, constant);
}

bool WorldRows::exists(const TrueAtom& atom) const {
  const PredicateAtoms& predicate = parts_.predicates[atom.predicate];
  if (predicate.all && parts_.domains[predicate.subjects][atom.subject] &&
      parts_.domains[predicate.objects][atom.object])
    return true;
  if (predicate.equal && atom.subject == atom.object && parts_.domains[predicate.both][atom.subject])
    return true;
  const auto found = parts_.named.find(pair_key(atom.subject, atom.object));
  return found != parts_.named.end() &&
         std::ranges::find(found->second, atom.predicate, &NamedAtom::predicate) != found->second.end();
}

void WorldRows::add_to(logic::PseudoRows& rows, bool groups) {
  find_parts();
  add_listed(rows, groups);
  add_unlisted(rows, groups);
  add_unlisted_named(rows, groups);
}

// Conjunctions that have no true atom have a part only where all their literals are the same atom, which the
// predicates' own rows count.
void WorldRows::find_parts() {
  std::vector<std::uint32_t> candidates;
  for (std::size_t k = 0; k < atoms_.size(); ++k) {
    if (k == 0 || atoms_[k].predicate != atoms_[k - 1].predicate) {
      const auto& lifted = parts_.by_predicate[atoms_[k].predicate];
      candidates.insert(candidates.end(), lifted.begin(), lifted.end());
    }
    const auto named = parts_.by_pair.find(pair_key(atoms_[k].subject, atoms_[k].object));
    if (named != parts_.by_pair.end())
      candidates.insert(candidates.end(), named->second.begin(), named->second.end());
  }
  std::ranges::sort(candidates);
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  for (const std::uint32_t candidate : candidates) find_parts(parts_.conjunctions[candidate]);
  std::ranges::sort(found_);
}

// For every set of literals that may be the atom in question, all others being true.
void WorldRows::find_parts(const Conjunction& conjunction) {
  const unsigned all = (1U << conjunction.literals.size()) - 1;
  const auto same_predicate = [&](unsigned left_out) {
    const std::size_t first = static_cast<std::size_t>(std::countr_zero(left_out));
    for (std::size_t k = first + 1; k < conjunction.literals.size(); ++k) {
      if ((left_out >> k & 1) == 1 &&
          conjunction.literals[k].predicate != conjunction.literals[first].predicate)
        return false;
    }
    return true;
  };
  Values values;
  values.fill(kOpen);
  for (unsigned left_out = 1; left_out < all; ++left_out) {
    if (same_predicate(left_out)) bind_others(conjunction, left_out, 0, values);
  }
}

void WorldRows::bind_others(const Conjunction& conjunction, unsigned left_out, std::size_t literal,
                            const Values& values) {
  if (literal == conjunction.literals.size()) return bind_left_out(conjunction, left_out, values);
  if ((left_out >> literal & 1) == 1) return bind_others(conjunction, left_out, literal + 1, values);
  const AtomPattern& pattern = conjunction.literals[literal];
  auto atom = std::ranges::lower_bound(atoms_, pattern.predicate, {}, &TrueAtom::predicate);
  for (; atom != atoms_.end() && atom->predicate == pattern.predicate; ++atom) {
    Values next = values;
    if (bind(conjunction, pattern, *atom, next)) bind_others(conjunction, left_out, literal + 1, next);
  }
}

// Makes the pattern that atom; false if it cannot be.
bool WorldRows::bind(const Conjunction& conjunction, const AtomPattern& pattern, const TrueAtom& atom,
                     Values& values) const {
  for (std::size_t k = 0; k < 2; ++k) {
    const ConstantId constant = k == 0 ? atom.subject : atom.object;
    const logic::Term term = pattern.terms[k];
    if (!term.variable) {
      if (term.id != constant) return false;
      continue;
    }
    std::uint32_t& value = values[term.id];
    if (value == kOpen && parts_.domains[conjunction.domains[term.id]][constant]) value = constant;
    if (value != constant) return false;
  }
  return true;
}

// The literals that were left out all become one atom, in every way that is left.
void WorldRows::bind_left_out(const Conjunction& conjunction, unsigned left_out, const Values& values) {
  std::array<std::uint32_t, 2> given = {kOpen, kOpen};
  logic::PredicateId predicate = kOpen;
  for (std::size_t k = 0; k < conjunction.literals.size(); ++k) {
    if ((left_out >> k & 1) == 0) continue;
    const AtomPattern& pattern = conjunction.literals[k];
    predicate = pattern.predicate;
    for (std::size_t side = 0; side < 2; ++side) {
      const logic::Term term = pattern.terms[side];
      const std::uint32_t value = term.variable ? values[term.id] : term.id;
      if (value != kOpen) given[side] = value;
    }
  }
  const auto choices = [&](const std::uint32_t& value) {
    return value == kOpen ? std::span<const ConstantId>(image_.constants) : std::span(&value, 1);
  };
  Values next;
  for (const ConstantId subject : choices(given[0])) {
    for (const ConstantId object : choices(given[1])) {
      const TrueAtom atom{predicate, subject, object};
      next = values;
      bool fits = in_image(subject) && in_image(object);
      for (std::size_t k = 0; k < conjunction.literals.size() && fits; ++k)
        fits = (left_out >> k & 1) == 0 || bind(conjunction, conjunction.literals[k], atom, next);
      if (fits && !holds_elsewhere(conjunction, left_out, atom, next))
        found_.push_back({atom, conjunction.formula});
    }
  }
  if (found_.size() > kMostParts)
    throw DataError(fmt::format(
        "{}: more than {} ways to make formulas true but for one atom; learn from one world per image "
        "or from fewer of them",
        image_.name, kMostParts));
}

// Whether one of the other literals is the atom, too: then this grounding is found with both left out.
bool WorldRows::holds_elsewhere(const Conjunction& conjunction, unsigned left_out, const TrueAtom& atom,
                                const Values& values) const {
  const auto value = [&](logic::Term term) { return term.variable ? values[term.id] : term.id; };
  for (std::size_t k = 0; k < conjunction.literals.size(); ++k) {
    const AtomPattern& pattern = conjunction.literals[k];
    if ((left_out >> k & 1) == 0 && pattern.predicate == atom.predicate &&
        value(pattern.terms[0]) == atom.subject && value(pattern.terms[1]) == atom.object)
      return true;
  }
  return false;
}

std::vector<RowEntry> WorldRows::base_row(const TrueAtom& atom) const {
  const PredicateAtoms& predicate = parts_.predicates[atom.predicate];
  if (predicate.all || predicate.equal)
    return atom.subject == atom.object ? predicate.equal_row : predicate.row;
  std::vector<RowEntry> row;
  for (const NamedAtom& named : parts_.named.at(pair_key(atom.subject, atom.object))) {
    if (named.predicate == atom.predicate) row.push_back({named.formula, 1});
  }
  return row;
}

void WorldRows::note_listed(const TrueAtom& atom) {
  listed_.push_back(atom);
  Listed& counts = listed_counts_[atom.predicate];
  ++(atom.subject == atom.object ? counts.equal : counts.different);
}

// Atoms that are true or have a part in some conjunction, one by one.
void WorldRows::add_listed(logic::PseudoRows& rows, bool groups) {
  const auto add = [&](const TrueAtom& atom, std::vector<RowEntry> row, bool truth) {
    logic::tidy(row);
    rows.add(row, truth, 1, groups ? atom.predicate : 0);
    note_listed(atom);
  };
  std::size_t next = 0;  // true atom
  for (std::size_t k = 0; k < found_.size();) {
    const TrueAtom atom = found_[k].atom;
    for (; next < atoms_.size() && atoms_[next] < atom; ++next)
      add(atoms_[next], base_row(atoms_[next]), true);
    std::vector<RowEntry> row = base_row(atom);
    for (; k < found_.size() && found_[k].atom == atom; ++k) row.push_back({found_[k].formula, 1});
    const bool truth = next < atoms_.size() && atoms_[next] == atom;
    if (truth) ++next;
    add(atom, std::move(row), truth);
  }
  for (; next < atoms_.size(); ++next) add(atoms_[next], base_row(atoms_[next]), true);
}

void WorldRows::add_unlisted(logic::PseudoRows& rows, bool groups) const {
  for (std::uint32_t p = 0; p < parts_.predicates.size(); ++p) {
    const PredicateAtoms& predicate = parts_.predicates[p];
    if (!predicate.all && !predicate.equal) continue;
    const auto count = [&](std::uint32_t domain) {
      const std::vector<bool>& members = parts_.domains[domain];
      return static_cast<std::size_t>(
          std::ranges::count_if(image_.constants, [&](ConstantId id) { return members[id]; }));
    };
    const std::size_t equal = count(predicate.both);
    const std::size_t all = predicate.all ? count(predicate.subjects) * count(predicate.objects) : equal;
    const Listed& listed = listed_counts_[p];
    std::vector<RowEntry> row = predicate.row;
    logic::tidy(row);
    rows.add(row, false, all - equal - listed.different, groups ? p : 0);
    row = predicate.equal_row;
    logic::tidy(row);
    rows.add(row, false, equal - listed.equal, groups ? p : 0);
  }
}

void WorldRows::add_unlisted_named(logic::PseudoRows& rows, bool groups) const {
  if (parts_.named.empty()) return;
  for (const ConstantId subject : image_.constants) {
    for (const ConstantId object : image_.constants) {
      const auto found = parts_.named.find(pair_key(subject, object));
      if (found == parts_.named.end()) continue;
      for (const NamedAtom& named : found->second) {
        const TrueAtom atom{named.predicate, subject, object};
        if (std::ranges::binary_search(listed_, atom)) continue;
        const RowEntry entry{named.formula, 1};
        rows.add(std::span(&entry, 1), false, 1, groups ? named.predicate : 0);
      }
    }
  }
}

}  // namespace capella::method::mln
