// Attention over instances: the worked example, bags of an image, the file, and a small training.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "base/file.h"
#include "base/random.h"
#include "io/npz.h"
#include "method/mln/attention/attention.h"
#include "method/mln/attention/attention_training.h"
#include "stats/auc.h"
#include "support/message_of.h"
#include "support/temp_dir.h"
#include "support/worked_attention.h"

namespace capella::method::mln {
namespace {

using test::message_of;
using test::TempDir;
using test::worked_bag;
using test::worked_network;

AttentionNetwork zeros(AttentionNetwork network) {
  for (std::vector<double>* const values : network.arrays()) std::ranges::fill(*values, 0.0);
  return network;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-9) << i;
}

// Checked twice: in double, and in decimal with central differences.
TEST(Attention, WorkedExampleGated) {
  const AttentionNetwork network = worked_network(true);
  const AttentionAnswer answer = ask(network, worked_bag());
  expect_near(answer.attention, {0.542588677942, 0.294842203331, 0.162569118727});
  EXPECT_NEAR(answer.probability, 0.766245223965, 1e-9);
  EXPECT_NEAR(answer.logit, .9 * 0.664786908349 - 1.1 * -0.353564942294 + .2, 1e-9);
  AttentionNetwork gradient = zeros(network);
  EXPECT_NEAR(add_gradient(network, worked_bag(), true, gradient), 0.266253024749, 1e-9);
  expect_near(gradient.w, {-0.043035621130, 0.050303878547});
  expect_near(gradient.V, {-0.024723022202, 0.050542111966, 0.023384152675, -0.032545091765});
  expect_near(gradient.U, {-0.004888031196, 0.003833910691, -0.002142500503, 0.003500020053});
  expect_near(gradient.bc, {-0.233754776035});
  expect_near(gradient.bw, {0});  // it moves all scores alike
}

TEST(Attention, WorkedExamplePlain) {
  const AttentionAnswer answer = ask(worked_network(false), worked_bag());
  expect_near(answer.attention, {0.690868255075, 0.249254376987, 0.059877367937});
  EXPECT_NEAR(answer.probability, 0.815122394983, 1e-9);
}

TEST(Attention, ScoresMayBeHuge) {
  AttentionNetwork network = worked_network(true);
  network.w = {1e5, -1e5};
  const AttentionAnswer answer = ask(network, worked_bag());
  EXPECT_TRUE(std::isfinite(answer.probability));
  EXPECT_NEAR(answer.attention[0] + answer.attention[1] + answer.attention[2], 1, 1e-15);
}

TEST(Attention, CalibrationMovesTheLogOddsAndAnEmptyBagHasTheBaseRate) {
  AttentionNetwork network = worked_network(true);
  network.temperature = 2;
  network.shift = -1;
  network.base_rate = .03;
  const AttentionAnswer answer = ask(network, worked_bag());
  EXPECT_NEAR(answer.probability, 1 / (1 + std::exp(-(answer.logit / 2 - 1))), 1e-15);
  EXPECT_EQ(ask(network, Bag{}).probability, .03);
}

io::ImageObjects street() {
  return {"1",
          100,
          50,
          {{"man", {"person"}, {0, 0, 10, 20}, .5},
           {"bike", {}, {50, 25, 100, 50}, .9},
           {"man", {"person"}, {20, 10, 30, 40}, .9},
           {"woman", {"person"}, {40, 0, 50, 25}, .8},
           {"man", {"person"}, {60, 10, 70, 40}, .7},
           {"man", {"person"}, {80, 10, 90, 40}, .6}},
          ""};
}

io::Matrix street_features() {
  io::Matrix features{"f", 6, 1, {}};
  for (int i = 0; i < 6; ++i) features.values.push_back(static_cast<float>(i));
  return features;
}

TEST(Attention, BagsHoldTheBestThreeOfEachLabel) {
  const Bag bag = make_bag(street(), street_features(), {"man", "ride", "bike"}, false);
  using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
  EXPECT_EQ(bag.pairs, (Pairs{{2, 1}, {4, 1}, {5, 1}}));
  ASSERT_EQ(bag.instances, 3u);
  const std::vector<double> first(bag.rows.begin(), bag.rows.begin() + 10);
  EXPECT_EQ(first, (std::vector<double>{2, 1, .2, .2, .3, .8, .5, .5, 1, 1}));
  const Bag pixels = make_bag(street(), street_features(), {"woman", "ride", "bike"}, true);
  EXPECT_EQ(pixels.rows, (std::vector<double>{3, 1, 40, 0, 50, 25, 50, 25, 100, 50}));
}

TEST(Attention, AliasesCountAndNothingIsPairedWithItself) {
  const Bag bag = make_bag(street(), street_features(), {"person", "near", "person"}, false);
  EXPECT_EQ(bag.instances, 6u);  // the best three are 2, 3 and 4
  for (const auto& [subject, object] : bag.pairs) EXPECT_NE(subject, object);
  EXPECT_EQ(make_bag(street(), street_features(), {"bike", "near", "bike"}, false).instances, 0u);
  EXPECT_EQ(make_bag(street(), street_features(), {"dog", "near", "bike"}, false).instances, 0u);
}

TEST(Attention, BoxesAsSharesNeedTheImagesSize) {
  io::ImageObjects image = street();
  image.width = 0;
  const auto make = [&] { make_bag(image, street_features(), {"man", "ride", "bike"}, false); };
  EXPECT_NE(message_of<DataError>(make).find("image 1: its row of objects has no width and height"),
            std::string::npos);
}

AttentionModels street_models() {
  AttentionTraining options;
  options.hidden = 4;
  options.attention = 3;
  AttentionModels models;
  models.features = 1;
  models.networks["sit on"] = start_network(10, options, 1);
  models.networks["sit on"].temperature = 1.5;
  models.networks["sit on"].shift = -.25;
  models.networks["sit on"].base_rate = .125;
  options.gated = false;
  models.networks["and/or"] = start_network(10, options, 2);
  return models;
}

TEST(Attention, AnAtomSaysWhereItsProbabilityIsFrom) {
  const AttentionModels models = street_models();
  const io::ImageObjects image = street();
  const io::Matrix features = street_features();
  const AtomAnswer known = ask_atom(models, image, features, {"man", "sit on", "bike"});
  EXPECT_EQ(known.source, AtomSource::network);
  EXPECT_EQ(known.attention.size(), 3u);
  const AtomAnswer empty = ask_atom(models, image, features, {"dog", "sit on", "bike"});
  EXPECT_EQ(empty.source, AtomSource::empty_bag);
  EXPECT_EQ(empty.probability, .125);
  const AtomAnswer none = ask_atom(models, image, features, {"man", "fly", "bike"});
  EXPECT_EQ(none.source, AtomSource::no_network);
  EXPECT_EQ(none.probability, .5);
  io::Matrix wide{"wide.npy", 6, 2, std::vector<float>(12)};
  EXPECT_NE(message_of<DataError>([&] {
              ask_atom(models, image, wide, {"man", "sit on", "bike"});
            }).find("wide.npy: 2 numbers for each object, but the networks learned from 1"),
            std::string::npos);
}

TEST(Attention, NetworksComeBackFromTheirFile) {
  const TempDir folder;
  const std::string path = (folder.path() / "m.npz").string();
  const AttentionModels models = street_models();
  write_attention(path, models);
  const AttentionModels back = read_attention(path);
  ASSERT_EQ(back.networks.size(), 2u);
  EXPECT_EQ(back.features, 1u);
  EXPECT_FALSE(back.pixel_boxes);
  for (const auto& [predicate, network] : models.networks) {
    const AttentionNetwork& found = back.networks.at(predicate);
    EXPECT_EQ(found.gated, network.gated);
    EXPECT_EQ(found.base_rate, static_cast<float>(network.base_rate));
    const Bag bag = make_bag(street(), street_features(), {"man", predicate, "bike"}, false);
    EXPECT_NEAR(ask(found, bag).probability, ask(network, bag).probability, 1e-6);
  }
  const io::NamedArrays arrays = io::read_npz(path);
  EXPECT_EQ(arrays.at("sit on/W1").shape, (std::vector<std::size_t>{4, 10}));
  EXPECT_EQ(arrays.at("sit on/w").shape, (std::vector<std::size_t>{1, 3}));
  EXPECT_FALSE(arrays.contains("and/or/U"));
}

TEST(Attention, AFileThatIsNoneIsRefused) {
  const TempDir folder;
  const std::string path = (folder.path() / "m.npz").string();
  const auto problem = [&](const io::NamedArrays& arrays) {
    io::write_npz(path, arrays);
    return message_of<FileError>([&] { read_attention(path); });
  };
  EXPECT_NE(problem({{"x", {{1}, {1}}}}).find("no networks of attention"), std::string::npos);
  EXPECT_NE(problem({{"capella", {{3}, {9, 1, 0}}}}).find("version 9, expected 1"), std::string::npos);
  write_attention(path, street_models());
  const io::NamedArrays good = io::read_npz(path);
  io::NamedArrays arrays = good;
  arrays.erase("sit on/V");
  EXPECT_NE(problem(arrays).find("sit on/V is missing"), std::string::npos);
  arrays = good;
  arrays["sit on/c"] = {{4}, {1, 2, 3, 4}};
  EXPECT_NE(problem(arrays).find("sit on/c is missing or has another shape"), std::string::npos);
  arrays = good;
  arrays["sit on/b1"].values[0] = NAN;
  EXPECT_NE(problem(arrays).find("sit on/b1"), std::string::npos);
  arrays = good;
  arrays["sit on/calibration"].values[0] = 0;
  EXPECT_NE(problem(arrays).find("sit on/calibration"), std::string::npos);
}

// PyTorch's start: uniform within 1 / sqrt(inputs), mean 0, variance bound^2 / 3.
TEST(Attention, StartsAsPyTorchsLinearLayers) {
  AttentionTraining options;
  options.hidden = 100;
  options.attention = 20;
  const AttentionNetwork network = start_network(400, options, 3);
  EXPECT_EQ(network.W1.size(), 40'000u);
  double sum = 0, squares = 0, largest = 0;
  for (const double value : network.W1) {
    sum += value;
    squares += value * value;
    largest = std::max(largest, std::abs(value));
  }
  EXPECT_LE(largest, 1 / std::sqrt(400.0));
  EXPECT_NEAR(sum / 40'000, 0, 6e-4);  // 4 standard errors
  EXPECT_NEAR(squares / 40'000, 1 / 400.0 / 3, 2e-5);
  for (const double value : network.w) EXPECT_LE(std::abs(value), 1 / std::sqrt(20.0));
  EXPECT_NE(start_network(400, options, 4).W1, network.W1);
}

// One step of Adam moves every number by the rate against its slope's sign (up to epsilon).
TEST(Attention, TheFirstStepOfAdamIsTheRate) {
  const AttentionNetwork start = worked_network(true);
  AttentionTrainer trainer(start, 1e-3, 0);
  const Bag bag = worked_bag();
  trainer.step(std::vector<LabelledBag>{{&bag, true}});
  AttentionNetwork gradient = zeros(start);
  add_gradient(start, bag, true, gradient);
  for (std::size_t i = 0; i < start.V.size(); ++i)
    EXPECT_NEAR(trainer.network().V[i], start.V[i] - 1e-3 * std::copysign(1, gradient.V[i]), 1e-9);
}

// Two steps by Kingma and Ba's algorithm 1 with L2 in the gradient, for the one number bc.
TEST(Attention, AdamAddsDecayToTheGradient) {
  constexpr double kRate = .01;
  constexpr double kDecay = .5;
  AttentionTrainer trainer(worked_network(true), kRate, kDecay);
  const Bag bag = worked_bag();
  double mean = 0, square = 0, value = .2;
  for (int t = 1; t <= 2; ++t) {
    const AttentionNetwork before = trainer.network();
    AttentionNetwork gradient = zeros(before);
    add_gradient(before, bag, true, gradient);
    const double slope = gradient.bc[0] + kDecay * value;
    mean = .9 * mean + .1 * slope;
    square = .999 * square + .001 * slope * slope;
    value -= kRate * (mean / (1 - std::pow(.9, t))) / (std::sqrt(square / (1 - std::pow(.999, t))) + 1e-8);
    trainer.step(std::vector<LabelledBag>{{&bag, true}});
    EXPECT_NEAR(trainer.network().bc[0], value, 1e-12);
  }
}

// The stand-in for digits: instances are drawn about one of five points; a bag with one from the last point
// is positive.
std::vector<Bag> blob_bags(std::size_t count, Random& random, std::vector<bool>& positive) {
  constexpr std::size_t kWidth = 8;
  std::vector<Bag> bags;
  for (std::size_t b = 0; b < count; ++b) {
    const bool wanted = b % 2 == 0;
    Bag bag;
    bag.instances = 6 + random.below(9);
    const std::size_t where = random.below(static_cast<std::uint32_t>(bag.instances));
    for (std::size_t k = 0; k < bag.instances; ++k) {
      const std::size_t blob = wanted && k == where ? 4 : random.below(4);
      for (std::size_t i = 0; i < kWidth; ++i)
        bag.rows.push_back((i == blob || i == (blob + 3) % kWidth ? 2 : 0) + .6 * random.normal());
    }
    bags.push_back(std::move(bag));
    positive.push_back(wanted);
  }
  return bags;
}

double blob_auc(bool gated) {
  Random random(11);
  std::vector<bool> truth, test_truth;
  const std::vector<Bag> bags = blob_bags(200, random, truth);
  const std::vector<Bag> test_bags = blob_bags(200, random, test_truth);
  AttentionTraining options;
  options.gated = gated;
  options.hidden = 32;
  options.attention = 16;
  AttentionTrainer trainer(start_network(8, options, 5), 2e-3, 1e-4);
  for (int epoch = 0; epoch < 20; ++epoch) {
    for (std::size_t b = 0; b < bags.size(); ++b)
      trainer.step(std::vector<LabelledBag>{{&bags[b], truth[b]}});
  }
  std::vector<double> scores;
  for (const Bag& bag : test_bags) scores.push_back(ask(trainer.network(), bag).logit);
  return stats::area_under_curve(scores, test_truth);
}

TEST(Attention, LearnsWhichBlobCounts) {
  EXPECT_GT(blob_auc(true), .95);
  EXPECT_GT(blob_auc(false), .95);
}

}  // namespace
}  // namespace capella::method::mln
