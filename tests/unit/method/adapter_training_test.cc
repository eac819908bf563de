// What an adapter learns from, step by step, its files, and trainings that go on after a kill.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "method/adapter_training/train_adapter.h"
#include "support/message_of.h"
#include "support/still_adapter.h"
#include "support/temp_dir.h"
#include "tensor/safetensors.h"

namespace capella::method::adapter_training {
namespace {

using test::message_of;
using test::StillAdapter;

encoder::TokenBatch captions(const std::vector<std::vector<std::int32_t>>& all) {
  encoder::TokenBatch batch;
  for (const auto& ids : all) batch.add(ids);
  return batch;
}

// Images with three to six captions, all different.
CaptionGroups groups_of(std::int32_t images) {
  CaptionGroups groups;
  for (std::int32_t image = 0; image < images; ++image) {
    std::vector<std::vector<std::int32_t>> own;
    for (std::int32_t k = 0; k < 3 + image % 4; ++k) own.push_back({1, 10 * image + k, 2});
    groups.add(captions(own), 3);
  }
  return groups;
}

TEST(CaptionGroups, EqualCaptionsAreOne) {
  CaptionGroups groups;
  using Added = CaptionGroups::Added;
  EXPECT_EQ(groups.add(captions({{1, 5, 2}, {1, 6, 2}, {1, 5, 2}, {1, 7, 7, 2}}), 3), Added::yes);
  EXPECT_EQ(groups.add(captions({{1, 5, 2}, {1, 9, 2}, {1, 9, 2}}), 3), Added::too_few);  // two are different
  EXPECT_EQ(groups.add(captions({{1, 8, 2}, {1, 6, 2}, {1, 7, 2}}), 3), Added::yes);
  EXPECT_EQ(groups.add(captions({{1, 6, 2}, {1, 7, 7, 2}, {1, 5, 2}}), 3), Added::again);
  ASSERT_EQ(groups.images(), 2u);
  ASSERT_EQ(groups.of(0).size(), 3u);
  EXPECT_EQ(groups.of(1)[1], groups.of(0)[1]);
  EXPECT_EQ(groups.captions().size(), 5u);  // those of the image that was left out are not there
  CaptionGroups other;
  other.add(captions({{1, 5, 2}, {1, 6, 2}, {1, 7, 7, 2}}), 3);
  EXPECT_NE(groups.fingerprint(), other.fingerprint());
  other.add(captions({{1, 8, 2}, {1, 6, 2}, {1, 7, 2}}), 3);
  EXPECT_EQ(groups.fingerprint(), other.fingerprint());
}

TEST(CaptionGroups, AStepTakesDifferentCaptionsOfEachImage) {
  const CaptionGroups groups = groups_of(11);
  Recipe recipe;
  recipe.batch = 4;
  std::vector<std::size_t> seen(11);
  std::set<std::uint32_t> candidates, references;
  for (std::size_t step = 1; step <= 110; ++step) {
    const Drawn drawn = draw_step(groups, recipe, 7, step);
    ASSERT_EQ(drawn.images.size(), 4u);
    ASSERT_EQ(drawn.captions.size(), 12u);
    for (std::size_t i = 0; i < 4; ++i) {
      ++seen[drawn.images[i]];
      const auto own = groups.of(drawn.images[i]);
      std::set<std::uint32_t> different;
      for (std::size_t k = 3 * i; k < 3 * i + 3; ++k) {
        EXPECT_NE(std::ranges::find(own, drawn.captions[k]), own.end());
        different.insert(drawn.captions[k]);
      }
      EXPECT_EQ(different.size(), 3u);
      candidates.insert(drawn.captions[3 * i]);
      references.insert(drawn.captions[3 * i + 2]);
    }
  }
  EXPECT_EQ(seen, std::vector<std::size_t>(11, 40));  // shuffles are gone through one after the other
  EXPECT_EQ(candidates.size(), groups.captions().size());
  EXPECT_EQ(references.size(), groups.captions().size());
  EXPECT_EQ(draw_step(groups, recipe, 7, 5).captions, draw_step(groups, recipe, 7, 5).captions);
  EXPECT_NE(draw_step(groups, recipe, 7, 5).captions, draw_step(groups, recipe, 8, 5).captions);
}

TEST(CaptionGroups, AStepTakesRatedCaptionsWithSomeOfTheirReferences) {
  CaptionGroups groups = groups_of(3);
  const std::size_t before = groups.captions().size();
  const std::uint64_t without = groups.fingerprint();
  groups.add_rated(captions({{1, 90, 2}, {1, 91, 2}, {1, 92, 2}, {1, 93, 2}}), .25);
  groups.add_rated(captions({{1, 91, 2}, {1, 94, 2}}), .75);
  EXPECT_EQ(groups.captions().size(), before + 5);  // 91 is there once
  EXPECT_NE(groups.fingerprint(), without);
  Recipe recipe;
  recipe.batch = 2;
  recipe.rated_batch = 2;  // a step may take what a recipe may not ask for
  std::set<std::size_t> counts;
  for (std::size_t step = 1; step <= 40; ++step) {
    const Drawn drawn = draw_step(groups, recipe, 7, step);
    ASSERT_EQ(drawn.rated.size(), 2u);
    EXPECT_EQ(drawn.texts(), 6 + 2 + drawn.rated.references.size());
    for (std::size_t row = 0; row < 2; ++row) {
      const bool first = drawn.rated.ratings[row] == .25;
      const std::size_t known = first ? 0 : 1;
      EXPECT_EQ(drawn.rated.candidates[row], groups.rated().candidates[known]);
      const auto own = drawn.rated.references_of(row), all = groups.rated().references_of(known);
      EXPECT_EQ(std::set(own.begin(), own.end()).size(), own.size());
      for (const std::uint32_t place : own) EXPECT_NE(std::ranges::find(all, place), all.end());
      if (first) counts.insert(own.size());
    }
  }
  EXPECT_EQ(counts, (std::set<std::size_t>{1, 2, 3}));
  recipe.rated_batch = 0;
  EXPECT_EQ(draw_step(groups, recipe, 7, 5).rated.size(), 0u);
}

TEST(AdapterRecipe, RateWarmsUpAndFallsInEqualParts) {
  Recipe recipe;
  recipe.rate = 1;
  recipe.warm_up = 4;
  recipe.total_steps = 10;
  const double expected[] = {.25, .5 * .9, .75 * .8, .7, .6, .5, .4, .3, .2, .1, 0, 0};
  for (std::size_t done = 0; done < 12; ++done) EXPECT_NEAR(rate_after(recipe, done), expected[done], 1e-12);
  recipe.warm_up = 0;
  EXPECT_EQ(rate_after(recipe, 0), 1);
}

TEST(AdapterRecipe, SaysWhatIsWrong) {
  EXPECT_EQ(recipe_problem({}), "");
  const auto problem = [](auto change) {
    Recipe recipe;
    change(recipe);
    return recipe_problem(recipe);
  };
  EXPECT_NE(problem([](Recipe& r) { r.rank = 0; }).find("--rank is 0, expected 1 to 4096"),
            std::string::npos);
  EXPECT_NE(problem([](Recipe& r) { r.batch = 1; }).find("--batch is 1, expected two images or more"),
            std::string::npos);
  EXPECT_NE(problem([](Recipe& r) { r.references = 0; }).find("--references is 0"), std::string::npos);
  EXPECT_NE(problem([](Recipe& r) { r.rated_batch = 2; }).find("--rated-batch is 2, expected three"),
            std::string::npos);
  EXPECT_NE(problem([](Recipe& r) { r.rated_weight = std::nan(""); }).find("--rated-weight is nan"),
            std::string::npos);
  EXPECT_NE(problem([](Recipe& r) { r.total_steps = 0; }).find("--steps is 0"), std::string::npos);
  EXPECT_NE(problem([](Recipe& r) { r.temperature = 0; }).find("--temperature is 0, expected 0.001 to 10"),
            std::string::npos);
  EXPECT_NE(problem([](Recipe& r) { r.rate = std::nan(""); }).find("--rate is nan"), std::string::npos);
  EXPECT_NE(problem([](Recipe& r) { r.alpha = -1; }).find("--alpha is -1"), std::string::npos);
  EXPECT_NE(problem([](Recipe& r) { r.warm_up = 501; }).find("--warm-up is 501, expected no more than"),
            std::string::npos);
}

TEST(AdapterFolder, ConfigurationIsThatOfPeft) {
  Recipe recipe;
  recipe.rank = 4;
  recipe.alpha = 8;
  const auto config = nlohmann::json::parse(config_text(recipe, "../base", {{"seed", 3}}));
  EXPECT_EQ(config["peft_type"], "LORA");
  EXPECT_EQ(config["r"], 4);
  EXPECT_EQ(config["lora_alpha"], 8);
  EXPECT_EQ(config["bias"], "none");
  EXPECT_EQ(config["base_model_name_or_path"], "../base");
  EXPECT_EQ(config["capella"]["seed"], 3);
  // PEFT takes a module if its name ends with a dot and one of these: all six maps, not the pooler's.
  const auto taken = [&](const std::string& name) {
    return std::ranges::any_of(config["target_modules"], [&](const nlohmann::json& target) {
      return name.ends_with("." + target.get<std::string>());
    });
  };
  for (const std::string_view map : kMaps) EXPECT_TRUE(taken("encoder.layer.0." + std::string(map))) << map;
  EXPECT_FALSE(taken("pooler.dense"));
}

TEST(AdapterFolder, NumbersAreRoundedAsTheFileHasThem) {
  const std::vector<NetworkArray> arrays = {{"a", {1, 3}, {1.0f, .1f, -3e-8f}}};
  const auto half = rounded(arrays, Precision::half), full = rounded(arrays, Precision::full);
  EXPECT_EQ(full[0].values, arrays[0].values);
  EXPECT_EQ(half[0].values, (std::vector<float>{1.0f, 0.0999755859375f, -std::ldexp(1.0f, -24)}));
  EXPECT_EQ(rounded(half, Precision::half)[0].values, half[0].values);
  EXPECT_EQ(arrays_bytes(half, Precision::half), arrays_bytes(arrays, Precision::half));
  EXPECT_NE(message_of<DataError>([&] {
              rounded({{"b", {1}, {1e6f}}}, Precision::half);
            }).find("'b'"),
            std::string::npos);
  EXPECT_NO_THROW(rounded({{"b", {1}, {1e6f}}}, Precision::full));
}

class AdapterLoopTest : public ::testing::Test {
 protected:
  AdapterLoopTest() {
    recipe_.batch = 3;
    recipe_.total_steps = 10;
    loop_.seed = 5;
    loop_.fingerprint = 77;
    loop_.checkpoint = (folder_.path() / "x.checkpoint").string();
    loop_.checkpoint_every = 3;
    loop_.valid_every = 4;
    // Captions of 3, 4 and 8 tokens, with references of 3; the ratings fall in this order.
    rated_.texts = captions({{1, 2, 3}, {1, 2, 3, 4}, {1, 2, 3, 4, 5, 6, 7, 8}});
    rated_.rows = {{0, 1, 2}, {0, 0, 0}, {1, 2, 3}, {3, 2, 1}};
  }

