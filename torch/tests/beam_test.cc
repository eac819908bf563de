// Beam search against the twin, which tries every word after every caption and begins each anew.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "small_generator.h"
#include "support/message_of.h"

namespace capella::test {
namespace {

using method::pregen::BeamOptions;

class BeamTest : public ::testing::TestWithParam<Architecture> {};

void expect_as_the_twin(const Generator& generator, const CaptionData& data, const BeamOptions& options) {
  const auto found = generator.generate(data, options, {});
  ASSERT_EQ(found.size(), data.image_count());
  const reference::GeneratorNetwork twin = twin_of(generator);
  for (std::size_t image = 0; image < data.image_count(); ++image) {
    const auto expected = reference::beam_search(twin, data.feature(image), options);
    EXPECT_EQ(found[image].ids, expected.ids) << "image " << image << " width " << options.width;
    EXPECT_NEAR(found[image].log2_probability, expected.log2_probability,
                1e-5 * std::fabs(expected.log2_probability) + 1e-5);
  }
}

TEST_P(BeamTest, FindsTheTwinsCaptions) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto generator = random_generator(small_recipe(GetParam(), 14, 6), seed, 1.0f);
    const CaptionData data = random_captions(6, 5, 14, seed);
    for (const std::size_t width : {1, 3, 5, 40}) {
      BeamOptions options;
      options.width = width;
      options.most_words = 12;
      expect_as_the_twin(*generator, data, options);
    }
  }
}

TEST_P(BeamTest, KeepsToTheLeastAndTheMostWords) {
  const auto generator = random_generator(small_recipe(GetParam(), 14, 6), 5, .4f);
  const CaptionData data = random_captions(8, 5, 14, 5);
  for (const std::size_t least : {0, 2, 4, 7}) {
    for (const std::size_t most : {1, 3, 7}) {
      BeamOptions options;
      options.least_words = least;
      options.most_words = most;
      expect_as_the_twin(*generator, data, options);
      for (const auto& caption : generator->generate(data, options, {})) {
        EXPECT_LE(caption.ids.size(), most);
        EXPECT_GE(caption.ids.size(), std::min(least, most));
      }
    }
  }
}

TEST_P(BeamTest, NeverSaysUnknownNorEndsTooEarly) {
  const Recipe recipe = small_recipe(GetParam(), 14, 6);
  const auto generator = random_generator(recipe, 5, .4f);
  auto arrays = generator->arrays(false);
  auto bias = std::find_if(arrays.begin(), arrays.end(), [](const auto& a) { return a.name == "nn/out/b"; });
  bias->values[1] = 50;  // unknown, always
  bias->values[0] = 40;  // the end, if not
  generator->set_arrays(arrays);
  const CaptionData data = random_captions(5, 5, 14, 5);
  expect_as_the_twin(*generator, data, {});
  for (const auto& caption : generator->generate(data, {}, {})) {
    EXPECT_EQ(caption.ids.size(), 4u);
    for (const std::int32_t id : caption.ids) EXPECT_GT(id, 1);
  }
}

TEST_P(BeamTest, AnEndThatNeverComesStopsAtTheMostWords) {
  const Recipe recipe = small_recipe(GetParam(), 14, 6);
  const auto generator = random_generator(recipe, 5, .4f);
  auto arrays = generator->arrays(false);
  auto bias = std::find_if(arrays.begin(), arrays.end(), [](const auto& a) { return a.name == "nn/out/b"; });
  bias->values[0] = -60;
  generator->set_arrays(arrays);
  const CaptionData data = random_captions(2, 5, 14, 5);
  expect_as_the_twin(*generator, data, {});
  for (const auto& caption : generator->generate(data, {}, {})) EXPECT_EQ(caption.ids.size(), 50u);
}

TEST_P(BeamTest, TiesGoAsTheAuthorsTuplesCompare) {
  // All logits are 0: every continuation is as likely, so the greatest ids win and ends beat words.
  const auto generator = random_generator(small_recipe(GetParam(), 9, 6), 5, 0.0f);
  const CaptionData data = random_captions(3, 5, 9, 5);
  for (const std::size_t width : {1, 3, 5}) {
    BeamOptions options;
    options.width = width;
    options.most_words = 6;
    expect_as_the_twin(*generator, data, options);
  }
  EXPECT_EQ(generator->generate(data, {}, {})[0].ids, (std::vector<std::int32_t>{8, 8, 8, 8}));
}

