// Texts to vectors: the same bits in whatever company, what the folder's files say, and what is cut.
#include "encoder/sentence_encoder.h"

#include <cmath>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"
#include "support/small_sentence_encoder.h"

namespace capella::encoder {
namespace {

using capella::test::message_of;
using capella::test::SmallSentenceEncoder;
using Texts = std::vector<std::string_view>;

Texts sentence_encoder_many_texts() {
  return {"a dog",  "red grass",     "a dog runs on red grass", "",      "cat",           "a dog",
          "zebra!", "dogs, cats, a", "on on on on on on on on", " cat ", "a red, red dog"};
}

double length(std::span<const float> vector) {
  double square = 0.0;
  for (const float x : vector) square += static_cast<double>(x) * static_cast<double>(x);
  return std::sqrt(square);
}

class SentenceEncoderTest : public ::testing::Test {
 protected:
  std::string complaint() const {
    return message_of<FileError>([&] { SentenceEncoder(model_.path()); });
  }

  SentenceEncoder eight_bit() const {
    EncoderEngine engine;
    engine.precision = Precision::kInt8;
    return SentenceEncoder(model_.path(), engine);
  }

  SmallSentenceEncoder model_;
};

// Vectors of texts together and alone, on several threads and on one.
void expect_same_bits(const SentenceEncoder& encoder) {
  const Texts texts = sentence_encoder_many_texts();
  ThreadPool pool(3);
  const Features together = encoder.sentences(texts, Pooling::as_told, {&pool, {}});
  const auto shared = encoder.encode(texts, {2, 0}, {&pool, {}});
  const EncodedTexts& tokens = *shared;
  ASSERT_EQ(together.size(), texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Texts one = {texts[i]};
    const Features alone = encoder.sentences(one, Pooling::as_told);
    EXPECT_TRUE(std::ranges::equal(alone.row(0), together.row(i))) << texts[i];
    const auto own = encoder.encode(one, {2, 0});
    const EncodedText text = (*own)[0];
    ASSERT_TRUE(std::ranges::equal(text.ids, tokens[i].ids)) << texts[i];
    for (std::size_t t = 0; t < text.ids.size(); ++t)
      EXPECT_TRUE(std::ranges::equal(text.vector(t), tokens[i].vector(t))) << texts[i];
  }
}

TEST_F(SentenceEncoderTest, SameBitsInAnyCompanyOnAnyThreads) {
  expect_same_bits(SentenceEncoder(model_.path()));
  expect_same_bits(eight_bit());
}

TEST_F(SentenceEncoderTest, WeightsOfEightBitsAreNearlyTheSame) {
  const SentenceEncoder exact(model_.path()), small = eight_bit();
  EXPECT_EQ(exact.precision(), Precision::kFloat);
  EXPECT_EQ(small.precision(), Precision::kInt8);
  EXPECT_EQ(small.fingerprint(), exact.fingerprint()) << "it is one model, whose curves fit both";
  for (const Pooling pooling : {Pooling::mean, Pooling::first, Pooling::pooler}) {
    const Features expected = exact.sentences(sentence_encoder_many_texts(), pooling);
    const Features found = small.sentences(sentence_encoder_many_texts(), pooling);
    EXPECT_NE(found.values, expected.values);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto a = found.row(i), b = expected.row(i);
      const double cosine = std::inner_product(a.begin(), a.end(), b.begin(), 0.0) / length(a) / length(b);
      EXPECT_GT(cosine, .999);  // steps are 1 / 127 of the third greatest number
    }
  }
}

// No device has them. What it could do is never asked.
TEST_F(SentenceEncoderTest, WeightsOfEightBitsAreForTheProgramsOwnEngine) {
  struct NoDevice : DeviceEncoders {
    void expect(const std::string&) const override { ADD_FAILURE(); }
    std::unique_ptr<const DeviceBert> bert(const BertModel&, const DeviceSettings&) const override {
      ADD_FAILURE();
      return nullptr;
    }
    std::unique_ptr<const DeviceClip> clip(const ClipModel&, const DeviceSettings&) const override {
      ADD_FAILURE();
      return nullptr;
    }
  } device;
  EncoderEngine engine;
  engine.device = &device;
  engine.precision = Precision::kInt8;
  EXPECT_NE(message_of<UsageError>([&] { SentenceEncoder(model_.path(), engine); }).find("not for cuda"),
            std::string::npos);
}

TEST_F(SentenceEncoderTest, NamesComeFromConfigurationAndFolder) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(SentenceEncoder(model_.path()).names(), Names{model_.folder().path().filename().string()});
  nlohmann::json config = capella::test::small_bert_config();
  config["_name_or_path"] = "FacebookAI/roberta-large";
  model_.folder().write("config.json", config.dump());
  const capella::test::TempDir elsewhere;
  const auto cached = elsewhere.path() / "models--google-bert--bert-base-uncased" / "snapshots" / "86b5e093";
  std::filesystem::create_directories(cached.parent_path());
  std::filesystem::copy(model_.path(), cached, std::filesystem::copy_options::recursive);
  const Names expected = {"roberta-large", "bert-base-uncased"};
  EXPECT_EQ(SentenceEncoder(cached.string()).names(), expected);
  EXPECT_EQ(SentenceEncoder(cached.string() + "/").names(), expected);
}

