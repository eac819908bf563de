#include "logic/language/language.h"

#include <string>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"

namespace capella::logic {
namespace {

using LanguageKind = Expression::Kind;
using test::message_of;

Network read(const std::string& text) {
  return read_network(text, "n.mln");
}

std::string language_problem(const std::string& text) {
  return message_of<DataError>([&] { read(text); });
}

const std::string kHead = "obj = {Man, Bike, 7, \"a cup\"}\nOn(obj,obj)\nRide(obj,obj)\nTall(obj)\n";

std::string formula(const std::string& text) {
  const Network network = read(kHead + text + "\n");
  EXPECT_EQ(network.formulas.size(), 1u) << text;
  return format_formula(network.formulas.at(0), network);
}

TEST(Language, ReadsTheExampleOfTheGrammar) {
  const Network network = read(
      "//@mlnver 1\n//@pred SitOn \"sit on\"\n//@const Man \"man\"\n"
      "obj = {Man, Bike, Helmet} // things\n"
      "On(obj,obj)\nRide(obj,obj) /* two\nlines */\nSitOn(obj,obj)\n"
      "0.8 On(x,y) ^ Ride(x,y)\n//@stat 0 support=412 groundings=9000 init=0.0458 images=377\n"
      "Ride(x,x) => !On(x,x).          // trailing period = hard\n"
      "Ride(x,y)\n");
  ASSERT_EQ(network.types.size(), 1u);
  EXPECT_EQ(network.types[0].name, "obj");
  EXPECT_EQ(network.types[0].constants.size(), 3u);
  ASSERT_EQ(network.predicates.size(), 3u);
  EXPECT_EQ(network.predicates[2].label, "sit on");
  EXPECT_EQ(network.predicates[0].label, "On");
  EXPECT_EQ(network.constants[*network.find_constant("Man")].label, "man");
  ASSERT_EQ(network.formulas.size(), 3u);
  EXPECT_EQ(network.formulas[0].weight, 0.8);
  EXPECT_EQ(network.formulas[0].expression.kind, LanguageKind::conjunction);
  EXPECT_EQ(network.formulas[0].line, 9u);
  ASSERT_TRUE(network.formulas[0].statistics);
  EXPECT_EQ(network.formulas[0].statistics->support, 412);
  EXPECT_EQ(network.formulas[0].statistics->groundings, 9000);
  EXPECT_EQ(network.formulas[0].statistics->initial, 0.0458);
  EXPECT_EQ(network.formulas[0].statistics->images, 377);
  EXPECT_EQ(network.formulas[1].weight, kHard);
  EXPECT_FALSE(network.formulas[2].weight);
  EXPECT_EQ(network.formulas[2].line, 12u);
}

TEST(Language, OperatorsBindAsTheyShould) {
  EXPECT_EQ(formula("1 !Tall(x) ^ Tall(y) v Tall(z) => Tall(x) <=> Tall(y)"),
            "!Tall(x) ^ Tall(y) v Tall(z) => Tall(x) <=> Tall(y)");
  const Network network = read(kHead + "1 !Tall(x) ^ Tall(y) v Tall(z) => Tall(x) <=> Tall(y)\n");
  const Expression& whole = network.formulas[0].expression;
  ASSERT_EQ(whole.kind, LanguageKind::equivalence);
  ASSERT_EQ(whole.parts[0].kind, LanguageKind::implication);
  ASSERT_EQ(whole.parts[0].parts[0].kind, LanguageKind::disjunction);
  ASSERT_EQ(whole.parts[0].parts[0].parts[0].kind, LanguageKind::conjunction);
  EXPECT_EQ(whole.parts[0].parts[0].parts[0].parts[0].kind, LanguageKind::negation);
  EXPECT_EQ(formula("(Tall(x) v Tall(y)) ^ !(Tall(x) ^ Tall(y))"),
            "(Tall(x) v Tall(y)) ^ !(Tall(x) ^ Tall(y))");
  EXPECT_EQ(formula("((Tall(x)))."), "Tall(x)");
  EXPECT_EQ(formula("Tall(x) => Tall(y) => Tall(z)"), "Tall(x) => (Tall(y) => Tall(z))");
  EXPECT_EQ(formula("!!Tall(x)"), "!!Tall(x)");
}

TEST(Language, EquationsQuantifiersAndPlus) {
  EXPECT_EQ(formula("-0.3 Ride(x,Bike) ^ Ride(z,Bike) ^ x != z"), "Ride(x,Bike) ^ Ride(z,Bike) ^ x != z");
  EXPECT_EQ(formula("Tall(x) ^ x = 7"), "Tall(x) ^ x = 7");
  EXPECT_EQ(formula("Tall(x) ^ !x = \"a cup\""), "Tall(x) ^ x != \"a cup\"");
  EXPECT_EQ(formula("1e-3 EXIST y On(x,y) ^ Tall(y)"), "EXIST y (On(x,y) ^ Tall(y))");
  EXPECT_EQ(formula("(EXIST y On(x,y)) ^ Tall(x)"), "(EXIST y On(x,y)) ^ Tall(x)");
  EXPECT_EQ(formula("FORALL x,y On(x,y) => !Tall(x)"), "FORALL x,y (On(x,y) => !Tall(x))");
  EXPECT_EQ(formula("+2 On(+x,y)"), "On(+x,y)");
  const Network network = read(kHead + "(EXIST x Tall(x)) v EXIST x !Tall(x).\n");
  EXPECT_EQ(network.formulas[0].variables.size(), 2u) << "two variables of one name";
}

TEST(Language, VariablesOfEquationsAloneTakeTheTypeOfTheirPartners) {
  const Network network = read("a = {A}\nb = {B}\nP(a)\nQ(b)\n1 P(x) ^ x = y ^ y = z\n");
  for (const Variable& variable : network.formulas[0].variables)
    EXPECT_EQ(variable.type, 0u) << variable.name;
}

TEST(Language, FormulasGoOnBehindOperators) {
  EXPECT_EQ(formula("1 Tall(x) ^\n  // more\n Tall(y) v\nTall(z)"), "Tall(x) ^ Tall(y) v Tall(z)");
}

TEST(Language, RangesOfNumbersAndTypesThatFollow) {
  const Network network = read("P(n)\n0.5 P(x)\nn={1,...,4, 9}\n");
  ASSERT_EQ(network.types[0].constants.size(), 5u);
  EXPECT_EQ(network.constants[network.types[0].constants[3]].name, "4");
  EXPECT_EQ(network.constants[network.types[0].constants[4]].name, "9");
}

TEST(Language, UndeclaredTypesGrowByFormulas) {
  const Network network = read("P(thing)\n1 P(A) v P(B)\n");
  EXPECT_EQ(network.types[0].constants.size(), 2u);
}

TEST(Language, DomainsOfArguments) {
  const Network network = read(kHead + "//@domain On 2 Bike \"a cup\"\n");
  const Predicate& on = network.predicates[0];
  ASSERT_EQ(on.domains.size(), 2u);
  EXPECT_TRUE(on.domains[0].empty());
  EXPECT_EQ(on.domains[1].size(), 2u);
}

TEST(Language, WrittenTextReadsTheSame) {
  const std::string text =
      "//@mlnver 1\n//@pred On \"lie on\"\n//@const Man \"a \\\"man\\\"\"\n"
      "obj = {Man, Bike, 7, \"a cup\"}\nempty = {}\n"
      "On(obj,obj)\nTall(obj)\nRain()\n"
      "//@domain On 1 Man Bike\n"
      "0.10000000000000001 On(x,y) ^ !Tall(y)\n"
      "//@stat 0 support=3 groundings=12 init=0.25 images=2\n"
      "-2.5 (Tall(x) <=> Tall(y)) v On(x,\"a cup\") ^ x != y\n"
      "EXIST x (Tall(x) ^ x != 7).\n"
      "(7 = x ^ Tall(x)).\n"
      "(Tall(obj))\n"
      "Rain()\n";
  EXPECT_EQ(write_network(read(text)), text);
}

TEST(Language, RefusesToWriteWhatCannotBeRead) {
  Network network = read(kHead);
  network.predicates[0].name = "lie on";
  EXPECT_NE(message_of<DataError>([&] { write_network(network); }).find("'lie on'"), std::string::npos);
}

TEST(Language, ErrorsNameLineAndCause) {
  EXPECT_EQ(language_problem("obj = {A}\nH(obj)\n1.0 H(x ^\n"), "n.mln:3: found '^', expected ',' or ')'");
  EXPECT_EQ(language_problem("obj = {A}\nHat(obj)\n1.0 Gone(x)\n"), "n.mln:3: unknown predicate 'Gone'");
  EXPECT_EQ(language_problem("obj = {A}\nHat(obj)\n1.0 Hats(x)\n"),
            "n.mln:3: unknown predicate 'Hats'; did you mean 'Hat'?");
  EXPECT_EQ(language_problem("obj = {A}\nH(obj)\n1.0 H(x,y)\n"),
            "n.mln:3: H has more arguments than the 1 of its declaration");
  EXPECT_EQ(language_problem("obj = {A}\nH(obj,obj)\n1.0 H(x)\n"),
            "n.mln:3: H has 1 argument, expected 2 as in its declaration");
  EXPECT_EQ(language_problem("a = {A}\nb = {B}\nP(a)\nQ(a,b)\n1 P(x) ^ Q(y,x)\n"),
            "n.mln:5: variable x stands for two types, a (argument 1 of P) and b (argument 2 of Q); use two "
            "variables");
  EXPECT_EQ(language_problem("a = {A}\nb = {B}\nP(a)\nQ(b)\n1 P(x) ^ Q(y) ^ x = y\n"),
            "n.mln:5: x and y are compared but have different types, a and b");
  EXPECT_EQ(language_problem("a = {Anna}\nP(a)\n1 P(Ann)\n"),
            "n.mln:3: 'Ann' is no constant of type a (line 1); did you mean 'Anna'?");
  EXPECT_EQ(language_problem("a = {A}\nP(a)\nP(a)\n"),
            "n.mln:3: P is declared already in line 2; if this is a formula, its variables need other names "
            "than those of types");
  EXPECT_EQ(language_problem("a = {A}\na = {B}\n"), "n.mln:2: type a is declared already in line 1");
  EXPECT_EQ(language_problem("a = {A}\nP(a)\n1 P(x).\n"),
            "n.mln:3: the formula has a weight and a period; a period makes it hard: leave one out");
  EXPECT_EQ(language_problem("a = {A}\nP(a)\n1 x = y\n"),
            "n.mln:3: variable x stands in no predicate, so that it has no type");
  EXPECT_EQ(language_problem("a = {A}\nP(a)\n1 P(v)\n"),
            "n.mln:3: found 'v', expected an atom such as Name(x,y), a variable, a constant, '!' or '('");
  EXPECT_EQ(
      language_problem("a = {A}\nP(a)\n1e999 P(x)\n"),
      "n.mln:3: found '1e999', expected a weight within +-1e+15; a formula that always holds has a period "
      "behind it instead");
  EXPECT_EQ(language_problem("a = {A}\n/* no\n"), "n.mln:2: the comment has no end, expected */");
  EXPECT_EQ(language_problem("a = {\"A}\n"), "n.mln:1: the quoted text has no end, expected \"");
  EXPECT_EQ(language_problem("a = {1,...,x}\n"),
            "n.mln:1: ... stands between two whole numbers, as in {1,...,9}");
  EXPECT_EQ(language_problem("a = {A}\nP(a)\n1 (P(x) ^ P(y)\n"),
            "n.mln:3: found the end of the line, expected an operator (^ v => <=>) or ')'");
  EXPECT_EQ(language_problem("a = {A}\nP(a)\nEXIST x P(+x)\n"),
            "n.mln:3: '+x' is bound by FORALL or EXIST; only other variables may have a +");
  EXPECT_EQ(language_problem("a = {A\xFF}\n"), "n.mln:1: the text is not UTF-8; save it as UTF-8");
}

TEST(Language, ErrorsOfDirectives) {
  EXPECT_EQ(language_problem(kHead + "//@pred Un \"on\"\n"),
            "n.mln:5: unknown predicate 'Un'; did you mean 'On'?");
  EXPECT_EQ(language_problem(kHead + "//@const Men \"man\"\n"),
            "n.mln:5: unknown constant 'Men'; did you mean 'Man'?");
  EXPECT_EQ(language_problem(kHead + "//@domain On 3 Man\n"),
            "n.mln:5: found argument 3 of On, expected 1 ... 2");
  EXPECT_EQ(language_problem(kHead + "//@stat 0 support=1\n"),
            "n.mln:5: found formula 0, but there are 0, counted from 0");
  EXPECT_EQ(language_problem(kHead + "//@mlnver 2\n"),
            "n.mln:5: found '2', expected version 1, the only one that this program knows");
  EXPECT_NE(language_problem(kHead + "//@author me\n")
                .find("n.mln:5: found 'author', expected one of the directives"),
            std::string::npos);
}

TEST(Language, DeepNestingIsRefused) {
  for (const std::string& open : {std::string("("), std::string("!"), std::string("EXIST x ")}) {
    std::string deep = kHead + "1 ";
    for (int i = 0; i < 100'000; ++i) deep += open;
    EXPECT_NE(language_problem(deep + "Tall(x)\n").find("nested more than"), std::string::npos) << open;
  }
  for (const std::string& sign : {std::string(" <=> "), std::string(" => ")}) {
    std::string deep = kHead + "1 Tall(x)";
    for (int i = 0; i < 100'000; ++i) deep += sign + "Tall(x)";
    EXPECT_NE(language_problem(deep + "\n").find("nested more than"), std::string::npos) << sign;
  }
}

TEST(Language, ManyConstantsOfARangeAreRefused) {
  EXPECT_NE(language_problem("a = {1,...,999999999999}\n").find("more than 1000000"), std::string::npos);
}

TEST(Names, AreCapitalisedJoinedAndDistinct) {
  Names names;
  EXPECT_EQ(names.of("sit on"), "SitOn");
  EXPECT_EQ(names.of("sit-on"), "SitOn_2");
  EXPECT_EQ(names.of("sitOn"), "SitOn_3");
  EXPECT_EQ(names.of("sit on"), "SitOn");
  EXPECT_EQ(names.of("man's"), "ManS");
  EXPECT_EQ(names.of("3 d"), "N3D");
  EXPECT_EQ(names.of("!?"), "X");
  EXPECT_EQ(names.of("EXIST"), "EXIST_2");
  EXPECT_EQ(names.of("caf\u00E9 au lait"), "Caf\u00E9AuLait");
}

TEST(Database, ReadsFactsAndAddsConstants) {
  Network network = read(kHead);
  const Database facts = read_database(
      "On(Man,Bike)\n!Tall(Man) // no\n0.83 On(Man,\"a dog\")\nOn(Man,Bike)\n", "e.db", network);
  ASSERT_EQ(facts.facts.size(), 3u);
  EXPECT_EQ(facts.facts[0].probability, 1);
  EXPECT_EQ(facts.facts[1].probability, 0);
  EXPECT_EQ(facts.facts[2].probability, 0.83);
  EXPECT_EQ(facts.facts[2].line, 3u);
  EXPECT_EQ(network.types[0].constants.size(), 5u);
  EXPECT_EQ(network.constants.back().name, "a dog");
  EXPECT_EQ(write_database(facts, network),
            "On(Man,Bike)\n!Tall(Man)\n0.82999999999999996 On(Man,\"a dog\")\n");
}

TEST(Database, TellsConstantsThatTheNetworkDoesNotList) {
  Network network = read_network("thing = {A, B}\nP(thing)\nQ(other)\nP(x)\nQ(A)\n", "n.mln");
  const Database facts = read_database("P(B)\nP(C)\nP(C)\nQ(C)\nQ(D)\nP(D)\n", "e.db", network);
  ASSERT_EQ(facts.unlisted.size(), 2u);  // other lists none
  EXPECT_EQ(network.constants[facts.unlisted[0]].name, "C");
  EXPECT_EQ(network.constants[facts.unlisted[1]].name, "D");
}

TEST(Database, AProbabilityMayHaveAPlus) {
  Network network = read_network("thing = {A}\nP(thing)\n", "n.mln");
  EXPECT_EQ(read_database("+0.25 P(A)\n", "e.db", network).facts[0].probability, 0.25);
}

TEST(Database, ErrorsNameLineAndCause) {
  const auto says = [](const std::string& text) {
    Network network = read(kHead);
    return message_of<DataError>([&] { read_database(text, "e.db", network); });
  };
  EXPECT_EQ(says("Off(Man)\n"), "e.db:1: unknown predicate 'Off'; did you mean 'On'?");
  EXPECT_EQ(says("\nOn(Man)\n"), "e.db:2: On has fewer arguments than the 2 of its declaration");
  EXPECT_EQ(says("Tall(Man,Man)\n"), "e.db:1: Tall has more arguments than the 1 of its declaration");
  EXPECT_EQ(
      says("Tall(Man)\n!Tall(Man)\n"),
      "e.db:2: Tall(Man) has the probability 0 here and 1 in line 1, which contradict each other; leave "
      "one out");
  EXPECT_EQ(says("1.5 Tall(Man)\n"), "e.db:1: found '1.5', expected a probability between 0 and 1");
  EXPECT_EQ(says("-0.5 Tall(Man)\n"), "e.db:1: found '-0.5', expected a probability between 0 and 1");
  EXPECT_EQ(
      says("Tall(man)\n"),
      "e.db:1: found 'man', expected a constant: a name that does not begin with a lower-case letter, a "
      "number or a quoted text");
  EXPECT_EQ(says("Tall(Man) Tall(Bike)\n"), "e.db:1: found 'Tall', expected the end of the line");
}

// Twice 1e308 would be infinite, which means hard.
TEST(ReadNetwork, WeightsHaveABound) {
  const auto weight = [](const std::string& text) {
    return *read_network("P(t)\nt = {A}\n" + text + " P(x)\n", "n.mln").formulas[0].weight;
  };
  EXPECT_EQ(weight("1e15"), 1e15);
  EXPECT_EQ(weight("-1e15"), -1e15);
  for (const std::string text : {"1.1e15", "-1e16", "1e308", "-1e308"}) {
    const std::string message = message_of<DataError>([&] { weight(text); });
    EXPECT_EQ(message.substr(0, message.find(';')),
              "n.mln:3: found '" + text + "', expected a weight within +-1e+15");
  }
  Network network = read_network("P(t)\nt = {A}\n1 P(x)\n", "n.mln");
  network.formulas[0].weight = 1e16;
  EXPECT_THROW(write_network(network), DataError);
}

}  // namespace
}  // namespace capella::logic
