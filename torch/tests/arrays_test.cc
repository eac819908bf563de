// What networks are made of: names, shapes and counts as the authors publish them, first weights, and arrays
// that go out and come back.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "small_generator.h"
#include "support/message_of.h"

extern "C" const capella::method::pregen::GeneratorMaker* capella_torch_generators(int version);

namespace capella::test {
namespace {

std::size_t count(const std::vector<NetworkArray>& arrays) {
  std::size_t total = 0;
  for (const NetworkArray& array : arrays) total += array.values.size();
  return total;
}

TEST(GeneratorArrays, AreAsManyNumbersAsPublished) {
  // Vocabularies and counts of the authors' results for Flickr8k, Flickr30k and COCO.
  const std::size_t vocabularies[] = {2539, 7415, 8792};
  const std::size_t published[3][4] = {{6274539, 6274539, 2942187, 1600747},
                                       {11272439, 11272439, 5443575, 3478007},
                                       {12683864, 12683864, 6149976, 4008152}};
  for (std::size_t set = 0; set < 3; ++set) {
    for (std::size_t kind = 0; kind < 4; ++kind) {
      const Recipe recipe = method::pregen::recipe(kArchitectures[kind], vocabularies[set], 4096);
      EXPECT_EQ(count(maker().make(recipe, "cpu", 1, 1)->arrays(false)), published[set][kind]);
    }
  }
}

TEST(GeneratorArrays, HaveTheAuthorsNamesAndShapes) {
  const auto listed = [](Architecture architecture) {
    std::string text;
    for (const NetworkArray& array : maker().make(small_recipe(architecture), "cpu", 1, 1)->arrays(false)) {
      text += array.name;
      for (const std::size_t extent : array.shape) text += " " + std::to_string(extent);
      text += "\n";
    }
    return text;
  };
  const std::string head = "nn/image/W 5 6\nnn/image/b 6\nnn/prefix/embedding/embedding_matrix 11 6\n";
  const std::string cell =
      "nn/prefix/rnn/gru_cell/gates/kernel 12 12\nnn/prefix/rnn/gru_cell/gates/bias 12\n"
      "nn/prefix/rnn/gru_cell/candidate/kernel 12 6\n"
      "nn/prefix/rnn/gru_cell/candidate/bias 6\n";
  const std::string wide_cell =
      "nn/prefix/rnn/gru_cell/gates/kernel 18 12\nnn/prefix/rnn/gru_cell/gates/bias 12\n"
      "nn/prefix/rnn/gru_cell/candidate/kernel 18 6\nnn/prefix/rnn/gru_cell/candidate/bias 6\n";
  const std::string learned = "nn/prefix/rnn/init_h 1 6\n";
  EXPECT_EQ(listed(Architecture::init), head + cell + "nn/out/W 6 11\nnn/out/b 11\n");
  EXPECT_EQ(listed(Architecture::pre), head + cell + "nn/out/W 6 11\nnn/out/b 11\n");
  EXPECT_EQ(listed(Architecture::par), head + learned + wide_cell + "nn/out/W 6 11\nnn/out/b 11\n");
  EXPECT_EQ(listed(Architecture::merge), head + learned + cell + "nn/out/W 12 11\nnn/out/b 11\n");
}

// The share of a matrix's numbers that are as large as the bound.
double share_on_bound(const NetworkArray& array, double bound) {
  const auto on = std::count_if(array.values.begin(), array.values.end(), [&](float x) {
    EXPECT_LE(std::fabs(x), static_cast<float>(bound));
    return std::fabs(x) == static_cast<float>(bound);
  });
  return static_cast<double>(on) / static_cast<double>(array.values.size());
}

TEST(GeneratorArrays, StartAsUnitNormalNumbersClipped) {
  Recipe recipe = small_recipe(Architecture::par, 500, 64);
  recipe.clip = .1;
  const auto arrays = maker().make(recipe, "cpu", 3, 1)->arrays(false);
  for (const NetworkArray& array : arrays) {
    if (array.shape.size() != 2 || array.values.size() < 10000) continue;
    const double outside = std::erfc(.1 / std::sqrt(2.0));  // of unit normal numbers: 92 %
    EXPECT_NEAR(share_on_bound(array, .1), outside, .01) << array.name;
    const auto below = std::count_if(array.values.begin(), array.values.end(), [](float x) { return x < 0; });
    EXPECT_NEAR(static_cast<double>(below) / static_cast<double>(array.values.size()), .5, .02) << array.name;
  }
  share_on_bound(array_named(arrays, "nn/prefix/rnn/init_h"), .1);
}

TEST(GeneratorArrays, StartAsXavierNormalNumbersClipped) {
  Recipe recipe = small_recipe(Architecture::init, 500, 64);
  recipe.xavier = true;
  recipe.clip = .01;
  const auto arrays = maker().make(recipe, "cpu", 3, 1)->arrays(false);
  for (const NetworkArray& array : arrays) {
    if (array.shape.size() != 2 || array.values.size() < 10000) continue;
    // Normal numbers of deviation d, none beyond 2 d; d^2 = 1.3 * 2 / (rows + columns).
    const double deviation = std::sqrt(2.6 / static_cast<double>(array.shape[0] + array.shape[1]));
    const double beyond = std::erfc(std::sqrt(2.0));
    const double expected = (std::erfc(.01 / deviation / std::sqrt(2.0)) - beyond) / (1 - beyond);
    EXPECT_NEAR(share_on_bound(array, .01), expected, .01) << array.name;
  }
  recipe.clip = 10;  // none is clipped
  const NetworkArray matrix = array_named(maker().make(recipe, "cpu", 3, 1)->arrays(false), "nn/out/W");
  const double deviation = std::sqrt(2.6 / 564);
  double squares = 0, most = 0;
  for (const float x : matrix.values) {
    squares += static_cast<double>(x) * x;
    most = std::max(most, std::fabs(static_cast<double>(x)));
  }
  EXPECT_LE(most, 2 * deviation * 1.0001);
  EXPECT_GT(most, 1.95 * deviation);
  // A normal number cut off at two deviations has .7737 of the variance.
  EXPECT_NEAR(squares / static_cast<double>(matrix.values.size()), .7737 * deviation * deviation,
              .02 * deviation * deviation);
}

TEST(GeneratorArrays, VectorsStartAtZeroAndGatesAtOne) {
  for (const Architecture architecture : kArchitectures) {
    for (const NetworkArray& array : maker().make(small_recipe(architecture), "cpu", 5, 1)->arrays(false)) {
      if (array.shape.size() != 1) continue;
      const float expected = array.name.ends_with("gates/bias") ? 1.0f : 0.0f;
      for (const float x : array.values) EXPECT_EQ(x, expected) << array.name;
    }
  }
}

TEST(GeneratorArrays, DependOnTheSeedAlone) {
  const Recipe recipe = small_recipe(Architecture::merge);
  const auto first = maker().make(recipe, "cpu", 7, 1)->arrays(false);
  const auto again = maker().make(recipe, "cpu", 7, 2)->arrays(false);
  const auto other = maker().make(recipe, "cpu", 8, 1)->arrays(false);
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].values, again[i].values);
    if (first[i].shape.size() == 2) {
      EXPECT_NE(first[i].values, other[i].values);
    }
  }
  EXPECT_NE(first[0].values, std::vector<float>(first[2].values.begin(), first[2].values.begin() + 30));
}

