// Training of learned metrics against the twin: losses, gradients (by small differences of the twin's loss)
// and Adam's steps (by hand). After one batch Adam's first mean is a tenth of the gradient, which so can be
// seen from outside.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "small_deneb.h"
#include "stats/correlation.h"
#include "support/message_of.h"

namespace capella::test {
namespace {

using deneb::Architecture;
using tensor::NetworkArray;

class DenebTraining : public ::testing::TestWithParam<NamedRecipe> {};

// d loss / d array[i], by the twin.
double slope(reference::DenebNetwork& network, const deneb::Features& features, const deneb::Samples& samples,
             const std::string& name, std::size_t i) {
  constexpr double kStep = 1e-6;
  double& value = network.arrays.at(name)[i];
  const double middle = value;
  value = middle + kStep;
  const double above = reference::deneb_loss(network, features, samples, all_of(samples));
  value = middle - kStep;
  const double below = reference::deneb_loss(network, features, samples, all_of(samples));
  value = middle;
  return (above - below) / (2 * kStep);
}

TEST_P(DenebTraining, LossAndGradientsAreTheTwins) {
  const deneb::Recipe& recipe = GetParam().recipe;
  const auto network = random_network(recipe, 4, .5f);
  const SmallFeatures given(recipe, 4, 8, 2);
  const deneb::Samples samples = random_samples(5, 4, 8, 3, 6);
  reference::DenebNetwork twin = twin_of(*network);
  const double loss = network->train(*network->load(given.features), samples, all_of(samples), 1, {});
  EXPECT_NEAR(loss, reference::deneb_loss(twin, given.features, samples, all_of(samples)), 1e-5);
  std::size_t moved = 0;
  for (const NetworkArray& array : network->arrays(true)) {
    if (!array.name.starts_with("adam/m/")) continue;
    const std::string name = array.name.substr(7);
    double largest = 0;
    const std::size_t stride = 1 + array.values.size() / 24;
    for (std::size_t i = 0; i < array.values.size(); i += stride) {
      const double expected = slope(twin, given.features, samples, name, i);
      EXPECT_NEAR(array.values[i] / .1, expected, 5e-6 + 1e-3 * std::fabs(expected)) << name << " " << i;
      largest = std::max(largest, std::fabs(expected));
    }
    moved += largest > 1e-4 ? 1 : 0;
  }
  EXPECT_GE(moved, 6u) << "few arrays have gradients: the test is blind";
}

INSTANTIATE_TEST_SUITE_P(All, DenebTraining, ::testing::ValuesIn(all_variants()), name_of);

TEST(DenebLoss, IsHuberOrSquaredAndSummed) {
  deneb::Recipe recipe = small_deneb(Architecture::polos);
  const SmallFeatures given(recipe, 4, 8, 2);
  const deneb::Samples samples = random_samples(12, 4, 8, 3, 6);
  for (const deneb::Loss loss : {deneb::Loss::huber, deneb::Loss::squared}) {
    recipe.loss = loss;
    recipe.huber_delta = .2;  // errors on both sides of it
    recipe.batch = 5;
    recipe.rate = 1e-30;
    const auto network = random_network(recipe, 4);
    const double expected =
        reference::deneb_loss(twin_of(*network), given.features, samples, all_of(samples));
    EXPECT_NEAR(network->train(*network->load(given.features), samples, all_of(samples), 1, {}), expected,
                1e-5);
  }
}

// What becomes of `before` by Adam's step number `step` with that rate, all in double; `after` has the means.
void expect_step(const std::vector<NetworkArray>& before, const std::vector<NetworkArray>& after, int step,
                 double rate, double decay) {
  for (const NetworkArray& array : before) {
    if (array.name.starts_with("adam/") || array.name == deneb::kMixMean || array.name == deneb::kMixVariance)
      continue;
    const auto& weights = deneb_array(after, array.name).values;
    const auto& m = deneb_array(after, "adam/m/" + array.name).values;
    const auto& v = deneb_array(after, "adam/v/" + array.name).values;
    const double kept = array.shape.size() >= 2 ? 1 - rate * decay : 1;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double mean = m[i] / (1 - std::pow(.9, step));
      const double root = std::sqrt(v[i] / (1 - std::pow(.999, step)));
      EXPECT_NEAR(weights[i], array.values[i] * kept - rate * mean / (root + 1e-8), 1e-6) << array.name;
    }
  }
}

TEST(DenebAdam, StepsAsTorchsDoes) {
  for (const double decay : {0.0, .3}) {
    deneb::Recipe recipe = small_deneb(Architecture::released);
    recipe.rate = .02;
    recipe.weight_decay = decay;
    const auto network = random_network(recipe, 4);
    const SmallFeatures given(recipe, 4, 8, 2);
    const deneb::Samples samples = random_samples(5, 4, 8, 3, 6);
    const auto tables = network->load(given.features);
    for (int step = 1; step <= 3; ++step) {
      const auto before = network->arrays(true);
      network->train(*tables, samples, all_of(samples), 1, {});
      const auto after = network->arrays(true);
      EXPECT_EQ(deneb_array(after, "adam/steps").values, std::vector<float>{static_cast<float>(step)});
      expect_step(before, after, step, .02, decay);
      const auto& m = deneb_array(after, "adam/m/ff.linear_1.weight").values;
      const auto& v = deneb_array(after, "adam/v/ff.linear_1.weight").values;
      for (std::size_t i = 0; i < m.size(); ++i) {
        const double old_m = deneb_array(before, "adam/m/ff.linear_1.weight").values[i];
        const double old_v = deneb_array(before, "adam/v/ff.linear_1.weight").values[i];
        const double gradient = (m[i] - .9 * old_m) / .1;
        EXPECT_NEAR(v[i], .999 * old_v + .001 * gradient * gradient, 1e-4 * v[i] + 1e-12);
      }
    }
  }
}

TEST(DenebAdam, WarmsUpAndFallsInEqualParts) {
  deneb::Recipe recipe = small_deneb(Architecture::released);
  recipe.rate = .01;
  recipe.schedule = deneb::Schedule::linear;
  recipe.warm_up = 2;
  recipe.total_steps = 6;
  const auto network = random_network(recipe, 4);
  const SmallFeatures given(recipe, 4, 8, 2);
  const deneb::Samples samples = random_samples(5, 4, 8, 3, 6);
  const auto tables = network->load(given.features);
  const double expected[] = {0, .005, .01, .0075, .005, .0025, 0, 0};
  for (int step = 1; step <= 8; ++step) {
    const auto before = network->arrays(true);
    network->train(*tables, samples, all_of(samples), 1, {});
    expect_step(before, network->arrays(true), step, expected[step - 1], 0);
  }
}

double gradient_length(const std::vector<NetworkArray>& arrays) {
  double squares = 0;
  for (const NetworkArray& array : arrays) {
    if (!array.name.starts_with("adam/m/")) continue;
    for (const double mean : array.values) squares += mean / .1 * (mean / .1);
  }
  return std::sqrt(squares);
}

TEST(DenebAdam, CutsLongGradients) {
  const SmallFeatures given(small_deneb(Architecture::released), 4, 8, 2);
  const deneb::Samples samples = random_samples(5, 4, 8, 3, 6);
  const auto after_one = [&](double most) {
    deneb::Recipe recipe = small_deneb(Architecture::released);
    recipe.most_gradient = most;
    const auto network = random_network(recipe, 4);
    network->train(*network->load(given.features), samples, all_of(samples), 1, {});
    return network->arrays(true);
  };
  const double whole = gradient_length(after_one(0));
  EXPECT_GT(whole, .01);
  EXPECT_NEAR(gradient_length(after_one(whole / 4)), whole / 4, 1e-4 * whole);
  EXPECT_NEAR(gradient_length(after_one(whole * 2)), whole, 1e-4 * whole);
}

TEST(DenebAdam, AveragesAccumulatedBatches) {
  deneb::Recipe recipe = small_deneb(Architecture::polos);
  const SmallFeatures given(recipe, 4, 8, 2);
  const deneb::Samples samples = random_samples(8, 4, 8, 3, 6);
  const auto means = [&](std::size_t batch, std::size_t accumulation, float& steps) {
    recipe.batch = batch;
    recipe.accumulation = accumulation;
    const auto network = random_network(recipe, 4);
    network->train(*network->load(given.features), samples, all_of(samples), 1, {});
    steps = deneb_array(network->arrays(true), "adam/steps").values.front();
    return deneb_array(network->arrays(true), "adam/m/ff.linear_1.weight").values;
  };
  float steps = 0;
  const auto whole = means(8, 1, steps), parts = means(2, 4, steps);
  EXPECT_EQ(steps, 1);
  for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_NEAR(parts[i], whole[i] / 4, 1e-6);
  means(3, 2, steps);
  EXPECT_EQ(steps, 2) << "batches of 3, 3; and 2";
}

deneb::Recipe with_everything(Architecture architecture) {
  deneb::Recipe recipe = small_deneb(architecture);
  recipe.dropout = .2;
  recipe.mix_dropout = .3;
  recipe.batch = 4;
  recipe.most_gradient = 1;
  recipe.schedule = deneb::Schedule::linear;
  recipe.warm_up = 3;
  recipe.total_steps = 20;
  recipe.rate = .01;
  return recipe;
}

void expect_same(const deneb::Network& a, const deneb::Network& b) {
  const auto x = a.arrays(true), y = b.arrays(true);
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(x[i].values, y[i].values) << x[i].name;
}

TEST(DenebResume, GivesTheSameBits) {
  for (const Architecture architecture : {Architecture::released, Architecture::paper, Architecture::polos}) {
    const deneb::Recipe recipe = with_everything(architecture);
    const SmallFeatures given(recipe, 6, 15, 2);
    const deneb::Samples samples = random_samples(19, 6, 15, 3, 6);
    const auto order = all_of(samples);
    const auto whole = deneb_maker().make(recipe, "cpu", 3, 1);
    const auto tables = whole->load(given.features);
    whole->freeze_statistics(given.features, samples);
    const double first = whole->train(*tables, samples, order, 11, {});
    const double second = whole->train(*tables, samples, order, 12, {});
    const auto begun = deneb_maker().make(recipe, "cpu", 3, 2);
    begun->freeze_statistics(given.features, samples);
    EXPECT_EQ(begun->train(*tables, samples, order, 11, {}), first);
    const auto resumed = deneb_maker().make(recipe, "cpu", 99, 1);
    resumed->set_arrays(begun->arrays(true));
    EXPECT_EQ(resumed->train(*tables, samples, order, 12, {}), second);
    expect_same(*whole, *resumed);
    const auto other = deneb_maker().make(recipe, "cpu", 3, 1);
    EXPECT_NE(other->train(*tables, samples, order, 77, {}), first);
  }
}

TEST(DenebResume, AnOrderMayBeGivenInParts) {
  const deneb::Recipe recipe = with_everything(Architecture::released);
  const SmallFeatures given(recipe, 6, 15, 2);
  const deneb::Samples samples = random_samples(19, 6, 15, 3, 6);
  const auto order = all_of(samples);
  const auto whole = deneb_maker().make(recipe, "cpu", 3, 1), parts = deneb_maker().make(recipe, "cpu", 3, 1);
  const auto tables = whole->load(given.features);
  const double loss = whole->train(*tables, samples, order, 11, {});
  double sum = parts->train(*tables, samples, std::span(order).first(8), 11, {});
  sum += parts->train(*tables, samples, std::span(order).subspan(8), 11, {});
  EXPECT_NEAR(sum, loss, 1e-9);
  expect_same(*whole, *parts);
}

TEST(DenebDropout, ChangesTrainingAlone) {
  const SmallFeatures given(small_deneb(Architecture::released), 6, 15, 2);
  const deneb::Samples samples = random_samples(19, 6, 15, 3, 6);
  const auto loss = [&](double dropout, double mix_dropout, std::uint64_t seed) {
    deneb::Recipe recipe = small_deneb(Architecture::released);
    recipe.dropout = dropout;
    recipe.mix_dropout = mix_dropout;
    const auto network = random_network(recipe, 4);
    return network->train(*network->load(given.features), samples, all_of(samples), seed, {});
  };
  const double none = loss(0, 0, 1);
  EXPECT_EQ(loss(0, 0, 2), none);
  EXPECT_NE(loss(.1, 0, 1), none);
  EXPECT_NE(loss(0, .3, 1), none);
  EXPECT_NE(loss(.1, 0, 1), loss(.1, 0, 2));
  const auto scores = [&](double dropout) {
    deneb::Recipe recipe = small_deneb(Architecture::released);
    recipe.dropout = recipe.mix_dropout = dropout;
    const auto network = random_network(recipe, 4);
    return network->predict(*network->load(given.features), samples, {}, {});
  };
  EXPECT_EQ(scores(0), scores(.5));
}

// With one linear map behind another, the mean over many masks of what passes is what passes without: the
// head of Polos with tiny weights is nearly linear.
TEST(DenebDropout, KeepsTheMean) {
  deneb::Recipe recipe = small_deneb(Architecture::polos);
  recipe.hidden = {64, 64};
  recipe.loss = deneb::Loss::squared;
  const SmallFeatures given(recipe, 1, 2, 2);
  deneb::Samples samples = random_samples(1, 1, 2, 1, 6);
  samples.scores = {0};  // the loss is then the square of the score
  const auto mean_logit = [&](double dropout, std::uint64_t repeats) {
    recipe.dropout = dropout;
    recipe.rate = 1e-30;
    const auto network = random_network(recipe, 4, .1f);
    const auto tables = network->load(given.features);
    double sum = 0;
    for (std::uint64_t seed = 0; seed < repeats; ++seed) {
      const double score = std::sqrt(network->train(*tables, samples, all_of(samples), seed, {}));
      sum += std::log(score / (1 - score));
    }
    return sum / static_cast<double>(repeats);
  };
  const double none = mean_logit(0, 1);
  EXPECT_GT(std::fabs(none), .2);
  EXPECT_NEAR(mean_logit(.3, 1000), none, .06 * std::fabs(none));
}

TEST(DenebTrainingRun, LearnsATinySetByHeart) {
  for (const auto& [name, small] : all_variants()) {
    if (name.find("With") != name.npos && name.find("Attention") == name.npos) continue;  // learns alike
    deneb::Recipe recipe = small;
    recipe.width = 16;
    recipe.feed_forward = 32;
    recipe.hidden = {32, 16};
    recipe.rate = .01;
    const SmallFeatures given(recipe, 8, 24, 2);
    deneb::Samples samples = random_samples(8, 8, 24, 2, 6);
    for (std::uint32_t k = 0; k < 8; ++k) samples.candidates[k] = samples.images[k] = k;
    const auto network = deneb_maker().make(recipe, "cpu", 3, 1);
    const auto tables = network->load(given.features);
    network->freeze_statistics(given.features, samples);
    const double first = network->train(*tables, samples, all_of(samples), 1, {});
    double last = first;
    for (int step = 0; step < 150; ++step) last = network->train(*tables, samples, all_of(samples), 1, {});
    EXPECT_GT(first, .1) << name;
    EXPECT_LT(last, .1 * first) << name;
  }
}

// Images and captions are directions; people's scores follow from how near a candidate is to the image's
// direction, with some noise of their own. The best that can be learnt is that nearness.
struct KnownTruth {
  static constexpr std::size_t kImages = 120, kWidth = 6, kReferences = 3, kPerImage = 6;
  std::vector<float> images, captions;
  std::vector<double> nearness;
  deneb::Samples training, validation;

