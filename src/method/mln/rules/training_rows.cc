#include "method/mln/rules/training_rows.h"

#include <algorithm>
#include <map>
#include <utility>

#include "method/mln/rules/training_rows_parts.h"

namespace capella::method::mln {
namespace {

using logic::ConstantId;
using logic::Expression;
using logic::Network;
using logic::RowEntry;

/// Places of predicates' arguments, sorted: what a variable's domain is the intersection of.
using Places = std::vector<std::pair<logic::PredicateId, std::size_t>>;

// The atoms of a conjunction, or of one atom; nothing if it is anything else.
std::optional<std::vector<AtomPattern>> atoms_of(const logic::Formula& formula, const Network& network) {
  const Expression& whole = formula.expression;
  std::vector<AtomPattern> out;
  const bool many = whole.kind == Expression::Kind::conjunction;
  const std::size_t count = many ? whole.parts.size() : 1;
  for (std::size_t k = 0; k < count; ++k) {
    const Expression& part = many ? whole.parts[k] : whole;
    if (part.kind != Expression::Kind::atom || part.terms.size() != 2) return std::nullopt;
    const auto& types = network.predicates[part.predicate].types;
    if (types[0] != types[1]) return std::nullopt;
    out.push_back({part.predicate, {part.terms[0], part.terms[1]}});
  }
  return out;
}

bool with_variables(const AtomPattern& pattern) {
  return pattern.terms[0].variable && pattern.terms[1].variable;
}

bool with_constants(const AtomPattern& pattern) {
  return !pattern.terms[0].variable && !pattern.terms[1].variable;
}

class Maker {
 public:
  Maker(const Network& network, ConjunctionNetwork::Parts& parts) : network_(network), parts_(parts) {
    parts_.predicates.resize(network.predicates.size());
    parts_.by_predicate.resize(network.predicates.size());
  }

  bool run() {
    for (std::uint32_t k = 0; k < network_.formulas.size(); ++k) {
      if (!add(network_.formulas[k], k)) return false;
    }
    return all_covered();
  }

 private:
  bool add(const logic::Formula& formula, std::uint32_t number) {
    if (formula.weight == logic::kHard) return false;
    for (const logic::Variable& variable : formula.variables) {
      if (variable.per_constant) return false;
    }
    std::optional<std::vector<AtomPattern>> atoms = atoms_of(formula, network_);
    if (!atoms) return false;
    const bool lifted = std::ranges::all_of(*atoms, with_variables);
    if (!lifted && !std::ranges::all_of(*atoms, with_constants)) return false;
    if (has_repeated(*atoms) || 2 * atoms->size() > kMostTerms) return false;
    if (formula.variables.size() > kMostTerms) return false;
    if (atoms->size() > 1) {
      add_conjunction(std::move(*atoms), formula.variables.size(), number, lifted);
    } else if (lifted) {
      add_unit((*atoms)[0], number);
    } else {
      parts_.named[pair_key((*atoms)[0].terms[0].id, (*atoms)[0].terms[1].id)].push_back(
          {(*atoms)[0].predicate, number});
    }
    return true;
  }

  static bool has_repeated(const std::vector<AtomPattern>& atoms) {
    for (std::size_t a = 0; a < atoms.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (atoms[a].predicate == atoms[b].predicate && atoms[a].terms == atoms[b].terms) return true;
      }
    }
    return false;
  }

  void add_unit(const AtomPattern& atom, std::uint32_t number) {
    PredicateAtoms& predicate = parts_.predicates[atom.predicate];
    predicate.subjects = domain({{atom.predicate, 0}});
    predicate.objects = domain({{atom.predicate, 1}});
    predicate.both = domain({{atom.predicate, 0}, {atom.predicate, 1}});
    const bool equal = atom.terms[0] == atom.terms[1];
    (equal ? predicate.equal : predicate.all) = true;
    add_to_rows(predicate, equal, number);
  }

  static void add_to_rows(PredicateAtoms& predicate, bool equal, std::uint32_t number) {
    if (!equal) predicate.row.push_back({number, 1});
    predicate.equal_row.push_back({number, 1});
  }