TEST(GeneratorArrays, ComeBackWithTheOptimiser) {
  Recipe recipe = small_recipe(Architecture::par);
  recipe.batch = 4;
  const CaptionData data = random_captions(6, 5, 11, 1);
  const auto trained = maker().make(recipe, "cpu", 1, 1);
  trained->train_epoch(data, all_captions(data), 10, 1, {});
  const auto kept = trained->arrays(true);
  EXPECT_EQ(kept.size(), 10u + 2 * 10 + 1);
  EXPECT_EQ(array_named(kept, "adam/steps").values.front(),
            static_cast<float>((data.caption_count() + 3) / 4));
  const auto other = maker().make(recipe, "cpu", 2, 1);
  other->set_arrays(kept);
  const auto back = other->arrays(true);
  ASSERT_EQ(back.size(), kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    EXPECT_EQ(back[i].name, kept[i].name);
    EXPECT_EQ(back[i].shape, kept[i].shape);
    EXPECT_EQ(back[i].values, kept[i].values);
  }
}

TEST(GeneratorArrays, WithoutTheOptimiserItStartsAnew) {
  const Recipe recipe = small_recipe(Architecture::init);
  const CaptionData data = random_captions(6, 5, 11, 1);
  const auto trained = maker().make(recipe, "cpu", 1, 1);
  trained->train_epoch(data, all_captions(data), 10, 1, {});
  trained->set_arrays(trained->arrays(false));
  for (const NetworkArray& array : trained->arrays(true)) {
    if (!array.name.starts_with("adam/")) continue;
    for (const float x : array.values) EXPECT_EQ(x, 0.0f) << array.name;
  }
}

