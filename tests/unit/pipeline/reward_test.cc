#include "capella/reward.h"

#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/corpus.h"
#include "support/message_of.h"

namespace capella {
namespace {

using test::message_of;
using Values = std::vector<double>;
using Views = std::vector<std::string_view>;

Dataset references() {
  return test::make_dataset({{"", {"dog"}}, {"", {"cat", "a cat"}}});
}

Reward make(const std::string& metric, const std::string& score = "") {
  RewardOptions options;
  options.metric = metric;
  options.score = score;
  options.tokenizer = "none";
  return Reward(references(), options);
}

TEST(Reward, TakesIdsInAnyOrderAndRepeated) {
  const Values values = make("rouge-l")(Views{"1", "0", "1"}, Views{"cat", "dog", "dog"});
  EXPECT_EQ(values, (Values{1.0, 1.0, 0.0}));
}

TEST(Reward, CallsTheLastScoreUnlessAnotherIsNamed) {
  EXPECT_EQ(make("bleu").score_name(), "BLEU-4");
  EXPECT_EQ(make("bleu", "BLEU-1").score_name(), "BLEU-1");
  EXPECT_NEAR(make("bleu", "BLEU-1")(Views{"0"}, Views{"dog"})[0], 1.0, 1e-8);
}

TEST(Reward, OwnReferencesKeepTheFrequencies) {
  // "cow" is new, so it weighs log 2 as "dog" does.
  const std::vector<Views> own = {{"cow"}, {"dog"}};
  const Values values = make("cider-d")(own, Views{"cow", "dog"});
  EXPECT_NEAR(values[0], 2.5, 1e-12);
  EXPECT_NEAR(values[1], 2.5, 1e-12);
}

TEST(Reward, IsUsedByManyThreadsAtOnce) {
  const Reward reward = make("cider-d");
  const Values expected = reward(Views{"0", "1"}, Views{"dog", "a cat"});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) EXPECT_EQ(reward(Views{"0", "1"}, Views{"dog", "a cat"}), expected);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Reward, SaysWhatIsWrong) {
  const Reward reward = make("cider-d");
  EXPECT_EQ(message_of<DataError>([&] { reward(Views{"2"}, Views{"x"}); }), "no references for the id '2'");
  EXPECT_EQ(message_of<DataError>([&] {
              reward(Views{"0", "1"}, Views{"x"});
            }),
            "1 captions but 2 ids; expected one each");
  EXPECT_THROW(reward(std::vector<Views>{{}}, Views{"x"}), DataError);
  EXPECT_THROW(make("blue"), UsageError);
  EXPECT_NE(message_of<UsageError>([] { make("bleu", "BLEU4"); }).find("did you mean 'BLEU-4'?"),
            std::string::npos);
  RewardOptions stream;
  stream.tokenizer = "ptb";
  EXPECT_THROW(Reward(references(), stream), UsageError);
}

TEST(Reward, OfNothingIsNothing) {
  EXPECT_TRUE(make("cider-d")(Views{}, Views{}).empty());
}

}  // namespace
}  // namespace capella
