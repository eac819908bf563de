// Files of different models must not be taken for one.
#include "encoder/model_checks.h"

#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "capella/error.h"

#include "encoder/clip_encoder.h"
#include "encoder/pair_classifier.h"
#include "encoder/sentence_encoder.h"
#include "encoder/state_encoder.h"
#include "encoder/tokenizer/tokenizer_files.h"
#include "support/small_clip.h"
#include "support/small_encoders.h"
#include "support/small_vocabularies.h"
#include "support/temp_dir.h"

namespace capella::encoder {
namespace {

// The complaint, or nothing.
template <class Work>
std::string said_by(const Work& work) {
  try {
    work();
    return "";
  } catch (const FileError& error) {
    return error.what();
  }
}

// A vocab.txt of so many pieces.
std::string vocabulary(std::size_t pieces) {
  std::vector<std::string> words;
  while (words.size() + 5 < pieces) words.push_back("w" + std::to_string(words.size()));
  return test::word_lines(words);
}

std::string complaint(std::size_t pieces, std::size_t rows) {
  const test::TempDir folder;
  const ModelFolder model(folder.write("model.safetensors", test::small_bert().bytes()), {});
  const auto tokenizer = read_wordpiece_vocabulary(vocabulary(pieces), "");
  EXPECT_EQ(tokenizer->size(), pieces);
  return said_by([&] { expect_vocabulary(model, *tokenizer, rows); });
}

// A table whose rows from `seen` on are as they were drawn, those before of many lengths.
test::MemoryWeights with_table(test::MemoryWeights weights, const std::string& name, std::size_t rows,
                               std::size_t seen) {
  std::mt19937_64 random(3);
  std::normal_distribution<float> normal(0, .02f);
  std::vector<float> values;
  for (std::size_t row = 0; row < rows; ++row) {
    const float length = row < seen ? 1 + static_cast<float>(row % 5) : 1;
    for (std::size_t k = 0; k < test::kSmallWidth; ++k) values.push_back(length * normal(random));
  }
  weights.set(name, {rows, test::kSmallWidth}, std::move(values));
  return weights;
}

// The sizes are those of BERT (30522 pieces, 28996 with case, 31090 of SciBERT) and RoBERTa, and what
// rounding makes of them.
TEST(ModelChecks, TablesMayBeRoundedUp) {
  for (const std::size_t rows : {30522u, 30528u, 30592u, 30720u})
    EXPECT_EQ(complaint(30522, rows), "") << rows;
  for (const std::size_t rows : {50265u, 50272u, 50304u, 50688u})
    EXPECT_EQ(complaint(50265, rows), "") << rows;
}

TEST(ModelChecks, TablesOfOtherVocabulariesAreRefused) {
  EXPECT_NE(complaint(30522, 28996)
                .find("the tokenizer has 30522 pieces, the model's table 28996; they are of "
                      "different models, fetch both again from one place"),
            std::string::npos)
      << complaint(30522, 28996);
  EXPECT_NE(complaint(30522, 30521), "");
  for (const auto& [pieces, rows] :
       {std::pair{28996u, 30522u}, {30522u, 31090u}, {30522u, 30721u}, {30522u, 119547u}, {21128u, 30522u}})
    EXPECT_NE(complaint(pieces, rows).find("more than it would have if it were rounded up"),
              std::string::npos)
        << complaint(pieces, rows);
}

// Sizes as of Italian and Indonesian BERTs, less thousands.
TEST(ModelChecks, TablesMayHaveRowsThatNothingWasLearntFor) {
  const auto said = [](std::size_t pieces, std::size_t rows, std::size_t seen) {
    const test::TempDir folder;
    const auto weights = with_table(test::small_bert(), "embeddings.word_embeddings.weight", rows, seen);
    const ModelFolder model(folder.write("model.safetensors", weights.bytes()), {});
    const auto tokenizer = read_wordpiece_vocabulary(vocabulary(pieces), "");
    return said_by([&] { expect_vocabulary(model, *tokenizer, rows); });
  };
  EXPECT_EQ(said(1102, 2102, 1102), "");
  EXPECT_EQ(said(1521, 4000, 1536), "");
  EXPECT_NE(said(1102, 2102, 2102).find("the tokenizer has 1102 pieces, the model's table 2102, more than"),
            std::string::npos);
  EXPECT_NE(said(1102, 2102, 1900), "");
  EXPECT_NE(said(2103, 2102, 1102), "");
}

TEST(ModelChecks, EveryEncoderOfTextsChecksItsTokenizer) {
  const auto said = [](std::size_t pieces) {
    const test::TempDir folder;
    test::MemoryWeights weights =
        with_table(test::small_bert(), "embeddings.word_embeddings.weight", 600, 600);
    std::mt19937_64 random(3);
    weights.fill_linear("classifier", 3, test::kSmallWidth, random);
    folder.write("model.safetensors", weights.bytes());
    folder.write("config.json", test::small_bert_config().dump());
    folder.write("vocab.txt", vocabulary(pieces));
    const std::string path = folder.path().string();
    return std::vector{said_by([&] { SentenceEncoder{path}; }), said_by([&] { StateEncoder{path}; }),
                       said_by([&] { PairClassifier{path}; })};
  };
  EXPECT_EQ(said(600), std::vector<std::string>(3));
  EXPECT_EQ(said(513), std::vector<std::string>(3));
  for (const std::size_t pieces : {512u, 601u}) {
    for (const std::string& message : said(pieces))
      EXPECT_NE(message.find(fmt::format("the tokenizer has {} pieces, the model's table 600", pieces)),
                std::string::npos)
          << message;
  }
}

TEST(ModelChecks, ClipChecksItsTokenizer) {
  const test::SmallClip clip;
  const ModelFolder model(clip.path());
  const std::string words = "text_model.embeddings.token_embedding.weight";
  test::MemoryWeights weights;
  for (const std::string& name : model.names())
    weights.set(name, model.shape(name), model.floats(name, model.shape(name)));
  const std::size_t pieces = model.shape(words)[0];
  for (const std::size_t rows : {pieces - 1, pieces + 1024}) {
    weights = with_table(weights, words, rows, rows);
    clip.folder().write("model.safetensors", weights.bytes());
    nlohmann::json config = model.config();
    config["text_config"]["eos_token_id"] = 2;  // the greatest
    clip.folder().write("config.json", config.dump());
    const std::string message = said_by([&] { ClipEncoder{clip.path()}; });
    EXPECT_NE(message.find(fmt::format("the tokenizer has {} pieces, the model's table {}", pieces, rows)),
              std::string::npos)
        << message;
  }
}

}  // namespace
}  // namespace capella::encoder