  void add_conjunction(std::vector<AtomPattern> atoms, std::size_t variables, std::uint32_t number,
                       bool lifted) {
    const auto place = static_cast<std::uint32_t>(parts_.conjunctions.size());
    std::vector<Places> places(variables);
    for (const AtomPattern& atom : atoms) {
      for (std::size_t k = 0; k < 2 && lifted; ++k) places[atom.terms[k].id].emplace_back(atom.predicate, k);
      auto& index = lifted ? parts_.by_predicate[atom.predicate]
                           : parts_.by_pair[pair_key(atom.terms[0].id, atom.terms[1].id)];
      if (index.empty() || index.back() != place) index.push_back(place);
    }
    Conjunction conjunction{number, std::move(atoms), {}};
    for (Places& one : places) conjunction.domains.push_back(domain(std::move(one)));
    if (lifted) add_collapsed(conjunction);
    parts_.conjunctions.push_back(std::move(conjunction));
  }

  // Where all literals have the same predicate, one way to put constants makes them all the same atom: the
  // conjunction then has a part in every atom of the predicate, or in those with equal arguments.
  void add_collapsed(const Conjunction& conjunction) {
    const logic::PredicateId predicate = conjunction.literals[0].predicate;
    std::vector<std::uint32_t> subjects, objects;
    for (const AtomPattern& atom : conjunction.literals) {
      if (atom.predicate != predicate) return;
      subjects.push_back(atom.terms[0].id);
      objects.push_back(atom.terms[1].id);
    }
    const bool equal = std::ranges::find_first_of(subjects, objects) != subjects.end();
    add_to_rows(parts_.predicates[predicate], equal, conjunction.formula);
  }

  std::uint32_t domain(Places places) {
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    const auto [at, is_new] = domains_.emplace(places, static_cast<std::uint32_t>(parts_.domains.size()));
    if (is_new) parts_.domains.push_back(intersection(places));
    return at->second;
  }

  std::vector<bool> intersection(const Places& places) const {
    std::vector<std::size_t> counts(network_.constants.size());
    for (const auto& place : places) {
      const logic::Predicate& predicate = network_.predicates[place.first];
      const auto& type = network_.types[predicate.types[place.second]].constants;
      const bool restricted =
          place.second < predicate.domains.size() && !predicate.domains[place.second].empty();
      for (const ConstantId id : restricted ? predicate.domains[place.second] : type) ++counts[id];
    }
    std::vector<bool> out(counts.size());
    for (std::size_t id = 0; id < counts.size(); ++id) out[id] = counts[id] == places.size();
    return out;
  }

  // Whether atoms of conjunctions are formulas of their own, and predicates have formulas of one kind.
  bool all_covered() const {
    for (const auto& [pair, atoms] : parts_.named) {
      for (const NamedAtom& atom : atoms) {
        if (parts_.predicates[atom.predicate].all || parts_.predicates[atom.predicate].equal) return false;
      }
    }
    for (const Conjunction& conjunction : parts_.conjunctions) {
      if (!std::ranges::all_of(conjunction.literals, [&](const AtomPattern& atom) { return covered(atom); }))
        return false;
    }
    return true;
  }

  bool covered(const AtomPattern& atom) const {
    const PredicateAtoms& predicate = parts_.predicates[atom.predicate];
    if (atom.terms[0].variable) return predicate.all || (predicate.equal && atom.terms[0] == atom.terms[1]);
    const auto found = parts_.named.find(pair_key(atom.terms[0].id, atom.terms[1].id));
    return found != parts_.named.end() &&
           std::ranges::find(found->second, atom.predicate, &NamedAtom::predicate) != found->second.end();
  }

  const Network& network_;
  ConjunctionNetwork::Parts& parts_;
  std::map<Places, std::uint32_t> domains_;
};

}  // namespace

ConjunctionNetwork::ConjunctionNetwork(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
ConjunctionNetwork::ConjunctionNetwork(ConjunctionNetwork&&) noexcept = default;
ConjunctionNetwork::~ConjunctionNetwork() = default;

std::optional<ConjunctionNetwork> ConjunctionNetwork::make(const Network& network) {
  auto parts = std::make_unique<Parts>();
  if (!Maker(network, *parts).run()) return std::nullopt;
  return ConjunctionNetwork(std::move(parts));
}

void ConjunctionNetwork::add_world(const TrainingImage& image, bool groups, logic::PseudoRows& rows) const {
  rows.begin_world();
  WorldRows(*parts_, image).add_to(rows, groups);
}

}  // namespace capella::method::mln
