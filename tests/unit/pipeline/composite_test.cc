// Composite metrics from captions to scores, on metrics that need no data.
#include "capella/composite.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "capella/error.h"

#include "base/random.h"
#include "io/feature_table.h"
#include "method/composite/model.h"
#include "method/composite/pairing.h"
#include "pipeline/composite_features.h"
#include "pipeline/composite_train.h"
#include "support/corpus.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella {
namespace {

using test::Item;
using test::message_of;
using test::TempDir;

constexpr const char* kWords[] = {"a", "dog", "runs", "on", "the", "grass", "two", "cats", "sleep", "red"};

std::string sentence(Random& random, std::size_t words) {
  std::string text;
  for (std::size_t i = 0; i < words; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : " ", kWords[random.below(std::size(kWords))]);
  return text;
}

// People repeat most of what others wrote; the machine says anything.
Dataset people_and_machine(std::size_t images) {
  Random random(7);
  std::vector<Item> items;
  for (std::size_t i = 0; i < images; ++i) {
    const std::string shared = sentence(random, 8);
    Item item{sentence(random, 9), {}};
    for (int k = 0; k < 5; ++k) item.references.push_back(shared + " " + sentence(random, 2));
    items.push_back(std::move(item));
  }
  return test::make_dataset(items);
}

// Captions rated by how much of the reference they have.
std::string small_ratings(const TempDir& folder) {
  Random random(8);
  std::string rows;
  for (int i = 0; i < 40; ++i) {
    const int kept = i % 9;
    const std::string reference = "a dog runs on the grass near red cats";
    std::string caption = reference.substr(0, static_cast<std::size_t>(4 * kept) + 1);
    rows += fmt::format(R"({}{{"imgid": "i{}", "mt": "{} {}", "refs": ["{}"], "score": {}}})",
                        i == 0 ? "" : ",\n", i, caption, sentence(random, 2), reference, kept / 8.0);
  }
  return folder.write("ratings.json", "[" + rows + "]");
}

struct Files {
  explicit Files(const std::vector<std::string>& scores = {"ROUGE-L", "BLEU-1"}) {
    FeatureOptions options;
    options.scores = scores;
    options.run.tokenizer = "ptb-iso";
    options.output = training = at("training.jsonl");
    TrainingCaptions captions;
    captions.dataset = people_and_machine(30);
    captions.other_images = false;
    captions.source = "made up";
    summary = write_training_features(captions, options);
    options.output = validation = at("validation.jsonl");
    MetaOptions benchmark;
    benchmark.benchmark = "nebula";
    benchmark.path = small_ratings(folder);
    write_benchmark_features(benchmark, options);
  }

  std::string at(const std::string& name) const { return (folder.path() / name).string(); }

  CompositeTraining options(const std::string& output) const {
    CompositeTraining options;
    options.features = training;
    options.validation = validation;
    options.inputs = {"ROUGE-L", "BLEU-1"};
    options.hidden = {8};
    options.seeds = 2;
    options.held_out = 0.2;
    options.batch = 16;
    options.rate = 0.03;
    options.most_epochs = 40;
    options.output = at(output);
    options.threads = 2;
    return options;
  }

  TempDir folder;
  std::string training;
  std::string validation;
  FeatureSummary summary;
};

double first_score(const Dataset& dataset, const std::string& metric, const std::string& tokenizer = "ptb") {
  ScoreOptions options;
  options.metrics = {metric};
  options.tokenizer = tokenizer;
  return score(dataset, options).item_value(0, 0, 0);
}

// Every row of the table against what `score` says of the same captions.
void expect_scores(const io::FeatureTable& table, const Dataset& dataset) {
  ScoreOptions options;
  options.metrics = {"rouge-l", "bleu"};
  options.tokenizer = "ptb-iso";
  const Result result = score(dataset, options);
  ASSERT_EQ(table.rows(), dataset.size());
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto column = std::ranges::find(result.columns, table.columns[i].score, &ScoreColumn::name);
    ASSERT_NE(column, result.columns.end());
    const auto place = static_cast<std::size_t>(column - result.columns.begin());
    for (std::size_t k = 0; k < table.rows(); ++k)
      EXPECT_EQ(table.row(k)[i], result.item_value(0, k, place)) << table.columns[i].score << " of " << k;
  }
}

