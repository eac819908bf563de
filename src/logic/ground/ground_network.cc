#include "logic/ground/ground_network.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/hash.h"

namespace capella::logic {

AtomId GroundNetwork::add_atom(std::string name, std::span<const std::uint32_t> parts) {
  const auto id = static_cast<AtomId>(names_.size());
  by_name_.find_or_add(hash_bytes(name), id, [&](AtomId known) { return names_[known] == name; });
  names_.push_back(std::move(name));
  parts_.insert(parts_.end(), parts.begin(), parts.end());
  part_starts_.push_back(parts_.size());
  probabilities_.push_back(std::numeric_limits<double>::quiet_NaN());
  return id;
}

std::optional<AtomId> GroundNetwork::find(std::string_view name) const {
  return by_name_.find(hash_bytes(name), [&](AtomId known) { return names_[known] == name; });
}

void GroundNetwork::reserve(std::size_t groundings, std::size_t literals) {
  kinds_.reserve(groundings);
  formula_.reserve(groundings);
  coefficients_.reserve(groundings);
  starts_.reserve(groundings + 1);
  literals_.reserve(literals);
}

void GroundNetwork::add(GroundFormula::Kind kind, std::uint32_t formula, double coefficient,
                        std::span<const Literal> literals) {
  assert(!literals.empty() && std::ranges::is_sorted(literals));
  kinds_.push_back(kind);
  formula_.push_back(formula);
  coefficients_.push_back(coefficient);
  literals_.insert(literals_.end(), literals.begin(), literals.end());
  starts_.push_back(literals_.size());
}

GroundFormula GroundNetwork::operator[](std::size_t grounding) const {
  const std::size_t start = starts_[grounding];
  return {kinds_[grounding], formula_[grounding], coefficients_[grounding],
          std::span(literals_).subspan(start, starts_[grounding + 1] - start)};
}

void GroundNetwork::set_probability(AtomId atom, double p) {
  probabilities_[atom] = p;
}

bool Query::conjunction() const {
  return std::ranges::all_of(clauses, [](const auto& clause) { return clause.size() == 1; });
}

}  // namespace capella::logic
