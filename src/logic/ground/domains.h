// Which constants a variable or an argument can be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "logic/language/language.h"

namespace capella::logic {

/// A list of constants that is asked for its members.
class Domain {
 public:
  /// `all`: the number of constants of the network.
  Domain(std::vector<ConstantId> constants, std::size_t all);

  std::span<const ConstantId> constants() const { return constants_; }
  bool contains(ConstantId constant) const;

 private:
  std::vector<ConstantId> constants_;
  std::vector<std::uint64_t> bits_;  // one per constant, unless there are very many: then `sorted_`
  std::vector<ConstantId> sorted_;
};

using DomainId = std::uint32_t;

/// All domains of a network; equal ones that come from the same places are one.
class Domains {
 public:
  explicit Domains(const Network& network);

  std::size_t size() const { return domains_.size(); }
  const Domain& operator[](DomainId id) const { return domains_[id]; }
  DomainId of_type(TypeId type) const { return type; }
  DomainId of_place(PredicateId predicate, std::size_t place) const { return places_[predicate][place]; }
  /// What is in all of them; at least one.
  DomainId intersection(std::vector<DomainId> ids);

 private:
  std::size_t all_;
  std::vector<Domain> domains_;
  std::vector<std::vector<DomainId>> places_;
  std::map<std::vector<DomainId>, DomainId> intersections_;
};

/// What each variable of the formula can be: the intersection over all its places.
std::vector<DomainId> variable_domains(const Formula& formula, Domains& domains);

/// The domains where only some constants exist.
class ActiveDomains {
 public:
  /// All exist. `domains` must outlive this.
  explicit ActiveDomains(const Domains& domains);
  ActiveDomains(const Domains& domains, std::span<const ConstantId> existing, std::size_t all);

  bool restricted() const { return restricted_; }
  bool exists(ConstantId constant) const { return !restricted_ || exists_[constant]; }
  std::span<const ConstantId> existing() const { return existing_; }  ///< if restricted: ascending
  std::span<const ConstantId> operator[](DomainId id) const { return lists_[id]; }

 private:
  bool restricted_;
  std::vector<bool> exists_;
  std::vector<ConstantId> existing_;
  std::vector<ConstantId> storage_;
  std::vector<std::span<const ConstantId>> lists_;
};

}  // namespace capella::logic
