// From files to files, with a generator that counts words.
#include "pipeline/pregen_generators.h"

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "base/file.h"
#include "io/npy.h"
#include "io/token_probabilities.h"
#include "support/count_generator.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::pipeline {
namespace {

using test::CountMaker;
using test::message_of;

// Three training images, one of each other split; `restval` is not learnt from.
constexpr const char* kDataSet = R"({"images": [
{"cocoid": 1, "split": "train", "sentences": [{"tokens": ["a", "dog", "runs"]}, {"raw": "A dog runs."}]},
{"cocoid": 2, "split": "restval", "sentences": [{"tokens": ["zebra", "zebra"]}]},
{"cocoid": 3, "split": "train", "sentences": [{"tokens": ["a", "dog", "sits"]}]},
{"cocoid": 4, "split": "val", "sentences": [{"tokens": ["a", "dog", "runs"]}, {"tokens": ["zebra"]}]},
{"filename": "5", "split": "test", "sentences": [{"tokens": ["a", "cat", "runs"]}, {"tokens": ["dog"]}]},
{"cocoid": 6, "split": "train", "sentences": [{"tokens": ["a"]}]}]})";

class PregenGeneratorsTest : public ::testing::Test {
 protected:
  PregenGeneratorsTest() {
    training_.inputs.dataset = run_.inputs.dataset = folder_.write("d.json", kDataSet);
    write_features(6);
    training_.inputs.features = run_.inputs.features = path("f.npy");
    training_.output = run_.model = path("m.safetensors");
    training_.least_count = 2;
    training_.most_epochs = 2;
    run_.output = path("out.json");
  }

  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  void write_features(std::size_t rows) const {
    folder_.write("f.npy", io::npy_bytes(std::vector<float>(2 * rows, 1), rows, 2));
  }

  test::TempDir folder_;
  GeneratorTraining training_;
  GeneratorRun run_;
  CountMaker maker_;
};

TEST_F(PregenGeneratorsTest, Trains) {
  std::vector<std::string> told;
  training_.tell = [&](const std::string& epoch) { told.push_back(epoch); };
  const GeneratorTrained trained = train_generator(training_, maker_);
  EXPECT_EQ(trained.architecture, "init");
  EXPECT_EQ(trained.vocabulary, 5u);  // a, dog and runs stand twice or more
  EXPECT_EQ(trained.training_images, 3u);
  EXPECT_EQ(trained.training_captions, 4u);
  EXPECT_EQ(trained.validation_images, 1u);
  EXPECT_EQ(trained.parameters, 2u * 512 + 512 + 5 * 512 + 1024 * 1536 + 1536 + 512 * 5 + 5);
  ASSERT_EQ(trained.epochs.size(), 3u);
  EXPECT_DOUBLE_EQ(trained.epochs[0].perplexity, 5);  // all words alike
  // a after the start 4 of 4 times, dog after a 3 of 4, runs after dog 2 of 3, the end after runs 2 of 2.
  EXPECT_NEAR(trained.epochs[1].perplexity, std::pow(9.0 / 5 * 9 / 4 * 8 / 3 * 7 / 3, .25), 1e-12);
  EXPECT_EQ(trained.best_epoch, 2u);
  EXPECT_EQ(told.size(), 3u);
  EXPECT_TRUE(told[0].starts_with("epoch 0: untrained, validation perplexity 5.000"));
  EXPECT_TRUE(std::filesystem::exists(training_.output));
  EXPECT_FALSE(std::filesystem::exists(training_.output + ".checkpoint"));
}

TEST_F(PregenGeneratorsTest, GivesProbabilities) {
  training_.most_epochs = 1;
  train_generator(training_, maker_);
  for (const char* name : {"p.json", "p.bin"}) {
    run_.output = path(name);
    const ProbabilityRun done = generator_probabilities(run_, maker_);
    EXPECT_EQ(done.images, 1u);
    EXPECT_EQ(done.captions, 2u);
    EXPECT_EQ(done.words, 6u);
    EXPECT_EQ(done.unknown, 1u);
    const io::TokenProbabilities table = io::read_token_probabilities(run_.output);
    ASSERT_EQ(table.probabilities.size(), 6u);
    EXPECT_DOUBLE_EQ(table.probabilities[0], 5.0 / 9);  // a
    EXPECT_EQ(table.ranks[0], 0u);
    EXPECT_DOUBLE_EQ(table.probabilities[1], 1.0 / 9);  // unknown after a
    EXPECT_EQ(table.ranks[1], 2u);                      // dog and the end are more probable
  }
  EXPECT_TRUE(read_file(path("p.json")).starts_with("[[["));
}

TEST_F(PregenGeneratorsTest, GeneratesCaptions) {
  train_generator(training_, maker_);
  GenerationRun done = generate_captions(run_, {.least_words = 1}, maker_);
  EXPECT_EQ(done.images, 1u);
  EXPECT_EQ(done.words, 3u);
  EXPECT_EQ(done.beam, 3u);
  EXPECT_EQ(read_file(run_.output), "[\n{\"image_id\": \"5\", \"caption\": \"a dog runs\"}\n]\n");
  run_.split = "train";
  done = generate_captions(run_, {.beam = 2, .least_words = 1, .most_words = 2}, maker_);
  EXPECT_EQ(done.beam, 2u);
  EXPECT_EQ(done.different, 1u);
  const auto rows = nlohmann::json::parse(read_file(run_.output));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[1]["image_id"], 3);
  EXPECT_EQ(rows[1]["caption"], "a dog");
}

