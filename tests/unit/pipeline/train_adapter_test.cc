// Which images an adapter learns from, what its folder tells, and what is refused.
#include "pipeline/train_adapter.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "encoder/model_folder.h"
#include "pipeline/caption_images.h"
#include "report/adapter_report.h"
#include "support/message_of.h"
#include "support/small_adapter.h"
#include "support/small_text_encoder.h"
#include "support/still_adapter.h"
#include "support/temp_dir.h"

namespace capella {
namespace {

using nlohmann::json;
using pipeline::comparable_words;
using pipeline::picture_name;
using test::message_of;

TEST(CaptionImages, CompareWordsAlone) {
  EXPECT_EQ(comparable_words(" A man's Dog, running;on 2 legs! "), "a man s dog running on 2 legs");
  EXPECT_EQ(comparable_words("a dog runs away"), "");  // four words, which other images may have, too
  EXPECT_EQ(comparable_words("a dog runs away now"), "a dog runs away now");
  EXPECT_EQ(comparable_words("Ein M\xC3\x84NNLEIN \xE2\x80\x9Egeht\xE2\x80\x9C \xC3\xBC\x62\x65r Land"),
            "ein m\xC3\xA4nnlein geht \xC3\xBC\x62\x65r land");
  EXPECT_EQ(comparable_words(""), "");
}

TEST(CaptionImages, OnlyNamesOfPicturesAreComparable) {
  EXPECT_EQ(picture_name("Flickr8k_Dataset/909191414_1cf5d85821.jpg"), "909191414_1cf5d85821.jpg");
  EXPECT_EQ(picture_name("A.PNG"), "a.png");
  EXPECT_EQ(picture_name("262148"), "");
  EXPECT_EQ(picture_name(".jpg"), "");
}

class TrainAdapterTest : public ::testing::Test {
 protected:
  TrainAdapterTest() : base_(5, true) {
    options_.base = base_.path();
    options_.output = path("adapter");
    options_.steps = 4;
    options_.tell_every = 2;
    options_.threads = 1;
    options_.captions = {write("c.json", {{"1.jpg", {"a dog", "two dog", "red dog", "a dog runs"}},
                                          {"2.jpg", {"a cat", "two cat", "red cat"}},
                                          {"3.jpg", {"a cat sleeps", "a cat sleeps", "A CAT sleeps", "cat"}},
                                          {"4.jpg", {"red grass", " ", "on grass", "two on grass"}},
                                          {"5.jpg", {"A dog, on red grass.", "dog on grass", "dog"}}})};
  }

  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  std::string write(const std::string& name, const json& content) const {
    return folder_.write(name, content.dump());
  }
  json config() const {
    std::ifstream file(options_.output + "/adapter_config.json");
    return json::parse(file);
  }
  std::string arrays() const {
    std::ifstream file(options_.output + "/adapter_model.safetensors", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  AdapterTrained train() const { return pipeline::train_adapter(options_, maker_); }
  template <class Error>
  void expect_refusal(const std::string& part) const {
    const std::string message = message_of<Error>([&] { train(); });
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_FALSE(std::filesystem::exists(options_.output));
  }

  test::TempDir folder_;
  test::SmallTextEncoder base_;
  test::StillAdapterMaker maker_;
  AdapterTraining options_;
};

TEST_F(TrainAdapterTest, TakesImagesWithEnoughDifferentCaptions) {
  const AdapterTrained trained = train();
  ASSERT_EQ(trained.data.size(), 1u);
  EXPECT_EQ(trained.data[0].images, 4u);  // of 3.jpg there are two different ones, capitals aside
  EXPECT_EQ(trained.data[0].captions, 4u + 3 + 3 + 3);
  EXPECT_EQ(trained.data[0].few, 1u);
  EXPECT_EQ(trained.images, 4u);
  EXPECT_EQ(trained.batch, 4u);  // no more than there are
  EXPECT_EQ(trained.steps.size(), 5u);
  EXPECT_TRUE(std::isnan(trained.steps[0].loss));
  EXPECT_EQ(maker_.asked.reading, method::adapter_training::Reading::mean);
  EXPECT_EQ(maker_.asked.alpha, 16);
  EXPECT_GT(maker_.arrays, 30u);
  EXPECT_FALSE(std::filesystem::exists(options_.output + ".checkpoint"));
}

TEST_F(TrainAdapterTest, LeavesOutWhatIsHeldOut) {
  options_.captions.push_back(write("d.json", {{"7", {"a dog sleeps on red grass", "dog", "red dog"}},
                                               {"8", {"cat", "red cat", "two cat"}}}));
  const std::string rows = json{
      {"imgid", "pictures/2.JPG"},
      {"mt", "red cat"},
      {"refs", {"cat", "A dog sleeps, on red grass!"}},
      {"score", .5}}.dump();
  options_.held_out = {{"nebula", folder_.write("n.jsonl", rows + "\n" + rows + "\n")},
                       {"", write("h.json", {{"1", {"a dog on red grass"}}, {"4", {"cat"}}})}};
  const AdapterTrained trained = train();
  ASSERT_EQ(trained.data.size(), 2u);
  EXPECT_EQ(trained.data[0].known, 1u);  // 5.jpg, by a caption of five words
  EXPECT_EQ(trained.data[0].named, 1u);  // 2.jpg; the number 4 is the name of no picture
  EXPECT_EQ(trained.data[0].images, 2u);
  EXPECT_EQ(trained.data[1].known, 1u);
  EXPECT_EQ(trained.data[1].named, 0u);
  EXPECT_EQ(trained.data[1].images, 1u);
  const json facts = config()["capella"];
  EXPECT_EQ(facts["held_out"], (json{"nebula:n.jsonl", "h.json"}));
  EXPECT_EQ(facts["data"][0]["file"], "c.json");
  EXPECT_EQ(facts["data"][0]["held_out_by_caption"], 1);
  EXPECT_EQ(facts["data"][1]["images"], 1);
}

TEST_F(TrainAdapterTest, AllSplitsAreHeldOut) {
  const auto image = [](const char* name, const char* split, const char* caption) {
    return json{{"filename", name}, {"split", split}, {"sentences", {{{"raw", caption}}}}};
  };
  options_.held_out = {{"", write("k.json", {{"images",
                                              {image("x.jpg", "train", "a dog on red grass"),
                                               image("1.jpg", "test", "a cat")}}})}};
  const AdapterTrained trained = train();
  EXPECT_EQ(trained.data[0].known, 1u);
  EXPECT_EQ(trained.data[0].named, 1u);
  EXPECT_EQ(trained.data[0].images, 2u);
}

TEST_F(TrainAdapterTest, AnImageInTwoFilesCountsOnce) {
  options_.captions.push_back(write("d.json", {{"02", {"red cat", "A cat", "two cat"}},  // that of 2.jpg
                                               {"8", {"cat", "red cat", "two cat"}}}));
  const AdapterTrained trained = train();
  EXPECT_EQ(trained.data[0].again, 0u);
  EXPECT_EQ(trained.data[1].again, 1u);
  EXPECT_EQ(trained.data[1].images, 1u);
  EXPECT_EQ(trained.images, 5u);
  EXPECT_EQ(config()["capella"]["data"][1]["repeated"], 1);
}

TEST_F(TrainAdapterTest, TellsOfImagesThatWereThereBefore) {
  const json one = {{"1", {"red cat", "a cat", "two cat"}}};
  options_.captions = {write("one.json", one), write("again.json", one)};
  expect_refusal<DataError>("one image is left");
  expect_refusal<DataError>("1 since an image before has the same captions");
}

TEST_F(TrainAdapterTest, FolderTellsItsBaseAndHowItCameToBe) {
  options_.rank = 5;
  options_.seed = 42;
  train();
  const json found = config();
  EXPECT_EQ(found["base_model_name_or_path"], base_.path());
  EXPECT_EQ(found["r"], 5);
  EXPECT_EQ(found["lora_alpha"], 5);
  EXPECT_EQ(found["capella"]["seed"], 42);
  EXPECT_EQ(found["capella"]["recipe"]["steps"], 4);
  EXPECT_EQ(found["capella"]["base_fingerprint"], encoder::ModelFolder(base_.path()).fingerprint());
  EXPECT_NE(arrays().find("F16"), std::string::npos);
}

TEST_F(TrainAdapterTest, FullNumbersAreWrittenOnDemand) {
  options_.full = true;
  train();
  EXPECT_NE(arrays().find("F32"), std::string::npos);
}

TEST_F(TrainAdapterTest, BaseIsToldAsSeenFromTheFolder) {
  std::filesystem::create_directory(folder_.path() / "models");
  std::filesystem::copy(base_.path(), folder_.path() / "models" / "base",
                        std::filesystem::copy_options::recursive);
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  options_.base = "models/base";
  options_.output = "made/adapter";
  std::filesystem::create_directory("made");
  try {
    train();
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
  const json found = config();
  std::filesystem::current_path(before);
  EXPECT_EQ(found["base_model_name_or_path"], "../../models/base");
}

TEST_F(TrainAdapterTest, RatedCaptionsAreLearntFromUnlessTheyAreHeldOut) {
  const auto row = [](const char* image, const char* caption, double score) {
    return json{{"imgid", image}, {"mt", caption}, {"refs", {"a dog", "a cat"}}, {"score", score}}.dump() +
           "\n";
  };
  options_.rated =
      folder_.write("r.jsonl", row("x", "a dog on grass", .2) + row("y.jpg", "dog a", 1) +
                                   row("z", "one two three four five", 0) + row("x", "a cat", .4) +
                                   row("x", " ", .9) + row("w", "grass", .1));
  options_.rated_layout = "nebula";
  options_.rated_weight = 2;
  options_.held_out = {{"", folder_.write("h.json", R"({"y.jpg": "a", "q": "One, two three four FIVE!"})")}};
  const AdapterTrained trained = train();
  EXPECT_EQ(trained.rated.rows, 3u);
  EXPECT_EQ(trained.rated.blank, 1u);
  EXPECT_EQ(trained.rated.known, 1u);
  EXPECT_EQ(trained.rated.named, 1u);
  EXPECT_EQ(maker_.asked.rated_batch, 3u);  // no more than there are
  EXPECT_EQ(config()["capella"]["rated"]["rows"], 3);
  EXPECT_EQ(config()["capella"]["strength"], 1.0);
  EXPECT_EQ(config()["capella"]["recipe"]["rated_weight"], 2.0);
  const std::string told = report::format_adapter_training(trained, report::Format::table);
  EXPECT_NE(told.find("rated captions"), std::string::npos) << told;
}

TEST_F(TrainAdapterTest, RefusesRatingsThatTeachNothing) {
  const auto row = [](const char* caption, double score) {
    return json{{"imgid", "x"}, {"mt", caption}, {"refs", {"a dog"}}, {"score", score}}.dump() + "\n";
  };
  const std::string same = row("a dog", 1) + row("a cat", 1) + row("grass", 1);
  options_.rated_layout = "nebula";
  options_.rated = folder_.write("same.jsonl", same);
  expect_refusal<DataError>("same.jsonl: all 3 ratings are 1, so that there is nothing to learn from it");
  options_.rated = folder_.write("few.jsonl", same + row("one two three four five", 0));
  options_.held_out = {{"", folder_.write("h.json", R"({"q": "One, two three four FIVE!"})")}};
  expect_refusal<DataError>("few.jsonl: rated captions that are left to learn from: 3, all rated the same");
  options_.rated = folder_.write("two.jsonl", row("a dog", 1) + row("a cat", 0));
  expect_refusal<DataError>("two.jsonl: rated captions that are left to learn from: 2, expected three");
}

TEST_F(TrainAdapterTest, AgreementIsToldWhereThereAreRatings) {
  const auto row = [](const char* caption, double score) {
    return json{{"imgid", "x"}, {"mt", caption}, {"refs", {"a dog"}}, {"score", score}}.dump() + "\n";
  };
  options_.validation =
      folder_.write("v.jsonl", row("a dog", 1) + row("a dog on grass", .2) + row("dog a", 1));
  options_.validation_layout = "nebula";
  options_.validate_every = 2;
  std::vector<std::string> told;
  options_.tell = [&](const std::string& text) { told.push_back(text); };
  const AdapterTrained trained = train();
  EXPECT_EQ(trained.validation_rows, 3u);
  for (std::size_t step = 0; step <= 4; ++step)
    EXPECT_EQ(std::isnan(trained.steps[step].agreement), step % 2 == 1) << step;
  EXPECT_EQ(config()["capella"]["validation"]["rows"], 3);
  ASSERT_EQ(told.size(), 3u);
  EXPECT_TRUE(told[0].starts_with("step 0 of 4, tau-c 0.")) << told[0];
  EXPECT_TRUE(told[1].starts_with("step 2 of 4, loss 3.7500, ")) << told[1];
}

TEST_F(TrainAdapterTest, GoesOnToTheSameBytes) {
  options_.checkpoint_every = 1;
  train();
  const std::string expected = arrays(), told = config().dump();
  std::filesystem::remove_all(options_.output);
  maker_.before_step = [](std::size_t step) {
    if (step == 3) throw DataError("killed");
  };
  EXPECT_THROW(train(), DataError);
  EXPECT_TRUE(std::filesystem::exists(options_.output + ".checkpoint"));
  maker_.before_step = {};
  options_.seed = 3;
  expect_refusal<FileError>("the checkpoint is of another model, other captions or other options");
  options_.seed = AdapterTraining().seed;
  EXPECT_TRUE(train().resumed);
  EXPECT_EQ(arrays(), expected);
  EXPECT_EQ(config().dump(), told);
}

// The losses of these steps are 5, 2.5, 5/3, 1.25: whatever a run was killed at, a mean goes over all steps
// since it told last.
TEST_F(TrainAdapterTest, LossesAfterAKillAreMeansOfWholeStretches) {
  options_.checkpoint_every = 1;
  options_.tell_every = 4;
  maker_.before_step = [](std::size_t step) {
    if (step == 3) throw DataError("killed");
  };
  EXPECT_THROW(train(), DataError);
  maker_.before_step = {};
  std::vector<std::string> told;
  options_.tell = [&](const std::string& text) { told.push_back(text); };
  train();
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[0], "going on after step 2");
  EXPECT_TRUE(told[1].starts_with("step 4 of 4, loss 2.6042, ")) << told[1];
}

TEST_F(TrainAdapterTest, RefusesWhatCannotBe) {
  const AdapterTraining good = options_;
  options_.rank = 0;
  expect_refusal<UsageError>("--rank is 0");
  options_ = good;
  options_.warm_up = 5;
  expect_refusal<UsageError>("--warm-up is 5, expected no more than there are --steps, 4");
  options_ = good;
  options_.tell_every = 0;
  expect_refusal<UsageError>("--tell-every is 0");
  options_ = good;
  options_.captions = {};
  expect_refusal<UsageError>("no captions");
  options_.captions = {path("none.json")};
  expect_refusal<FileError>("none.json");
  options_ = good;
  options_.references = 6;
  expect_refusal<DataError>(
      "c.json: no image is left to learn from, expected two images or more: 0 were left "
      "out since they are in what is held out, 5 since they have fewer than 7");
  options_ = good;
  options_.held_out = {{"nebula", path("none.json")}};
  expect_refusal<FileError>("none.json");
  options_.held_out = {{"nebla", "x"}};
  expect_refusal<UsageError>("nebula");
  options_ = good;
  options_.validation = options_.captions[0];
  expect_refusal<UsageError>("--valid-layout");
  options_.validation_layout = "pascal50s";
  expect_refusal<UsageError>("pascal50s has pairs");
  options_ = good;
  options_.validation_layout = "nebula";
  expect_refusal<UsageError>("--valid FILE");
  options_ = good;
  options_.rated_layout = "nebula";
  expect_refusal<UsageError>("--rated FILE");
  options_.rated = options_.captions[0];
  options_.rated_batch = 2;
  expect_refusal<UsageError>("--rated-batch is 2");
  options_.rated_layout = "";
  options_.rated_batch = 3;
  expect_refusal<UsageError>("--rated-layout");
  options_ = good;
  options_.strength = 1.5;
  expect_refusal<UsageError>("--strength is 1.5");
  options_ = good;
  options_.split = "train";
  expect_refusal<UsageError>("--split train");
  options_ = good;
  options_.pooling = "max";
  expect_refusal<UsageError>("unknown pooling 'max'");
}

TEST_F(TrainAdapterTest, RefusesBasesThatCannotBe) {
  options_.base = path("nowhere");
  expect_refusal<FileError>("nowhere");
  const test::SmallTextEncoder plain;
  options_.base = plain.path();
  expect_refusal<FileError>("--pooling mean or --pooling first");
  options_.pooling = "first";
  train();
  EXPECT_EQ(maker_.asked.reading, method::adapter_training::Reading::first);
  EXPECT_EQ(config()["capella"]["recipe"]["pooling"], "first");
  const test::SmallAdapter adapter(base_.path(), test::small_bert(), test::small_bert_modules());
  options_.base = adapter.path();
  options_.output = path("second");
  expect_refusal<FileError>("is an adapter itself, expected a model; give its base");
}

}  // namespace
}  // namespace capella
