// Trained metrics beside others: what they may build on, and that no other scores or models get in.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "capella/error.h"
#include "capella/meta.h"
#include "capella/pipeline.h"

#include "method/composite/model.h"
#include "support/corpus.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella {
namespace {

using CompositeModel = method::composite::Model;
using test::message_of;
using test::TempDir;

// P(human) = sigmoid(weight * ROUGE-L), computed by one layer whose first output is always 0.
CompositeModel rouge_model(float weight = 2.0f) {
  CompositeModel model;
  model.name = "Learned";
  model.tokenizer = "ptb";
  method::composite::Input input{"ROUGE-L", "rouge-l", {}, "beta:1.2|ref:max"};
  input.mean = 0.5;
  model.inputs = {input};
  model.network.layers = {{1, 2, {0.0f, weight}, {0.0f, 0.0f}}};
  model.origin.version = "test";
  return model;
}

std::string write(const TempDir& folder, const CompositeModel& model,
                  const std::string& name = "m.safetensors") {
  const std::string path = (folder.path() / name).string();
  method::composite::write_model(path, model);
  return path;
}

Dataset captions() {
  return test::make_dataset({{"a dog runs", {"a dog runs fast", "the dog"}}, {"two cats", {"a cat sleeps"}}});
}

ScoreOptions run_of(std::vector<std::string> metrics, const std::string& tokenizer = "ptb-iso") {
  ScoreOptions options;
  options.metrics = std::move(metrics);
  options.tokenizer = tokenizer;
  return options;
}

TEST(TrainedMetric, IsTheNetworkOfItsScore) {
  const TempDir folder;
  const Result result = score(captions(), run_of({write(folder, rouge_model()), "rouge-l"}));
  for (std::size_t item = 0; item < 2; ++item) {
    const double rouge = result.item_value(0, item, 1);
    EXPECT_NEAR(result.item_value(0, item, 0), 1 / (1 + std::exp(-2 * rouge)), 1e-15);
  }
  EXPECT_TRUE(result.columns[0].signature.starts_with("Learned|model:#")) << result.columns[0].signature;
  EXPECT_EQ(result.columns[0].signature.find("beta"), std::string::npos);  // the model's hash implies it
}

TEST(TrainedMetric, NamesOnlyMetricsOfTheLayerBelow) {
  const TempDir folder;
  for (const std::string name : {"self.safetensors", "eval-ms", "given:x", "nonsense"}) {
    CompositeModel model = rouge_model();
    model.inputs[0].metric = name == "self.safetensors" ? (folder.path() / name).string() : name;
    const std::string path = write(folder, model, "self.safetensors");
    const std::string problem = message_of<FileError>([&] { score(captions(), run_of({path})); });
    EXPECT_NE(problem.find("no metric that a model can learn from"), std::string::npos) << problem;
  }
}

TEST(TrainedMetric, TakesNoScoresWhoseChoicesItDoesNotKnow) {
  const TempDir folder;
  CompositeModel model = rouge_model();
  model.inputs[0].choices = "";
  const std::string path = write(folder, model);
  EXPECT_THROW(score(captions(), run_of({path})), DataError);
}

TEST(TrainedMetric, MergesOnlyWithItsOwnModel) {
  const TempDir folder;
  const std::string path = write(folder, rouge_model());
  const std::vector<std::string> blocks = {shard_statistics(captions(), run_of({path}), {0, 1})};
  const std::vector<std::string> names = {"one"};
  EXPECT_EQ(merge_statistics(blocks, names).columns[0].name, "Learned");
  write(folder, rouge_model(3.0f));
  EXPECT_NE(message_of<DataError>([&] { merge_statistics(blocks, names); }).find("another model"),
            std::string::npos);
}

TEST(TrainedMetric, IsHeldAgainstPeopleAsItWasTrained) {
  const TempDir folder;
  std::string rows;
  for (int i = 0; i < 6; ++i) {
    rows +=
        fmt::format(R"({}{{"imgid": "i{}", "mt": "a dog {}", "refs": ["a dog runs"], "score": {}}})",
                    i == 0 ? "" : ",", i, i % 2 == 0 ? "runs" : "sleeps on it", i % 2 == 0 ? 1 : i / 10.0);
  }
  CompositeModel model = rouge_model();
  model.tokenizer = "13a";
  MetaOptions options;
  options.benchmark = "nebula";
  options.path = folder.write("nebula.json", "[" + rows + "]");
  options.resamples = 50;
  options.score = run_of({write(folder, model), "rouge-l"}, "13a");
  options.score.settings = {"rouge-l.beta=3"};  // about rouge-l, not about what the model learnt from
  const MetaResult result = evaluate_metrics(options);
  EXPECT_EQ(result.metrics[0].metric, "Learned");
  EXPECT_EQ(result.values[0][0], 1 / (1 + std::exp(-2.0)));
}

TEST(TrainedMetric, IsLeftOutWhereItDoesNotFit) {
  const TempDir home;
  CompositeModel model = rouge_model();
  model.inputs[0].choices = "beta:9";
  std::filesystem::create_directory(home.path() / "models");
  write(home, model, "models/eval-ms.safetensors");
  const char* const before = std::getenv("CAPELLA_HOME");
  const std::string old = before == nullptr ? "" : before;
  ::setenv("CAPELLA_HOME", home.path().c_str(), 1);
  const auto lacking = unavailable_metrics();
  const auto listed = list_metrics();
  before == nullptr ? ::unsetenv("CAPELLA_HOME") : ::setenv("CAPELLA_HOME", old.c_str(), 1);
  const auto found = std::ranges::find(lacking, "eval-ms", &UnavailableMetric::name);
  ASSERT_NE(found, lacking.end());
  EXPECT_NE(found->problem.find("beta:9"), std::string::npos) << found->problem;
  EXPECT_NE(std::ranges::find(listed, "eval-ms", &MetricDescription::name), listed.end());
}

}  // namespace
}  // namespace capella
