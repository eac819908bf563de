// Ground networks made by hand, for tests of the engines.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "logic/ground/ground_network.h"

namespace capella::test {

/// Builds a network formula by formula.
class NetworkBuilder {
 public:
  using Kind = logic::GroundFormula::Kind;

  logic::AtomId atom(const std::string& name) { return network.add_atom(name); }
  std::uint32_t formula(const std::string& text, double weight) {
    network.formulas.push_back({text, weight, network.formulas.size() + 1});
    return static_cast<std::uint32_t>(network.formulas.size() - 1);
  }
  void conjunction(double weight, const std::vector<logic::Literal>& literals) {
    network.add(Kind::conjunction, formula("conjunction", weight), 1, literals);
  }
  void clause(double weight, const std::vector<logic::Literal>& literals,
              const std::string& text = "clause") {
    network.add(Kind::clause, formula(text, weight), 1, literals);
  }

  logic::GroundNetwork network;
};

inline logic::Literal yes(logic::AtomId atom) {
  return logic::Literal(atom);
}
inline logic::Literal no(logic::AtomId atom) {
  return logic::Literal(atom, false);
}

/// Worked example 1: a = On(Man,Bike), b = Ride(Man,Bike), c = On(Woman,Bike), d = Ride(Woman,Bike).
inline logic::GroundNetwork riding_network() {
  NetworkBuilder builder;
  const auto a = builder.atom("On(Man,Bike)"), b = builder.atom("Ride(Man,Bike)");
  const auto c = builder.atom("On(Woman,Bike)"), d = builder.atom("Ride(Woman,Bike)");
  using Kind = NetworkBuilder::Kind;
  const auto add = [&](std::uint32_t formula, double coefficient,
                       const std::vector<logic::Literal>& literals) {
    builder.network.add(Kind::conjunction, formula, coefficient, literals);
  };
  const auto both = builder.formula("On(x,y) ^ Ride(x,y)", 0.8);
  add(both, 1, {yes(a), yes(b)});
  add(both, 1, {yes(c), yes(d)});
  const auto ride = builder.formula("Ride(x,y)", -0.4);
  add(ride, 1, {yes(b)});
  add(ride, 1, {yes(d)});
  add(builder.formula("Ride(x,y) ^ Ride(z,y) ^ x != z", -0.3), 2, {yes(b), yes(d)});
  return std::move(builder.network);
}

/// Friends and smokers, n people: S, then C, then F by rows; as clauses. A clause of one person and itself is
/// always true.
struct Smokers {
  double cancer = 0, friends = 0, friend_weight = 0, smoke_weight = 0;

  logic::GroundNetwork network(std::uint32_t n) const {
    NetworkBuilder builder;
    for (const char* name : {"S", "C"}) {
      for (std::uint32_t x = 0; x < n; ++x) builder.atom(name + std::to_string(x));
    }
    for (std::uint32_t x = 0; x < n * n; ++x)
      builder.atom("F" + std::to_string(x / n) + "," + std::to_string(x % n));
    builder.network.offset = friends * n;
    for (std::uint32_t x = 0; x < n; ++x) {
      builder.clause(cancer, {no(x), yes(n + x)});
      if (smoke_weight != 0) builder.clause(smoke_weight, {yes(x)});
      for (std::uint32_t y = 0; y < n; ++y) {
        const std::uint32_t f = 2 * n + x * n + y;
        if (friend_weight != 0) builder.clause(friend_weight, {yes(f)});
        if (x == y) continue;
        builder.clause(friends,
                       x < y ? std::vector{no(x), yes(y), no(f)} : std::vector{yes(y), no(x), no(f)});
      }
    }
    return std::move(builder.network);
  }
};

}  // namespace capella::test
