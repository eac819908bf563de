// The names of a network, found quickly, and whether a text that is read may add to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/hash.h"
#include "logic/language/language.h"

namespace capella::logic {

class Vocabulary {
 public:
  enum class NewConstants : std::uint8_t {
    of_undeclared_types,  ///< a network's own formulas: `type = {...}` is the whole of a type
    always,               ///< evidence
    never                 ///< queries
  };

  /// For reading: what is new is added to the network.
  Vocabulary(Network& network, NewConstants rule);
  /// For asking only.
  explicit Vocabulary(const Network& network);

  const Network& network() const { return network_; }
  std::optional<PredicateId> predicate(std::string_view name) const;
  std::optional<TypeId> type(std::string_view name) const;
  std::optional<ConstantId> constant(std::string_view name) const;

  TypeId add_type(std::string_view name);  ///< or finds it
  PredicateId add_predicate(std::string_view name, std::vector<TypeId> types);
  void add_to_type(TypeId type, std::string_view constant);  ///< nothing happens if it is there
  void set_declared(TypeId type, std::size_t line) { declared_[type] = line; }
  std::size_t declared(TypeId type) const { return declared_[type]; }  ///< the line; 0: not by {...}

  /// The constant as one of the type, added to it where that is allowed. Throws DataError, without a place,
  /// if it is not.
  ConstantId constant_of(TypeId type, std::string_view name);

  // Messages, without a place.
  std::string unknown_predicate(std::string_view name) const;
  std::string unknown_constant(std::string_view name) const;

 private:
  Vocabulary(const Network& network, Network* growing, NewConstants rule);
  ConstantId intern(std::string_view name);
  std::string not_of_type(TypeId type, std::string_view name) const;

  const Network& network_;
  Network* growing_;
  NewConstants rule_;
  using Index = std::unordered_map<std::string, std::uint32_t, StringHash>;
  static std::optional<std::uint32_t> find(const Index& index, std::string_view name);
  Index predicates_, types_, constants_;
  std::unordered_set<std::uint64_t, IntegerHash> members_;  // type and constant
  std::vector<std::size_t> declared_;
};

}  // namespace capella::logic
