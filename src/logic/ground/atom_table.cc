#include "logic/ground/atom_table.h"

#include <algorithm>

#include "base/hash.h"

namespace capella::logic {
namespace {

constexpr std::uint32_t kNowhere = 0xFFFFFFFF;
constexpr std::size_t kMostPositions = 20'000'000;

std::uint64_t hash_key(PredicateId predicate, std::span<const ConstantId> arguments) {
  std::uint64_t hash = predicate + 1;
  for (const ConstantId argument : arguments) {
    hash = (hash ^ (hash >> 29)) * 0x9E3779B97F4A7C15u + argument;
  }
  hash = (hash ^ (hash >> 32)) * 0xD6E8FEB86659FD93u;
  return hash ^ (hash >> 32);
}

}  // namespace

AtomTable::AtomTable(const Network& network, const Domains& domains, const ActiveDomains& active,
                     const std::vector<std::string>& constant_names, const GroundOptions& options,
                     GroundNetwork& made)
    : network_(network), domains_(domains), active_(active), constant_names_(constant_names), made_(made) {
  if (!options.list_all_atoms) return;
  double all = 0;
  for (PredicateId predicate = 0; predicate < network.predicates.size(); ++predicate) all += count(predicate);
  if (all <= static_cast<double>(options.most_listed_atoms)) {
    list_all();
  } else {
    unlisted_ = all;
  }
}

double AtomTable::count(PredicateId predicate) const {
  double made = 1;
  for (std::size_t place = 0; place < network_.predicates[predicate].types.size(); ++place)
    made *= static_cast<double>(active_[domains_.of_place(predicate, place)].size());
  return made;
}

// Arguments are numbered in tables, unless these would be large; then all atoms are looked up.
void AtomTable::list_all() {
  std::size_t places = 0;
  for (const Predicate& predicate : network_.predicates) places += predicate.types.size();
  numbered_ = places * network_.constants.size() <= kMostPositions;
  for (PredicateId predicate = 0; predicate < network_.predicates.size(); ++predicate) list(predicate);
}

void AtomTable::list(PredicateId predicate) {
  const std::size_t places = network_.predicates[predicate].types.size();
  std::vector<std::span<const ConstantId>> lists;
  for (std::size_t k = 0; k < places; ++k) lists.push_back(active_[domains_.of_place(predicate, k)]);
  if (numbered_) number_places(lists);
  std::vector<std::size_t> at(places);
  std::vector<ConstantId> arguments(places);
  for (double left = count(predicate); left > 0; --left) {
    for (std::size_t k = 0; k < places; ++k) arguments[k] = lists[k][at[k]];
    if (numbered_) {
      add(predicate, arguments);
    } else {
      find_or_add(predicate, arguments);
    }
    for (std::size_t k = places; k-- > 0;) {
      if (++at[k] < lists[k].size()) break;
      at[k] = 0;
    }
  }
}

void AtomTable::number_places(const std::vector<std::span<const ConstantId>>& lists) {
  Listed& listed = listed_.emplace_back();
  listed.first = static_cast<AtomId>(made_.atoms());
  listed.places.resize(lists.size());
  std::uint32_t stride = 1;
  for (std::size_t k = lists.size(); k-- > 0;) {
    listed.places[k].stride = stride;
    listed.places[k].positions.assign(network_.constants.size(), kNowhere);
    for (std::uint32_t i = 0; i < lists[k].size(); ++i) listed.places[k].positions[lists[k][i]] = i;
    stride *= static_cast<std::uint32_t>(lists[k].size());
  }
}

AtomId AtomTable::add(PredicateId predicate, std::span<const ConstantId> arguments) {
  const std::string& predicate_name = network_.predicates[predicate].name;
  std::size_t size = predicate_name.size() + 2 + arguments.size();
  for (const ConstantId argument : arguments) size += constant_names_[argument].size();
  std::string name;
  name.reserve(size);
  name += predicate_name;
  name += '(';
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (i > 0) name += ',';
    name += constant_names_[arguments[i]];
  }
  name += ')';
  parts_.assign(1, predicate);
  parts_.insert(parts_.end(), arguments.begin(), arguments.end());
  return made_.add_atom(std::move(name), parts_);
}

AtomId AtomTable::id(PredicateId predicate, std::span<const ConstantId> arguments) {
  if (listed_.empty()) return find_or_add(predicate, arguments);
  const Listed& listed = listed_[predicate];
  AtomId id = listed.first;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const std::uint32_t position = listed.places[k].positions[arguments[k]];
    if (position == kNowhere) return find_or_add(predicate, arguments);
    id += listed.places[k].stride * position;
  }
  return id;
}

AtomId AtomTable::find_or_add(PredicateId predicate, std::span<const ConstantId> arguments) {
  const auto place = static_cast<std::uint32_t>(ids_.size());
  const std::uint32_t known =
      table_.find_or_add(hash_key(predicate, arguments), place, [&](std::uint32_t other) {
        const auto key = std::span(keys_).subspan(starts_[other], starts_[other + 1] - starts_[other]);
        return key[0] == predicate && std::ranges::equal(key.subspan(1), arguments);
      });
  if (known != place) return ids_[known];
  keys_.push_back(predicate);
  keys_.insert(keys_.end(), arguments.begin(), arguments.end());
  starts_.push_back(keys_.size());
  ids_.push_back(add(predicate, arguments));
  if (unlisted_ > 0 && is_counted(predicate, arguments)) unlisted_ -= 1;
  return ids_.back();
}

bool AtomTable::is_counted(PredicateId predicate, std::span<const ConstantId> arguments) const {
  for (std::size_t k = 0; k < arguments.size(); ++k)
    if (!domains_[domains_.of_place(predicate, k)].contains(arguments[k])) return false;
  return true;
}

void AtomTable::finish() {
  made_.unmentioned_atoms = unlisted_;
}

}  // namespace capella::logic