TEST(Composite, FeaturesAreTheMetricsScores) {
  const Files files;
  const io::FeatureTable table = io::read_features(files.training);
  EXPECT_EQ(table.rows(), 30u * 4);
  EXPECT_EQ(files.summary.human, 30u * 3);
  EXPECT_EQ(table.columns[0].metric, "rouge-l");
  EXPECT_EQ(table.columns[0].choices, "beta:1.2|ref:max");
  EXPECT_EQ(table.columns[1].score, "BLEU-1");
  EXPECT_EQ(table.targets_are, io::Targets::human);
  expect_scores(table, method::composite::pair_captions(people_and_machine(30), {}).dataset);
  MetaOptions benchmark;
  benchmark.benchmark = "nebula";
  benchmark.path = files.at("ratings.json");
  const io::FeatureTable ratings = io::read_features(files.validation);
  EXPECT_EQ(ratings.benchmark, "nebula");
  EXPECT_EQ(ratings.rows(), 40u);
  expect_scores(ratings, benchmark_dataset(benchmark));
}

TEST(Composite, FingerprintsTellTablesApart) {
  FeatureOptions options;
  options.scores = {"ROUGE-L"};
  TrainingCaptions captions;
  captions.dataset = people_and_machine(5);
  captions.other_images = false;
  const auto made_of = [&] { return pipeline::plan_training(captions, options).table.made_of; };
  const std::string first = made_of();
  EXPECT_EQ(first.size(), 16u);
  EXPECT_EQ(made_of(), first);
  options.run.threads = 2;
  EXPECT_EQ(made_of(), first);
  std::set<std::string> all = {first};
  const auto expect_other = [&](auto change) {
    const TrainingCaptions old_captions = captions;
    const FeatureOptions old_options = options;
    change();
    EXPECT_TRUE(all.insert(made_of()).second) << all.size();
    captions = old_captions;
    options = old_options;
  };
  expect_other([&] { captions.dataset = people_and_machine(6); });
  expect_other([&] { captions.seed = 1; });
  expect_other([&] { captions.humans = 2; });
  expect_other([&] { captions.captions = 4; });
  expect_other([&] { captions.other_images = true; });
  expect_other([&] { captions.left_out = {"3.jpg"}; });
  expect_other([&] { captions.source = "elsewhere"; });
  expect_other([&] { options.scores = {"BLEU-1"}; });
  expect_other([&] { options.scores = {"ROUGE-L", "BLEU-1"}; });
  expect_other([&] { options.run.tokenizer = "13a"; });
  EXPECT_EQ(made_of(), first);
  const Files files({"ROUGE-L"});
  const io::FeatureTable table = io::read_features(files.training);
  EXPECT_EQ(table.made_of.size(), 16u);
  EXPECT_NE(table.made_of, io::read_features(files.validation).made_of);
}

TEST(Composite, LearnsToTellPeopleFromMachines) {
  const Files files;
  CompositeTraining options = files.options("mine.safetensors");
  options.rate = 0.3;  // so that the first epochs learn much: which of them is kept is for the ratings to say
  options.standardize = true;
  const CompositeTrained trained = train_composite(options);
  EXPECT_EQ(trained.name, "mine");
  ASSERT_EQ(trained.seeds.size(), 2u);
  EXPECT_EQ(trained.human + trained.machine + trained.held_out, 120u);
  EXPECT_EQ(trained.held_out, 24u);  // 6 of 30 images
  for (const CompositeSeed& seed : trained.seeds) EXPECT_GT(seed.accuracy, 0.9);
  EXPECT_GE(trained.seeds[trained.best].tau_b, trained.seeds[1 - trained.best].tau_b);
}

