#include "logic/language/vocabulary.h"

#include <utility>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "base/suggestion.h"

namespace capella::logic {
namespace {

std::uint64_t member_key(TypeId type, ConstantId constant) {
  return (std::uint64_t{type} << 32) | constant;
}

}  // namespace

Vocabulary::Vocabulary(const Network& network, Network* growing, NewConstants rule)
    : network_(network), growing_(growing), rule_(rule), declared_(network.types.size()) {
  for (PredicateId id = 0; id < network.predicates.size(); ++id)
    predicates_.emplace(network.predicates[id].name, id);
  for (ConstantId id = 0; id < network.constants.size(); ++id)
    constants_.emplace(network.constants[id].name, id);
  for (TypeId id = 0; id < network.types.size(); ++id) {
    types_.emplace(network.types[id].name, id);
    for (const ConstantId constant : network.types[id].constants) members_.insert(member_key(id, constant));
  }
}

Vocabulary::Vocabulary(Network& network, NewConstants rule) : Vocabulary(network, &network, rule) {}

Vocabulary::Vocabulary(const Network& network) : Vocabulary(network, nullptr, NewConstants::never) {}

std::optional<std::uint32_t> Vocabulary::find(const Index& index, std::string_view name) {
  const auto found = index.find(std::string(name));
  if (found == index.end()) return {};
  return found->second;
}

std::optional<PredicateId> Vocabulary::predicate(std::string_view name) const {
  return find(predicates_, name);
}

std::optional<TypeId> Vocabulary::type(std::string_view name) const {
  return find(types_, name);
}

std::optional<ConstantId> Vocabulary::constant(std::string_view name) const {
  return find(constants_, name);
}

TypeId Vocabulary::add_type(std::string_view name) {
  const auto [place, added] = types_.try_emplace(std::string(name), growing_->types.size());
  if (added) {
    growing_->types.push_back({std::string(name), {}});
    declared_.push_back(0);
  }
  return place->second;
}

PredicateId Vocabulary::add_predicate(std::string_view name, std::vector<TypeId> types) {
  const auto id = static_cast<PredicateId>(growing_->predicates.size());
  predicates_.emplace(name, id);
  Predicate predicate;
  predicate.name = predicate.label = name;
  predicate.domains.resize(types.size());
  predicate.types = std::move(types);
  growing_->predicates.push_back(std::move(predicate));
  return id;
}

ConstantId Vocabulary::intern(std::string_view name) {
  const auto [place, added] = constants_.try_emplace(std::string(name), growing_->constants.size());
  if (added) growing_->constants.push_back({std::string(name), std::string(name)});
  return place->second;
}

void Vocabulary::add_to_type(TypeId type, std::string_view constant) {
  const ConstantId id = intern(constant);
  if (members_.insert(member_key(type, id)).second) growing_->types[type].constants.push_back(id);
}

ConstantId Vocabulary::constant_of(TypeId type, std::string_view name) {
  const std::optional<ConstantId> known = constant(name);
  if (known && members_.contains(member_key(type, *known))) return *known;
  const bool may_add =
      rule_ == NewConstants::always || (rule_ == NewConstants::of_undeclared_types && declared_[type] == 0);
  if (!may_add) throw DataError(not_of_type(type, name));
  add_to_type(type, name);
  return *constant(name);
}

std::string Vocabulary::not_of_type(TypeId type, std::string_view name) const {
  std::vector<std::string_view> candidates;
  for (const ConstantId constant : network_.types[type].constants)
    candidates.push_back(network_.constants[constant].name);
  const std::string place = declared_[type] == 0 ? "" : fmt::format(" (line {})", declared_[type]);
  return fmt::format("'{}' is no constant of type {}{}{}", excerpt(name), network_.types[type].name, place,
                     did_you_mean(name, candidates));
}

std::string Vocabulary::unknown_predicate(std::string_view name) const {
  std::vector<std::string_view> candidates;
  for (const Predicate& predicate : network_.predicates) candidates.push_back(predicate.name);
  return fmt::format("unknown predicate '{}'{}", excerpt(name), did_you_mean(name, candidates));
}

std::string Vocabulary::unknown_constant(std::string_view name) const {
  std::vector<std::string_view> candidates;
  for (const Constant& constant : network_.constants) candidates.push_back(constant.name);
  return fmt::format("unknown constant '{}'{}", excerpt(name), did_you_mean(name, candidates));
}

}  // namespace capella::logic
