// The numbers of ground atoms, while a network is grounded.
//
// Where all atoms are listed, an atom's number follows from its arguments; others get numbers when they are
// first asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "logic/ground/domains.h"
#include "logic/ground/ground.h"
#include "logic/ground/ground_network.h"
#include "logic/language/id_table.h"

namespace capella::logic {

class AtomTable {
 public:
  /// Puts atoms into `made`. All must outlive this. `constant_names`: as they are written.
  AtomTable(const Network& network, const Domains& domains, const ActiveDomains& active,
            const std::vector<std::string>& constant_names, const GroundOptions& options,
            GroundNetwork& made);

  AtomId id(PredicateId predicate, std::span<const ConstantId> arguments);
  /// Sets the number of atoms that could be made but were not.
  void finish();

 private:
  struct Place {
    std::uint32_t stride = 0;
    std::vector<std::uint32_t> positions;  // of constants; kNowhere: none
  };
  struct Listed {
    AtomId first = 0;
    std::vector<Place> places;
  };

  double count(PredicateId predicate) const;
  void list_all();
  void list(PredicateId predicate);
  void number_places(const std::vector<std::span<const ConstantId>>& lists);
  AtomId add(PredicateId predicate, std::span<const ConstantId> arguments);
  AtomId find_or_add(PredicateId predicate, std::span<const ConstantId> arguments);
  bool is_counted(PredicateId predicate, std::span<const ConstantId> arguments) const;

  const Network& network_;
  const Domains& domains_;
  const ActiveDomains& active_;
  const std::vector<std::string>& constant_names_;
  GroundNetwork& made_;
  double unlisted_ = 0;
  bool numbered_ = false;
  std::vector<Listed> listed_;        // one per predicate if numbered
  std::vector<std::uint32_t> parts_;  // of the atom that is added
  // The other atoms.
  IdTable table_;
  std::vector<AtomId> ids_;
  std::vector<std::uint32_t> keys_;        // predicate and arguments, one after the other
  std::vector<std::size_t> starts_ = {0};  // of the keys
};

}  // namespace capella::logic