TEST(Composite, IsAMetricLikeAnyOther) {
  const Files files;
  const CompositeTraining options = files.options("mine.safetensors");
  train_composite(options);
  const Dataset captions = people_and_machine(5);
  const double whole = first_score(captions, options.output);
  EXPECT_GT(whole, 0.0);
  EXPECT_LT(whole, 1.0);
  EXPECT_EQ(first_score(captions, options.output, "ptb-iso"), whole);

  // The same from the file of features of the same captions.
  FeatureOptions features;
  features.scores = {"BLEU-1", "ROUGE-L"};
  features.output = files.at("captions.jsonl");
  write_caption_features(captions, features);
  const ScoredFeatures scored = score_features(options.output, features.output);
  EXPECT_EQ(scored.name, "mine");
  EXPECT_EQ(scored.scores[0], whole);

  ScoreOptions explaining;
  explaining.metrics = {options.output};
  const Explanation explanation = explain(captions, "0", explaining).by_metric[0];
  const auto& table = explanation.tables[0];
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_NEAR(std::stod(table.rows[0][3]) + std::stod(table.rows[1][3]), std::stod(table.rows[2][3]), 2e-4);
}

TEST(Composite, SameSeedSameFile) {
  const Files files;
  train_composite(files.options("one.safetensors"));
  CompositeTraining again = files.options("two.safetensors");
  again.name = "one";
  again.threads = 1;
  train_composite(again);
  const auto one = method::composite::read_model(files.at("one.safetensors"));
  const auto two = method::composite::read_model(files.at("two.safetensors"));
  EXPECT_EQ(method::composite::fingerprint(one), method::composite::fingerprint(two));
}

TEST(Composite, RefusesOtherScoresThanItLearntFrom) {
  const Files files;
  const CompositeTraining options = files.options("mine.safetensors");
  train_composite(options);
  auto model = method::composite::read_model(options.output);
  model.inputs[0].choices = "beta:1.3|ref:max";
  const std::string other = files.at("other.safetensors");
  method::composite::write_model(other, model);
  const Dataset captions = people_and_machine(3);
  const std::string problem = message_of<DataError>([&] { first_score(captions, other); });
  EXPECT_NE(problem.find("beta:1.3"), std::string::npos) << problem;
  EXPECT_NE(problem.find("beta:1.2"), std::string::npos) << problem;
  EXPECT_NE(message_of<UsageError>([&] { first_score(captions, options.output, "13a"); }).find("ptb"),
            std::string::npos);
  EXPECT_NE(message_of<DataError>([&] { score_features(other, files.training); }).find("beta:1.3"),
            std::string::npos);
}

TEST(Composite, WhatTheUserSetsDoesNotReachATrainedMetric) {
  const Files files;
  const CompositeTraining options = files.options("mine.safetensors");
  train_composite(options);
  const Dataset captions = people_and_machine(3);
  ScoreOptions run;
  run.metrics = {options.output, "rouge-l"};
  run.settings = {"rouge-l.beta=3"};
  EXPECT_EQ(score(captions, run).item_value(0, 0, 0), first_score(captions, options.output));
}

TEST(Composite, RefusesFilesThatDoNotFit) {
  const Files files;
  CompositeTraining options = files.options("mine.safetensors");
  std::swap(options.features, options.validation);
  EXPECT_NE(message_of<DataError>([&] { train_composite(options); }).find("who wrote them"),
            std::string::npos);
  options = files.options("mine.safetensors");
  options.validation = options.features;
  EXPECT_NE(message_of<DataError>([&] { train_composite(options); }).find("no human ratings"),
            std::string::npos);
  options = files.options("mine.safetensors");
  options.inputs = {"METEOR"};
  EXPECT_NE(message_of<DataError>([&] { train_composite(options); }).find("METEOR"), std::string::npos);
  options.inputs = {};
  EXPECT_THROW(train_composite(options), UsageError);
  options.preset = "eval-mss";
  EXPECT_NE(message_of<UsageError>([&] { train_composite(options); }).find("eval-ms"), std::string::npos);
}