  TrainedAdapter train(StillAdapter& network) { return train_adapter(network, groups_, rated_, loop_); }

  test::TempDir folder_;
  Recipe recipe_;
  CaptionGroups groups_ = groups_of(8);
  RatedCaptions rated_;
  TrainingLoop loop_;
};

TEST_F(AdapterLoopTest, DoesAllStepsAndMeasuresSometimes) {
  StillAdapter network(recipe_);
  std::vector<std::size_t> told;
  loop_.after_step = [&](std::size_t step, const StepResult&, const StepWork& work) {
    EXPECT_EQ(work.texts, step == 0 ? 0u : 3 * recipe_.batch);
    told.push_back(step);
  };
  const TrainedAdapter trained = train(network);
  ASSERT_EQ(trained.steps.size(), 11u);
  EXPECT_EQ(network.taken.size(), 10u);
  EXPECT_EQ(network.taken[6].captions, draw_step(groups_, recipe_, 5, 7).captions);
  for (std::size_t step = 0; step <= 10; ++step) {
    EXPECT_EQ(std::isnan(trained.steps[step].loss), step == 0);
    const bool measured = step % 4 == 0 || step == 10;
    EXPECT_EQ(std::isnan(trained.steps[step].agreement), !measured) << step;
    if (measured) {
      EXPECT_DOUBLE_EQ(trained.steps[step].agreement, 1);
    }
    if (step > 0) {
      EXPECT_DOUBLE_EQ(trained.steps[step].loss, 5.0 / static_cast<double>(step));
    }
  }
  EXPECT_EQ(told.size(), 11u);
  EXPECT_FALSE(trained.resumed);
  EXPECT_EQ(trained.arrays[0].values, rounded(trained.arrays, Precision::half)[0].values);
  EXPECT_EQ(trained.arrays[0].values, network.arrays(false)[0].values);
}

// The network's second array counts steps.
TEST_F(AdapterLoopTest, TheLastStepMakesUpdatesAsStrongAsAsked) {
  loop_.strength = .5;
  StillAdapter whole(recipe_);
  EXPECT_EQ(train(whole).arrays[1].values[0], 5);
  EXPECT_EQ(whole.arrays(false)[1].values[0], 5);  // what is measured is what is written
  StillAdapter again(recipe_);                     // goes on from the checkpoint of the last step
  EXPECT_EQ(train(again).arrays[1].values[0], 5);
  std::filesystem::remove(loop_.checkpoint);
  StillAdapter broken(recipe_, [](std::size_t step) {
    if (step == 8) throw std::runtime_error("killed");
  });
  EXPECT_THROW(train(broken), std::runtime_error);
  StillAdapter other(recipe_);
  EXPECT_EQ(train(other).arrays[1].values[0], 5);
}

TEST(AdapterFolder, UpdatesCanBeMadeSmaller) {
  const std::string root = "base_model.model.encoder.layer.0.output.dense.";
  const auto half =
      strengthened({{root + "lora_A.weight", {1, 2}, {3, 4}}, {root + "lora_B.weight", {2, 1}, {5, 6}}}, .5);
  EXPECT_EQ(half[0].values, (std::vector<float>{3, 4}));  // W + B A, with half of it
  EXPECT_EQ(half[1].values, (std::vector<float>{2.5, 3}));
}

TEST_F(AdapterLoopTest, GoesOnAfterAKillToTheSameNumbers) {
  StillAdapter whole(recipe_);
  const TrainedAdapter expected = train(whole);
  for (const std::size_t killed : {1, 5, 10}) {
    std::filesystem::remove(loop_.checkpoint);
    StillAdapter broken(recipe_, [&](std::size_t step) {
      if (step == killed) throw std::runtime_error("killed");
    });
    EXPECT_THROW(train(broken), std::runtime_error);
    EXPECT_EQ(std::filesystem::exists(loop_.checkpoint), killed > 3);
    StillAdapter other(recipe_);
    const TrainedAdapter found = train(other);
    EXPECT_EQ(found.resumed, killed > 3);
    EXPECT_EQ(other.taken.size(), killed > 3 ? 10 - (killed - 1) / 3 * 3 : 10);
    EXPECT_EQ(found.arrays[0].values, expected.arrays[0].values);
    ASSERT_EQ(found.steps.size(), expected.steps.size());
    for (std::size_t step = 1; step < found.steps.size(); ++step)
      EXPECT_EQ(found.steps[step].loss, expected.steps[step].loss);
    EXPECT_EQ(found.steps[4].agreement, expected.steps[4].agreement);
  }
}

TEST_F(AdapterLoopTest, TellsWhatAnEarlierRunHasDone) {
  StillAdapter broken(recipe_, [&](std::size_t step) {
    if (step == 8) throw std::runtime_error("killed");
  });
  EXPECT_THROW(train(broken), std::runtime_error);
  std::vector<StepResult> earlier;
  loop_.after_resume = [&](const std::vector<StepResult>& steps) { earlier = steps; };
  StillAdapter other(recipe_);
  train(other);
  ASSERT_EQ(earlier.size(), 7u);  // the last checkpoint is of step 6
  EXPECT_TRUE(std::isnan(earlier[0].loss));
  EXPECT_DOUBLE_EQ(earlier[5].loss, 1);
}

TEST_F(AdapterLoopTest, NoCheckpointIfNoneIsWanted) {
  loop_.checkpoint_every = 0;
  StillAdapter network(recipe_);
  train(network);
  EXPECT_FALSE(std::filesystem::exists(loop_.checkpoint));
}

TEST_F(AdapterLoopTest, RefusesTheCheckpointOfAnother) {
  StillAdapter network(recipe_), other(recipe_);
  train(network);
  loop_.fingerprint = 78;
  const auto message = message_of<FileError>([&] { train(other); });
  EXPECT_NE(message.find("x.checkpoint: the checkpoint is of another model"), std::string::npos) << message;
  EXPECT_NE(message.find("--restart"), std::string::npos);
  loop_.restart = true;
  EXPECT_FALSE(train(other).resumed);
  folder_.write("x.checkpoint", "nonsense");
  loop_.restart = false;
  EXPECT_NE(message_of<FileError>([&] { train(other); }).find("capella nn train-adapter"), std::string::npos);
}

// By hand: of directions at 60 and 80 degrees the nearest to 0 has the cosine .5 and the centroid, at 70,
// .342; their mean, .421, lies between the cosines of 65.2 and 65 degrees.
TEST(AdapterAgreement, ScoresAreThoseOfCapellaS) {
  class Directions final : public Network {
   public:
    const Recipe& recipe() const override { return recipe_; }
    std::size_t width() const override { return 2; }
    std::vector<NetworkArray> arrays(bool) const override { return {}; }
    void set_arrays(std::span<const NetworkArray>) override {}
    double step(const encoder::TokenBatch&, const Drawn&) override { return 0; }
    void texts(const encoder::TokenBatch& batch, float* out) const override {
      for (std::size_t k = 0; k < batch.size(); ++k) {
        const double angle = batch.ids[batch.begin(k)] / 10.0 * 3.14159265358979 / 180;
        *out++ = static_cast<float>(7 * std::cos(angle));
        *out++ = static_cast<float>(7 * std::sin(angle));
      }
    }

   private:
    Recipe recipe_;
  };
  RatedCaptions rated;
  rated.texts = captions({{0}, {600}, {800}, {652}, {650}});
  const std::vector<std::uint32_t> references = {1, 2, 3, 4};
  rated.rows.add(0, std::span(references).first(2), 2);
  rated.rows.add(0, std::span(references).subspan(2, 1), 1);
  rated.rows.add(0, std::span(references).subspan(3, 1), 3);
  EXPECT_DOUBLE_EQ(agreement(Directions(), rated), 1);
  rated.rows.ratings = {2, 3, 1};
  EXPECT_DOUBLE_EQ(agreement(Directions(), rated), -1);
}

}  // namespace
}  // namespace capella::method::adapter_training
