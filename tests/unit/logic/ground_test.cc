#include "logic/ground/ground.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"

namespace capella::logic {
namespace {

using Kind = GroundFormula::Kind;
using test::message_of;

GroundNetwork grounded(const std::string& text, const GroundOptions& options = {}) {
  return ground(read_network(text, "n.mln"), nullptr, options);
}

/// "coefficient kind literals", e.g. "2 and P(A) !Q(B)".
std::string shown(const GroundNetwork& network, std::size_t k) {
  const GroundFormula formula = network[k];
  std::string out = std::to_string(formula.coefficient).substr(0, formula.coefficient < 0 ? 2 : 1);
  out += formula.kind == Kind::clause ? " or" : " and";
  for (const Literal literal : formula.literals)
    out += (literal.positive() ? " " : " !") + network.name(literal.atom());
  return out;
}

std::vector<std::string> shown(const GroundNetwork& network) {
  std::vector<std::string> out;
  for (std::size_t k = 0; k < network.size(); ++k) out.push_back(shown(network, k));
  return out;
}

using Lines = std::vector<std::string>;

std::string problem(const std::string& text, const GroundOptions& options = {}) {
  return message_of<DataError>([&] { grounded(text, options); });
}

TEST(Ground, ListsAllAtomsByPredicate) {
  const GroundNetwork network = grounded("a = {A, B}\nb = {C}\nP(a,b)\nQ(a)\n");
  Lines names;
  for (AtomId atom = 0; atom < network.atoms(); ++atom) names.push_back(network.name(atom));
  EXPECT_EQ(names, (Lines{"P(A,C)", "P(B,C)", "Q(A)", "Q(B)"}));
  EXPECT_EQ(network.find("Q(A)"), 2u);
  EXPECT_FALSE(network.find("Q(C)"));
  EXPECT_EQ(network.unmentioned_atoms, 0);
}

TEST(Ground, MergesEqualGroundings) {
  const GroundNetwork network = grounded(
      "rider = {Man, Woman}\nthing = {Bike}\nRide(rider,thing)\n-0.3 Ride(x,y) ^ Ride(z,y) ^ x != z\n");
  EXPECT_EQ(shown(network), (Lines{"2 and Ride(Man,Bike) Ride(Woman,Bike)"}));
  EXPECT_EQ(network.formulas[0].weight, -0.3);
  EXPECT_EQ(network.weight(0), -0.6);
}

TEST(Ground, RepeatedLiteralsCollapseAndTautologiesCount) {
  const GroundNetwork network =
      grounded("p = {A, B}\nS(p)\nF(p,p)\n1.1 !S(x) v !F(x,y) v S(y)\n0.5 S(x) ^ S(y)\n2 S(x) ^ !S(y)\n");
  EXPECT_EQ(shown(network), (Lines{"1 or !S(A) S(B) !F(A,B)", "1 or S(A) !S(B) !F(B,A)", "1 and S(A)",
                                   "2 and S(A) S(B)", "1 and S(B)", "1 and S(A) !S(B)", "1 and !S(A) S(B)"}));
  EXPECT_NEAR(network.offset, 2.2, 1e-15);
  EXPECT_TRUE(network.find("F(A,A)"));
}

TEST(Ground, AtomsOfTautologiesAreMentioned) {
  GroundOptions options;
  options.list_all_atoms = false;
  const GroundNetwork network = grounded("p = {A, B}\nS(p)\nT(p)\n1.5 S(x) v !S(x)\n", options);
  EXPECT_EQ(network.atoms(), 2u);
  EXPECT_EQ(network.size(), 0u);
  EXPECT_EQ(network.offset, 3);
  EXPECT_EQ(network.unmentioned_atoms, 0);
}

TEST(Ground, MoreAtomsThanListedAreCounted) {
  GroundOptions options;
  options.most_listed_atoms = 10;
  const GroundNetwork network = grounded("p = {1,...,5}\nF(p,p)\nS(p)\n1 S(x)\n1 F(1,x)\n", options);
  EXPECT_EQ(network.atoms(), 10u);
  EXPECT_EQ(network.unmentioned_atoms, 20);
}

TEST(Ground, HardFormulasAreClauses) {
  EXPECT_EQ(shown(grounded("p = {A}\nH(p)\nS(p)\nH(A) ^ S(A).\n")), (Lines{"1 or H(A)", "1 or S(A)"}));
  EXPECT_EQ(shown(grounded("p = {A}\nH(p)\nS(p)\nH(A) => S(A).\n")), (Lines{"1 or !H(A) S(A)"}));
  EXPECT_EQ(shown(grounded("p = {A}\nH(p)\nS(p)\n!H(A).\n")), (Lines{"1 or !H(A)"}));
  EXPECT_EQ(shown(grounded("p = {A}\nH(p)\nS(p)\nH(A) <=> S(A).\n")),
            (Lines{"1 or !H(A) S(A)", "1 or H(A) !S(A)"}));
  EXPECT_EQ(shown(grounded("p = {A}\nH(p)\nS(p)\n(H(A) ^ S(A)) v (H(A) ^ !S(A)).\n")), (Lines{"1 or H(A)"}));
  EXPECT_EQ(shown(grounded("p = {A,B}\nH(p)\nH(x) ^ H(y).\n")), (Lines{"1 or H(A)", "1 or H(B)"}))
      << "each once";
}

TEST(Ground, MixedSoftFormulasAreTakenApartExactly) {
  // F => (S <=> T) = 1 - F S - F T + 2 F S T
  const GroundNetwork network = grounded("p = {A}\nF(p)\nS(p)\nT(p)\n0.7 F(A) => (S(A) <=> T(A))\n");
  EXPECT_EQ(shown(network), (Lines{"-1 and F(A) S(A)", "-1 and F(A) T(A)", "2 and F(A) S(A) T(A)"}));
  EXPECT_EQ(network.offset, 0.7);
}

TEST(Ground, QuantifiersAreWrittenOut) {
  EXPECT_EQ(shown(grounded("p = {A,B,C}\nF(p,p)\n1 EXIST y F(x,y) ^ y != x\n")).size(), 3u);
  EXPECT_EQ(shown(grounded("p = {A,B}\nS(p)\n1 EXIST y S(y)\n2 FORALL x S(x)\n!(EXIST x S(x)).\n")),
            (Lines{"1 or S(A) S(B)", "1 and S(A) S(B)", "1 or !S(A)", "1 or !S(B)"}));
  const GroundNetwork wide = grounded("p = {1,...,30}\nS(p)\nT(p)\n1 EXIST y S(y)\nT(x) <=> EXIST y S(y).\n");
  EXPECT_EQ(wide[0].literals.size(), 30u);
  EXPECT_EQ(wide.size(), 1u + 30 * 31);
  // T <=> EXIST = T + N - 2 T N, N: none.
  const GroundNetwork soft = grounded("p = {1,...,30}\nS(p)\nT()\n1 T() <=> EXIST y S(y)\n");
  ASSERT_EQ(soft.size(), 3u);
  EXPECT_EQ(soft[0].literals.size() + soft[1].literals.size() + soft[2].literals.size(), 1u + 30 + 31);
}

TEST(Ground, PlusMakesAFormulaPerConstant) {
  const GroundNetwork network = grounded("p = {A,B}\nS(p)\nF(p,p)\n1 S(x)\n0.5 F(+x,y)\n");
  ASSERT_EQ(network.formulas.size(), 3u);
  EXPECT_EQ(network.formulas[1].text, "F(A,y)");
  EXPECT_EQ(network.formulas[2].text, "F(B,y)");
  EXPECT_EQ(network.size(), 6u);
  EXPECT_EQ(network[5].formula, 2u);
}

TEST(Ground, DomainsRestrictVariablesAtAllTheirPlaces) {
  const GroundNetwork network = grounded(
      "o = {A,B,C}\nOn(o,o)\nRide(o,o)\n//@domain On 1 A B\n//@domain Ride 1 B C\n//@domain On 2 C\n"
      "1 On(x,y) ^ Ride(x,y)\n1 On(C,C)\n");
  EXPECT_EQ(shown(network), (Lines{"1 and On(B,C) Ride(B,C)", "1 and On(C,C)"}));
  EXPECT_EQ(network.atoms(), 2u + 6u + 1u) << "those of the domains, and the one that is named";
}

TEST(Ground, OnlySomeConstants) {
  const Network network = read_network(
      "o = {A,B,C}\nOn(o,o)\nIs(o)\n1 On(x,A)\n2 On(A,B) ^ Is(A)\n3 On(C,B)\n4 Is(x)\n5 EXIST x Is(x)\n",
      "n.mln");
  GroundOptions options;
  options.constants = {*network.find_constant("B"), *network.find_constant("A")};
  options.list_all_atoms = false;
  const GroundNetwork made = ground(network, nullptr, options);
  EXPECT_EQ(shown(made), (Lines{"1 and On(A,A)", "1 and On(B,A)", "1 and On(A,B) Is(A)", "1 and Is(A)",
                                "1 and Is(B)", "1 or Is(A) Is(B)"}));
  EXPECT_EQ(made.formulas.size(), 5u);
  EXPECT_EQ(made[3].formula, 3u);
  EXPECT_EQ(made.atoms(), 5u);
  options.constants = std::vector<ConstantId>();
  EXPECT_EQ(ground(network, nullptr, options).size(), 0u);
}

TEST(Ground, EvidenceBecomesProbabilities) {
  Network network = read_network("o = {A}\nP(o)\nQ(o)\n1 P(x)\n", "n.mln");
  const Database facts = read_database("P(A)\n!Q(A)\n0.3 P(B)\n", "e.db", network);
  const GroundNetwork made = ground(network, &facts);
  EXPECT_EQ(made.probability(*made.find("P(A)")), 1);
  EXPECT_EQ(made.probability(*made.find("Q(A)")), 0);
  EXPECT_EQ(made.probability(*made.find("P(B)")), 0.3);
  EXPECT_TRUE(std::isnan(made.probability(*made.find("Q(B)"))));
  EXPECT_EQ(made.size(), 2u) << "B is a constant, too";
}

TEST(Ground, ErrorsNameTheFormula) {
  EXPECT_EQ(problem("p = {}\nS(p)\n1 S(x)\n"),
            "n.mln:3: the formula S(x) has no constant for x: type p has none; write p = {...} or give facts "
            "that name some");
  EXPECT_EQ(
      problem("p = {A,B}\nS(p)\nT(p)\n//@domain S 1 A\n//@domain T 1 B\n1 S(x) ^ T(x)\n"),
      "n.mln:6: the formula S(x) ^ T(x) has no constant for x: //@domain leaves none of its type that may "
      "stand at all its places");
  EXPECT_EQ(problem("p = {1,...,10000}\nS(p)\n1 S(x) v S(y) v S(z)\n"),
            "n.mln:3: the formula S(x) v S(y) v S(z) has 1000000000000 groundings of 3 literals; more than "
            "20000000 groundings are not allowed. Use fewer constants, more types or fewer variables in a "
            "formula");
  EXPECT_NE(problem("p = {1,...,30}\nS(p)\nT(p)\n1 EXIST x S(x) ^ T(x)\n")
                .find("n.mln:4: the formula EXIST x (S(x) ^ T(x)) cannot be grounded"),
            std::string::npos);
  EXPECT_EQ(
      problem("p = {A,B}\nS(p)\nS(x) ^ x = A.\n"),
      "n.mln:3: the formula S(x) ^ x = A is hard but contradicts itself for x = B: no world makes it true");
  EXPECT_NE(
      problem("p = {1,...,1000}\nF(p,p)\nG(p,p,p)\n1 F(+x,+y) ^ G(x,y,+z)\n").find("1000000000 formulas"),
      std::string::npos);
}

/// The sum of the weights of all worlds, with soft evidence.
double partition(const GroundNetwork& network) {
  double z = 0;
  for (std::size_t world = 0; world < std::size_t{1} << network.atoms(); ++world) {
    const auto is_true = [&](Literal literal) {
      return ((world >> literal.atom()) & 1) == literal.positive();
    };
    double log_weight = network.offset;
    for (std::size_t k = 0; k < network.size(); ++k) {
      const GroundFormula formula = network[k];
      const bool holds = formula.kind == Kind::clause ? std::ranges::any_of(formula.literals, is_true)
                                                      : std::ranges::all_of(formula.literals, is_true);
      if (holds) log_weight += network.weight(k);
    }
    double weight = std::exp(log_weight);
    for (AtomId atom = 0; atom < network.atoms(); ++atom) {
      const double p = network.probability(atom);
      if (!std::isnan(p)) weight *= is_true(Literal(atom)) ? p : 1 - p;
    }
    z += weight;
  }
  return z;
}

TEST(Ground, KnownSumsOverAllWorlds) {
  const GroundNetwork friends = grounded(
      "person = {A, B}\nSmokes(person)\nCancer(person)\nFriends(person,person)\n1.5 !Smokes(x) v Cancer(x)\n"
      "1.1 !Smokes(x) v !Friends(x,y) v Smokes(y)\n");
  EXPECT_NEAR(partition(friends), 229210.50248619413, 1e-7);
  Network rides = read_network(
      "rider = {Man, Woman}\nthing = {Bike}\nOn(rider,thing)\nRide(rider,thing)\n0.8 On(x,y) ^ Ride(x,y)\n"
      "-0.4 Ride(x,y)\n-0.3 Ride(x,y) ^ Ride(z,y) ^ x != z\n",
      "n.mln");
  EXPECT_NEAR(partition(ground(rides)), 15.214201968997, 1e-11);
  const Database soft = read_database(
      "0.9 On(Man,Bike)\n0.7 Ride(Man,Bike)\n0.4 On(Woman,Bike)\n0.2 Ride(Woman,Bike)\n", "e.db", rides);
  EXPECT_NEAR(partition(ground(rides, &soft)), 1.197546502949, 1e-11);
}

TEST(Ground, AMillionGroundings) {
  GroundOptions options;
  options.most_listed_atoms = 2'000'000;
  const GroundNetwork network =
      grounded("p = {1,...,1000}\nS(p)\nF(p,p)\n0.3 !S(x) v !F(x,y) v S(y)\n", options);
  EXPECT_EQ(network.atoms(), 1'001'000u);
  EXPECT_EQ(network.size(), 999'000u);
  EXPECT_NEAR(network.offset, 300, 1e-9);
}

Lines query(const std::string& text) {
  const Network network = read_network("p = {A,B}\nS(p)\nF(p,p)\n", "n.mln");
  const GroundNetwork made = ground(network);
  Lines out;
  for (const std::vector<Literal>& clause : read_query(text, network, made).clauses) {
    out.emplace_back();
    for (const Literal literal : clause)
      out.back() += (literal.positive() ? " " : " !") + made.name(literal.atom());
  }
  return out;
}

TEST(Query, IsAListOfClauses) {
  EXPECT_EQ(query("F(A,B) ^ !S(A)"), (Lines{" F(A,B)", " !S(A)"}));
  EXPECT_EQ(query("F(A,B) v !S(A)"), (Lines{" !S(A) F(A,B)"}));
  EXPECT_EQ(query("!(F(A,B) v !S(A))"), (Lines{" !F(A,B)", " S(A)"}));
  EXPECT_EQ(query("EXIST x S(x)"), (Lines{" S(A) S(B)"}));
  EXPECT_EQ(query("S(A) v !S(A)"), Lines());
  EXPECT_EQ(query("A = B"), (Lines{""}));
}

TEST(Query, ErrorsAreClear) {
  const auto says = [](const std::string& text) { return message_of<DataError>([&] { query(text); }); };
  EXPECT_EQ(says("S(x)"),
            "query: x is a variable; put a constant in its place (constants begin with a capital letter or "
            "stand in quotes) or bind it with EXIST or FORALL");
  EXPECT_EQ(
      says("S(A) ^"),
      "query: found the end of the line, expected an atom such as Name(x,y), a variable, a constant, '!' "
      "or '('");
  EXPECT_EQ(says("S(C)"), "query: 'C' is no constant of type p; did you mean 'A'?");
  EXPECT_EQ(says("T(A)"), "query: unknown predicate 'T'; did you mean 'S'?");
  EXPECT_EQ(says("S(A) S(B)"), "query: found 'S', expected an operator (^ v => <=>) or the end of the query");
}

TEST(Query, AtomsThatTheNetworkDoesNotHave) {
  const Network network = read_network("p = {A,B}\nS(p)\n1 S(A)\n", "n.mln");
  GroundOptions options;
  options.list_all_atoms = false;
  const GroundNetwork made = ground(network, nullptr, options);
  EXPECT_EQ(message_of<DataError>([&] { read_query("S(B)", network, made); }),
            "query: the network has no atom S(B)");
}

TEST(Ground, WeightsOfFormulasThatWereNotReadHaveTheSameBound) {
  Network network = read_network("t = {A}\nP(t)\n1 P(x)\n", "n.mln");
  for (const double weight : {1e308, -1e308, -kHard, std::nan("")}) {
    network.formulas[0].weight = weight;
    const std::string message = message_of<DataError>([&] { ground(network); });
    EXPECT_EQ(message.substr(0, message.find(" has")), "n.mln:3: the formula P(x)") << message;
  }
  network.formulas[0].weight = 1e15;
  EXPECT_EQ(ground(network).weight(0), 1e15);
}

TEST(Ground, AtomsKnowWhatTheyAreMadeOf) {
  const Network network = read_network("t = {A, \"b, c\"}\nP(t)\nQ(t,t)\n1 P(x) ^ Q(x,y)\n", "n.mln");
  for (const bool listed : {true, false}) {
    GroundOptions options;
    options.list_all_atoms = listed;
    const GroundNetwork made = ground(network, nullptr, options);
    ASSERT_EQ(made.atoms(), 6u);
    const auto parts = [&](const char* name) {
      const auto found = made.parts(*made.find(name));
      return std::vector<std::uint32_t>(found.begin(), found.end());
    };
    const ConstantId a = *network.find_constant("A"), b = *network.find_constant("b, c");
    const PredicateId p = *network.find_predicate("P"), q = *network.find_predicate("Q");
    EXPECT_EQ(parts("P(A)"), (std::vector{p, a}));
    EXPECT_EQ(parts("Q(\"b, c\",A)"), (std::vector{q, b, a}));
    EXPECT_EQ(parts("Q(A,\"b, c\")"), (std::vector{q, a, b}));
  }
}

// 50 x 50 x 50 groundings of two literals.
TEST(Ground, ListenersHearHowFarItIsAndMayEndIt) {
  const Network network = read_network("t = {1, ..., 50}\nF(t,t)\n1 F(x,y) ^ F(y,z)\n", "n.mln");
  GroundOptions options;
  std::size_t told = 0, last = 0;
  options.progress = [&](std::string_view stage, std::size_t done, std::size_t total) {
    EXPECT_EQ(stage, "grounding");
    EXPECT_EQ(total, 375'000u);
    EXPECT_GT(done, last);
    last = done;
    ++told;
  };
  ground(network, nullptr, options);
  EXPECT_EQ(last, 375'000u);
  EXPECT_GE(told, 4u);
  options.progress = [](std::string_view, std::size_t, std::size_t) { throw std::runtime_error("stop"); };
  EXPECT_THROW(ground(network, nullptr, options), std::runtime_error);
}

}  // namespace
}  // namespace capella::logic
