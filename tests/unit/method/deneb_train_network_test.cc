// The training loop of learned metrics, with a network that says what it is told to: when it stops, what it
// keeps, and that a killed run ends as one that was not.
#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "method/deneb/train_network.h"
#include "support/message_of.h"
#include "support/scripted_network.h"
#include "support/temp_dir.h"

namespace capella::method::deneb {
namespace {

using test::message_of;
using test::nine_numbers;
using test::ScriptedNetwork;

// Scores of four captions whose ratings are 0, .25, .5 and 1: tau-c is (pairs that agree - pairs that do not)
// / 6, as there are four different numbers on both sides.
const std::vector<double> kNone = {.5, .5, .5, .5};        // undefined
const std::vector<double> kWorst = {.9, .8, .7, .6};       // -1
const std::vector<double> kFourSixths = {.2, .1, .3, .4};  // one pair of six is wrong
const std::vector<double> kTwoSixths = {.2, .1, .4, .3};   // two pairs
const std::vector<double> kBest = {.1, .2, .3, .4};        // 1

Model start_model() {
  Model model;
  model.recipe = nine_numbers();
  model.encoders.sentence = EncoderFacts{"s", "1"};
  model.facts.seed = 5;
  model.facts.fingerprint = 6;
  return model;
}

class DenebTrainNetworkTest : public ::testing::Test {
 protected:
  using Script = std::vector<std::vector<double>>;

  DenebTrainNetworkTest() {
    for (std::uint32_t k = 0; k < 4; ++k) {
      data_.training.candidates.push_back(k);
      data_.training.references.push_back(k);
      data_.training.ends.push_back(k + 1);
    }
    data_.training.scores = {0, .25f, .5f, 1};
    data_.validation = data_.training;
  }

  TrainedNetwork train(Network& network, std::size_t most_epochs, const std::string& checkpoint = "") {
    TrainingLoop loop;
    loop.most_epochs = most_epochs;
    loop.checkpoint = checkpoint;
    return train_network(network, start_, data_, loop);
  }

  // The model's bytes after so many epochs at most; a checkpoint that is there is used.
  std::string trained_bytes(const Script& script, std::size_t most_epochs, const std::string& checkpoint) {
    ScriptedNetwork network(script);
    return model_bytes(train(network, most_epochs, checkpoint).model, NetworkFile::model);
  }

