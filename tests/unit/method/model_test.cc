// Files of composite metrics: what is written is read back, and a clear word on everything that can be wrong.
#include "method/composite/model.h"

#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "base/file.h"
#include "support/message_of.h"
#include "support/temp_dir.h"
#include "tensor/safetensors.h"

namespace capella::method::composite {
namespace {

using nlohmann::json;
using test::message_of;
using test::TempDir;

constexpr double kModelNan = std::numeric_limits<double>::quiet_NaN();
constexpr char kKey[] = "capella.composite";
constexpr char kAdvice[] = "; train it again with 'capella composite train'";

Model small_model() {
  Model model;
  model.name = "eval-ms";
  model.tokenizer = "ptb";
  model.inputs = {{.score = "METEOR",
                   .metric = "meteor",
                   .settings = {},
                   .choices = "norm",
                   .shift = 0.1,
                   .scale = 1.0 / 3,
                   .mean = 0.27},
                  {.score = "CIDEr-D",
                   .metric = "cider-d",
                   .settings = {{"df", "coco-val"}, {"sigma", "6"}},
                   .choices = "",
                   .shift = 0,
                   .scale = 0.1,
                   .mean = 1e-17}};
  Random random(5);
  model.network = make_network(std::vector<std::size_t>{2, 3, 2}, random);
  model.network.layers[0].biases = {0.5f, -1e-30f, 3e20f};
  model.origin = {.data = "8 captions \"of\" 4 images — small",
                  .humans = "two people",
                  .seed = std::numeric_limits<std::uint64_t>::max(),
                  .epochs = 17,
                  .validation_tau_b = 0.123456789012345678,
                  .validation_tau_c = -0.25,
                  .held_out_accuracy = 0.75,
                  .version = "0.1.0"};
  return model;
}

class ModelTest : public ::testing::Test {
 protected:
  std::string path() const { return (folder_.path() / "model.safetensors").string(); }

  // The parts of the small model's file, to be changed and written again.
  struct Parts {
    json header;
    std::vector<tensor::NamedTensor> tensors;
  };
  Parts parts() const {
    write_model(path(), small_model());
    const tensor::Safetensors file(path());
    Parts parts{json::parse(file.text(kKey)), {}};
    for (const auto& [name, found] : file.tensors()) {
      parts.tensors.push_back({name,
                               found.type,
                               found.shape,
                               {reinterpret_cast<const char*>(found.bytes.data()), found.bytes.size()}});
    }
    return parts;
  }

  // What reading says, without the path in front and the advice behind.
  std::string problem() const {
    const std::string message = message_of<FileError>([&] { read_model(path()); });
    EXPECT_EQ(message.find(path() + ": "), 0u) << message;
    EXPECT_TRUE(message.ends_with(kAdvice)) << message;
    const std::size_t start = std::min(message.size(), path().size() + 2);
    return message.substr(start, message.size() - start - (sizeof kAdvice - 1));
  }
  std::string problem(const Parts& changed) const {
    tensor::write_safetensors(path(), changed.tensors, {{kKey, changed.header.dump()}});
    return problem();
  }