TEST(GeneratorArrays, ThatDoNotFitAreNamed) {
  const auto generator = maker().make(small_recipe(Architecture::init), "cpu", 1, 1);
  const auto good = generator->arrays(false);
  auto arrays = good;
  arrays.erase(arrays.begin());
  EXPECT_EQ(message_of<DataError>([&] { generator->set_arrays(arrays); }),
            "array 'nn/image/W' is missing; the network needs it with the shape 5 x 6");
  arrays = maker().make(small_recipe(Architecture::init, 12), "cpu", 2, 1)->arrays(false);
  EXPECT_EQ(
      message_of<DataError>([&] { generator->set_arrays(arrays); }),
      "array 'nn/prefix/embedding/embedding_matrix' has the shape 12 x 6 (72 numbers), expected 11 x 6; "
      "is it of a network of another kind, size or vocabulary?");
  EXPECT_EQ(generator->arrays(false)[0].values, good[0].values) << "half of the arrays were taken";
  arrays = good;
  arrays.push_back({"nn/prefix/rnn/init_h", {1, 6}, std::vector<float>(6)});
  EXPECT_EQ(message_of<DataError>([&] { generator->set_arrays(arrays); }),
            "array 'nn/prefix/rnn/init_h' is not one that a network of the kind 'init' has");
  arrays = good;
  arrays.push_back(good[0]);
  EXPECT_EQ(message_of<DataError>([&] { generator->set_arrays(arrays); }),
            "array 'nn/image/W' is there twice; a network has each once");
  arrays = generator->arrays(true);
  arrays.pop_back();
  EXPECT_EQ(message_of<DataError>([&] { generator->set_arrays(arrays); }),
            "array 'adam/steps' is missing; the network needs it with the shape 1");
}

TEST(GeneratorMaker, RefusesWhatCannotBe) {
  Recipe recipe = small_recipe(Architecture::init);
  EXPECT_EQ(message_of<UsageError>([&] { maker().make(recipe, "tpu", 1, 1); }),
            "device 'tpu' is not known; there are cpu and cuda");
  recipe.vocabulary = 2;
  EXPECT_EQ(message_of<UsageError>([&] { maker().make(recipe, "cpu", 1, 1); }),
            "caption generator: its vocabulary has 2 entries; it needs the edge, the unknown word and at "
            "least one word");
  recipe = small_recipe(Architecture::init);
  recipe.state_dropout = 1;
  EXPECT_EQ(message_of<UsageError>([&] { maker().make(recipe, "cpu", 1, 1); }),
            "caption generator: a dropout of 1.000000 is not from 0 up to (but below) 1");
}

TEST(GeneratorMaker, TellsItsVersionAndWhatItIs) {
  EXPECT_EQ(capella_torch_generators(method::pregen::kPluginVersion + 1), nullptr);
  EXPECT_TRUE(maker().description().starts_with("libtorch ")) << maker().description();
}

}  // namespace
}  // namespace capella::test
