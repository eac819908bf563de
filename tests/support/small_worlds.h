// Ground networks with a world, made by hand: the worked example of the specification and the smoking
// database of Alchemy's tutorial.
#pragma once

#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "logic/ground/ground_network.h"
#include "logic/learn/learn_weights.h"

namespace capella::test {

/// A network and a world; `world()` points to both.
struct SmallWorld {
  logic::GroundNetwork network;
  std::vector<bool> truth;

  logic::TrainingWorld world(std::string name = "world") const { return {std::move(name), &network, truth}; }
};

/// a = On(Man,Bike), b = Ride(Man,Bike), c = On(Woman,Bike), d = Ride(Woman,Bike), of which all but d are
/// true. On ^ Ride; Ride; Ride(x,y) ^ Ride(z,y) ^ x != z.
inline SmallWorld riders(const std::array<double, 3>& weights = {.8, -.4, -.3}) {
  using logic::Literal;
  SmallWorld out;
  out.network.formulas.push_back({"On(x,y) ^ Ride(x,y)", weights[0], 1});
  out.network.formulas.push_back({"Ride(x,y)", weights[1], 2});
  out.network.formulas.push_back({"Ride(x,y) ^ Ride(z,y) ^ x != z", weights[2], 3});
  for (const char* name : {"On(Man,Bike)", "Ride(Man,Bike)", "On(Woman,Bike)", "Ride(Woman,Bike)"})
    out.network.add_atom(name);
  const auto add = [&](std::uint32_t formula, double coefficient, std::vector<Literal> literals) {
    out.network.add(logic::GroundFormula::Kind::conjunction, formula, coefficient, literals);
  };
  add(0, 1, {Literal(0), Literal(1)});
  add(0, 1, {Literal(2), Literal(3)});
  add(1, 1, {Literal(1)});
  add(1, 1, {Literal(3)});
  add(2, 2, {Literal(1), Literal(3)});
  out.truth = {true, true, true, false};
  return out;
}

/// Smokes(x) => Cancer(x); Friends(x,y) => (Smokes(x) <=> Smokes(y)), as whole formulas over eight people.
/// The second is taken apart: both clauses that it is made of hold, minus one.
class SmokingDatabase {
 public:
  SmokingDatabase() {
    result_.network.formulas.push_back({"Smokes(x) => Cancer(x)", 0, 1});
    result_.network.formulas.push_back({"Friends(x,y) => (Smokes(x) <=> Smokes(y))", 0, 2});
    for (const std::string& person : kPeople) add_atom("Smokes(" + person + ")", kSmokers.contains(person));
    for (const std::string& person : kPeople) add_atom("Cancer(" + person + ")", kIll.contains(person));
    for (const std::string& one : kPeople) {
      for (const std::string& other : kPeople)
        add_atom("Friends(" + one + "," + other + ")",
                 kFriends.contains({one, other}) || kFriends.contains({other, one}));
    }
    for (logic::AtomId x = 0; x < kPeople.size(); ++x) add_rules(x);
  }

  const SmallWorld& world() const { return result_; }

 private:
  void add_atom(const std::string& name, bool truth) {
    result_.network.add_atom(name);
    result_.truth.push_back(truth);
  }

  void add_clause(std::uint32_t formula, std::vector<logic::Literal> literals) {
    std::sort(literals.begin(), literals.end());
    result_.network.add(logic::GroundFormula::Kind::clause, formula, 1, literals);
  }

  void add_rules(logic::AtomId x) {
    using logic::Literal;
    const auto people = static_cast<logic::AtomId>(kPeople.size());
    add_clause(0, {!Literal(x), Literal(people + x)});
    for (logic::AtomId y = 0; y < people; ++y) {
      if (x == y) continue;  // always true
      const Literal not_friends = !Literal(2 * people + people * x + y);
      add_clause(1, {not_friends, !Literal(x), Literal(y)});
      add_clause(1, {not_friends, Literal(x), !Literal(y)});
    }
  }

  const std::vector<std::string> kPeople = {"Anna",   "Bob",   "Chris", "Daniel",
                                            "Edward", "Frank", "Gary",  "Helen"};
  const std::set<std::string> kSmokers = {"Anna", "Edward", "Frank", "Gary"};
  const std::set<std::string> kIll = {"Anna", "Edward"};
  const std::set<std::pair<std::string, std::string>> kFriends = {
      {"Anna", "Bob"},     {"Anna", "Edward"},  {"Anna", "Frank"}, {"Bob", "Chris"},
      {"Chris", "Daniel"}, {"Edward", "Frank"}, {"Gary", "Helen"}, {"Gary", "Anna"}};
  SmallWorld result_;
};

}  // namespace capella::test
