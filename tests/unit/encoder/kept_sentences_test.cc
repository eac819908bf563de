// Vectors of texts that an earlier run kept: the same bits, nothing encoded twice, and never those of another
// model, reading or file.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/file.h"
#include "encoder/sentence_encoder.h"
#include "encoder/state_encoder.h"
#include "support/small_sentence_encoder.h"

namespace capella::encoder {
namespace {

namespace fs = std::filesystem;
using capella::test::SmallSentenceEncoder;
using capella::test::TempDir;
using Texts = std::vector<std::string_view>;

const std::string kLong = "a a a a a a a a a a a a a a a red dog runs on grass and on";

Texts kept_sentences_many_texts() {
  return {"a dog", "red grass", "a dog runs on red grass", "", "cat", "a dog", "zebra!", kLong, " cat "};
}

const std::vector<StateReading> kReadings = {{2, 0, true}, {2, 0, false}, {1, 0, true}, {2, 3, true}};

// All that an encoder says of the texts.
struct Answers {
  std::vector<std::vector<float>> sentences;
  std::vector<std::vector<std::size_t>> cut;
  std::vector<std::vector<float>> tokens;

  friend bool operator==(const Answers&, const Answers&) = default;
};

Answers ask(const SentenceEncoder& encoder, const Texts& texts, const EncodeWork& work = {}) {
  Answers answers;
  for (const Pooling pooling : {Pooling::mean, Pooling::first, Pooling::pooler, Pooling::as_told}) {
    Features found = encoder.sentences(texts, pooling, work);
    answers.sentences.push_back(std::move(found.values));
    answers.cut.push_back(std::move(found.cut));
  }
  for (const StateReading& reading : kReadings) {
    const auto found = encoder.encode(texts, reading, work);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const EncodedText text = (*found)[i];
      answers.tokens.emplace_back(text.vectors, text.vectors + text.ids.size() * text.width);
    }
  }
  return answers;
}

class KeptSentences : public ::testing::Test {
 protected:
  EmbeddingFolder kept(std::uint64_t most = EmbeddingCache::kMostBytes) const {
    return {cache_.path().string(), most};
  }
  SentenceEncoder open() const { return SentenceEncoder(model_.path(), {}, kept()); }
  Answers without() const { return ask(SentenceEncoder(model_.path()), kept_sentences_many_texts()); }
  std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(cache_.path())) {
      if (entry.path().extension() == ".cache") all.push_back(entry.path());
    }
    std::ranges::sort(all);
    return all;
  }
  // How many batches are encoded; the answers must be right.
  std::size_t batches(const SentenceEncoder& encoder) const {
    std::size_t steps = 0;
    const EncodeWork work{nullptr, [&](std::string_view, std::size_t, std::size_t) { ++steps; }};
    EXPECT_EQ(ask(encoder, kept_sentences_many_texts(), work), without());
    return steps;
  }

  SmallSentenceEncoder model_;
  TempDir cache_;
};

TEST_F(KeptSentences, AreTheSameBitsAndNotEncodedAgain) {
  const Answers expected = without();
  ThreadPool pool(3);
  EXPECT_EQ(ask(open(), kept_sentences_many_texts(), {&pool, {}}), expected);
  const SentenceEncoder again = open();
  EXPECT_EQ(batches(again), 0u);
  EXPECT_EQ(again.cache_problems(), std::vector<std::string>{});
  EXPECT_EQ(files().size(), 3 + kReadings.size()) << "a file for each way to pool and to read";
}

TEST_F(KeptSentences, OfOneListServeAllOthers) {
  const SentenceEncoder first = open();
  for (const std::string_view text : kept_sentences_many_texts()) ask(first, {text});
  const SentenceEncoder again = open();
  EXPECT_EQ(batches(again), 0u);
}

TEST_F(KeptSentences, WhatIsNewIsEncodedBesideThem) {
  ask(open(), {"a dog", "cat"});
  EXPECT_GT(batches(open()), 0u);
  EXPECT_EQ(batches(open()), 0u);
}

// Without a folder, too: captions come again in later batches and systems.
TEST_F(KeptSentences, ARunEncodesATextOnce) {
  const SentenceEncoder encoder(model_.path());
  for (const std::string_view text : kept_sentences_many_texts()) ask(encoder, {text});
  EXPECT_EQ(batches(encoder), 0u);
}