TEST(Composite, SpreadOverSeedsIsMeanAndDeviation) {
  // The mean of 2, 4, 6 is 4, the deviation sqrt((4 + 0 + 4) / 2) = 2.
  const SeedSpread spread = pipeline::spread_of_seeds("test", "tau-b", {2, 4, 6});
  EXPECT_EQ(spread.mean, 4.0);
  EXPECT_EQ(spread.deviation, 2.0);
  EXPECT_EQ(pipeline::spread_of_seeds("test", "tau-b", {7}).deviation, 0.0);
  const CompositeTrained trained = train_composite(Files().options("mine.safetensors"));
  ASSERT_EQ(trained.spreads.size(), 3u);
  EXPECT_EQ(trained.spreads[1].measure, "tau-b");
  EXPECT_EQ(trained.spreads[1].mean, (trained.seeds[0].tau_b + trained.seeds[1].tau_b) / 2);
}

TEST(Composite, KeepsEverySeedAndNoneOfAnEarlierRun) {
  const Files files;
  CompositeTraining options = files.options("mine.safetensors");
  options.keep_all = true;
  options.seeds = 3;
  options.most_epochs = 5;
  const auto names = [&] {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(files.folder.path())) {
      if (entry.path().extension() == ".safetensors") found.insert(entry.path().stem().string());
    }
    return found;
  };
  const CompositeTrained trained = train_composite(options);
  EXPECT_EQ(names(), (std::set<std::string>{"mine", "mine-12345", "mine-12346", "mine-12347"}));
  EXPECT_EQ(composite_model_paths(options).size(), 4u);
  const auto best = method::composite::read_model(options.output);
  const std::uint64_t seed = trained.seeds[trained.best].seed;
  const auto same = method::composite::read_model(files.at(fmt::format("mine-{}.safetensors", seed)));
  EXPECT_EQ(method::composite::fingerprint(best), method::composite::fingerprint(same));

  // A metric of the user's that is named so is not what an earlier run wrote.
  std::filesystem::copy(options.output, files.at("mine-7.safetensors"));
  files.folder.write("mine-8.safetensors", "no model");
  options.seeds = 2;
  options.seed = 12346;
  train_composite(options);
  EXPECT_EQ(names(), (std::set<std::string>{"mine", "mine-12346", "mine-12347", "mine-7", "mine-8"}));
}

TEST(Composite, RefusesNamesThatSignaturesCannotHold) {
  const Files files;
  CompositeTraining options = files.options("mine.safetensors");
  for (const char* name : {"a|b", "a\nb", "\x7f"}) {
    options.name = name;
    EXPECT_NE(message_of<UsageError>([&] { train_composite(options); }).find("name of a score"),
              std::string::npos);
  }
  options.name = "";
  options.output = files.at("a|b.safetensors");
  EXPECT_THROW(train_composite(options), UsageError);
}

TEST(Composite, RefusesMoreInputsThanCanBeExplained) {
  const Files files;
  CompositeTraining options = files.options("mine.safetensors");
  options.inputs.clear();
  for (int k = 0; k < 21; ++k) options.inputs.push_back(fmt::format("score {}", k));
  EXPECT_NE(message_of<UsageError>([&] { train_composite(options); }).find("at most 20"), std::string::npos);
}

TEST(Composite, RefusesAnEmptyClass) {
  const Files files;
  io::FeatureTable table = io::read_features(files.training);
  for (double& target : table.targets) target = 1;
  CompositeTraining options = files.options("mine.safetensors");
  options.features = files.at("one-class.jsonl");
  io::write_features(options.features, table);
  EXPECT_NE(message_of<DataError>([&] { train_composite(options); }).find("machine"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(options.output));
}

TEST(Composite, PresetsNameScoresThatExist) {
  const auto presets = composite_presets();
  ASSERT_EQ(presets.size(), 8u);
  EXPECT_EQ(presets[0].name, "eval-ms");
  EXPECT_EQ(presets[5].inputs, (std::vector<std::string>{"METEOR", "WMD", "CIDEr-D", "SPICE"}));
  EXPECT_EQ(presets[6].inputs.size(), 8u);
  EXPECT_EQ(presets[7].inputs.size(), 16u);
  EXPECT_TRUE(presets[7].hidden.empty());
}

}  // namespace
}  // namespace capella
