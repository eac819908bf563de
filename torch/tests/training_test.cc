// Training against the twin: losses, gradients (by small differences of the twin's loss) and Adam's steps (by
// hand). After one batch Adam's first mean is a tenth of the gradient, which so can be seen from outside.
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "small_generator.h"

namespace capella::test {
namespace {

using reference::GeneratorNetwork;

constexpr std::size_t kLongest = 12;

class TrainingTest : public ::testing::TestWithParam<Architecture> {};

TEST_P(TrainingTest, TheLossIsTheTwins) {
  for (const double l2 : {0.0, .01}) {
    Recipe recipe = small_recipe(GetParam());
    recipe.l2 = l2;
    const auto generator = random_generator(recipe, 1);
    const CaptionData data = random_captions(7, 5, 11, 2);
    const auto order = all_captions(data);
    const double expected = reference::generator_loss(twin_of(*generator), data, order, kLongest, l2);
    EXPECT_NEAR(generator->train_epoch(data, order, kLongest, 3, {}), expected, 2e-6 * expected);
  }
}

TEST_P(TrainingTest, TheLossOfAnEpochIsTheMeanOverBatches) {
  Recipe recipe = small_recipe(GetParam());
  recipe.rate = 0;
  recipe.batch = 3;
  const auto generator = random_generator(recipe, 1);
  const CaptionData data = random_captions(4, 5, 11, 5);
  const auto order = all_captions(data);
  double sum = 0, batches = 0;
  for (std::size_t begin = 0; begin < order.size(); begin += 3, ++batches) {
    const auto some = std::span(order).subspan(begin, std::min<std::size_t>(3, order.size() - begin));
    sum += reference::generator_loss(twin_of(*generator), data, some, kLongest, 0);
  }
  EXPECT_NEAR(generator->train_epoch(data, order, kLongest, 3, {}), sum / batches, 1e-5);
}

// d loss / d array[i], by the twin.
double slope(GeneratorNetwork network, const CaptionData& data, const std::string& name, std::size_t i,
             double l2) {
  constexpr double kStep = 1e-5;
  double& value = network.arrays.at(name)[i];
  const double middle = value;
  value = middle + kStep;
  const double above = reference::generator_loss(network, data, all_captions(data), kLongest, l2);
  value = middle - kStep;
  const double below = reference::generator_loss(network, data, all_captions(data), kLongest, l2);
  return (above - below) / (2 * kStep);
}

TEST_P(TrainingTest, GradientsOfAllArraysAreTheTwins) {
  Recipe recipe = small_recipe(GetParam(), 7, 4);
  recipe.l2 = .05;
  const auto generator = random_generator(recipe, 4);
  const GeneratorNetwork twin = twin_of(*generator);
  const CaptionData data = random_captions(3, 5, 7, 6);
  generator->train_epoch(data, all_captions(data), kLongest, 1, {});
  const auto after = generator->arrays(true);
  for (const auto& [name, values] : twin.arrays) {
    const NetworkArray& mean = array_named(after, "adam/m/" + name);
    double largest = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double expected = slope(twin, data, name, i, recipe.l2);
      EXPECT_NEAR(mean.values[i] / .1, expected, 2e-6 + 1e-4 * std::fabs(expected)) << name << " " << i;
      largest = std::max(largest, std::fabs(expected));
    }
    EXPECT_GT(largest, 1e-4) << name << " has no gradient: the test is blind";
  }
}

TEST_P(TrainingTest, AdamStepsAsTensorFlowsDoes) {
  Recipe recipe = small_recipe(GetParam());
  recipe.rate = .01;
  const auto generator = random_generator(recipe, 4);
  const CaptionData data = random_captions(3, 5, 11, 6);
  auto before = generator->arrays(true);
  for (int step = 1; step <= 3; ++step) {
    generator->train_epoch(data, all_captions(data), kLongest, 1, {});
    const auto after = generator->arrays(true);
    EXPECT_EQ(array_named(after, "adam/steps").values, std::vector<float>{static_cast<float>(step)});
    const double rate = .01 * std::sqrt(1 - std::pow(.999, step)) / (1 - std::pow(.9, step));
    for (const NetworkArray& array : before) {
      if (array.name.starts_with("adam/")) continue;
      const auto& weights = array_named(after, array.name).values;
      const auto& m = array_named(after, "adam/m/" + array.name).values;
      const auto& v = array_named(after, "adam/v/" + array.name).values;
      const auto& old_m = array_named(before, "adam/m/" + array.name).values;
      const auto& old_v = array_named(before, "adam/v/" + array.name).values;
      for (std::size_t i = 0; i < weights.size(); ++i) {
        const double moved = rate * m[i] / (std::sqrt(static_cast<double>(v[i])) + 1e-8);
        EXPECT_NEAR(weights[i], array.values[i] - moved, 1e-6) << array.name;
        const double gradient = (m[i] - .9 * old_m[i]) / .1;
        EXPECT_NEAR(v[i], .999 * old_v[i] + .001 * gradient * gradient, 1e-5 * v[i] + 1e-12) << array.name;
      }
    }
    before = after;
  }
}

TEST_P(TrainingTest, EpsilonIsNotScaled) {
  // Without images that matter, a weight's gradient can be tiny; then epsilon decides how far it moves.
  Recipe recipe = small_recipe(GetParam());
  recipe.l2 = 1e-9;
  recipe.rate = 1;
  const auto generator = random_generator(recipe, 4);
  const auto before = array_named(generator->arrays(false), "nn/prefix/embedding/embedding_matrix").values;
  CaptionData data = random_captions(1, 5, 11, 6);
  data.captions = {0, 1};
  data.words = {0, 1};
  data.ids = {3};  // the embeddings of other words have the penalty alone
  generator->train_epoch(data, all_captions(data), kLongest, 1, {});
  const auto after = array_named(generator->arrays(false), "nn/prefix/embedding/embedding_matrix").values;
  const double rate = std::sqrt(1 - .999) / (1 - .9);
  for (std::size_t i = 8 * 6; i < 9 * 6; ++i) {
    const double gradient = 1e-9 * before[i];
    const double moved = rate * .1 * gradient / (std::sqrt(.001) * std::fabs(gradient) + 1e-8);
    EXPECT_NEAR(before[i] - after[i], moved, 2e-6 + .001 * std::fabs(moved));
  }
}

TEST_P(TrainingTest, IsTheSameForTheSameSeedAndGoesOnFromAnEpoch) {
  Recipe recipe = small_recipe(GetParam(), 20, 16);
  recipe.image_dropout = recipe.embedding_dropout = recipe.state_dropout = .5;
  recipe.batch = 8;
  const CaptionData data = random_captions(20, 5, 20, 6);
  const auto order = all_captions(data);
  const auto first = maker().make(recipe, "cpu", 1, 1);
  const auto again = maker().make(recipe, "cpu", 1, 1);
  const double loss = first->train_epoch(data, order, kLongest, 5, {});
  EXPECT_EQ(again->train_epoch(data, order, kLongest, 5, {}), loss);
  const auto resumed = maker().make(recipe, "cpu", 9, 1);
  resumed->set_arrays(again->arrays(true));
  const double next = first->train_epoch(data, order, kLongest, 6, {});
  EXPECT_EQ(resumed->train_epoch(data, order, kLongest, 6, {}), next);
  const auto a = first->arrays(true), b = resumed->arrays(true);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].values, b[i].values) << a[i].name;
  const auto other = maker().make(recipe, "cpu", 1, 1);
  EXPECT_NE(other->train_epoch(data, order, kLongest, 77, {}), loss);
}

