#include "logic/ground/domains.h"

#include <algorithm>
#include <utility>

namespace capella::logic {
namespace {

constexpr std::size_t kMostBits = 65'536;

void collect_places(const Expression& expression, const Domains& domains,
                    std::vector<std::vector<DomainId>>& places) {
  if (expression.kind == Expression::Kind::atom) {
    for (std::size_t i = 0; i < expression.terms.size(); ++i)
      if (expression.terms[i].variable)
        places[expression.terms[i].id].push_back(domains.of_place(expression.predicate, i));
  }
  for (const Expression& part : expression.parts) collect_places(part, domains, places);
}

}  // namespace

Domain::Domain(std::vector<ConstantId> constants, std::size_t all) : constants_(std::move(constants)) {
  if (all > kMostBits) {
    sorted_ = constants_;
    std::ranges::sort(sorted_);
    return;
  }
  bits_.resize(all / 64 + 1);
  for (const ConstantId id : constants_) bits_[id / 64] |= std::uint64_t{1} << (id % 64);
}

bool Domain::contains(ConstantId constant) const {
  if (bits_.empty()) return std::ranges::binary_search(sorted_, constant);
  return (bits_[constant / 64] >> (constant % 64)) & 1;
}

Domains::Domains(const Network& network) : all_(network.constants.size()) {
  for (const Type& type : network.types) domains_.emplace_back(type.constants, all_);
  for (const Predicate& predicate : network.predicates) {
    std::vector<DomainId>& places = places_.emplace_back();
    for (std::size_t place = 0; place < predicate.types.size(); ++place) {
      places.push_back(of_type(predicate.types[place]));
      const bool free = place >= predicate.domains.size() || predicate.domains[place].empty();
      if (free) continue;
      const Domain& type = domains_[places.back()];
      std::vector<ConstantId> list;
      std::vector<ConstantId> seen = predicate.domains[place];
      std::ranges::sort(seen);
      seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
      for (const ConstantId id : seen)
        if (type.contains(id)) list.push_back(id);
      places.back() = static_cast<DomainId>(domains_.size());
      domains_.emplace_back(std::move(list), all_);
    }
  }
}

DomainId Domains::intersection(std::vector<DomainId> ids) {
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  if (ids.size() == 1) return ids[0];
  const auto [place, added] = intersections_.try_emplace(ids, static_cast<DomainId>(domains_.size()));
  if (!added) return place->second;
  const auto smallest =
      *std::ranges::min_element(ids, {}, [&](DomainId id) { return domains_[id].constants().size(); });
  std::vector<ConstantId> list;
  for (const ConstantId constant : domains_[smallest].constants())
    if (std::ranges::all_of(ids, [&](DomainId id) { return domains_[id].contains(constant); }))
      list.push_back(constant);
  domains_.emplace_back(std::move(list), all_);
  return place->second;
}

std::vector<DomainId> variable_domains(const Formula& formula, Domains& domains) {
  std::vector<std::vector<DomainId>> places(formula.variables.size());
  collect_places(formula.expression, domains, places);
  std::vector<DomainId> made;
  for (std::size_t i = 0; i < places.size(); ++i) {
    // A restricted place lies inside its type, which need not be asked again.
    const DomainId type = domains.of_type(formula.variables[i].type);
    if (places[i].empty()) places[i].push_back(type);
    made.push_back(domains.intersection(std::move(places[i])));
  }
  return made;
}

ActiveDomains::ActiveDomains(const Domains& domains) : restricted_(false) {
  for (DomainId id = 0; id < domains.size(); ++id) lists_.push_back(domains[id].constants());
}

ActiveDomains::ActiveDomains(const Domains& domains, std::span<const ConstantId> existing, std::size_t all)
    : restricted_(true), exists_(all), existing_(existing.begin(), existing.end()) {
  std::ranges::sort(existing_);
  existing_.erase(std::unique(existing_.begin(), existing_.end()), existing_.end());
  for (const ConstantId id : existing_) exists_[id] = true;
  std::vector<std::size_t> starts;
  for (DomainId id = 0; id < domains.size(); ++id) {
    starts.push_back(storage_.size());
    for (const ConstantId constant : existing_)
      if (domains[id].contains(constant)) storage_.push_back(constant);
  }
  starts.push_back(storage_.size());
  for (DomainId id = 0; id < domains.size(); ++id)
    lists_.push_back(std::span(storage_).subspan(starts[id], starts[id + 1] - starts[id]));
}

}  // namespace capella::logic
