// The training loop, with a generator that counts words: when it stops, what it keeps, and that a killed run
// ends as one that was not.
#include "method/pregen/train_generator.h"

#include <cmath>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "base/file.h"
#include "support/count_generator.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::method::pregen {
namespace {

using test::CountGenerator;
using test::message_of;

// One image, whose captions are all "a b".
CaptionData one_image(std::size_t captions) {
  CaptionData data;
  data.features = {1};
  data.width = 1;
  for (std::size_t k = 0; k < captions; ++k) {
    data.ids.insert(data.ids.end(), {2, 3});
    data.words.push_back(data.ids.size());
  }
  data.captions.push_back(captions);
  return data;
}

GeneratorModel start_model() {
  GeneratorModel model;
  model.vocabulary = Vocabulary({"<EDG>", "<UNK>", "a", "b"});
  model.recipe = recipe(Architecture::init, 4, 1);
  model.recipe.size = 2;
  model.facts.seed = 5;
  model.facts.fingerprint = 6;
  return model;
}

class TrainGeneratorTest : public ::testing::Test {
 protected:
  TrainedGenerator train(Generator& generator, std::size_t most_epochs, const std::string& checkpoint = "") {
    TrainingLoop loop;
    loop.most_epochs = most_epochs;
    loop.checkpoint = checkpoint;
    return train_generator(generator, start_, training_, validation_, loop);
  }

