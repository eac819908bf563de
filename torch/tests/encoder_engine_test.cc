// The encoders of captions and pictures with the plug-in's engine: the same vectors as with the program's
// own, but for rounding, and kept apart from these in the cache.
#include <cmath>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "base/thread_pool.h"
#include "encoder/clip_encoder.h"
#include "encoder/pair_classifier.h"
#include "encoder/sentence_encoder.h"
#include "encoder/state_encoder.h"
#include "support/small_classifier.h"
#include "support/small_clip.h"
#include "support/small_text_encoder.h"
#include "support/temp_dir.h"

extern "C" const capella::encoder::DeviceEncoders* capella_torch_encoders(int version);

namespace capella::test {
namespace {

using encoder::EmbeddingCache;

const std::vector<std::string_view> kCaptions = {"a dog runs", "two cat", "red a a on grass cat", ""};

encoder::EncoderEngine torch_engine() {
  encoder::EncoderEngine engine;
  engine.device = capella_torch_encoders(encoder::kDeviceVersion);
  engine.settings.device = "cpu";
  engine.settings.threads = 1;
  return engine;
}

template <class Numbers>
void expect_near(const Numbers& found, const Numbers& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], tolerance * (1 + std::abs(expected[i]))) << i;
}

std::vector<float> numbers_of(const encoder::EncodedText& text) {
  return {text.vectors, text.vectors + text.ids.size() * text.width};
}

TEST(EncoderEngine, GivesTheStatesOfCaptions) {
  const SmallTextEncoder folder;
  const TempDir cache;
  const auto expected =
      encoder::StateEncoder(folder.path(), {}, cache.path().string()).states(kCaptions).states;
  ThreadPool pool(2);
  const auto found = encoder::StateEncoder(folder.path(), {}, cache.path().string(),
                                           EmbeddingCache::kMostBytes, torch_engine())
                         .states(kCaptions, {&pool, {}})
                         .states;
  expect_near(found.first, expected.first, 1e-5);
  expect_near(found.sums, expected.sums, 1e-4);
  expect_near(found.squares, expected.squares, 1e-5);
  EXPECT_EQ(found.tokens, expected.tokens);
  EXPECT_NE(found.first, expected.first) << "vectors of the other engine came from the cache";
}

TEST(EncoderEngine, GivesTheVectorsOfPicturesAndTexts) {
  const SmallClip folder;
  const TempDir pictures;
  const std::vector<std::string> paths = {pictures.write("1.png", random_picture(1)),
                                          pictures.write("2.png", random_picture(2))};
  const encoder::ClipEncoder own(folder.path());
  const encoder::ClipEncoder other(folder.path(), "", EmbeddingCache::kMostBytes, torch_engine());
  expect_near(other.images(paths)->values, own.images(paths)->values, 1e-5);
  expect_near(other.texts(kCaptions, "In the image, ")->values,
              own.texts(kCaptions, "In the image, ")->values, 1e-5);
}

TEST(EncoderEngine, GivesTheVectorsOfSentencesAndTokens) {
  for (const bool pooled : {false, true}) {
    const SmallTextEncoder folder(5, pooled);
    const encoder::SentenceEncoder own(folder.path()), other(folder.path(), torch_engine());
    ThreadPool pool(2);
    for (const auto pooling : {encoder::Pooling::mean, encoder::Pooling::first, encoder::Pooling::pooler})
      expect_near(other.sentences(kCaptions, pooling, {&pool, {}}).values,
                  own.sentences(kCaptions, pooling).values, 1e-5);
    for (const encoder::StateReading reading :
         {encoder::StateReading{0, 0, false}, encoder::StateReading{1, 0, true},
          encoder::StateReading{2, 2, true}}) {
      const auto found = other.encode(kCaptions, reading, {&pool, {}}),
                 expected = own.encode(kCaptions, reading);
      for (std::size_t i = 0; i < kCaptions.size(); ++i)
        expect_near(numbers_of((*found)[i]), numbers_of((*expected)[i]), 1e-5);
    }
  }
}

TEST(EncoderEngine, KeepsVectorsOfTokensApart) {
  const SmallTextEncoder folder;
  const TempDir cache;
  const encoder::EmbeddingFolder kept{cache.path().string()};
  encoder::EncoderEngine half = torch_engine();
  half.settings.precision = encoder::DevicePrecision::kBFloat16;
  std::vector<std::vector<float>> found;
  for (const encoder::EncoderEngine& engine : {encoder::EncoderEngine{}, torch_engine(), half})
    found.push_back(numbers_of(
        (*encoder::SentenceEncoder(folder.path(), engine, kept).encode(kCaptions, {2, 0, true}))[2]));
  expect_near(found[1], found[0], 1e-5);
  expect_near(found[2], found[0], 0.1);
  EXPECT_NE(found[1], found[0]) << "vectors of the other engine came from the cache";
  EXPECT_NE(found[2], found[1]) << "vectors of another precision came from the cache";
}

TEST(EncoderEngine, GivesPooledVectorsToLearnedMetrics) {
  const SmallTextEncoder folder(5, true);
  const TempDir cache;
  const auto expected =
      encoder::StateEncoder(folder.path(), {}, cache.path().string()).states(kCaptions).states;
  const auto found = encoder::StateEncoder(folder.path(), {}, cache.path().string(),
                                           EmbeddingCache::kMostBytes, torch_engine())
                         .states(kCaptions)
                         .states;
  expect_near(found.first, expected.first, 1e-5);
  EXPECT_NE(found.first, expected.first) << "vectors of the other engine came from the cache";
}

TEST(EncoderEngine, GivesTheAnswersOfClassifiers) {
  const std::vector<std::string_view> second = {"a dog", "two cat", "red", "a"};
  for (const Head head : {Head::bert, Head::roberta}) {
    const SmallClassifier folder(head);
    const encoder::PairClassifier own(folder.path()), other(folder.path(), torch_engine());
    expect_near(other.answers(kCaptions, second).logits, own.answers(kCaptions, second).logits, 1e-5);
  }
}

TEST(EncoderEngine, ExpectsADevice) {
  const encoder::DeviceEncoders& encoders = *capella_torch_encoders(encoder::kDeviceVersion);
  encoders.expect("cpu");
  EXPECT_THROW(encoders.expect("abacus"), UsageError);
}

}  // namespace
}  // namespace capella::test