TEST_P(BeamTest, TiesBetweenWordsThatAreAlike) {
  // Words 2 and 12, 3 and 13, ... have the same weights.
  const auto generator = random_generator(small_recipe(GetParam(), 22, 6), 6, .7f);
  auto arrays = generator->arrays(false);
  for (NetworkArray& array : arrays) {
    const bool rows = array.name.ends_with("embedding_matrix");
    if (!rows && !array.name.starts_with("nn/out/")) continue;
    const std::size_t width = rows ? 6 : 22;
    for (std::size_t i = 0; i < array.values.size(); ++i) {
      const std::size_t word = rows ? i / width : i % width;
      if (word >= 12) array.values[i] = array.values[i - (rows ? 10 * width : 10)];
    }
  }
  generator->set_arrays(arrays);
  const CaptionData data = random_captions(6, 5, 22, 5);
  for (const std::size_t width : {1, 3, 5}) {
    BeamOptions options;
    options.width = width;
    options.most_words = 9;
    expect_as_the_twin(*generator, data, options);
  }
}

TEST_P(BeamTest, BatchesOfAnySizeGiveTheSameCaptions) {
  const auto generator = random_generator(small_recipe(GetParam(), 60, 24), 6, .5f, 2);
  const CaptionData data = random_captions(61, 5, 60, 5);
  const auto expected = generator->generate(data, {}, {});
  for (const std::size_t batch : {1, 2, 7, 61, 1000}) {
    BeamOptions options;
    options.batch = batch;
    const auto found = generator->generate(data, options, {});
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(found[i].ids, expected[i].ids) << batch;
      EXPECT_EQ(found[i].log2_probability, expected[i].log2_probability) << batch;
    }
  }
}

TEST_P(BeamTest, StepsAreToldAndNoImagesAreNoCaptions) {
  const auto generator = random_generator(small_recipe(GetParam()), 6, .5f);
  BeamOptions options;
  options.batch = 3;
  std::vector<std::size_t> told;
  generator->generate(random_captions(7, 5, 11, 5), options,
                      [&](std::size_t done, std::size_t) { told.push_back(done); });
  EXPECT_EQ(told, (std::vector<std::size_t>{3, 6, 7}));
  CaptionData none;
  none.width = 5;
  EXPECT_TRUE(generator->generate(none, options, {}).empty());
}

TEST(Beam, RefusesNothingToKeep) {
  const auto generator = random_generator(small_recipe(Architecture::init), 6, .5f);
  const CaptionData data = random_captions(2, 5, 11, 5);
  BeamOptions options;
  options.width = 0;
  EXPECT_EQ(message_of<UsageError>([&] { generator->generate(data, options, {}); }),
            "a beam of 0 captions; give a positive number");
  options = {};
  options.most_words = 0;
  EXPECT_EQ(message_of<UsageError>([&] { generator->generate(data, options, {}); }),
            "captions of at most 0 words; give a positive number");
}

TEST(Beam, WeightsThatAreNoNumbersAreRefused) {
  for (const char* name : {"nn/out/b", "nn/prefix/rnn/gru_cell/gates/kernel"}) {
    const auto generator = random_generator(small_recipe(Architecture::init, 40, 6), 6, .5f);
    auto arrays = generator->arrays(false);
    const auto array =
        std::find_if(arrays.begin(), arrays.end(), [&](const auto& a) { return a.name == name; });
    array->values[20] = std::nanf("");
    generator->set_arrays(arrays);
    EXPECT_EQ(message_of<DataError>([&] { generator->generate(random_captions(2, 5, 40, 5), {}, {}); }),
              "the network's weights give no probabilities; train it again");
  }
}

TEST(Beam, AWideBeamOfManyImagesIsTheTwins) {
  // Wider than the rows of a batch allow for more than a few images.
  const auto generator = random_generator(small_recipe(Architecture::par, 30, 6), 6, .5f, 2);
  const CaptionData data = random_captions(9, 5, 30, 5);
  BeamOptions options;
  options.width = 400;
  options.most_words = 5;
  expect_as_the_twin(*generator, data, options);
}

INSTANTIATE_TEST_SUITE_P(All, BeamTest, ::testing::ValuesIn(kArchitectures), name_of);

}  // namespace
}  // namespace capella::test