  TempDir folder_;
};

TEST_F(ModelTest, ReadsWhatWasWritten) {
  const Model model = small_model();
  write_model(path(), model);
  const Model read = read_model(path());
  EXPECT_EQ(read.name, model.name);
  EXPECT_EQ(read.tokenizer, model.tokenizer);
  ASSERT_EQ(read.inputs.size(), 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(read.inputs[k].score, model.inputs[k].score);
    EXPECT_EQ(read.inputs[k].metric, model.inputs[k].metric);
    EXPECT_EQ(read.inputs[k].settings, model.inputs[k].settings);
    EXPECT_EQ(read.inputs[k].choices, model.inputs[k].choices);
    EXPECT_EQ(read.inputs[k].shift, model.inputs[k].shift);
    EXPECT_EQ(read.inputs[k].scale, model.inputs[k].scale);
    EXPECT_EQ(read.inputs[k].mean, model.inputs[k].mean);
  }
  ASSERT_EQ(read.network.layers.size(), 2u);
  for (std::size_t l = 0; l < 2; ++l) {
    EXPECT_EQ(read.network.layers[l].inputs, model.network.layers[l].inputs);
    EXPECT_EQ(read.network.layers[l].outputs, model.network.layers[l].outputs);
    EXPECT_EQ(read.network.layers[l].weights, model.network.layers[l].weights);
    EXPECT_EQ(read.network.layers[l].biases, model.network.layers[l].biases);
  }
  EXPECT_EQ(read.origin.data, model.origin.data);
  EXPECT_EQ(read.origin.humans, model.origin.humans);
  EXPECT_EQ(read.origin.seed, model.origin.seed);
  EXPECT_EQ(read.origin.epochs, model.origin.epochs);
  EXPECT_EQ(read.origin.validation_tau_b, model.origin.validation_tau_b);
  EXPECT_EQ(read.origin.validation_tau_c, model.origin.validation_tau_c);
  EXPECT_EQ(read.origin.held_out_accuracy, model.origin.held_out_accuracy);
  EXPECT_EQ(read.origin.version, model.origin.version);
  EXPECT_EQ(model_bytes(read), read_file_as_is(path()));
}

// Other programs find the weights under the names that the format's description has.
TEST_F(ModelTest, IsASafetensorsFile) {
  const Model model = small_model();
  write_model(path(), model);
  const tensor::Safetensors file(path());
  const auto weights = file.values<float>("layer1.weight", {3, 2});
  EXPECT_EQ(std::vector<float>(weights.begin(), weights.end()), model.network.layers[0].weights);
  EXPECT_EQ(file.values<float>("layer2.bias", {2}).size(), 2u);
  EXPECT_EQ(file.tensors().size(), 4u);
  EXPECT_EQ(json::parse(file.text(kKey)).at("inputs").at(1).at("settings").at("df"), "coco-val");
}

TEST_F(ModelTest, WhatWasNotMeasuredStaysSo) {
  Model model = small_model();
  model.origin.held_out_accuracy = kModelNan;
  model.origin.validation_tau_c = kModelNan;
  write_model(path(), model);
  EXPECT_TRUE(std::isnan(read_model(path()).origin.held_out_accuracy));
  EXPECT_TRUE(std::isnan(read_model(path()).origin.validation_tau_c));
  EXPECT_EQ(read_model(path()).origin.validation_tau_b, model.origin.validation_tau_b);
}

TEST_F(ModelTest, FingerprintChangesWithEverything) {
  std::set<std::uint64_t> seen = {fingerprint(small_model())};
  EXPECT_EQ(fingerprint(small_model()), *seen.begin());
  const auto change = [&](auto how) {
    Model model = small_model();
    how(model);
    EXPECT_TRUE(seen.insert(fingerprint(model)).second) << seen.size();
  };
  change([](Model& model) { model.name = "eval-cs"; });
  change([](Model& model) { model.tokenizer = "13a"; });
  change([](Model& model) { model.inputs[0].settings["x"] = "y"; });
  change([](Model& model) { model.inputs[1].choices = "z"; });
  change([](Model& model) { model.inputs[1].mean = std::nextafter(1e-17, 1); });
  change([](Model& model) { std::swap(model.inputs[0], model.inputs[1]); });
  change([](Model& model) { model.network.layers[0].weights[4] += 1e-6f; });
  change([](Model& model) { model.network.layers[1].biases[0] = 1; });
  change([](Model& model) { model.origin.seed = 3; });
}

TEST_F(ModelTest, SaysWhatIsWrongWithTheHeader) {
  const auto changed = [&](const json& patch) {
    Parts parts = this->parts();
    parts.header.merge_patch(patch);
    return problem(parts);
  };
  const auto changed_input = [&](const json& patch) {
    Parts parts = this->parts();
    parts.header["inputs"][1].merge_patch(patch);
    return problem(parts);
  };
  EXPECT_EQ(changed({{"name", nullptr}}), "'capella.composite' has no 'name'");
  EXPECT_EQ(changed({{"name", 3}}), "'capella.composite': 'name' is not a text");
  EXPECT_EQ(changed({{"name", ""}}), "the metric has no name");
  EXPECT_EQ(changed({{"format", 2}}), "'capella.composite': found format 2, expected 1");
  EXPECT_EQ(changed({{"format", -1}}), "'capella.composite': 'format' is not a whole number");
  EXPECT_EQ(changed({{"extra", 2}}), "'capella.composite' has 'extra', which this version does not know");
  EXPECT_EQ(changed({{"tokenizer", "ptb-iso"}}),
            "found the tokenizer 'ptb-iso', expected ptb, 13a, none, karpathy");
  EXPECT_EQ(changed({{"inputs", 5}}), "'capella.composite': 'inputs' is not a list");
  EXPECT_EQ(changed({{"inputs", {5}}}), "'capella.composite': input 1 is not a JSON object");
  EXPECT_EQ(changed({{"inputs", json::array()}}), "the metric has no inputs");
  EXPECT_EQ(changed({{"origin", {{"seed", 1.5}}}}),
            "'capella.composite': 'origin': 'seed' is not a whole number");
  EXPECT_EQ(changed({{"origin", {{"held_out_accuracy", "high"}}}}),
            "'capella.composite': 'origin': 'held_out_accuracy' is not a number or null");
  EXPECT_EQ(changed_input({{"scale", "1"}}), "'capella.composite': input 2: 'scale' is not a number");
  EXPECT_EQ(changed_input({{"scale", 0}}), "input 'CIDEr-D' has the scale 0");
  EXPECT_EQ(changed_input({{"score", ""}}), "an input has no name");
  EXPECT_EQ(changed_input({{"settings", {{"df", 3}}}}),
            "'capella.composite': input 2: 'settings' is not an object of texts");
  EXPECT_EQ(changed_input({{"offset", 0}}),
            "'capella.composite': input 2 has 'offset', which this version does not know");
}

TEST_F(ModelTest, SaysWhatIsWrongWithTheText) {
  const auto with_text = [&](const tensor::Metadata& metadata) {
    tensor::write_safetensors(path(), parts().tensors, metadata);
    return problem();
  };
  EXPECT_EQ(with_text({}), "'__metadata__' has no 'capella.composite'");
  EXPECT_EQ(with_text({{kKey, "{"}}), "'capella.composite' is not JSON");
  EXPECT_EQ(with_text({{kKey, "[]"}}), "'capella.composite' is not a JSON object");
  std::string far = parts().header.dump();
  far.replace(far.find("1e-17"), 5, "1e999");
  EXPECT_EQ(with_text({{kKey, far}}), "'capella.composite' is not JSON");
}

TEST_F(ModelTest, SaysWhatIsWrongWithTheWeights) {
  // layer1.bias, layer1.weight, layer2.bias, layer2.weight
  const auto changed = [&](std::size_t number, tensor::Shape shape, std::vector<float> values) {
    Parts parts = this->parts();
    parts.tensors[number] = tensor::named_tensor<float>(parts.tensors[number].name, std::move(shape), values);
    return problem(parts);
  };
  EXPECT_EQ(changed(1, {6}, std::vector<float>(6)),
            "tensor 'layer1.weight' has 1 dimensions, expected outputs x inputs");
  EXPECT_EQ(changed(0, {2}, {1, 2}), "tensor 'layer1.bias' is F32 [2], expected F32 [3]");
  EXPECT_EQ(changed(1, {3, 1}, {1, 2, 3}), "layer 1 takes 1 numbers and is given 2");
  EXPECT_EQ(changed(3, {2, 4}, std::vector<float>(8)), "layer 2 takes 4 numbers and is given 3");
  EXPECT_EQ(changed(0, {3}, {1, NAN, 2}), "layer 1 has a number that is not finite");
  EXPECT_EQ(changed(3, {2, 3}, {1, 2, 3, INFINITY, 5, 6}), "layer 2 has a number that is not finite");
  Parts parts = this->parts();
  parts.tensors[2] = tensor::named_tensor<float>("layer2.bias", {1}, std::vector<float>{1});
  parts.tensors[3] = tensor::named_tensor<float>("layer2.weight", {1, 3}, std::vector<float>{1, 2, 3});
  EXPECT_EQ(problem(parts), "the last layer has 1 outputs, expected 2");
  parts.tensors.pop_back();
  EXPECT_EQ(problem(parts), "found 3 tensors, expected a weight and a bias for each layer");
  parts.tensors.push_back(tensor::named_tensor<float>("layer3.weight", {2, 3}, std::vector<float>(6)));
  EXPECT_EQ(problem(parts), "there is no tensor 'layer2.weight'");
  parts.tensors.clear();
  EXPECT_EQ(problem(parts), "found 0 tensors, expected a weight and a bias for each layer");
}

TEST_F(ModelTest, SaysThatAFileIsNoModel) {
  const std::string message = message_of<FileError>([&] { read_model(folder_.write("a.txt", "hello")); });
  EXPECT_TRUE(
      message.ends_with("a.txt: 5 bytes are too few for a file of tensors; expected a file that 'capella "
                        "composite train' wrote"))
      << message;
  EXPECT_THROW(read_model(path()), FileError);
  const std::string folder = folder_.path().string();
  EXPECT_EQ(message_of<FileError>([&] { read_model(folder); }),
            folder + ": is a folder, expected a file that 'capella composite train' wrote");
}

TEST_F(ModelTest, WritesNothingThatCouldNotBeRead) {
  const auto refusal = [&](auto change) {
    Model model = small_model();
    change(model);
    return message_of<DataError>([&] { write_model(path(), model); });
  };
  const std::string start = "composite metric 'eval-ms' cannot be written: ";
  EXPECT_EQ(refusal([](Model& model) { model.inputs[0].mean = kModelNan; }),
            start + "input 'METEOR' has nan as shift, scale or mean");
  EXPECT_EQ(refusal([](Model& model) { model.network.layers.clear(); }), start + "the network has no layers");
  EXPECT_EQ(refusal([](Model& model) { model.network.layers[0].weights.pop_back(); }),
            start + "layer 1 of 3 x 2 has 5 weights and 3 biases");
  EXPECT_EQ(refusal([](Model& model) { model.inputs.pop_back(); }),
            start + "layer 1 takes 2 numbers and is given 1");
  EXPECT_THROW(read_model(path()), FileError);  // no file came to be
}

TEST_F(ModelTest, ScoreAppliesShiftAndScale) {
  Model model = small_model();
  model.inputs[0].shift = 2;
  model.inputs[0].scale = 0.5;
  model.network = {{{.inputs = 2, .outputs = 2, .weights = {0, 0, 1, 1}, .biases = {0, 0}}}};
  EXPECT_NEAR(score(model, std::vector<double>{4, 10}), 1 / (1 + std::exp(-2.0)), 1e-16);
  EXPECT_EQ(network_inputs(model, std::vector<double>{5, 20}), (std::vector<double>{1.5, 2}));
}

TEST_F(ModelTest, ScoreNamesWhatIsNotFinite) {
  const Model model = small_model();
  EXPECT_EQ(message_of<DataError>([&] {
              score(model, std::vector<double>{0.5, kModelNan});
            }),
            "composite metric 'eval-ms': found CIDEr-D nan, expected a finite number");
  EXPECT_EQ(message_of<UsageError>([&] { score(model, std::vector<double>{0.5}); }),
            "composite metric 'eval-ms' has 2 inputs and was given 1 scores");
}

}  // namespace
}  // namespace capella::method::composite