TEST_P(TrainingTest, LearnsWhatImagesSay) {
  // Two kinds of images with one caption each.
  Recipe recipe = small_recipe(GetParam(), 8, 16);
  recipe.rate = .01;
  recipe.batch = 8;
  recipe.embedding_dropout = recipe.state_dropout = .2;
  CaptionData data;
  data.width = 5;
  for (int image = 0; image < 32; ++image) {
    const bool odd = image % 2 == 1;
    for (int k = 0; k < 5; ++k) data.features.push_back(odd == (k < 2) ? 1.0f : .1f);
    for (const int id : odd ? std::vector{2, 3, 4, 5} : std::vector{2, 6, 7, 6, 3}) data.ids.push_back(id);
    data.words.push_back(data.ids.size());
    data.captions.push_back(data.words.size() - 1);
  }
  const auto generator = maker().make(recipe, "cpu", 1, 1);
  double loss = 0;
  for (std::uint64_t epoch = 0; epoch < 60; ++epoch)
    loss = generator->train_epoch(data, all_captions(data), 6, epoch, {});
  EXPECT_LT(loss, .2);
  const auto captions = generator->generate(data, {}, {});
  EXPECT_EQ(captions[0].ids, (std::vector<std::int32_t>{2, 6, 7, 6, 3}));
  EXPECT_EQ(captions[1].ids, (std::vector<std::int32_t>{2, 3, 4, 5}));
  EXPECT_GT(captions[0].log2_probability, -1);
}