TEST_F(SentenceEncoderTest, SentencesAreMeansOfLengthOne) {
  const SentenceEncoder encoder(model_.path());
  const Texts texts = sentence_encoder_many_texts();
  const Features found = encoder.sentences(texts, Pooling::as_told);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const reference::Vector mean = model_.sentence(std::string(texts[i]));
    const double norm = std::sqrt(std::inner_product(mean.begin(), mean.end(), mean.begin(), 0.0));
    EXPECT_NEAR(length(found.row(i)), 1.0, 1e-6);
    for (std::size_t d = 0; d < mean.size(); ++d) EXPECT_NEAR(found.row(i)[d], mean[d] / norm, 1e-6);
  }
}

TEST_F(SentenceEncoderTest, EqualTextsAreStoredOnce) {
  const SentenceEncoder encoder(model_.path());
  const auto tokens = encoder.tokenize(Texts{"a", "dog", "a", "a"});
  EXPECT_EQ(tokens->tokens.size(), 2u);
  EXPECT_EQ(tokens->of, (std::vector<std::size_t>{0, 1, 0, 0}));
}

TEST_F(SentenceEncoderTest, ListsThatAreStillHeldAreNotEncodedAgain) {
  const SentenceEncoder encoder(model_.path());
  const auto held = encoder.encode(Texts{"a", "dog"}, {2, 0});
  EXPECT_EQ(encoder.encode(Texts{"a", "dog"}, {2, 0}), held);
  EXPECT_NE(encoder.encode(Texts{"a", "dog"}, {2, 0, true}), held);
  EXPECT_NE(encoder.encode(Texts{"a", "dog"}, {1, 0}), held);
  EXPECT_NE(encoder.encode(Texts{"adog"}, {2, 0}), held);
}

TEST_F(SentenceEncoderTest, VectorsOfTokensCanBeOfLengthOne) {
  const SentenceEncoder encoder(model_.path());
  const auto found = encoder.encode(Texts{"a red dog"}, {2, 0, true});
  for (std::size_t t = 0; t < (*found)[0].ids.size(); ++t)
    EXPECT_NEAR(length((*found)[0].vector(t)), 1.0, 1e-6);
}

TEST_F(SentenceEncoderTest, TellsWhatIsCut) {
  const SentenceEncoder encoder(model_.path());
  EXPECT_EQ(encoder.most_in_sentence(), SmallSentenceEncoder::kTokensInSentence);
  EXPECT_EQ(encoder.most_tokens(), SmallSentenceEncoder::kTokens);
  const std::string fifteen = "a a a a a a a a a a a a a a a";
  const std::string thirty = fifteen + " " + fifteen;
  const Texts texts = {"a", fifteen, thirty, fifteen};
  EXPECT_EQ(encoder.sentences(texts, Pooling::mean).cut, (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_EQ(encoder.tokenize(texts)->cut, (std::vector<std::size_t>{2}));
}

TEST_F(SentenceEncoderTest, SpreadIsMinimumMeanAndMaximumOfUnitVectors) {
  const SentenceEncoder encoder(model_.path());
  const auto shared = encoder.encode(Texts{"a red dog"}, {2, 3});
  const EncodedTexts& found = *shared;
  const std::vector<reference::TokenText> layers = model_.layers("a red dog");
  ASSERT_EQ(found.width, 3 * encoder.width());
  for (std::size_t t = 0; t < found[0].ids.size(); ++t) {
    for (std::size_t d = 0; d < encoder.width(); ++d) {
      std::vector<double> values;
      for (const reference::TokenText& layer : layers) {
        const reference::Vector& v = layer.vectors[t];
        values.push_back(v[d] / std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0)));
      }
      const auto vector = found[0].vector(t);
      EXPECT_NEAR(vector[d], std::ranges::min(values), 1e-6);
      EXPECT_NEAR(vector[encoder.width() + d], (values[0] + values[1] + values[2]) / 3, 1e-6);
      EXPECT_NEAR(vector[2 * encoder.width() + d], std::ranges::max(values), 1e-6);
    }
  }
}

