// Metrics that look at pictures, through whole runs, with a small model of random weights.
#include <filesystem>

#include <gtest/gtest.h>

#include "capella/compare.h"
#include "capella/error.h"
#include "capella/pipeline.h"
#include "capella/reward.h"

#include "support/clip_data.h"
#include "support/message_of.h"
#include "support/small_pictures.h"

namespace capella {
namespace {

using test::clip_options;
using test::ClipData;
using test::message_of;
using Names = std::vector<std::string>;

const std::vector<test::Item> kClipRunItems = {{"a dog", {"a dog runs", "the dog"}},
                                               {"a cat on a mat", {"cat"}},
                                               {"", {"two cats", "some dogs", "a dog"}},
                                               {"a dog", {"a mat"}}};

class ClipRunTest : public ::testing::Test {
 protected:
  ScoreOptions options(const Names& metrics) const { return clip_options(model_, metrics); }
  static std::vector<double> all_values(const Result& result) {
    std::vector<double> values = result.systems[0].values;
    values.insert(values.end(), result.systems[0].item_values.begin(), result.systems[0].item_values.end());
    return values;
  }

  test::SmallClip model_;
  ClipData data_{kClipRunItems};
};

TEST_F(ClipRunTest, SignaturesNameModelPromptAndWeight) {
  const Result result = score(data_.dataset(), options({"clip-s", "refclip-s", "pac-s", "refpac-s"}));
  const std::string model = encoder::ModelFolder(model_.path()).fingerprint();
  const auto signature = [&](const std::string& score, const std::string& weight) {
    return score + "|model:" + model + "|prompt:\"A photo depicts\"|w:" + weight + "|capella:";
  };
  const std::string expected[] = {signature("CLIP-S", "2.5"), signature("RefCLIP-S", "2.5"),
                                  signature("PAC-S", "2"), signature("RefPAC-S", "2")};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(result.columns[i].signature.starts_with(expected[i]));
  EXPECT_EQ(result.columns[0].high, 2.5);
  EXPECT_DOUBLE_EQ(result.columns[3].high, 2 * 2.0 * 1.0 / 3.0);
}

TEST_F(ClipRunTest, SettingsChangeTheScore) {
  ScoreOptions changed = options({"clip-s"});
  const Result before = score(data_.dataset(), changed);
  changed.settings.push_back("clip-s.weight=5");
  const Result twice = score(data_.dataset(), changed);
  for (std::size_t item = 0; item < kClipRunItems.size(); ++item)
    EXPECT_DOUBLE_EQ(twice.item_value(0, item, 0), 2 * before.item_value(0, item, 0));
  changed.settings.push_back("clip-s.prompt=");
  const Result bare = score(data_.dataset(), changed);
  EXPECT_NE(bare.columns[0].signature.find("|prompt:none|w:5|"), std::string::npos);
  EXPECT_NE(all_values(bare), all_values(twice));
}

TEST_F(ClipRunTest, WrongSettingsAreErrors) {
  for (const char* wrong : {"clip-s.prompt=a|b", "clip-s.weight=0", "clip-s.weight=much", "clip-s.width=3"}) {
    ScoreOptions run = options({"clip-s"});
    run.settings.push_back(wrong);
    EXPECT_THROW(check_options(run), UsageError) << wrong;
  }
  ScoreOptions run = options({"mid"});
  EXPECT_NO_THROW(check_options(run));
  run.settings.push_back("mid.epsilon=-1");
  EXPECT_THROW(check_options(run), UsageError);
}

TEST_F(ClipRunTest, ThreadsAndShardsChangeNothing) {
  ScoreOptions run = options({"clip-s", "refclip-s", "mid"});
  run.settings.push_back("mid.epsilon=0.01");
  const Result one = score(data_.dataset(), run);
  run.threads = 3;
  EXPECT_EQ(all_values(score(data_.dataset(), run)), all_values(one));
  Names parts;
  for (std::size_t shard = 0; shard < 3; ++shard)
    parts.push_back(shard_statistics(data_.dataset(), run, {shard, 3}));
  EXPECT_EQ(all_values(merge_statistics(parts, Names{"a", "b", "c"})), all_values(one));
}

TEST_F(ClipRunTest, TheCacheChangesNothing) {
  ScoreOptions run = options({"clip-s", "refclip-s"});
  const Result without = score(data_.dataset(), run);
  run.cache = (data_.folder().path() / "cache").string();
  EXPECT_EQ(all_values(score(data_.dataset(), run)), all_values(without));
  EXPECT_FALSE(std::filesystem::is_empty(run.cache));
  EXPECT_EQ(all_values(score(data_.dataset(), run)), all_values(without));
}

TEST_F(ClipRunTest, WithoutModelOrPicturesTheErrorSaysHow) {
  ScoreOptions run = options({"clip-s"});
  run.settings.clear();
  const auto no_model = message_of<UsageError>([&] { check_options(run); });
  EXPECT_NE(no_model.find("--set clip-s.model=DIR"), std::string::npos) << no_model;
  EXPECT_THROW(score(data_.dataset(), run), UsageError);
  const auto no_pictures =
      message_of<UsageError>([&] { score(test::make_dataset(kClipRunItems), options({"clip-s"})); });
  EXPECT_NE(no_pictures.find("--images DIR"), std::string::npos) << no_pictures;
  run.settings = {"clip-s.model=" + data_.images()};
  EXPECT_THROW(check_options(run), FileError);
}

TEST_F(ClipRunTest, WhatNeedsAModelIsListedButNotAvailable) {
  const auto listed = list_metrics();
  const auto found = std::ranges::find(listed, "refpac-s", &MetricDescription::name);
  ASSERT_NE(found, listed.end());
  EXPECT_EQ(found->scores.at(0).name, "RefPAC-S");
  EXPECT_TRUE(found->settings.at(0).required);
  EXPECT_EQ(found->settings.at(0).key, "model");
  const auto every = every_metric();
  EXPECT_EQ(std::ranges::find(every, "clip-s"), every.end());
  EXPECT_NE(std::ranges::find(every, "bleu"), every.end());
  const auto with = every_metric(Names{"clip-s.model=somewhere"});
  EXPECT_NE(std::ranges::find(with, "clip-s"), with.end());
  EXPECT_EQ(std::ranges::find(with, "pac-s"), with.end());
}

TEST_F(ClipRunTest, LongCaptionsAreCountedOverAllSystems) {
  const std::string longer(test::SmallClip::kTokens, '7');
  const Dataset dataset =
      data_.dataset({{"second", {longer, "a", longer, "b"}}, {"third", {longer, "a", "b", "c"}}});
  for (const std::size_t threads : {1, 3}) {
    ScoreOptions run = options({"clip-s"});
    run.threads = threads;
    const Result result = score(dataset, run);
    ASSERT_EQ(result.warnings.size(), 2u);  // the other: the first system has an empty caption
    EXPECT_EQ(result.warnings.back(),
              "clip-s: 3 captions have more than the 40 tokens that the encoder takes (ids 0, 2); what "
              "follows them does not count");
  }
}

TEST_F(ClipRunTest, PicturesThatEndEarlyAreTold) {
  const std::string whole = test::random_picture(1, 40, 40);
  const std::string path = data_.folder().write("1.png", whole.substr(0, whole.size() / 2));
  const Result result = score(data_.dataset(), options({"clip-s"}));
  EXPECT_EQ(result.warnings.at(0), "clip-s: 1 picture ends before it is complete and is filled up: " + path);
}

TEST_F(ClipRunTest, ADamagedPictureIsAnErrorThatNamesIt) {
  const std::string path = data_.folder().write("2.png", "GIF89a");
  const auto message = message_of<FileError>([&] { score(data_.dataset(), options({"clip-s"})); });
  EXPECT_TRUE(message.starts_with(path + ": found another kind of file")) << message;
}

TEST_F(ClipRunTest, ExplanationsShowCosines) {
  const auto found = explain(data_.dataset(), "2", options({"clip-s", "refclip-s"})).by_metric;
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].tables.at(0).rows.size(), 1u);
  EXPECT_EQ(found[0].tables[0].rows[0][0], data_.picture(2));
  ASSERT_EQ(found[1].tables.at(0).rows.size(), 4u);
  EXPECT_EQ(found[1].tables[0].rows[1][0], "two cats");
  const double cosine = std::stod(found[1].tables[0].rows[0][1]);
  const Result result = score(data_.dataset(), options({"clip-s"}));
  EXPECT_NEAR(result.item_value(0, 2, 0), 2.5 * std::max(cosine, 0.0), 2e-4);
}

