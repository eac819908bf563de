// Learned metrics on the CPU against the slow twin, for all architectures and variants; and that neither
// batches nor threads change a bit where they should not.
#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "capella/error.h"

#include "method/deneb/scorer.h"
#include "reference/deneb_reference.h"
#include "support/deneb_arrays.h"
#include "support/message_of.h"

namespace capella::method::deneb {
namespace {

using test::DenebArrays;
using test::DenebTables;

Recipe any_recipe() {
  const auto flag = [] { return *rc::gen::arbitrary<bool>(); };
  Recipe made = recipe(*rc::gen::element(Architecture::released, Architecture::paper, Architecture::polos));
  if (made.architecture == Architecture::polos) {
    made.references = flag() ? References::best : References::mean;
  } else {
    made.references = *rc::gen::element(References::together, References::best, References::mean);
    made.tokens = flag() ? TokenKind::raw : TokenKind::sim_vec;
    made.joiner = flag() ? Joiner::mlp : Joiner::transformer;
    made.cosine = flag();
  }
  made.scale_vectors = flag();
  made.mix = flag() ? MixStatistics::batch : MixStatistics::frozen;
  made.cut_references = flag();
  made.clip_width = *rc::gen::inRange<std::size_t>(0, 9);
  made.sentence_width = *rc::gen::inRange<std::size_t>(made.clip_width == 0 ? 1 : 0, 9);
  made.sentence_layers = *rc::gen::element<std::size_t>(1, 2, 4);
  made.image = made.clip_width > 0 && flag();
  made.width = *rc::gen::element<std::size_t>(16, 32);
  made.layers = *rc::gen::inRange<std::size_t>(1, 4);
  made.heads = *rc::gen::element<std::size_t>(1, 2, 4);
  made.feed_forward = *rc::gen::inRange<std::size_t>(1, 30);
  made.hidden = {*rc::gen::inRange<std::size_t>(1, 20), *rc::gen::inRange<std::size_t>(1, 20)};
  return made;
}

Model model_of(const Recipe& recipe, std::uint64_t seed) {
  Model model;
  model.recipe = recipe;
  model.arrays = DenebArrays(recipe, seed).arrays;
  return model;
}

TEST(DenebScorer, ScoresAsTheTwin) {
  EXPECT_TRUE(rc::check("scores", [] {
    const Recipe recipe = any_recipe();
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
    const Model model = model_of(recipe, seed);
    const DenebTables tables(recipe, 4, 11, seed + 1);
    const Samples samples = test::deneb_samples(*rc::gen::inRange<std::size_t>(1, 9), 4, 11, 4, seed + 2);
    std::vector<std::uint32_t> all(samples.size());
    std::iota(all.begin(), all.end(), 0u);
    const std::vector<double> expected =
        reference::deneb_scores(reference::DenebNetwork(recipe, model.arrays), tables.features, samples, all);
    ThreadPool pool(2);
    PredictOptions options;
    options.batch = samples.size();
    const std::vector<double> found = Scorer(model, "m").scores(tables.features, samples, options, pool, {});
    for (std::size_t k = 0; k < samples.size(); ++k) RC_ASSERT(std::abs(found[k] - expected[k]) < 5e-6);
  }));
}

TEST(DenebScorer, AScoreIsThatOfItsSampleAlone) {
  EXPECT_TRUE(rc::check("alone", [] {
    Recipe recipe = any_recipe();
    recipe.mix = MixStatistics::frozen;
    recipe.cut_references = false;
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
    const Model model = model_of(recipe, seed);
    const DenebTables tables(recipe, 4, 11, seed + 1);
    const Samples samples = test::deneb_samples(300, 4, 11, 7, seed + 2);
    const Scorer scorer(model, "m");
    ThreadPool one(1), three(3);
    const auto with = [&](std::size_t batch, ThreadPool& pool) {
      PredictOptions options;
      options.batch = batch;
      return scorer.scores(tables.features, samples, options, pool, {});
    };
    const std::vector<double> expected = with(1, one);
    RC_ASSERT(with(0, three) == expected);
    RC_ASSERT(with(300, one) == expected);
    RC_ASSERT(std::ranges::all_of(expected, [](double score) { return score >= 0 && score <= 1; }));
  }));
}

// Scores must differ, or the tests above see nothing.
TEST(DenebScorer, ScoresOfRandomNetworksDiffer) {
  for (const Architecture architecture : {Architecture::released, Architecture::paper, Architecture::polos}) {
    Recipe made = recipe(architecture);
    made.clip_width = 5;
    made.sentence_width = 6;
    made.sentence_layers = 3;
    made.width = 16;
    made.feed_forward = 20;
    made.hidden = {9, 7};
    const Model model = model_of(made, 3);
    const DenebTables tables(made, 4, 11, 4);
    const Samples samples = test::deneb_samples(20, 4, 11, 4, 5);
    ThreadPool pool(1);
    const auto scores = Scorer(model, "m").scores(tables.features, samples, {}, pool, {});
    const auto [least, most] = std::ranges::minmax(scores);
    EXPECT_GT(most - least, .01);
  }
}

// Tokens of the paper's network have kinds, not places; those of the released one have places.
TEST(DenebScorer, OnlyPlacesTellReferencesApart) {
  for (const Architecture architecture : {Architecture::released, Architecture::paper}) {
    Recipe made = recipe(architecture);
    made.clip_width = 5;
    made.sentence_width = 6;
    made.sentence_layers = 1;
    made.width = 16;
    made.feed_forward = 20;
    made.hidden = {9, 7};
    const Model model = model_of(made, 3);
    const DenebTables tables(made, 4, 11, 4);
    Samples samples = test::deneb_samples(1, 4, 11, 1, 5);
    samples.references = {1, 2, 3};
    samples.ends = {3};
    ThreadPool pool(1);
    const Scorer scorer(model, "m");
    const double before = scorer.scores(tables.features, samples, {}, pool, {})[0];
    samples.references = {3, 1, 2};
    const double after = scorer.scores(tables.features, samples, {}, pool, {})[0];
    if (architecture == Architecture::paper) {
      EXPECT_NEAR(after, before, 1e-6);
    } else {
      EXPECT_GT(std::abs(after - before), 1e-5);
    }
  }
}

TEST(DenebScorer, RefusesWhatDoesNotFit) {
  Recipe made = recipe(Architecture::released);
  made.clip_width = 5;
  made.sentence_width = 6;
  made.sentence_layers = 2;
  made.width = 16;
  made.feed_forward = 20;
  made.hidden = {9, 7};
  Model model = model_of(made, 3);
  const DenebTables tables(made, 4, 11, 4);
  ThreadPool pool(1);
  const auto problem = [&](const Features& features, const Samples& samples) {
    return test::message_of<DataError>([&] { Scorer(model, "m").scores(features, samples, {}, pool, {}); });
  };
  const Samples good = test::deneb_samples(3, 4, 11, 2, 5);
  Samples samples = good;
  samples.references[0] = 11;
  EXPECT_NE(problem(tables.features, samples).find("caption that has no vector"), std::string::npos);
  samples = good;
  samples.images[1] = 4;
  EXPECT_NE(problem(tables.features, samples).find("image that has no vector"), std::string::npos);
  samples = good;
  samples.ends[1] = samples.ends[0];
  EXPECT_NE(problem(tables.features, samples).find("sample 1 has no references"), std::string::npos);
  Features features = tables.features;
  features.images.width = 4;
  EXPECT_NE(problem(features, good).find("vectors of images have 1 x 4 numbers, the network reads 1 x 5"),
            std::string::npos);
  features = tables.features;
  features.tokens = {};
  EXPECT_NE(problem(features, good).find("sums"), std::string::npos);
  std::erase_if(model.arrays, [](const NetworkArray& array) { return array.name == kMixMean; });
  EXPECT_NE(problem(tables.features, good).find("keeps no statistics"), std::string::npos);
  model.arrays.pop_back();
  EXPECT_EQ(test::message_of<FileError>([&] { Scorer(model, "m.safetensors"); }),
            "m.safetensors: there is no array 'ff.linear_3.bias'; train the network again");
}

}  // namespace
}  // namespace capella::method::deneb