TEST_P(TrainingTest, StepsAreTold) {
  Recipe recipe = small_recipe(GetParam());
  recipe.batch = 4;
  const CaptionData data = random_captions(5, 5, 11, 6);
  std::vector<std::size_t> told;
  maker()
      .make(recipe, "cpu", 1, 1)
      ->train_epoch(data, all_captions(data), kLongest, 1, [&](std::size_t done, std::size_t total) {
        EXPECT_EQ(total, data.caption_count());
        told.push_back(done);
      });
  EXPECT_EQ(told.size(), (data.caption_count() + 3) / 4);
  EXPECT_EQ(told.back(), data.caption_count());
}

INSTANTIATE_TEST_SUITE_P(All, TrainingTest, ::testing::ValuesIn(kArchitectures), name_of);

// A network whose output is its dropped-out states alone: with identity as output weights, a mask is seen in
// the gradient of the output layer. Here the mean over many draws tells share and scale.
TEST(Dropout, KeepsTheMeanOfWhatItDrops) {
  Recipe recipe = small_recipe(Architecture::init, 6, 8);
  recipe.state_dropout = .25;
  recipe.rate = 0;
  const auto generator = random_generator(recipe, 3, .5f);
  CaptionData data = random_captions(1, 5, 6, 1);
  data.captions = {0, 1};
  data.words = {0, 0};  // the end alone
  data.ids.clear();
  // The gradient of nn/out/W is state x (softmax - target); a dropped number of the state has none.
  recipe.state_dropout = 0;
  const auto plain = random_generator(recipe, 3, .5f);
  plain->train_epoch(data, all_captions(data), 1, 0, {});
  const auto sure = array_named(plain->arrays(true), "adam/m/nn/out/W").values;
  const auto bias = array_named(plain->arrays(true), "adam/m/nn/out/b").values;
  std::size_t dropped = 0, kept = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    generator->set_arrays(generator->arrays(false));  // forgets the optimiser
    generator->train_epoch(data, all_captions(data), 1, seed, {});
    const auto arrays = generator->arrays(true);
    const auto found = array_named(arrays, "adam/m/nn/out/W").values;
    const auto found_bias = array_named(arrays, "adam/m/nn/out/b").values;
    for (std::size_t cell = 0; cell < 8; ++cell) {
      const double state = sure[cell * 6 + 2] / bias[2];
      const double shown = found[cell * 6 + 2] / found_bias[2];
      if (shown == 0) {
        ++dropped;
      } else {
        EXPECT_NEAR(shown / state, 1 / .75, 1e-4);
        ++kept;
      }
    }
  }
  EXPECT_NEAR(static_cast<double>(dropped) / static_cast<double>(dropped + kept), .25, .03);
}

TEST(Dropout, IsAtTheImageTheWordsAndTheStates) {
  const CaptionData data = random_captions(20, 5, 11, 6);
  for (const Architecture architecture : kArchitectures) {
    const auto loss = [&](double image, double embedding, double state) {
      Recipe recipe = small_recipe(architecture);
      recipe.image_dropout = image;
      recipe.embedding_dropout = embedding;
      recipe.state_dropout = state;
      return random_generator(recipe, 3)->train_epoch(data, all_captions(data), kLongest, 1, {});
    };
    const double none = loss(0, 0, 0);
    EXPECT_NE(loss(.5, 0, 0), none);
    EXPECT_NE(loss(0, .5, 0), none);
    EXPECT_NE(loss(0, 0, .5), none);
  }
}

}  // namespace
}  // namespace capella::test