TEST_F(ClipRunTest, RewardsGoByIds) {
  RewardOptions run;
  run.metric = "refclip-s";
  run.tokenizer = "none";
  run.settings = options({"refclip-s"}).settings;
  const Reward reward(data_.dataset(), run);
  const std::vector<std::string_view> ids = {"3", "0", "3"}, captions = {"a dog", "a dog", "cat"};
  const auto values = reward(ids, captions);
  const Result result = score(data_.dataset(), options({"refclip-s"}));
  EXPECT_EQ(values[0], result.item_value(0, 3, 0));
  EXPECT_EQ(values[1], result.item_value(0, 0, 0));
  const std::vector<std::vector<std::string_view>> own = {{"a dog"}};
  EXPECT_THROW(reward(own, std::vector<std::string_view>{"a"}), UsageError);
}

TEST_F(ClipRunTest, ItemsWithoutPictures) {
  std::filesystem::remove(data_.picture(1));
  std::filesystem::remove(data_.picture(3));
  const Dataset bare = test::make_dataset(kClipRunItems, {{"second", {"a", "b", "c", "d"}}});
  const auto message = message_of<DataError>([&] { with_images(bare, data_.images()); });
  EXPECT_NE(message.find("2 of 4 items have no picture there: 1, 3; "), std::string::npos) << message;
  const Dataset rest = with_images(bare, data_.images(), true);
  ASSERT_EQ(rest.size(), 2u);
  EXPECT_EQ(rest.id(1), "2");
  EXPECT_EQ(rest.references(1).size(), 3u);
  EXPECT_EQ(rest.systems()[1].captions[1], "c");
  EXPECT_EQ(rest.images()[1], data_.picture(2));
  ASSERT_EQ(rest.skipped().size(), 2u);
  EXPECT_EQ(rest.skipped()[1].id, "3");
  const std::map<std::string, std::string> by_id = {
      {"0", data_.picture(0)}, {"1", "gone.png"}, {"2", data_.picture(2)}};
  const Dataset some = with_images(bare, by_id, true);
  ASSERT_EQ(some.size(), 2u);
  EXPECT_EQ(some.skipped()[0].why, "no picture in images: gone.png is not there");
  EXPECT_EQ(some.skipped()[1].why, "no picture in images");
  const auto named = message_of<DataError>([&] { with_images(bare, by_id); });
  EXPECT_NE(named.find("2 of 4 items have no picture there: 1 (gone.png), 3; put the files there, or name"),
            std::string::npos)
      << named;
  EXPECT_THROW(with_images(bare, std::map<std::string, std::string>{}, true), DataError);
}

TEST_F(ClipRunTest, MidNeedsManyItems) {
  const auto message = message_of<DataError>([&] { score(data_.dataset(), options({"mid"})); });
  EXPECT_NE(message.find("more than 20 items, or --set mid.epsilon=0.0005"), std::string::npos) << message;
}

}  // namespace
}  // namespace capella