  std::vector<double> agreements(const TrainedNetwork& trained) const {
    std::vector<double> all;
    for (const TrainingEpoch& epoch : trained.model.facts.epochs) all.push_back(epoch.agreement);
    return all;
  }

  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  Model start_ = start_model();
  TrainingData data_;
  test::TempDir folder_;
};

TEST_F(DenebTrainNetworkTest, MeasuresEpochs) {
  ScriptedNetwork network({kWorst, kTwoSixths, kFourSixths, kBest});
  const TrainedNetwork trained = train(network, 3);
  const std::vector<double> found = agreements(trained);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_DOUBLE_EQ(found[0], -1);
  EXPECT_DOUBLE_EQ(found[1], 2.0 / 6);
  EXPECT_DOUBLE_EQ(found[2], 4.0 / 6);
  EXPECT_DOUBLE_EQ(found[3], 1);
  EXPECT_TRUE(std::isnan(trained.model.facts.epochs[0].loss));
  EXPECT_DOUBLE_EQ(trained.model.facts.epochs[2].loss, 1.5);
  EXPECT_EQ(trained.model.facts.best_epoch, 3u);
  EXPECT_EQ(network.frozen, 1u);
  EXPECT_FALSE(trained.resumed);
}

TEST_F(DenebTrainNetworkTest, StopsAtTheFirstEpochThatDoesNotImprove) {
  for (const auto& next : {kTwoSixths, kFourSixths, kNone}) {  // worse, equal, undefined
    ScriptedNetwork network({kWorst, kTwoSixths, kFourSixths, next, kBest});
    const TrainedNetwork trained = train(network, 100);
    EXPECT_EQ(trained.model.facts.epochs.size(), 4u);
    EXPECT_EQ(trained.model.facts.best_epoch, 2u);
    ScriptedNetwork same({kWorst, kTwoSixths, kFourSixths});
    const TrainedNetwork expected = train(same, 2);
    ASSERT_EQ(trained.model.arrays.size(), 1u);  // none of the optimiser
    EXPECT_EQ(trained.model.arrays[0].values, expected.model.arrays[0].values);
    EXPECT_EQ(network.arrays(false)[0].values, expected.model.arrays[0].values);
  }
}

TEST_F(DenebTrainNetworkTest, PatienceWaitsForABetterEpoch) {
  start_.facts.patience = 3;
  ScriptedNetwork network({kWorst, kFourSixths, kTwoSixths, kWorst, kBest, kWorst, kWorst, kWorst, kBest});
  const TrainedNetwork trained = train(network, 100);
  EXPECT_EQ(trained.model.facts.epochs.size(), 8u);  // epochs 0 to 7
  EXPECT_EQ(trained.model.facts.best_epoch, 4u);
  ScriptedNetwork same({kWorst, kFourSixths, kTwoSixths, kWorst, kBest});
  EXPECT_EQ(trained.model.arrays[0].values, train(same, 4).model.arrays[0].values);
}

// As the authors' program has it: what an untrained network says is no measure.
TEST_F(DenebTrainNetworkTest, TheFirstEpochIsBetterThanNone) {
  ScriptedNetwork network({kBest, kWorst, kWorst});
  EXPECT_EQ(train(network, 100).model.facts.best_epoch, 1u);
  ScriptedNetwork undefined({kBest, kNone, kWorst, kWorst});
  const TrainedNetwork trained = train(undefined, 100);
  EXPECT_EQ(trained.model.facts.best_epoch, 2u);
  EXPECT_EQ(trained.model.facts.epochs.size(), 4u);
  ScriptedNetwork untrained({kWorst});
  EXPECT_EQ(train(untrained, 0).model.facts.epochs.size(), 1u);
}

// Four captions are two pairs, each the only one of its category.
TEST_F(DenebTrainNetworkTest, DecidesPairs) {
  start_.facts.measure = Measure::accuracy;
  data_.validation.scores.clear();
  data_.preferences = {2, {{0, 1}, {1, 0}}};
  start_.facts.patience = 9;
  ScriptedNetwork network({{.1, .2, .4, .3}, {.2, .1, .3, .4}, kNone, kBest, {.3, .4, .9, .8}});
  const TrainedNetwork trained = train(network, 4);
  EXPECT_EQ(agreements(trained), (std::vector<double>{1, 0, 0, .5, 1}));
  EXPECT_EQ(trained.model.facts.best_epoch, 4u);
  EXPECT_EQ(trained.model.facts.measure, Measure::accuracy);
}

TEST(DenebAgreement, IsTheMeanOverCategoriesNotOverPairs) {
  const std::vector<double> scores = {1, 0, 1, 0, 0, 1, 1, 0};  // right, right, wrong; right
  EXPECT_DOUBLE_EQ(agreement(scores, Preferences{2, {{0, 0}, {0, 0}, {0, 0}, {1, 0}}}), (2.0 / 3 + 1) / 2);
  EXPECT_TRUE(std::isnan(agreement(scores, Preferences{3, {{0, 0}, {0, 0}, {0, 0}, {1, 0}}})));
}

TEST_F(DenebTrainNetworkTest, EpochsOfSomeRowsGoOnWhereTheLastEnded) {
  start_.facts.rows_per_epoch = 3;
  start_.facts.patience = 99;
  const Script script = {kWorst, kTwoSixths, kFourSixths, kBest};
  ScriptedNetwork network(script);
  train(network, 4);
  ASSERT_EQ(network.rows.size(), 12u);  // three times all four rows
  for (auto pass = network.rows.begin(); pass != network.rows.end(); pass += 4) {
    std::vector<std::uint32_t> sorted(pass, pass + 4);
    std::ranges::sort(sorted);
    EXPECT_EQ(sorted, (std::vector<std::uint32_t>{0, 1, 2, 3}));
  }
  const std::string expected = trained_bytes(script, 4, "");
  trained_bytes(script, 2, path("c"));
  EXPECT_TRUE(trained_bytes(script, 4, path("c")) == expected);
}

TEST_F(DenebTrainNetworkTest, OrdersDifferByEpochAndSeedAlone) {
  const Script script = {kWorst, kTwoSixths, kFourSixths, kBest};
  const std::string first = trained_bytes(script, 3, "");
  EXPECT_EQ(trained_bytes(script, 3, ""), first);
  start_.facts.seed = 7;
  EXPECT_NE(trained_bytes(script, 3, ""), first);
}

// The child ends itself without warning, before an epoch.
TEST_F(DenebTrainNetworkTest, AKilledRunEndsAsOneThatWasNot) {
  start_.facts.patience = 2;
  for (const Script& script : {Script{kWorst, kTwoSixths, kWorst, kFourSixths, kNone, kBest},
                               Script{kWorst, kFourSixths, kWorst, kTwoSixths, kBest}}) {
    const std::string expected = trained_bytes(script, 5, "");
    for (const std::size_t killed : {1u, 2u, 3u, 4u, 5u}) {
      const std::string checkpoint = path("killed.checkpoint");
      std::filesystem::remove(checkpoint);
      if (script.size() == 5 && killed > 3) continue;  // it has ended before
      EXPECT_EXIT(
          {
            ScriptedNetwork network(script, [&](std::size_t epoch) {
              if (epoch == killed) std::raise(SIGKILL);
            });
            train(network, 5, checkpoint);
          },
          ::testing::KilledBySignal(SIGKILL), "");
      EXPECT_EQ(read_checkpoint(checkpoint).facts.epochs.size(), killed);
      EXPECT_TRUE(trained_bytes(script, 5, checkpoint) == expected) << killed;
    }
  }
}

TEST_F(DenebTrainNetworkTest, ARunThatEndedBeforeItsModelWasWrittenTrainsNoMore) {
  const Script script = {kWorst, kFourSixths, kWorst};
  const std::string expected = trained_bytes(script, 9, path("c"));
  ScriptedNetwork network(script, [](std::size_t) { FAIL(); });
  const TrainedNetwork again = train(network, 9, path("c"));
  EXPECT_TRUE(again.resumed);
  EXPECT_EQ(network.frozen, 0u);  // they are in the checkpoint
  EXPECT_TRUE(model_bytes(again.model, NetworkFile::model) == expected);
}

TEST_F(DenebTrainNetworkTest, RefusesCheckpointsOfOtherTrainings) {
  trained_bytes({kWorst, kTwoSixths, kBest}, 2, path("c"));
  const auto problem = [&](auto change) {
    start_ = start_model();
    change(start_);
    ScriptedNetwork network({kWorst});
    const std::string message = message_of<FileError>([&] { train(network, 9, path("c")); });
    EXPECT_TRUE(message.starts_with(path("c")));
    EXPECT_NE(message.find("--restart"), std::string::npos) << message;
    return message;
  };
  EXPECT_NE(problem([](Model& m) { m.facts.seed = 8; }).find("another seed"), std::string::npos);
  EXPECT_NE(problem([](Model& m) { m.facts.rows_per_epoch = 2; }).find("another number of rows"),
            std::string::npos);
  EXPECT_NE(problem([](Model& m) { m.recipe.scale_vectors = true; }).find("scale-vectors no instead of yes"),
            std::string::npos);
  EXPECT_NE(problem([](Model& m) { m.facts.fingerprint = 8; }).find("other captions"), std::string::npos);
  const std::string several = problem([](Model& m) {
    m.recipe.rate = 1;
    m.recipe.dropout = m.recipe.mix_dropout = .5;
    m.recipe.total_steps = 9;
  });
  EXPECT_NE(several.find("is of other options: dropout 0.1 instead of 0.5, rate 3e-05 instead of 1; give"),
            std::string::npos)
      << several;
  EXPECT_NE(problem([](Model& m) { m.recipe.mix_dropout = .5; }).find("mix-dropout 0.1 instead of 0.5"),
            std::string::npos);
  EXPECT_NE(problem([](Model& m) { m.recipe.total_steps = 9; }).find("after 0 steps instead of 9"),
            std::string::npos);
  EXPECT_NE(problem([](Model& m) { m.recipe.architecture = Architecture::paper; }).find("architecture"),
            std::string::npos);
  EXPECT_NE(problem([](Model& m) { m.encoders.sentence->fingerprint = "2"; }).find("other encoders"),
            std::string::npos);
  start_ = start_model();
  ScriptedNetwork network({kWorst});
  EXPECT_NE(message_of<FileError>([&] { train(network, 1, path("c")); }).find("is of 2 epochs"),
            std::string::npos);
}

TEST_F(DenebTrainNetworkTest, ACheckpointWhoseArraysDoNotFitIsNamed) {
  trained_bytes({kWorst, kBest}, 1, path("c"));
  Model checkpoint = read_checkpoint(path("c"));
  for (NetworkArray& array : checkpoint.arrays) {
    if (array.name == "trace") array.name = "trice";
  }
  write_model(path("c"), checkpoint, NetworkFile::checkpoint);
  ScriptedNetwork network({kWorst});
  EXPECT_NE(message_of<FileError>([&] {
              train(network, 3, path("c"));
            }).find("there is no array 'trace'; begin anew"),
            std::string::npos);
}

TEST(DenebFingerprint, ChangesWithEverySample) {
  Samples samples;
  samples.candidates = {1};
  samples.references = {2, 3};
  samples.ends = {2};
  samples.scores = {.5f};
  const std::uint64_t before = fingerprint(samples, 1);
  EXPECT_EQ(fingerprint(samples, 1), before);
  EXPECT_NE(fingerprint(samples, 2), before);
  samples.scores[0] = .25f;
  EXPECT_NE(fingerprint(samples, 1), before);
  EXPECT_EQ(fingerprint(Preferences{}, before), before);
  EXPECT_NE(fingerprint(Preferences{2, {{0, 1}}}, 1), fingerprint(Preferences{2, {{1, 0}}}, 1));
}

}  // namespace
}  // namespace capella::method::deneb
