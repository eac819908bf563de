// Learned metrics from files to scores, with small encoders: what is encoded and learnt from, the model's
// file, and that every way to a score gives the same.
#include "capella/deneb.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"
#include "capella/pipeline.h"

#include "base/file.h"
#include "method/deneb/model_file.h"
#include "method/deneb/scorer.h"
#include "pipeline/deneb_features.h"
#include "pipeline/deneb_train.h"
#include "support/deneb_pipeline.h"
#include "support/message_of.h"
#include "support/small_clip.h"
#include "support/small_text_encoder.h"

namespace capella {
namespace {

using method::deneb::Architecture;
using method::deneb::Model;
using test::DenebPipelineTest;
using test::kRows;
using test::message_of;

void expect_row(std::span<const float> table, std::size_t row, const std::vector<float>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(table[row * expected.size() + i], expected[i]) << row << ", " << i;
}

TEST_F(DenebPipelineTest, EncodesEachCaptionAndImageOnce) {
  const io::Benchmark rows = io::read_benchmark("nebula", training_.training, {});
  const auto paths = pipeline::picture_paths(rows, training_.encoders.images);
  pipeline::SampleTexts texts;
  const auto samples = texts.samples(rows, paths);
  EXPECT_EQ(texts.images.texts().size(), 3u);
  EXPECT_EQ(texts.captions.texts().size(), 11u);  // the references of an image are shared, and "a cat sleeps"
  EXPECT_EQ(samples.images, (std::vector<std::uint32_t>{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(samples.candidates[0], samples.candidates[5]);
  EXPECT_EQ(samples.references_of(2)[0], samples.candidates[1]);
  EXPECT_EQ(samples.scores, (std::vector<float>{1, 0, .75f, .25f, .5f, .5f}));
  const pipeline::OpenEncoders encoders = pipeline::open_encoders(training_.encoders);
  ThreadPool pool(2);
  for (const bool half : {false, true}) {
    const pipeline::DenebTables tables =
        pipeline::encode(encoders, texts, {"In the image, ", half, &pool, {}});
    const auto features = tables.features();
    for (std::size_t k = 0; k < texts.captions.texts().size(); ++k)
      expect_row(features.captions.floats, k,
                 clip_.text("In the image, " + std::string(texts.captions.texts()[k])));
    for (std::size_t k = 0; k < 3; ++k)
      expect_row(features.images.floats, k, clip_.picture(std::string(texts.images.texts()[k])));
    const auto states = encoder::StateEncoder(text_.path()).states(texts.captions.texts()).states;
    EXPECT_EQ(features.sentences.layers, 3u);
    EXPECT_TRUE(std::ranges::equal(features.sums, states.sums));
    EXPECT_TRUE(std::ranges::equal(features.tokens, states.tokens));
    if (!half) {
      EXPECT_TRUE(std::ranges::equal(features.sentences.floats, states.first));
      continue;
    }
    ASSERT_EQ(features.sentences.halves.size(), states.first.size());
    for (std::size_t i = 0; i < states.first.size(); ++i) {
      const float value =
          std::bit_cast<float>(static_cast<std::uint32_t>(features.sentences.halves[i]) << 16);
      EXPECT_NEAR(value, states.first[i], std::abs(states.first[i]) / 256);
    }
  }
}

TEST_F(DenebPipelineTest, MapsRatingsToUnitRange) {
  io::Benchmark benchmark;
  const auto mapped = [&](const char* name, std::vector<double> ratings) {
    benchmark.name = name;
    benchmark.ratings = std::move(ratings);
    return pipeline::unit_ratings(benchmark);
  };
  EXPECT_EQ(mapped("composite", {1, 2, 5}), (std::vector<float>{0, .25f, 1}));
  EXPECT_EQ(mapped("flickr8k-expert", {1, 4}), (std::vector<float>{0, 1}));
  EXPECT_FLOAT_EQ(mapped("flickr8k-expert", {2})[0], 1.0f / 3);
  EXPECT_EQ(mapped("flickr8k-cf", {0, .5}), (std::vector<float>{0, .5f}));
  EXPECT_THROW(mapped("foil", {1}), UsageError);
}

TEST_F(DenebPipelineTest, TrainsWritesAndTells) {
  const DenebTrained trained = train();
  EXPECT_EQ(trained.architecture, "released");
  EXPECT_EQ(trained.training_rows, 6u);
  EXPECT_EQ(trained.validation_rows, 4u);
  EXPECT_EQ(trained.images, 3u);
  EXPECT_EQ(trained.most_references, 3u);
  EXPECT_EQ(trained.epochs.size(), 3u);  // the second is no better than the first
  EXPECT_EQ(trained.best_epoch, 1u);
  EXPECT_EQ(maker_.asked.clip_width, 10u);
  EXPECT_EQ(maker_.asked.sentence_width, 32u);
  EXPECT_EQ(maker_.asked.sentence_layers, 3u);
  EXPECT_TRUE(maker_.asked.image);
  EXPECT_FALSE(std::filesystem::exists(training_.output + ".checkpoint"));
  const Model model = method::deneb::read_model(training_.output);
  EXPECT_EQ(model.encoders.clip->fingerprint, encoder::ModelFolder(clip_.path()).fingerprint());
  EXPECT_EQ(model.encoders.prompt, "In the image, ");
  EXPECT_EQ(model.encoders.image->size, 12u);
  EXPECT_EQ(model.facts.training_data, "train.jsonl");
  EXPECT_EQ(trained.parameters, method::deneb::parameter_count(model.recipe));
}

TEST_F(DenebPipelineTest, ChoicesMakeTheRecipe) {
  take_polos();
  training_.text_only = true;
  training_.encoders.images.clear();
  training_.rate = .5;
  training_.batch = 2;
  training_.dropout = 0;
  training_.weight_decay = .25;
  training_.scale_vectors = true;
  train();
  EXPECT_EQ(maker_.asked.weight_decay, .25);
  EXPECT_TRUE(maker_.asked.scale_vectors);
  EXPECT_EQ(maker_.asked.architecture, Architecture::polos);
  EXPECT_FALSE(maker_.asked.image);
  EXPECT_EQ(maker_.asked.rate, .5);
  EXPECT_EQ(maker_.asked.batch, 2u);
  EXPECT_EQ(maker_.asked.mix_dropout, 0);
  EXPECT_EQ(method::deneb::read_model(training_.output).encoders.prompt, "A photo depicts ");
  training_.architecture = "paper";
  training_.width = 16;
  training_.layers = 1;
  training_.feed_forward = 8;
  training_.cosine = true;
  training_.joiner = "mlp";
  training_.tokens = "raw";
  training_.references = "mean";
  training_.statistics = "batch";
  training_.batch = 3;
  training_.most_epochs = 10;
  train();
  EXPECT_TRUE(maker_.asked.cosine);
  EXPECT_EQ(maker_.asked.joiner, method::deneb::Joiner::mlp);
  EXPECT_EQ(maker_.asked.tokens, method::deneb::TokenKind::raw);
  EXPECT_EQ(maker_.asked.references, method::deneb::References::mean);
  EXPECT_EQ(maker_.asked.mix, method::deneb::MixStatistics::batch);
  EXPECT_TRUE(maker_.asked.cut_references);
  EXPECT_EQ(maker_.asked.sentence_layers, 3u);
  EXPECT_EQ(maker_.asked.total_steps, 20u);  // two whole batches of three in ten epochs
  training_.statistics.clear();
  training_.encoders.vectors = "pooled";
  train();
  EXPECT_EQ(maker_.asked.sentence_layers, 1u);
}

// "two dog" is a reference of the first image's rows, "cat" of the third's; the second image has neither.
TEST_F(DenebPipelineTest, LeavesOutRowsOfTests) {
  const auto test_of = [&](const char* name, const char* caption, const char* reference) {
    const nlohmann::json row = {{"imgid", "x"}, {"mt", caption}, {"refs", {reference}}, {"score", .5}};
    return DenebHeldOut{"nebula", folder_.write(name, row.dump() + "\n")};
  };
  training_.held_out = {test_of("t1.jsonl", "a man", " Two \t DOG"), test_of("t2.jsonl", "cat", "the man")};
  training_.rows_per_epoch = 5;
  training_.batch = 2;
  const DenebTrained trained = train();
  EXPECT_EQ(trained.training_rows, 2u);
  EXPECT_EQ(trained.dropped_rows, 4u);
  EXPECT_EQ(trained.most_references, 2u);
  EXPECT_EQ(trained.images, 3u);  // of validation rows, which stay
  EXPECT_EQ(maker_.asked.total_steps, 4u);
  const Model model = method::deneb::read_model(training_.output);
  EXPECT_EQ(model.facts.held_out, (std::vector<std::string>{"nebula:t1.jsonl", "nebula:t2.jsonl"}));
  EXPECT_EQ(model.facts.dropped_rows, 4u);
  EXPECT_EQ(model.facts.rows_per_epoch, 5u);
  training_.held_out.push_back(test_of("t3.jsonl", "a", "a cat sleeps"));
  const std::string nothing = message_of<DataError>([&] { train(); });
  EXPECT_NE(nothing.find("each of the 6 rows has a reference that stands in a benchmark"), std::string::npos)
      << nothing;
  training_.held_out = {{"nebul", "t1.jsonl"}};
  EXPECT_NE(message_of<UsageError>([&] { train(); }).find("did you mean 'nebula'"), std::string::npos);
}

TEST_F(DenebPipelineTest, PairsEndTheTraining) {
  nlohmann::json pairs;
  for (const char* category : {"HC", "HI", "HM", "MM"}) {
    for (const int label : {0, 1})
      pairs[category].push_back({{"image", "one"},
                                 {"captions", {"a dog runs", "red grass"}},
                                 {"label", label},
                                 {"references", {"two dog", "a red dog"}}});
  }
  training_.validation = folder_.write("pairs.json", pairs.dump());
  training_.validation_layout = "pascal50s";
  const DenebTrained trained = train();
  EXPECT_EQ(trained.measure, "accuracy");
  EXPECT_EQ(trained.validation_rows, 16u);
  for (const DenebEpoch& epoch : trained.epochs) EXPECT_EQ(epoch.agreement, .5);  // one label or the other
  EXPECT_EQ(method::deneb::read_model(training_.output).facts.measure, method::deneb::Measure::accuracy);
  training_.layout = "pascal50s";
  EXPECT_NE(message_of<UsageError>([&] { train(); }).find("--valid-layout pascal50s"), std::string::npos);
}

TEST_F(DenebPipelineTest, RefusesWhatCannotBe) {
  const auto problem = [&](auto change) {
    DenebTraining options = training_;
    change(options);
    return message_of<Error>([&] { pipeline::train_deneb(options, maker_); });
  };
  EXPECT_NE(problem([](DenebTraining& o) { o.architecture = "polas"; }).find("did you mean 'polos'"),
            std::string::npos);
  EXPECT_NE(problem([](DenebTraining& o) { o.width = 20; }).find("multiple of 16"), std::string::npos);
  EXPECT_NE(problem([](DenebTraining& o) { o.encoders.images.clear(); }).find("--images"), std::string::npos);
  EXPECT_NE(problem([](DenebTraining& o) { o.text_only = true; }).find("--images"), std::string::npos);
  EXPECT_NE(problem([](DenebTraining& o) { o.rows_per_epoch = 1'000'000'000; }).find("rows in an epoch"),
            std::string::npos);
  EXPECT_NE(problem([](DenebTraining& o) { o.weight_decay = -1; }).find("weight decay"), std::string::npos);
  EXPECT_NE(problem([](DenebTraining& o) { o.without = {"coco"}; }).find("without parts"), std::string::npos);
  EXPECT_NE(problem([](DenebTraining& o) { o.patience = 0; }).find("patience of 0"), std::string::npos);
  EXPECT_NE(problem([](DenebTraining& o) { o.output = "m.bin"; }).find("NAME.safetensors"),
            std::string::npos);
  EXPECT_NE(problem([](DenebTraining& o) { o.layout = "foil"; }), "");
  EXPECT_NE(problem([](DenebTraining& o) {
              o.architecture = "polos";
              o.width = o.heads = o.layers = o.feed_forward = 0;
              o.references = "together";
            }).find("each reference alone"),
            std::string::npos);
  EXPECT_NE(problem([](DenebTraining& o) {
              o.encoders.clip.clear();
              o.encoders.text.clear();
              o.encoders.images.clear();
            }),
            "");
  std::filesystem::remove(path("images/two.png"));
  const std::string missing = problem([](DenebTraining&) {});
  EXPECT_NE(missing.find("1 of 3 images are not there: two"), std::string::npos) << missing;
}

TEST_F(DenebPipelineTest, RefusesRowsWithoutReferences) {
  training_.training =
      folder_.write("bad.jsonl", lines(0, 2) + R"({"imgid": "one", "mt": "a", "refs": [], "score": 0.5})"
                                               "\n");
  const std::string message = message_of<DataError>([&] { train(); });
  EXPECT_NE(message.find("bad.jsonl"), std::string::npos) << message;
  EXPECT_NE(message.find("3"), std::string::npos) << message;
}

TEST_F(DenebPipelineTest, EveryWayToAScoreGivesTheSame) {
  for (const char* architecture : {"released", "paper", "polos"}) {
    training_.architecture = architecture;
    if (training_.architecture == "polos") take_polos();
    train();
    const std::string metric = training_.architecture == "polos" ? "polos" : "deneb";
    const Dataset data = dataset();
    const Result direct = score_deneb(data, scoring());
    const Result through = score(data, as_metric(metric));
    ASSERT_EQ(direct.columns.size(), 1u);
    EXPECT_EQ(direct.columns[0].name, metric == "polos" ? "Polos" : "DENEB");
    EXPECT_EQ(direct.columns[0].signature, through.columns[0].signature);
    EXPECT_NE(through.columns[0].signature.find(std::string("|arch:") + architecture), std::string::npos);
    for (std::size_t s = 0; s < 2; ++s) {
      EXPECT_EQ(direct.systems[s].item_values, through.systems[s].item_values);
      EXPECT_EQ(direct.systems[s].values, through.systems[s].values);
    }
    EXPECT_NE(direct.systems[0].item_values, direct.systems[1].item_values);
    DenebScoring one = scoring();
    one.threads = 1;
    one.batch = 1;
    EXPECT_EQ(score_deneb(data, one).systems[0].item_values, direct.systems[0].item_values);
  }
}

// With one reference each and batches of one, zip-min cuts nothing; in larger ones it does.
TEST_F(DenebPipelineTest, ParityLooksAtNeighbours) {
  train();
  const Dataset data = dataset();
  const std::vector<double> alone = score_deneb(data, scoring()).systems[0].item_values;
  DenebScoring options = scoring();
  options.references = "zip-min";
  options.batch = 1;
  EXPECT_EQ(score_deneb(data, options).systems[0].item_values, alone);
  options.batch = 6;
  const Result cut = score_deneb(data, options);
  EXPECT_EQ(cut.systems[0].item_values[2], alone[2]);  // has one reference, as all have now
  EXPECT_NE(cut.systems[0].item_values[0], alone[0]);
  EXPECT_NE(cut.columns[0].signature.find("refs-policy:zip-min|batch:6"), std::string::npos);
  options = scoring();
  options.parity = true;
  const Result parity = score_deneb(data, options);
  EXPECT_NE(parity.systems[0].item_values[2], alone[2]);
  EXPECT_NE(parity.columns[0].signature.find("mix:batch"), std::string::npos);
  options.batch = 3;
  EXPECT_NE(score_deneb(data, options).systems[0].item_values, parity.systems[0].item_values);
}

TEST_F(DenebPipelineTest, OtherEncodersAreRefused) {
  train();
  const Dataset data = dataset();
  const test::SmallClip other_clip(9);
  const test::SmallTextEncoder other_text(9);
  DenebScoring options = scoring();
  options.encoders.clip = other_clip.path();
  const std::string message = message_of<FileError>([&] { score_deneb(data, options); });
  EXPECT_NE(message.find("trained with another CLIP model"), std::string::npos) << message;
  options = scoring();
  options.encoders.text = other_text.path();
  EXPECT_NE(message_of<FileError>([&] { score_deneb(data, options); }).find("another sentence encoder"),
            std::string::npos);
  ScoreOptions as = as_metric("deneb");
  as.settings[1] = "deneb.clip=" + other_clip.path();
  EXPECT_NE(message_of<FileError>([&] { score(data, as); }).find("another CLIP model"), std::string::npos);
  as = as_metric("deneb");
  as.settings.pop_back();
  EXPECT_NE(message_of<UsageError>([&] { score(data, as); }).find("--set deneb.text=DIR"), std::string::npos);
  as = as_metric("polos");
  EXPECT_NE(message_of<UsageError>([&] { score(data, as); }).find("ask for deneb"), std::string::npos);
  options = scoring();
  options.encoders.clip.clear();
  EXPECT_NE(message_of<UsageError>([&] { score_deneb(data, options); }).find("--clip DIR"),
            std::string::npos);
}

TEST_F(DenebPipelineTest, ANetworkOfTextsNeedsNoPictures) {
  training_.text_only = true;
  training_.encoders.images.clear();
  training_.encoders.clip.clear();
  train();
  EXPECT_EQ(maker_.asked.clip_width, 0u);
  Dataset::Parts parts = dataset().parts();
  parts.images.clear();
  const Dataset bare(std::move(parts));
  ScoreOptions as = as_metric("deneb");
  as.settings.erase(as.settings.begin() + 1);
  DenebScoring options = scoring();
  options.encoders.clip.clear();
  EXPECT_EQ(score(bare, as).systems[0].item_values, score_deneb(bare, options).systems[0].item_values);
}

TEST_F(DenebPipelineTest, WarnsOfMoreReferencesThanWereSeen) {
  training_.training = folder_.write("few.jsonl", lines(2, 6));
  train();
  const Result result = score_deneb(dataset(), scoring());
  ASSERT_EQ(result.warnings.size(), 1u);
  EXPECT_NE(result.warnings[0].find("2 items have more references than the 2"), std::string::npos);
  EXPECT_EQ(score(dataset(), as_metric("deneb")).warnings.size(), 1u);
}

TEST_F(DenebPipelineTest, ExplainsWhatEachPartAdds) {
  train();
  Dataset::Parts parts = dataset().parts();
  parts.systems.pop_back();
  const Dataset data(std::move(parts));
  const double score_of_item = score(data, as_metric("deneb")).item_value(0, 0, 0);
  const Explanations all = explain(data, "item0", as_metric("deneb"));
  ASSERT_EQ(all.by_metric.size(), 1u);
  const Explanation& why = all.by_metric[0];
  EXPECT_TRUE(std::ranges::any_of(why.summary, [&](const std::string& line) {
    return line == fmt::format("the network gives {:.4f}, from 0 to 1", score_of_item);
  }));
  ASSERT_EQ(why.tables[0].rows.size(), 4u);  // three references and the picture
  EXPECT_EQ(why.tables[0].rows[0][0], "two dog");
  // What the item has without its first reference is what an item with the other two has.
  Dataset::Parts fewer = data.parts();
  fewer.references.erase(fewer.references.begin());
  for (std::size_t& end : fewer.reference_ends) --end;
  const double without = score(Dataset(std::move(fewer)), as_metric("deneb")).item_value(0, 0, 0);
  EXPECT_EQ(why.tables[0].rows[0][1], fmt::format("{:.4f}", without));
  EXPECT_EQ(why.tables[0].rows[0][2], fmt::format("{:+.4f}", score_of_item - without));
}

}  // namespace
}  // namespace capella