TEST_F(PregenGeneratorsTest, GoesOnFromACheckpointUnlessToldNotTo) {
  GeneratorTraining all = training_;
  all.output = path("whole.safetensors");
  all.most_epochs = 4;
  train_generator(all, maker_);
  training_.most_epochs = 4;
  std::size_t epochs = 0;
  training_.tell = [&](const std::string&) {
    if (++epochs == 3) throw std::runtime_error("stop");
  };
  EXPECT_THROW(train_generator(training_, maker_), std::runtime_error);
  EXPECT_TRUE(std::filesystem::exists(training_.output + ".checkpoint"));
  EXPECT_FALSE(std::filesystem::exists(training_.output));
  training_.tell = {};
  const std::string checkpoint = read_file(training_.output + ".checkpoint");
  EXPECT_TRUE(train_generator(training_, maker_).resumed);
  EXPECT_EQ(read_file(training_.output), read_file(all.output));
  folder_.write("m.safetensors.checkpoint", checkpoint);
  training_.restart = true;
  EXPECT_FALSE(train_generator(training_, maker_).resumed);
  EXPECT_EQ(read_file(training_.output), read_file(all.output));
}

TEST_F(PregenGeneratorsTest, AFolderInTheCheckpointsPlaceStays) {
  const std::string checkpoint = training_.output + ".checkpoint";
  std::filesystem::create_directory(checkpoint);
  for (const bool restart : {false, true}) {
    training_.restart = restart;
    EXPECT_NE(message_of<FileError>([&] { train_generator(training_, maker_); }).find(checkpoint),
              std::string::npos);
    EXPECT_TRUE(std::filesystem::is_directory(checkpoint));
  }
}

TEST_F(PregenGeneratorsTest, SharesAndSizes) {
  training_.share = .4;  // of three images the first and the last; but words of all: a, dog, runs, sits
  training_.size = 7;
  training_.architecture = "merge";
  training_.least_count = 1;
  const GeneratorTrained trained = train_generator(training_, maker_);
  EXPECT_EQ(trained.training_images, 2u);
  EXPECT_EQ(trained.training_captions, 3u);
  EXPECT_EQ(trained.vocabulary, 6u);
  EXPECT_EQ(trained.parameters, 2u * 7 + 7 + 6 * 7 + 7 + 3 * (14 * 7 + 7) + 15 * 6);
}

TEST_F(PregenGeneratorsTest, RefusesWrongOptions) {
  const auto problem = [&](auto change) {
    GeneratorTraining options = training_;
    change(options);
    return message_of<UsageError>([&] { train_generator(options, maker_); });
  };
  EXPECT_NE(problem([](auto& o) { o.architecture = "marge"; }).find("did you mean 'merge'"),
            std::string::npos);
  EXPECT_NE(problem([](auto& o) { o.device = "gpu"; }).find("Valid: cpu, cuda"), std::string::npos);
  EXPECT_NE(problem([](auto& o) { o.share = 0; }).find("share of 0"), std::string::npos);
  EXPECT_NE(problem([](auto& o) { o.size = 1 << 20; }).find("size of 1048576"), std::string::npos);
  EXPECT_NE(problem([](auto& o) { o.batch = 1 << 21; }).find("batch of 2097152"), std::string::npos);
  EXPECT_NE(problem([](auto& o) { o.output = "m.bin"; }).find("NAME.safetensors"), std::string::npos);
  train_generator(training_, maker_);
  for (const GenerationOptions& options :
       {GenerationOptions{.beam = 100000}, GenerationOptions{.most_words = 0},
        GenerationOptions{.least_words = 9, .most_words = 8}})
    message_of<UsageError>([&] { generate_captions(run_, options, maker_); });
}

TEST_F(PregenGeneratorsTest, NamesWhatDoesNotFit) {
  train_generator(training_, maker_);
  write_features(5);
  EXPECT_NE(message_of<DataError>([&] {
              train_generator(training_, maker_);
            }).find("features of 5 images, expected 6"),
            std::string::npos);
  folder_.write("f.npy", io::npy_bytes(std::vector<float>(18, 1), 6, 3));
  EXPECT_NE(message_of<DataError>([&] {
              generator_probabilities(run_, maker_);
            }).find("f.npy: 3 numbers for each image"),
            std::string::npos);
  write_features(6);
  run_.split = "tset";
  EXPECT_NE(message_of<DataError>([&] { generator_probabilities(run_, maker_); }).find("no split 'tset'"),
            std::string::npos);
  run_.split = "test";
  folder_.write("m.safetensors", "not a model");
  EXPECT_NE(message_of<FileError>([&] { generate_captions(run_, {}, maker_); }).find("m.safetensors"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(run_.output));
}

}  // namespace
}  // namespace capella::pipeline
