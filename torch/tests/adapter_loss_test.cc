// The loss of an adapter's step by hand, its gradients by small differences, and captions in parts.
#include <algorithm>
#include <cmath>
#include <span>

#include <gtest/gtest.h>

#include "torch/tests/small_adapter_network.h"

namespace capella::test {
namespace {

using method::adapter_training::Reading;

TEST(AdapterTraining, LossIsThatOfTheVectors) {
  for (const std::size_t references : {1, 2, 3}) {
    Recipe recipe = small_recipe();
    recipe.references = references;
    recipe.reading = references == 3 ? Reading::first : Reading::mean;
    const Given given(7, 1 + references, 3);
    const auto network = make(recipe, 1);
    move_from_zero(*network, 5);
    const double expected = loss_by_hand(*network, given, {});
    EXPECT_GT(expected, .5);
    EXPECT_NEAR(network->step(given.captions, given.drawn), expected, 1e-5);
  }
}

// 1 - Pearson's correlation of scores and ratings, from the vectors alone.
double rated_loss_by_hand(const Network& network, const Given& given) {
  const std::vector<float> vectors = texts_of(network, given.captions);
  const auto& rated = given.drawn.rated;
  const auto count = static_cast<double>(rated.size());
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (std::size_t row = 0; row < rated.size(); ++row) {
    const double score =
        centroid_cosine(vectors, network.width(), rated.candidates[row], rated.references_of(row));
    const double rating = rated.ratings[row];
    x += score, y += rating, xx += score * score, yy += rating * rating, xy += score * rating;
  }
  return 1 - (xy - x * y / count) / std::sqrt((xx - x * x / count) * (yy - y * y / count));
}

TEST(AdapterTraining, RatedCaptionsAddWhatTheirCorrelationLacks) {
  Given given(7, 3, 3);
  given.add_rated(9);
  for (const double weight : {1.0, 2.5}) {
    Recipe recipe = small_recipe();
    recipe.rated_weight = weight;
    const auto network = make(recipe, 1);
    move_from_zero(*network, 5);
    const double rated = rated_loss_by_hand(*network, given);
    EXPECT_GT(rated, .1);
    const double expected = loss_by_hand(*network, given, {}) + weight * rated;
    EXPECT_NEAR(network->step(given.captions, given.drawn), expected, 2e-5);
  }
}

TEST(AdapterTraining, LearnsToScoreAsPeopleDo) {
  Given given(4, 3, 3);
  given.add_rated(12);
  Recipe recipe = small_recipe();
  recipe.rated_weight = 10;
  recipe.rate = .01;
  recipe.total_steps = 60;
  const auto network = make(recipe, 1);
  const double before = rated_loss_by_hand(*network, given);
  for (std::size_t step = 0; step < recipe.total_steps; ++step) network->step(given.captions, given.drawn);
  EXPECT_LT(rated_loss_by_hand(*network, given), before / 2);
}

TEST(AdapterTraining, EqualRatingsTeachNothing) {
  Given given(7, 3, 3);
  given.add_rated(5);
  for (double& rating : given.drawn.rated.ratings) rating = .5;
  const auto network = make(small_recipe(), 1);
  EXPECT_NEAR(network->step(given.captions, given.drawn),
              loss_by_hand(*make(small_recipe(), 1), given, {}) + 1, 1e-5);
  for (const NetworkArray& array : network->arrays(false)) {
    for (const float value : array.values) ASSERT_TRUE(std::isfinite(value)) << array.name;
  }
}

TEST(AdapterTraining, DoesNotTellApartWhatBelongsTogether) {
  Given given(7, 3, 3);
  given.drawn.captions[3 * 2 + 1] = given.drawn.captions[3 * 5];      // a reference is another's candidate
  given.drawn.captions[3 * 6 + 2] = given.drawn.captions[3 * 1 + 2];  // a reference is another's
  given.drawn.images[4] = 0;                                          // the same image again
  const auto network = make(small_recipe(), 1);
  const double all = loss_by_hand(*network, given, {});
  const double expected = loss_by_hand(*network, given, {{2, 5}, {6, 1}, {0, 4}});
  EXPECT_GT(std::fabs(all - expected), 1e-3);
  EXPECT_NEAR(network->step(given.captions, given.drawn), expected, 1e-5);
}

// The loss is the mean of logits that are cosines / temperature. With 32-bit floats a cosine, a few sums of
// products, is within some units of 2^-24, here 8, and the error d of a loss is this / temperature. A
// quotient of losses that are 2 h apart is within d / h, so (4 q(h) - q(2 h)) / 3 is within 1.5 d / h of the
// slope. 2 % are for its error of the fourth order.
TEST(AdapterTraining, GradientsAreSlopesOfTheLoss) {
  Given given(6, 3, 3);
  given.add_rated(6);
  for (const std::size_t chunk : {0, 20, 30}) {
    Recipe recipe = small_recipe();
    recipe.chunk = chunk;
    recipe.reading = chunk == 30 ? Reading::first : Reading::mean;
    recipe.temperature = .05;
    const auto network = make(recipe, 1);
    move_from_zero(*network, 5);
    const auto start = network->arrays(false);
    network->step(given.captions, given.drawn);
    const auto after = network->arrays(true);
    const auto moved = make(recipe, 2);
    const auto loss_at = [&](const NetworkArray& array, std::size_t i, float step) {
      std::vector<NetworkArray> arrays = start;
      for (NetworkArray& other : arrays) {
        if (other.name == array.name) other.values[i] += step;
      }
      moved->set_arrays(arrays);
      return moved->step(given.captions, given.drawn);
    };
    std::size_t checked = 0;
    for (const NetworkArray& array : start) {
      const NetworkArray& mean = named(after, "adam/m/" + array.name);
      const auto largest = std::max_element(mean.values.begin(), mean.values.end(),
                                            [](float a, float b) { return std::fabs(a) < std::fabs(b); });
      const auto i = static_cast<std::size_t>(largest - mean.values.begin());
      const double gradient = *largest / .1;
      if (std::fabs(gradient) < 2e-2) continue;
      const auto quotient = [&](float step) {
        return (loss_at(array, i, step) - loss_at(array, i, -step)) / (2 * static_cast<double>(step));
      };
      constexpr float kStep = 8e-3f;
      const double rounding = 1.5 * std::ldexp(8, -24) / recipe.temperature / kStep;
      const double slope = (4 * quotient(kStep) - quotient(2 * kStep)) / 3;  // without the error of 2nd order
      EXPECT_NEAR(gradient, slope, rounding + .02 * std::fabs(slope)) << array.name << " " << chunk;
      ++checked;
    }
    EXPECT_GT(checked, start.size() * 2 / 3);
  }
}

TEST(AdapterTraining, PartsOfABatchGiveWhatTheWholeGives) {
  Given given(9, 3, 7);
  given.add_rated(5);
  Recipe whole = small_recipe(), parts = small_recipe();
  whole.chunk = 100'000;
  parts.chunk = 25;  // two or three captions
  const auto one = make(whole, 1), other = make(parts, 1);
  for (Network* network : {one.get(), other.get()}) move_from_zero(*network, 5);
  EXPECT_NEAR(one->step(given.captions, given.drawn), other->step(given.captions, given.drawn), 1e-5);
  const auto expected = one->arrays(true), found = other->arrays(true);
  for (const NetworkArray& array : one->arrays(false)) {
    const auto& a = named(expected, "adam/m/" + array.name).values;
    const auto& b = named(found, "adam/m/" + array.name).values;
    double largest = 0;
    for (const float value : a) largest = std::max(largest, std::fabs(static_cast<double>(value)));
    ASSERT_GT(largest, 0);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-4 * largest) << array.name;
  }
}

// Sixteen bits while it learns: nearly the same loss and the same way down. Vectors that are asked for
// have 32.
TEST(AdapterTraining, LearnsWithSixteenBits) {
  const Given given(9, 3, 7);
  Recipe whole = small_recipe(), short_numbers = small_recipe();
  short_numbers.numbers = method::adapter_training::Numbers::bfloat16;
  for (const std::size_t chunk : {100'000, 25}) {
    whole.chunk = short_numbers.chunk = chunk;
    const auto one = make(whole, 1), other = make(short_numbers, 1);
    for (Network* network : {one.get(), other.get()}) move_from_zero(*network, 5);
    EXPECT_EQ(texts_of(*one, given.captions), texts_of(*other, given.captions));
    const double loss = one->step(given.captions, given.drawn);
    const double found = other->step(given.captions, given.drawn);
    EXPECT_NE(found, loss);
    EXPECT_NEAR(found, loss, .05 * loss);
    const auto expected = one->arrays(true), learnt = other->arrays(true);
    for (const NetworkArray& array : one->arrays(false)) {
      const auto& a = named(expected, "adam/m/" + array.name).values;
      const auto& b = named(learnt, "adam/m/" + array.name).values;
      double ab = 0, aa = 0, bb = 0;
      for (std::size_t i = 0; i < a.size(); ++i) {
        ab += static_cast<double>(a[i]) * b[i];
        aa += static_cast<double>(a[i]) * a[i];
        bb += static_cast<double>(b[i]) * b[i];
      }
      EXPECT_GT(ab / std::sqrt(aa * bb), .9) << array.name;
    }
  }
}

}  // namespace
}  // namespace capella::test
