// Probabilities and ranks against the twin.
#include <cmath>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "small_generator.h"
#include "support/message_of.h"

namespace capella::test {
namespace {

class ProbabilitiesTest : public ::testing::TestWithParam<Architecture> {};

// Ranks may differ where logits are as good as equal.
void expect_as_the_twin(const Generator& generator, const CaptionData& data) {
  const reference::GeneratorNetwork twin = twin_of(generator);
  const io::TokenProbabilities found = generator.probabilities(data, {});
  ASSERT_EQ(found.captions, data.captions);
  ASSERT_EQ(found.caption_count(), data.caption_count());
  for (std::size_t image = 0; image < data.image_count(); ++image) {
    for (std::size_t k = data.captions[image]; k < data.captions[image + 1]; ++k) {
      const auto words = data.caption(k);
      ASSERT_EQ(found.words[k + 1] - found.words[k], words.size() + 1);
      const auto logits = reference::generator_logits(twin, data.feature(image), words);
      for (std::size_t step = 0; step <= words.size(); ++step) {
        const auto target = static_cast<std::size_t>(step == words.size() ? 0 : words[step]);
        const double expected = reference::natural_softmax(logits[step])[target];
        const std::size_t at = found.words[k] + step;
        EXPECT_NEAR(found.probabilities[at], expected, 1e-5 * expected);
        std::uint32_t surely = 0, perhaps = 0;
        for (const double logit : logits[step]) {
          surely += logit > logits[step][target] + 1e-5 ? 1 : 0;
          perhaps += logit > logits[step][target] - 1e-5 ? 1 : 0;
        }
        EXPECT_GE(found.ranks[at], surely);
        EXPECT_LT(found.ranks[at], perhaps);  // which counts the word itself
      }
    }
  }
}

TEST_P(ProbabilitiesTest, AreTheTwins) {
  for (const std::size_t size : {1, 6, 16, 35}) {
    for (const std::size_t vocabulary : {3, 16, 50}) {
      const auto generator = random_generator(small_recipe(GetParam(), vocabulary, size), size, .5f);
      expect_as_the_twin(*generator, random_captions(12, 5, vocabulary, 6));
    }
  }
}

TEST_P(ProbabilitiesTest, OfManyCaptionsOnTwoThreads) {
  const auto generator = random_generator(small_recipe(GetParam(), 40, 16), 1, .5f, 2);
  expect_as_the_twin(*generator, random_captions(700, 5, 40, 6));
}

TEST_P(ProbabilitiesTest, AreWithoutDropout) {
  Recipe recipe = small_recipe(GetParam());
  recipe.image_dropout = recipe.embedding_dropout = recipe.state_dropout = .5;
  expect_as_the_twin(*random_generator(recipe, 1), random_captions(5, 5, 11, 6));
}

TEST_P(ProbabilitiesTest, WordsBeyondTheVocabularyAreUnknown) {
  const auto generator = random_generator(small_recipe(GetParam()), 1);
  CaptionData data = random_captions(5, 5, 11, 6);
  const std::size_t place = data.ids.size() / 2;
  data.ids[place] = 1;
  const auto expected = generator->probabilities(data, {});
  for (const std::int32_t beyond : {11, 5000, -3}) {
    data.ids[place] = beyond;
    const auto found = generator->probabilities(data, {});
    EXPECT_EQ(found.probabilities, expected.probabilities);
    EXPECT_EQ(found.ranks, expected.ranks);
  }
}

TEST_P(ProbabilitiesTest, EqualLogitsAreNotGreater) {
  // All words alike: every rank is 0, every probability 1 / vocabulary.
  const auto generator = random_generator(small_recipe(GetParam(), 19, 8), 1, 0.0f);
  const auto found = generator->probabilities(random_captions(5, 5, 19, 6), {});
  for (const std::uint32_t rank : found.ranks) EXPECT_EQ(rank, 0u);
  for (const double p : found.probabilities) EXPECT_NEAR(p, 1.0 / 19, 1e-7);
}

TEST_P(ProbabilitiesTest, AnImageOfZerosGivesNumbers) {
  const auto generator = random_generator(small_recipe(GetParam()), 1);
  CaptionData data = random_captions(2, 5, 11, 6);
  std::fill(data.features.begin(), data.features.begin() + 5, 0.0f);
  for (const double p : generator->probabilities(data, {}).probabilities) EXPECT_TRUE(p > 0 && p < 1);
}

TEST_P(ProbabilitiesTest, TheLengthOfAFeatureDoesNotMatter) {
  const auto generator = random_generator(small_recipe(GetParam()), 1);
  CaptionData data = random_captions(4, 5, 11, 6);
  const auto before = generator->probabilities(data, {});
  for (float& x : data.features) x *= 64;
  EXPECT_EQ(generator->probabilities(data, {}).probabilities, before.probabilities);
}

TEST_P(ProbabilitiesTest, OfNoCaptionsAreNone) {
  const auto generator = random_generator(small_recipe(GetParam()), 1);
  CaptionData data;
  data.width = 5;
  EXPECT_EQ(generator->probabilities(data, {}).caption_count(), 0u);
}

TEST_P(ProbabilitiesTest, FeaturesOfAnotherWidthAreRefused) {
  const auto generator = random_generator(small_recipe(GetParam()), 1);
  EXPECT_EQ(message_of<DataError>([&] { generator->probabilities(random_captions(2, 4, 11, 6), {}); }),
            "images have features of 4 numbers; this network reads 5: give the features that it was trained "
            "with");
}

INSTANTIATE_TEST_SUITE_P(All, ProbabilitiesTest, ::testing::ValuesIn(kArchitectures), name_of);

}  // namespace
}  // namespace capella::test
