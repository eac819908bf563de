// What learned metrics refuse and warn of: options that cannot count, rows that cannot end a training, and
// trainings in vain.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capella/deneb.h"
#include "capella/error.h"

#include "method/deneb/model_file.h"
#include "pipeline/deneb_train.h"
#include "support/deneb_pipeline.h"
#include "support/message_of.h"
#include "support/still_network.h"

namespace capella {
namespace {

using test::message_of;

using DenebRefusalsTest = test::DenebPipelineTest;

// What is given and cannot count.
TEST_F(DenebRefusalsTest, RefusesWhatWouldBeIgnored) {
  take_polos();
  training_.tokens = "raw";
  EXPECT_NE(message_of<UsageError>([&] { train(); }).find("leave out --tokens"), std::string::npos);
  training_.tokens.clear();
  training_.joiner = "mlp";
  EXPECT_NE(message_of<UsageError>([&] { train(); }).find("leave out --joiner"), std::string::npos);
  training_.joiner.clear();
  training_.width = 16;
  EXPECT_NE(message_of<UsageError>([&] { train(); }).find("leave out --width"), std::string::npos);
  training_.width = 0;
  training_.statistics = "batch";
  training_.encoders.vectors = "pooled";
  EXPECT_NE(message_of<UsageError>([&] { train(); }).find("leave out --statistics"), std::string::npos);
  training_.statistics.clear();
  training_.encoders.vectors.clear();
  train();
  DenebScoring options = scoring();
  options.parity = true;
  options.references = "all";
  EXPECT_NE(message_of<UsageError>([&] { score_deneb(dataset(), options); }).find("--refs-policy all"),
            std::string::npos);
  options.references = "zip-min";
  const std::vector<double> cut = score_deneb(dataset(), options).systems[0].item_values;
  options.references = "";
  EXPECT_EQ(score_deneb(dataset(), options).systems[0].item_values, cut);
  options.heads = 4;
  EXPECT_NE(message_of<UsageError>([&] { score_deneb(dataset(), options); }).find("leave out --heads"),
            std::string::npos);
}

TEST_F(DenebRefusalsTest, RefusesEncodersAndImagesThatTheNetworkDoesWithout) {
  training_.text_only = true;
  training_.encoders.images.clear();
  training_.encoders.clip.clear();
  train();
  DenebScoring options = scoring();
  EXPECT_NE(message_of<UsageError>([&] { score_deneb(dataset(), options); }).find("leave out --clip"),
            std::string::npos);
  options.encoders.clip.clear();
  EXPECT_NE(message_of<UsageError>([&] { score_deneb(dataset(), options); }).find("leave out --images"),
            std::string::npos);
}

TEST_F(DenebRefusalsTest, ReplacesAModelOnlyIfAskedTo) {
  train();
  const std::string message = message_of<UsageError>([&] { pipeline::train_deneb(training_, maker_); });
  EXPECT_NE(message.find("m.safetensors: is there already"), std::string::npos) << message;
  EXPECT_NE(message.find("--restart"), std::string::npos) << message;
  training_.restart = true;
  training_.seed = 3;
  pipeline::train_deneb(training_, maker_);
  EXPECT_EQ(method::deneb::read_model(training_.output).facts.seed, 3u);
}

TEST_F(DenebRefusalsTest, RefusesValidationRowsWithoutOrder) {
  const auto problem = [&](const std::string& rows) {
    training_.validation = folder_.write("same.jsonl", rows);
    return message_of<DataError>([&] { train(); });
  };
  const std::string same = problem(lines(4, 6));
  EXPECT_NE(same.find("same.jsonl: all 2 ratings are 0.5"), std::string::npos) << same;
  const std::string one = problem(lines(0, 1));
  EXPECT_NE(one.find("same.jsonl: found 1 rated caption"), std::string::npos) << one;
  nlohmann::json pairs;
  for (const char* category : {"HC", "HI", "HM", "MM"})
    pairs[category].push_back(
        {{"image", "one"}, {"captions", {"a dog", "a dog"}}, {"label", 0}, {"references", {"two dog"}}});
  training_.validation_layout = "pascal50s";
  const std::string equal = problem(pairs.dump());
  EXPECT_NE(equal.find("the same in each of 4 pairs"), std::string::npos) << equal;
}

// A network that gives every caption the same score: all its arrays are 0.
class FlatMaker final : public method::deneb::NetworkMaker {
 public:
  std::unique_ptr<method::deneb::Network> make(const method::deneb::Recipe& recipe, const std::string&,
                                               std::uint64_t seed, std::size_t) const override {
    auto network = std::make_unique<test::StillNetwork>(recipe, seed);
    std::vector<method::NetworkArray> arrays = network->arrays(false);
    for (method::NetworkArray& array : arrays) {
      if (array.name != method::deneb::kMixVariance) std::ranges::fill(array.values, 0.0f);
    }
    network->set_arrays(arrays);
    return network;
  }
  std::string description() const override { return "flat"; }
};

TEST_F(DenebRefusalsTest, ATrainingWithoutAgreementIsAnError) {
  const std::string message = message_of<DataError>([&] { pipeline::train_deneb(training_, FlatMaker()); });
  EXPECT_NE(message.find("undefined after each of 2 epochs"), std::string::npos) << message;
  EXPECT_NE(message.find("smaller --rate"), std::string::npos) << message;
  EXPECT_FALSE(std::filesystem::exists(training_.output));
  EXPECT_FALSE(std::filesystem::exists(training_.output + ".checkpoint"));
  training_.most_epochs = 0;  // an untrained network is what was asked for
  pipeline::train_deneb(training_, FlatMaker());
  EXPECT_TRUE(std::filesystem::exists(training_.output));
}

// The still network never learns.
TEST_F(DenebRefusalsTest, WarnsOfTrainingInVain) {
  const std::vector<std::string> in_vain = train().warnings;
  ASSERT_EQ(in_vain.size(), 1u);
  EXPECT_NE(in_vain[0].find("no epoch agrees better"), std::string::npos) << in_vain[0];
  training_.validation = (folder_.path() / "." / "train.jsonl").string();
  const std::vector<std::string> the_same = train().warnings;
  ASSERT_EQ(the_same.size(), 2u);
  EXPECT_NE(the_same[0].find("train.jsonl: rows to learn from"), std::string::npos) << the_same[0];
  training_.most_epochs = 0;
  EXPECT_EQ(train().warnings.size(), 1u);
}

TEST_F(DenebRefusalsTest, NamesOptionsAndLayouts) {
  const auto problem = [&](auto change) {
    DenebTraining options = training_;
    change(options);
    return message_of<UsageError>([&] { check_deneb_training(options); });
  };
  EXPECT_NE(problem([](DenebTraining& o) { o.layers = 300; }).find("(--layers) is 300, expected 1 to 256"),
            std::string::npos);
  EXPECT_NE(problem([](DenebTraining& o) {
              o.hidden = {8, 0};
            }).find("second hidden layer (--hidden) is 0"),
            std::string::npos);
  EXPECT_NE(problem([](DenebTraining& o) { o.rate = -2; }).find("(--rate) is -2"), std::string::npos);
  EXPECT_NE(problem([](DenebTraining& o) { o.dropout = 1.5; }).find("(--dropout) is 1.5"), std::string::npos);
  EXPECT_NE(problem([](DenebTraining& o) { o.batch = 2'000'000; }).find("(--batch) is 2000000"),
            std::string::npos);
  const std::string layout = problem([](DenebTraining& o) { o.validation_layout = "foo"; });
  EXPECT_NE(layout.find("pascal50s, foil"), std::string::npos) << layout;
  EXPECT_EQ(problem([](DenebTraining& o) { o.layout = "foo"; }).find("foil"), std::string::npos);
}

}  // namespace
}  // namespace capella
