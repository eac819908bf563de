// Networks of images: rules over detected things, what boxes say, and the file that keeps them.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "io/npy.h"
#include "logic/language/language.h"
#include "method/mln/attention/attention.h"
#include "method/mln/attention/attention_training.h"
#include "method/mln/image_network.h"
#include "method/mln/image_network_file.h"
#include "support/message_of.h"
#include "support/small_networks.h"
#include "support/temp_dir.h"

namespace capella::method::mln {
namespace {

using logic::Literal;
using Kind = logic::GroundFormula::Kind;
using test::message_of;
using test::no;
using test::TempDir;
using test::yes;

logic::Network rules() {
  return logic::read_network(
      "//@pred Ride \"ride\"\n//@pred SitOn \"sit on\"\n//@const Bike \"bike\"\n//@const Man \"man\"\n"
      "//@const Person \"person\"\n//@const TrafficLight \"traffic light\"\n"
      "thing = {Bike, Man, Person, TrafficLight}\nRide(thing,thing)\nSitOn(thing,thing)\n"
      "0.5 Ride(x,y) ^ SitOn(x,y) ^ x != y\n-1 SitOn(Man,TrafficLight)\n",
      "rules.mln");
}

io::ImageObjects mln_image_network_street() {
  return {"17",
          100,
          50,
          {{"man", {"person"}, {0, 0, 10, 20}, 1}, {"bike", {}, {50, 25, 100, 50}, 1}, {"man", {}, {}, 1}},
          ""};
}

bool has(const ImageNetwork& image, const Claim& claim) {
  return AtomIndex(image).find(claim) < image.atoms.size();
}

TEST(ImageGrounder, RulesAreAboutWhatWasDetected) {
  const logic::Network network = rules();
  const ImageGrounder grounder(network, nullptr, {});
  const ImageNetwork image = grounder.ground(mln_image_network_street());
  EXPECT_EQ(image.image, "17");
  EXPECT_EQ(image.things, (std::vector<std::string>{"bike", "man"}));
  ASSERT_EQ(image.atoms.size(), 4u);
  for (const char* predicate : {"ride", "sit on"}) {
    EXPECT_TRUE(has(image, {"man", predicate, "bike"})) << predicate;
    EXPECT_TRUE(has(image, {"bike", predicate, "man"})) << predicate;
  }
  EXPECT_EQ(image.network.size(), 2u);  // man and bike in both orders; no traffic light, no rule about it
  EXPECT_EQ(grounder.without_model(image), 4u);
}

TEST(ImageGrounder, OtherWordsAreConstantsOnlyWhenAskedFor) {
  const logic::Network network = rules();
  EXPECT_EQ(ImageGrounder(network, nullptr, {}).ground(mln_image_network_street()).network.size(), 2u);
  EXPECT_EQ(ImageGrounder(network, nullptr, {true, 1}).ground(mln_image_network_street()).network.size(), 6u);
  io::ImageObjects light = mln_image_network_street();
  light.objects.push_back({"traffic light", {}, {}, 1});
  const ImageNetwork image = ImageGrounder(network, nullptr, {}).ground(light);
  EXPECT_TRUE(has(image, {"man", "sit on", "traffic light"}));
}

TEST(ImageGrounder, UnknownThingsMakeNoNetwork) {
  const logic::Network network = rules();
  io::ImageObjects image = mln_image_network_street();
  for (io::DetectedObject& object : image.objects) object.label = "cloud";
  const ImageNetwork made = ImageGrounder(network, nullptr, {}).ground(image);
  EXPECT_TRUE(made.atoms.empty());
  EXPECT_EQ(made.things, (std::vector<std::string>{"cloud"}));
}

// The boxes count for what they say beyond how often the relation holds anyway.
TEST(ImageGrounder, BoxesMoveTheOddsByWhatTheyAddToTheBaseRate) {
  const TempDir folder;
  const logic::Network network = rules();
  io::ImageObjects image = mln_image_network_street();
  image.features = folder.write("17.npy", io::npy_bytes(std::vector<float>{1, -1, .5F}, 3, 1));
  AttentionTraining training;
  training.hidden = 4;
  training.attention = 3;
  AttentionModels models;
  models.features = 1;
  AttentionNetwork& model = models.networks["sit on"] = start_network(10, training, 1);
  model.base_rate = .125;
  const auto odds = [](double p) { return std::log(p / (1 - p)); };
  const double tau = .5;
  const ImageGrounder grounder(network, &models, {false, tau});
  const ImageNetwork made = grounder.ground(image);
  EXPECT_EQ(grounder.without_model(made), 2u);
  const io::Matrix features = io::read_object_features(image);
  std::size_t asked = 0;
  for (logic::AtomId atom = 0; atom < made.atoms.size(); ++atom) {
    const double p = made.network.probability(atom);
    if (made.atoms[atom].predicate != "sit on") {
      EXPECT_TRUE(std::isnan(p));
      continue;
    }
    ++asked;
    const double said = ask_atom(models, image, features, made.atoms[atom]).probability;
    EXPECT_NEAR(odds(p), tau * (odds(said) - odds(.125)), 1e-12);
  }
  EXPECT_EQ(asked, 2u);
  const ImageNetwork off = ImageGrounder(network, &models, {false, 0}).ground(image);
  for (logic::AtomId atom = 0; atom < off.atoms.size(); ++atom)
    EXPECT_TRUE(std::isnan(off.network.probability(atom)));
}

// Constants in quotes are words as they are; commas and parentheses in them are no signs.
TEST(ImageGrounder, AtomsAreTheWordsThatNamesStandFor) {
  const logic::Network network = logic::read_network(
      "//@pred Eat \"eat up\"\n//@const Man \"old man\"\nthing = {\"hot dog\", \"a, (b)\", Man}\n"
      "Eat(thing,thing)\n0.5 Eat(x,y)\n",
      "rules.mln");
  const io::ImageObjects image{
      "5", 10, 10, {{"hot dog", {}, {}, 1}, {"a, (b)", {}, {}, 1}, {"old man", {}, {}, 1}}, ""};
  const ImageNetwork made = ImageGrounder(network, nullptr, {}).ground(image);
  std::vector<Claim> atoms = made.atoms;
  std::ranges::sort(atoms);
  std::vector<Claim> expected;
  for (const char* subject : {"a, (b)", "hot dog", "old man"})
    for (const char* object : {"a, (b)", "hot dog", "old man"})
      expected.push_back({subject, "eat up", object});
  EXPECT_EQ(atoms, expected);
  const std::string file = write_image_networks(std::span(&made, 1), made.network.formulas);
  EXPECT_NE(file.find(R"x(["hot dog","eat up","a, (b)"])x"), std::string::npos) << file;
}

TEST(ImageGrounder, PredicatesHaveASubjectAndAnObject) {
  const auto refused = [](const std::string& declaration) {
    const logic::Network network =
        logic::read_network("thing = {Man}\n" + declaration + "\nRide(thing,thing)\n", "rules.mln");
    return message_of<DataError>([&] { ImageGrounder(network, nullptr, {}); });
  };
  EXPECT_TRUE(
      refused("Smokes(thing)").starts_with("rules.mln:2: predicate Smokes has 1 argument, expected 2"));
  EXPECT_TRUE(refused("Give(thing,thing,thing)").starts_with("rules.mln:2: predicate Give has 3 arguments"));
}

TEST(ImageGrounder, NetworksOfAttentionNeedFeatures) {
  const logic::Network network = rules();
  AttentionModels models;
  models.features = 1;
  const std::string message =
      message_of<DataError>([&] { ImageGrounder(network, &models, {}).ground(mln_image_network_street()); });
  EXPECT_TRUE(message.starts_with("image 17: its row of objects names no file of features")) << message;
  EXPECT_EQ(ImageGrounder(network, &models, {false, 0}).ground(mln_image_network_street()).atoms.size(),
            4u);  // not asked
}

// The man's box is the person's: no two boxes for "the man sits on the person", either way round.
TEST(ImageGrounder, CountsAtomsThatAreAboutOneBox) {
  const TempDir folder;
  const logic::Network network = rules();
  io::ImageObjects image = mln_image_network_street();
  image.objects.pop_back();
  image.features = folder.write("17.npy", io::npy_bytes(std::vector<float>{1, -1}, 2, 1));
  AttentionTraining training;
  training.hidden = 4;
  training.attention = 3;
  AttentionModels models;
  models.features = 1;
  models.networks["sit on"] = start_network(10, training, 1);
  const ImageGrounder grounder(network, &models, {true, 1});
  const ImageNetwork made = grounder.ground(image);
  EXPECT_EQ(made.atoms.size(), 12u);
  EXPECT_EQ(made.empty_bags, 2u);
  EXPECT_EQ(grounder.without_model(made), 6u);
}

// Weights of both signs and none, equal groundings, a hard rule, certain atoms and atoms that nothing is said
// of.
ImageNetwork small_image() {
  test::NetworkBuilder builder;
  for (const char* name : {"a", "b", "c", "d"}) builder.atom(name);
  builder.network.add(Kind::conjunction, builder.formula("P(x) ^ \"Q\"(x,y)", 1. / 3), 2,
                      std::vector{yes(0), no(2)});
  builder.network.add(Kind::clause, builder.formula("P(x) => R(x)", -.7), 1,
                      std::vector{no(1), yes(2), yes(3)});
  builder.clause(logic::kHard, {no(0), no(1)}, "hard");
  builder.conjunction(0, {yes(3)});
  builder.network.offset = 1.25;
  builder.network.set_probability(0, .3);
  builder.network.set_probability(1, 0);
  builder.network.set_probability(2, 1);
  ImageNetwork image;
  image.image = "a/7";
  image.things = {"bike", "man"};
  image.atoms = {{"man", "ride", "bike"},
                 {"man", "sit on", "bike"},
                 {"bike", "ride", "man"},
                 {"caf\xC3\xA9", "\"in\"", "x"}};
  image.network = std::move(builder.network);
  return image;
}

TEST(ImageNetworkFile, ComesBackAsItWas) {
  const TempDir folder;
  ImageNetwork second;
  second.image = "8";
  second.network.formulas = small_image().network.formulas;
  const ImageNetwork first = small_image();
  const std::vector<ImageNetwork> images = {first, second};
  const std::string text = write_image_networks(images, first.network.formulas);
  const std::string path = folder.write("ground.jsonl", text);
  const std::vector<ImageNetwork> back = read_image_networks(path);
  ASSERT_EQ(back.size(), 2u);
  EXPECT_EQ(back[0].image, "a/7");
  EXPECT_EQ(back[0].things, first.things);
  EXPECT_EQ(back[0].atoms, first.atoms);
  EXPECT_EQ(back[0].network.source, path);
  EXPECT_EQ(back[0].network.offset, 1.25);
  ASSERT_EQ(back[0].network.formulas.size(), 4u);
  EXPECT_EQ(back[0].network.formulas[0].text, "P(x) ^ \"Q\"(x,y)");
  EXPECT_EQ(back[0].network.formulas[2].weight, logic::kHard);
  ASSERT_EQ(back[0].network.size(), first.network.size());
  for (std::size_t k = 0; k < first.network.size(); ++k) {
    const logic::GroundFormula was = first.network[k], is = back[0].network[k];
    EXPECT_EQ(is.kind, was.kind) << k;
    EXPECT_EQ(is.formula, was.formula) << k;
    EXPECT_DOUBLE_EQ(is.coefficient, was.coefficient) << k;
    EXPECT_TRUE(std::ranges::equal(is.literals, was.literals)) << k;
    EXPECT_DOUBLE_EQ(back[0].network.weight(k), first.network.weight(k)) << k;
  }
  EXPECT_DOUBLE_EQ(back[0].network.probability(0), .3);
  EXPECT_EQ(back[0].network.probability(1), 0);
  EXPECT_EQ(back[0].network.probability(2), 1);
  EXPECT_TRUE(std::isnan(back[0].network.probability(3)));
  EXPECT_TRUE(back[1].atoms.empty());
  EXPECT_EQ(back[1].network.size(), 0u);
}

TEST(ImageNetworkFile, LinesAreJsonForOtherPrograms) {
  const ImageNetwork image = small_image();
  const std::string text = write_image_networks(std::span(&image, 1), image.network.formulas);
  const std::size_t end = text.find('\n');
  const auto header = nlohmann::json::parse(text.substr(0, end));
  EXPECT_EQ(header["formulas"][2], (nlohmann::json{{"text", "hard"}, {"weight", "inf"}}));
  const auto row = nlohmann::json::parse(text.substr(end + 1));
  EXPECT_EQ(row["image_id"], "a/7");
  EXPECT_EQ(row["atoms"][1], (nlohmann::json{"man", "sit on", "bike"}));
  EXPECT_EQ(row["log_odds"][1], "-inf");
  EXPECT_EQ(row["log_odds"][2], "inf");
  EXPECT_TRUE(row["log_odds"][3].is_null());
  EXPECT_NEAR(row["log_odds"][0].get<double>(), std::log(.3 / .7), 1e-15);
  const nlohmann::json factor = {
      {"atoms", {0, 2}}, {"signs", {1, 0}}, {"kind", "conj"}, {"weight", 2. / 3}, {"formula_id", 0}};
  EXPECT_EQ(row["factors"][0], factor);
  EXPECT_EQ(row["factors"][1]["kind"], "clause");
}

// The message of a file whose second row (third line) was changed.
std::string complaint(const std::function<void(nlohmann::json&)>& damage) {
  const TempDir folder;
  const ImageNetwork image = small_image();
  std::string text = write_image_networks(std::span(&image, 1), image.network.formulas);
  nlohmann::json row = nlohmann::json::parse(text.substr(text.find('\n') + 1));
  damage(row);
  const std::string path = folder.write("g.jsonl", text + row.dump() + "\n");
  const std::string message = message_of<DataError>([&] { read_image_networks(path); });
  EXPECT_TRUE(message.starts_with(path + ":3: ")) << message;
  EXPECT_TRUE(message.ends_with("; expected a file that capella mln ground wrote")) << message;
  return message;
}

void expect_problem(const std::function<void(nlohmann::json&)>& damage, const std::string& part) {
  const std::string message = complaint(damage);
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(ImageNetworkFile, NamesTheLineOfWhatIsWrong) {
  using Json = nlohmann::json;
  expect_problem([](Json& row) { row = Json::array(); }, "is not a JSON object");
  expect_problem([](Json& row) { row.erase("image_id"); }, "the row has no 'image_id'");
  expect_problem([](Json& row) { row["image_id"] = 7; }, "'image_id' is not a text");
  expect_problem([](Json& row) { row["things"] = "man"; }, "'things' is not a list");
  expect_problem([](Json& row) { row["things"] = {1}; }, "'things' holds something that is not a text");
  expect_problem([](Json& row) { row["atoms"].erase(0); },
                 "'atoms' and 'log_odds' are not two lists of one length");
  expect_problem([](Json& row) { row["atoms"][2] = "x"; }, "atom 2 is not [subject, predicate, object]");
  expect_problem([](Json& row) { row["log_odds"][0] = "high"; }, "one of 'log_odds' is not a number");
  expect_problem([](Json& row) { row.erase("offset"); }, "the row has no 'offset'");
  expect_problem([](Json& row) { row["factors"] = 1; }, "'factors' is not a list");
  const auto factor = [](const char* member, Json value) {
    return [member, value](Json& row) { row["factors"][0][member] = value; };
  };
  expect_problem(factor("formula_id", 4), "a factor of formula 4, but there are 4");
  expect_problem(factor("atoms", {0, 4}), "a factor names an atom that the image does not have");
  expect_problem(factor("atoms", {-1, 0}), "a factor names an atom that the image does not have");
  expect_problem(factor("atoms", {0, 0}), "a factor names an atom twice");
  expect_problem(factor("signs", {1}), "a factor's 'atoms' and 'signs' are not two lists of one length");
  expect_problem(factor("signs", {1, -1}), "a factor's sign is neither 0 nor 1");
  expect_problem(factor("kind", "or"), "a factor's 'kind' is neither conj nor clause");
  expect_problem(factor("weight", "inf"), "a factor is hard and its formula is not");
  expect_problem(factor("weight", 1e300), "a factor's 'weight' is 1e+300, expected its formula's");
  expect_problem(factor("weight", nullptr), "a factor's 'weight' is not a number");
  expect_problem([](Json& row) { row["factors"][2]["kind"] = "conj"; }, "a hard factor is a conjunction");
  expect_problem([](Json& row) { row["factors"][2]["weight"] = 3; },
                 "a factor is hard and its formula is not");
}

TEST(ImageNetworkFile, AnotherFileIsNone) {
  const TempDir folder;
  const auto problem = [&](const std::string& text) {
    const std::string path = folder.write("g.jsonl", text);
    const std::string message = message_of<DataError>([&] { read_image_networks(path); });
    EXPECT_TRUE(message.starts_with(path)) << message;
    return message.substr(std::min(message.size(), path.size()));
  };
  EXPECT_EQ(problem(""), ": is empty; expected a file that capella mln ground wrote");
  EXPECT_TRUE(problem("{\"formulas\"").starts_with(":1: is no JSON"));
  EXPECT_TRUE(problem("{\"image_id\":\"7\"}\n").starts_with(":1: expected the list of formulas"));
  EXPECT_TRUE(problem("{\"formulas\":[{\"text\":\"P(x)\"}]}\n").starts_with(":1: a formula has no 'weight'"));
  EXPECT_TRUE(problem("{\"formulas\":[{\"text\":\"P(x)\",\"weight\":\"-inf\"}]}\n")
                  .starts_with(":1: a formula's 'weight' is -inf"));
  EXPECT_TRUE(problem("{\"formulas\":[]}\n{\"image_id\"").starts_with(":2: is no JSON"));
}

TEST(AtomIndex, FindsEveryAtomAndNoOther) {
  const ImageNetwork image = small_image();
  const AtomIndex index(image);
  for (std::size_t k = 0; k < image.atoms.size(); ++k) EXPECT_EQ(index.find(image.atoms[k]), k);
  EXPECT_EQ(index.find({"man", "ride", "bik"}), image.atoms.size());
  EXPECT_EQ(index.find({"", "", ""}), image.atoms.size());
}

}  // namespace
}  // namespace capella::method::mln