  // The model's bytes after so many epochs at most; a checkpoint that is there is used.
  std::string trained_bytes(std::size_t most_epochs, std::size_t worse_from, const std::string& checkpoint) {
    CountGenerator generator(start_.recipe, worse_from);
    return generator_bytes(train(generator, most_epochs, checkpoint).model, GeneratorFile::model);
  }

  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  GeneratorModel start_ = start_model();
  CaptionData training_ = one_image(3);
  CaptionData validation_ = one_image(1);
  test::TempDir folder_;
};

// With n captions seen, each word has the probability (n + 1) / (n + 4), so that is the inverse of the
// perplexity.
TEST_F(TrainGeneratorTest, MeasuresEpochs) {
  CountGenerator generator(start_.recipe);
  const TrainedGenerator trained = train(generator, 2);
  const std::vector<TrainingEpoch>& epochs = trained.model.facts.epochs;
  ASSERT_EQ(epochs.size(), 3u);
  EXPECT_TRUE(std::isnan(epochs[0].loss));
  EXPECT_DOUBLE_EQ(epochs[0].log2_perplexity, 2);
  EXPECT_DOUBLE_EQ(std::exp2(epochs[1].log2_perplexity), 7.0 / 4);
  EXPECT_DOUBLE_EQ(std::exp2(epochs[2].log2_perplexity), 10.0 / 7);
  EXPECT_EQ(epochs[2].loss, 0.5);
  EXPECT_EQ(trained.model.facts.best_epoch, 2u);
  EXPECT_FALSE(trained.resumed);
}

TEST_F(TrainGeneratorTest, StopsAtTheFirstRiseAndKeepsWhatWasBefore) {
  CountGenerator generator(start_.recipe, 4);
  const TrainedGenerator trained = train(generator, 100);
  EXPECT_EQ(trained.model.facts.epochs.size(), 5u);  // epochs 0 to 4
  EXPECT_EQ(trained.model.facts.best_epoch, 3u);
  CountGenerator same(start_.recipe);
  const TrainedGenerator expected = train(same, 3);
  ASSERT_EQ(trained.model.arrays.size(), 2u);  // none of the optimiser
  for (std::size_t k = 0; k < 2; ++k)
    EXPECT_EQ(trained.model.arrays[k].values, expected.model.arrays[k].values);
  EXPECT_EQ(generator.arrays(false)[1].values, expected.model.arrays[1].values);
}

TEST_F(TrainGeneratorTest, EqualCountsAsBetter) {
  training_ = one_image(1);
  training_.ids = {1, 1};                      // unknown words say nothing about a and b ...
  CountGenerator generator(start_.recipe, 1);  // ... and nothing is ever learnt
  const TrainedGenerator trained = train(generator, 4);
  EXPECT_EQ(trained.model.facts.epochs.size(), 5u);
  EXPECT_EQ(trained.model.facts.best_epoch, 4u);
}

TEST_F(TrainGeneratorTest, NoEpochsLeaveTheNetworkUntrained) {
  CountGenerator generator(start_.recipe);
  const TrainedGenerator trained = train(generator, 0);
  EXPECT_EQ(trained.model.facts.epochs.size(), 1u);
  EXPECT_EQ(trained.model.facts.best_epoch, 0u);
}

TEST_F(TrainGeneratorTest, OrdersDifferByEpochAndSeedAlone) {
  EXPECT_NE(epoch_seed(5, 1), epoch_seed(5, 2));
  EXPECT_NE(epoch_seed(5, 1), epoch_seed(6, 1));
  const std::string first = trained_bytes(5, 100, "");
  EXPECT_EQ(trained_bytes(5, 100, ""), first);
  start_.facts.seed = 7;
  EXPECT_NE(trained_bytes(5, 100, ""), first);
}

// The child ends itself without warning, in the middle of an epoch or right after one.
TEST_F(TrainGeneratorTest, AKilledRunEndsAsOneThatWasNot) {
  for (const std::size_t worse_from : {100u, 5u}) {
    const std::string expected = trained_bytes(6, worse_from, "");
    for (const std::size_t killed : {1u, 2u, 4u}) {
      const std::string checkpoint = path("killed.checkpoint");
      std::filesystem::remove(checkpoint);
      EXPECT_EXIT(
          {
            CountGenerator generator(start_.recipe, worse_from, [&](std::size_t epoch) {
              if (epoch == killed) std::raise(SIGKILL);
            });
            train(generator, 6, checkpoint);
          },
          ::testing::KilledBySignal(SIGKILL), "");
      EXPECT_EQ(read_generator(checkpoint, GeneratorFile::checkpoint).facts.epochs.size(), killed);
      EXPECT_TRUE(trained_bytes(6, worse_from, checkpoint) == expected) << killed;
    }
  }
}

TEST_F(TrainGeneratorTest, LosesNoMoreThanOneEpoch) {
  trained_bytes(3, 100, path("c"));
  std::size_t trained = 0;
  CountGenerator generator(start_.recipe, 100, [&](std::size_t) { ++trained; });
  EXPECT_TRUE(train(generator, 5, path("c")).resumed);
  EXPECT_EQ(trained, 2u);
}

TEST_F(TrainGeneratorTest, RefusesCheckpointsOfOtherTrainings) {
  trained_bytes(2, 100, path("c"));
  const auto problem = [&](const GeneratorModel& start) {
    CountGenerator generator(start.recipe);
    TrainingLoop loop;
    loop.checkpoint = path("c");
    const std::string message =
        message_of<FileError>([&] { train_generator(generator, start, training_, validation_, loop); });
    EXPECT_NE(message.find("--restart"), std::string::npos) << message;
    return message;
  };
  GeneratorModel other = start_;
  other.facts.seed = 8;
  EXPECT_NE(problem(other).find("another seed"), std::string::npos);
  other = start_;
  other.facts.fingerprint = 8;
  EXPECT_NE(problem(other).find("other captions"), std::string::npos);
  other = start_;
  other.recipe.batch = 8;
  EXPECT_NE(problem(other).find("batch"), std::string::npos);
  other = start_;
  other.recipe.architecture = Architecture::merge;
  EXPECT_NE(problem(other).find("architecture"), std::string::npos);
  write_file_atomically(path("c"), read_file(path("c")).substr(0, 300));
  EXPECT_NE(problem(start_).find("cut short"), std::string::npos);
}

TEST_F(TrainGeneratorTest, RefusesCheckpointsOfMoreEpochsThanAreAskedFor) {
  trained_bytes(3, 100, path("c"));
  const std::string three = trained_bytes(3, 100, path("c"));
  CountGenerator generator(start_.recipe);
  EXPECT_EQ(message_of<FileError>([&] { train(generator, 2, path("c")); }),
            path("c") +
                ": the checkpoint is of 3 epochs, but 2 at most are asked for; ask for 3 or more, or "
                "begin anew with --restart");
  EXPECT_EQ(trained_bytes(3, 100, path("c")), three);
  EXPECT_EQ(trained_bytes(4, 100, path("c")), trained_bytes(4, 100, ""));
}

TEST_F(TrainGeneratorTest, AFolderIsNoCheckpoint) {
  std::filesystem::create_directory(path("c"));
  CountGenerator generator(start_.recipe);
  EXPECT_NE(message_of<FileError>([&] { train(generator, 2, path("c")); }).find(path("c")),
            std::string::npos);
}

TEST_F(TrainGeneratorTest, ACheckpointWhoseArraysDoNotFitIsNamed) {
  trained_bytes(2, 100, path("c"));
  GeneratorModel checkpoint = read_generator(path("c"), GeneratorFile::checkpoint);
  for (NetworkArray& array : checkpoint.arrays) {
    if (array.name == "nn/counts") array.name = "nn/others";
  }
  write_generator(path("c"), checkpoint, GeneratorFile::checkpoint);
  CountGenerator generator(start_.recipe);
  const std::string message = message_of<FileError>([&] { train(generator, 3, path("c")); });
  EXPECT_NE(message.find("there is no array 'nn/counts'; begin anew"), std::string::npos);
}

TEST(Log2Perplexity, IsTheMeanOverCaptions) {
  io::TokenProbabilities table;
  table.captions = {0, 2};
  table.words = {0, 2, 3};
  table.probabilities = {.25, .5, .125};
  table.ranks = {0, 0, 0};
  EXPECT_DOUBLE_EQ(log2_perplexity(table), (1.5 + 3) / 2);
  table.probabilities[2] = 0;
  EXPECT_EQ(log2_perplexity(table), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace capella::method::pregen