TEST_F(SentenceEncoderTest, PoolsAsTheFolderSays) {
  const Texts texts = {"a red dog"};
  const Features mean = SentenceEncoder(model_.path()).sentences(texts, Pooling::as_told);
  model_.folder().write("1_Pooling/config.json", R"({"pooling_mode_cls_token": true})");
  const SentenceEncoder encoder(model_.path());
  EXPECT_EQ(encoder.told_pooling(), Pooling::first);
  EXPECT_EQ(encoder.sentences(texts, Pooling::mean).values, mean.values);
  const Features first = encoder.sentences(texts, Pooling::as_told);
  const reference::Vector expected = model_.layers("a red dog").back().vectors[0];
  const double norm = std::sqrt(std::inner_product(expected.begin(), expected.end(), expected.begin(), 0.0));
  for (std::size_t d = 0; d < expected.size(); ++d) EXPECT_NEAR(first.row(0)[d], expected[d] / norm, 1e-6);
  EXPECT_NE(encoder.sentences(texts, Pooling::pooler).values, first.values);
}

TEST_F(SentenceEncoderTest, PlainFoldersPoolByTheMeanAndKeepLengths) {
  std::filesystem::remove(model_.folder().path() / "modules.json");
  std::filesystem::remove(model_.folder().path() / "sentence_bert_config.json");
  const SentenceEncoder encoder(model_.path());
  EXPECT_EQ(encoder.told_pooling(), Pooling::mean);
  EXPECT_EQ(encoder.most_in_sentence(), encoder.most_tokens());
  const reference::Vector mean = model_.sentence("a dog");
  const Features found = encoder.sentences(Texts{"a dog"}, Pooling::as_told);
  for (std::size_t d = 0; d < mean.size(); ++d) EXPECT_NEAR(found.row(0)[d], mean[d], 1e-5);
}

TEST_F(SentenceEncoderTest, RefusesWhatItDoesNotUnderstand) {
  const auto begins = [](const std::string& text, const std::string& start) {
    EXPECT_TRUE(text.starts_with(start)) << text;
  };
  model_.folder().write("sentence_bert_config.json", R"({"max_seq_length": -1})");
  begins(complaint(), model_.path() + "/sentence_bert_config.json: max_seq_length is no number of tokens");
  model_.folder().write("1_Pooling/config.json", R"({"pooling_mode_max_tokens": true})");
  begins(complaint(), model_.path() + "/1_Pooling/config.json: tokens are pooled by pooling_mode_max_tokens");
  model_.folder().write("modules.json", R"([{"type": "sentence_transformers.models.Dense"}])");
  begins(complaint(), model_.path() + "/modules.json: has a module 'Dense', expected Transformer");
  model_.folder().write("modules.json", "{");
  begins(complaint(), model_.path() + "/modules.json: no JSON");
  model_.folder().write("modules.json", std::string(2'000'000, '[') + std::string(2'000'000, ']'));
  begins(complaint(), model_.path() + "/modules.json: nested more than 32 levels");
  model_.folder().write("modules.json", "[]");
  model_.folder().write("sentence_bert_config.json", "{}");
  model_.folder().write(
      "vocab.txt", test::word_lines(std::vector<std::string>{}) + [] {
        std::string more;
        for (int i = 0; i < 60; ++i) more += "w" + std::to_string(i) + "\n";
        return more;
      }());
  begins(complaint(), model_.path() + ": the tokenizer has 65 pieces, the model's table 60");
}

TEST_F(SentenceEncoderTest, RefusesLayersThatAreNotThere) {
  const SentenceEncoder encoder(model_.path());
  EXPECT_THROW(encoder.encode(Texts{"a"}, {3, 0}), UsageError);
  EXPECT_THROW(encoder.encode(Texts{"a"}, {2, 4}), UsageError);
}

TEST_F(SentenceEncoderTest, NothingGivesNothing) {
  const SentenceEncoder encoder(model_.path());
  EXPECT_EQ(encoder.sentences({}, Pooling::mean).size(), 0u);
  EXPECT_EQ(encoder.encode({}, {2, 0})->size(), 0u);
}

}  // namespace
}  // namespace capella::encoder