  KnownTruth() {
    std::mt19937 random(5);
    std::normal_distribution<float> normal;
    std::vector<std::uint32_t> references;
    for (std::uint32_t i = 0; i < kImages; ++i) {
      for (std::size_t k = 0; k < kWidth; ++k) images.push_back(normal(random));
      std::vector<std::uint32_t> own;
      for (std::size_t r = 0; r < kReferences; ++r) own.push_back(caption_near(i, .3f, random));
      for (std::size_t c = 0; c < kPerImage; ++c) add_candidate(i, own, random);
    }
  }

  std::uint32_t caption_near(std::uint32_t image, float distance, std::mt19937& random) {
    std::normal_distribution<float> normal;
    for (std::size_t k = 0; k < kWidth; ++k)
      captions.push_back(images[image * kWidth + k] + distance * normal(random));
    return static_cast<std::uint32_t>(captions.size() / kWidth - 1);
  }

  void add_candidate(std::uint32_t image, const std::vector<std::uint32_t>& own, std::mt19937& random) {
    std::normal_distribution<float> normal;
    const std::uint32_t row = caption_near(image, .3f + 2 * static_cast<float>(random() % 100) / 100, random);
    double squares = 0;
    for (std::size_t k = 0; k < kWidth; ++k) {
      const double apart = captions[row * kWidth + k] - images[image * kWidth + k];
      squares += apart * apart;
    }
    const double truth = std::exp(-std::sqrt(squares) / 4);
    deneb::Samples& to = image % 4 == 3 ? validation : training;
    to.images.push_back(image);
    to.candidates.push_back(row);
    to.references.insert(to.references.end(), own.begin(), own.end());
    to.ends.push_back(to.references.size());
    const float judged = std::clamp(static_cast<float>(truth) + .05f * normal(random), 0.0f, 1.0f);
    to.scores.push_back(std::round(judged * 4) / 4);
    if (&to == &validation) nearness.push_back(truth);
  }
};

TEST(DenebTrainingRun, ComesNearTheBestThatCanBeLearnt) {
  const KnownTruth world;
  for (const Architecture architecture : {Architecture::released, Architecture::paper, Architecture::polos}) {
    deneb::Recipe recipe = small_deneb(architecture);
    recipe.clip_width = recipe.sentence_width = KnownTruth::kWidth;
    recipe.sentence_layers = 1;
    recipe.width = 16;
    recipe.feed_forward = 32;
    recipe.hidden = {32, 16};
    recipe.dropout = .05;
    recipe.rate = 3e-3;
    recipe.batch = 16;
    recipe.most_gradient = 1;
    deneb::Features features;
    features.images = {KnownTruth::kWidth, 1, world.images};
    features.captions = {KnownTruth::kWidth, 1, world.captions};
    features.sentences = features.captions;
    const auto network = deneb_maker().make(recipe, "cpu", 3, 1);
    const auto tables = network->load(features);
    const std::vector<double> people(world.validation.scores.begin(), world.validation.scores.end());
    const auto tau = [&] {
      return stats::kendall(network->predict(*tables, world.validation, {}, {}), people).tau_c;
    };
    const double before = tau(), best = stats::kendall(world.nearness, people).tau_c;
    for (std::uint64_t epoch = 0; epoch < 10; ++epoch)
      network->train(*tables, world.training, all_of(world.training), epoch, {});
    const double after = tau();
    EXPECT_GT(best, .7);
    EXPECT_LT(std::fabs(before), .5 * best);
    EXPECT_GT(after, .9 * best) << deneb::kArchitectureNames[static_cast<std::size_t>(architecture)];
  }
}

TEST(DenebTrainingRun, StopsWhereNumbersEnd) {
  const deneb::Recipe recipe = small_deneb(Architecture::released);
  SmallFeatures given(recipe, 4, 8, 2);
  std::fill(given.images.begin(), given.images.end(), std::numeric_limits<float>::quiet_NaN());
  const auto network = random_network(recipe, 4);
  const deneb::Samples samples = random_samples(5, 4, 8, 3, 6);
  const auto tables = network->load(given.features);
  EXPECT_EQ(message_of<DataError>([&] { network->train(*tables, samples, all_of(samples), 1, {}); }),
            "training went astray: the loss is no number after 1 steps; give a smaller --rate, or look for "
            "features that are not finite");
}

TEST(DenebTrainingRun, TellsHowFarItIs) {
  deneb::Recipe recipe = small_deneb(Architecture::polos);
  recipe.batch = 4;
  const SmallFeatures given(recipe, 4, 8, 2);
  const auto network = random_network(recipe, 4);
  const deneb::Samples samples = random_samples(9, 4, 8, 3, 6);
  std::vector<std::size_t> told;
  const auto note = [&](std::size_t done, std::size_t total) {
    EXPECT_EQ(total, 9u);
    told.push_back(done);
  };
  const auto tables = network->load(given.features);
  network->train(*tables, samples, all_of(samples), 1, note);
  EXPECT_EQ(told, (std::vector<std::size_t>{4, 8, 9}));
}

}  // namespace
}  // namespace capella::test