TEST_F(KeptSentences, ServeLearnedMetricsThatReadTheSame) {
  ask(open(), kept_sentences_many_texts());
  std::size_t steps = 0;
  const EncodeWork work{nullptr, [&](std::string_view, std::size_t, std::size_t) { ++steps; }};
  const StateEncoder states(model_.path(), SentenceVectors::pooled, cache_.path().string());
  const CaptionStates found = states.states(kept_sentences_many_texts(), work);
  EXPECT_EQ(found.states.first,
            SentenceEncoder(model_.path()).sentences(kept_sentences_many_texts(), Pooling::as_told).values);
  EXPECT_EQ(found.cut, std::vector<std::size_t>{7});
  EXPECT_EQ(steps, 0u);
}

TEST_F(KeptSentences, AreOfOneModel) {
  const SmallSentenceEncoder other;
  const std::string weights = read_file_as_is((other.folder().path() / "model.safetensors").string());
  std::string changed = weights;
  changed[weights.size() - 2] = static_cast<char>(changed[weights.size() - 2] ^ 1);  // a number's last bits
  other.folder().write("model.safetensors", changed);
  const Answers expected = ask(SentenceEncoder(other.path()), kept_sentences_many_texts());
  EXPECT_NE(expected, without());
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(ask(open(), kept_sentences_many_texts()), without());
    EXPECT_EQ(ask(SentenceEncoder(other.path(), {}, kept()), kept_sentences_many_texts()), expected);
  }
  EXPECT_EQ(files().size(), 2 * (3 + kReadings.size()));
}

TEST_F(KeptSentences, AreOfOnePrecision) {
  EncoderEngine engine;
  engine.precision = Precision::kInt8;
  const Answers exact = without(),
                small = ask(SentenceEncoder(model_.path(), engine), kept_sentences_many_texts());
  EXPECT_NE(small, exact);
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(ask(open(), kept_sentences_many_texts()), exact);
    EXPECT_EQ(ask(SentenceEncoder(model_.path(), engine, kept()), kept_sentences_many_texts()), small);
  }
  EXPECT_EQ(files().size(), 2 * (3 + kReadings.size()));
}

TEST_F(KeptSentences, AreOfOneWayToReadTexts) {
  const auto expect_fresh = [&](const std::string& file, const std::string& content) {
    ask(open(), kept_sentences_many_texts());
    const Answers before = without();
    model_.folder().write(file, content);
    EXPECT_NE(without(), before) << file;
    EXPECT_EQ(ask(open(), kept_sentences_many_texts()), without()) << file;
  };
  expect_fresh("sentence_bert_config.json", R"({"max_seq_length": 4})");
  expect_fresh("1_Pooling/config.json", R"({"pooling_mode_cls_token": true})");
  expect_fresh("modules.json", R"([{"type": "sentence_transformers.models.Transformer", "path": ""}])");
  expect_fresh("vocab.txt", test::word_lines({"dog", "a", "red"}));
}

TEST_F(KeptSentences, DamagedFilesChangeNothing) {
  ask(open(), kept_sentences_many_texts());
  std::vector<std::string> whole;
  for (const fs::path& file : files()) whole.push_back(read_file_as_is(file.string()));
  for (std::size_t round = 0; round < 60; ++round) {
    for (std::size_t i = 0; i < files().size(); ++i) {
      std::string damaged = whole[i];
      const std::size_t place = (64 + round * 997) % damaged.size();
      if (round % 3 == 0) {
        damaged.resize(place);
      } else {
        damaged[place] = static_cast<char>(damaged[place] ^ (1 << round % 8));
      }
      std::ofstream(files()[i], std::ios::binary | std::ios::trunc) << damaged;
    }
    batches(open());
    const SentenceEncoder mended = open();
    EXPECT_EQ(batches(mended), 0u) << round;
  }
}

TEST_F(KeptSentences, AForeignFileIsToldAndReplaced) {
  ask(open(), kept_sentences_many_texts());
  for (const fs::path& file : files()) std::ofstream(file, std::ios::trunc) << "something else";
  const SentenceEncoder told = open();
  EXPECT_GT(batches(told), 0u);
  EXPECT_EQ(told.cache_problems().size(), files().size());
  const SentenceEncoder mended = open();
  EXPECT_EQ(batches(mended), 0u);
  EXPECT_TRUE(mended.cache_problems().empty());
}

TEST_F(KeptSentences, TakeNoMoreRoomThanIsGiven) {
  constexpr std::uint64_t kMost = 3000;
  for (int run = 0; run < 3; ++run) {
    EXPECT_EQ(ask(SentenceEncoder(model_.path(), {}, kept(kMost)), kept_sentences_many_texts()), without());
    for (const fs::path& file : files()) EXPECT_LE(fs::file_size(file), kMost);
  }
}

}  // namespace
}  // namespace capella::encoder
