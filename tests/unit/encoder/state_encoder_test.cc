// Captions to the hidden states that learned metrics mix: against the encoder itself, with and without the
// cache, for any number of threads.
#include "encoder/state_encoder.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "encoder/bert.h"
#include "encoder/sentence_encoder.h"
#include "encoder/tokenizer/tokenizer.h"
#include "support/small_text_encoder.h"
#include "support/temp_dir.h"

namespace capella::encoder {
namespace {

using test::kSmallWidth;
using test::SmallTextEncoder;

const std::vector<std::string_view> kCaptions = {"a dog runs", "two cat", "a dog runs",
                                                 "red a a on grass cat", ""};

void expect_same(const CaptionStates& a, const CaptionStates& b) {
  EXPECT_EQ(a.states.first, b.states.first);
  EXPECT_EQ(a.states.sums, b.states.sums);
  EXPECT_EQ(a.states.squares, b.states.squares);
  EXPECT_EQ(a.states.tokens, b.states.tokens);
  EXPECT_EQ(a.cut, b.cut);
}

TEST(StateEncoder, GivesTheFirstTokensStatesAndSumsOfAll) {
  const SmallTextEncoder folder;
  const StateEncoder encoder(folder.path());
  EXPECT_EQ(encoder.vectors(), SentenceVectors::mix);
  EXPECT_EQ(encoder.layers(), SmallTextEncoder::kLayers);
  EXPECT_EQ(encoder.width(), kSmallWidth);
  const CaptionStates found = encoder.states(kCaptions);
  ASSERT_EQ(found.states.size(), kCaptions.size());
  const ModelFolder model(folder.path());
  const Bert bert(model);
  const auto tokenizer = open_tokenizer(model);
  for (std::size_t k = 0; k < kCaptions.size(); ++k) {
    const auto ids = tokenizer->tokens(kCaptions[k], bert.most_tokens()).ids;
    EXPECT_EQ(found.states.tokens[k], ids.size());
    bert.run(tensor::kernels(), test::token_batch({ids}), bert.layers(),
             [&](std::size_t layer, const float* rows, std::size_t stride) {
               const std::size_t at = k * found.states.layers + layer;
               double sum = 0, squares = 0;
               for (std::size_t t = 0; t < ids.size(); ++t) {
                 for (std::size_t i = 0; i < kSmallWidth; ++i) {
                   const double value = rows[t * stride + i];
                   sum += value;
                   squares += value * value;
                 }
               }
               EXPECT_NEAR(found.states.sums[at], sum, 1e-11 * (1 + std::abs(sum)));
               EXPECT_NEAR(found.states.squares[at], squares, 1e-11 * squares);
               for (std::size_t i = 0; i < kSmallWidth; ++i)
                 EXPECT_EQ(found.states.first[at * kSmallWidth + i], rows[i]);
             });
  }
}

TEST(StateEncoder, TheCacheChangesNothing) {
  const test::TempDir cache;
  for (const bool pooled : {false, true}) {
    const SmallTextEncoder folder(5, pooled);
    const CaptionStates expected = StateEncoder(folder.path()).states(kCaptions);
    ThreadPool pool(3);
    expect_same(StateEncoder(folder.path(), {}, cache.path().string()).states(kCaptions, {&pool, {}}),
                expected);
    std::size_t steps = 0;
    const Progress progress = [&](std::string_view, std::size_t, std::size_t) { ++steps; };
    const StateEncoder again(folder.path(), {}, cache.path().string());
    expect_same(again.states(kCaptions, {&pool, progress}), expected);
    EXPECT_EQ(steps, 0u) << "something was encoded again";
    EXPECT_EQ(again.cache_problem(), "");
  }
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(cache.path()))
    files += entry.path().extension() == ".cache" ? 1 : 0;
  EXPECT_EQ(files, 2u) << "states and pooled vectors are kept apart";
}

TEST(StateEncoder, ACacheIsOfOneWayToReadAndPool) {
  const test::TempDir cache;
  const SmallTextEncoder folder(5, true);
  const auto expect_fresh = [&] {
    expect_same(StateEncoder(folder.path(), {}, cache.path().string()).states(kCaptions),
                StateEncoder(folder.path()).states(kCaptions));
  };
  const CaptionStates before = StateEncoder(folder.path()).states(kCaptions);
  expect_fresh();
  folder.folder().write("1_Pooling/config.json", R"({"pooling_mode_cls_token": true})");
  EXPECT_NE(StateEncoder(folder.path()).states(kCaptions).states.first, before.states.first);
  expect_fresh();
  folder.folder().write("sentence_bert_config.json", R"({"max_seq_length": 3})");
  expect_fresh();
  folder.folder().write("vocab.txt", test::word_lines({"dog", "a", "runs"}));
  expect_fresh();
}

TEST(StateEncoder, PoolsWhereTheFolderSaysHow) {
  const SmallTextEncoder folder(5, true);
  const StateEncoder encoder(folder.path());
  EXPECT_EQ(encoder.vectors(), SentenceVectors::pooled);
  EXPECT_EQ(encoder.layers(), 1u);
  const CaptionStates found = encoder.states(kCaptions);
  const Features expected = SentenceEncoder(folder.path()).sentences(kCaptions, Pooling::as_told);
  EXPECT_EQ(found.states.first, expected.values);
  EXPECT_TRUE(found.states.sums.empty());
  EXPECT_EQ(StateEncoder(folder.path(), SentenceVectors::mix).layers(), SmallTextEncoder::kLayers);
}

TEST(StateEncoder, TellsWhatWasCut) {
  const SmallTextEncoder folder;
  const test::TempDir cache;
  std::string longer;
  for (int i = 0; i < 30; ++i) longer += "dog ";
  const std::vector<std::string_view> captions = {"a dog", longer};
  for (int run = 0; run < 2; ++run) {
    const CaptionStates found = StateEncoder(folder.path(), {}, cache.path().string()).states(captions);
    EXPECT_EQ(found.cut, std::vector<std::size_t>{1});
    EXPECT_EQ(found.states.tokens[1], 20u);
  }
}

TEST(StateEncoder, NeedsAModel) {
  EXPECT_THROW(StateEncoder("/none/such"), FileError);
}

}  // namespace
}  // namespace capella::encoder
