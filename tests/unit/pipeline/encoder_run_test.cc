// Metrics that encode texts, through whole runs with a folder that keeps vectors: the same bits, nothing
// encoded twice, and whatever is wrong with the folder is told.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"
#include "capella/pipeline.h"
#include "capella/reward.h"

#include "support/corpus.h"
#include "support/message_of.h"
#include "support/small_sentence_encoder.h"
#include "support/temp_dir.h"

namespace capella::test {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

const std::vector<Item> kItems = {{"a dog runs", {"a dog runs", "cats on grass"}},
                                  {"red cat!", {"a red dog", "red cat", "cat"}},
                                  {"", {"a dog", "grass"}},
                                  {"a dog on red grass", {"a dog", "red grass, a cat", ""}}};

class EncoderRun : public ::testing::TestWithParam<std::string> {
 protected:
  ScoreOptions options(const std::string& cache = "") const {
    ScoreOptions options;
    options.metrics = {GetParam()};
    options.settings = {GetParam() + ".model=" + model_.path()};
    options.tokenizer = "none";
    options.threads = 2;
    options.cache = cache;
    return options;
  }
  std::string folder() const { return (temporary_.path() / "deep" / "kept").string(); }
  std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(folder())) {
      if (entry.path().extension() == ".cache") all.push_back(entry.path());
    }
    return all;
  }
  std::uintmax_t bytes() const {
    std::uintmax_t sum = 0;
    for (const fs::path& file : files()) sum += fs::file_size(file);
    return sum;
  }
  static std::vector<double> values(const Result& result) { return result.systems[0].item_values; }

  SmallSentenceEncoder model_;
  TempDir temporary_;
  Dataset data_ = make_dataset(kItems);
};

INSTANTIATE_TEST_SUITE_P(All, EncoderRun, ::testing::Values("sentence-cosine", "bertscore", "moverscore"));

TEST_P(EncoderRun, KeptVectorsChangeNothing) {
  const Result expected = score(data_, options());
  std::size_t encoded = 0;
  ScoreOptions kept = options(folder());
  kept.progress = [&](std::string_view stage, std::size_t, std::size_t) {
    encoded += stage == "encoding texts";
  };
  EXPECT_EQ(values(score(data_, kept)), values(expected));
  EXPECT_GT(encoded, 0u);
  EXPECT_EQ(files().size(), 1u);
  const std::uintmax_t size = bytes();
  encoded = 0;
  const Result again = score(data_, kept);
  EXPECT_EQ(values(again), values(expected));
  EXPECT_EQ(again.columns[0].signature, expected.columns[0].signature);
  EXPECT_EQ(again.warnings, expected.warnings);
  EXPECT_EQ(encoded, 0u) << "references were encoded again";
  EXPECT_EQ(bytes(), size) << "captions were encoded again";
  const Names shards = {shard_statistics(data_, kept, {0, 2}), shard_statistics(data_, kept, {1, 2})};
  EXPECT_EQ(values(merge_statistics(shards, Names{"a", "b"})), values(expected));
}

TEST_P(EncoderRun, EachModelHasItsOwn) {
  const SmallSentenceEncoder other;
  other.folder().write("vocab.txt", word_lines({"dog", "a", "red", "cat", "on", "grass", "runs"}));
  ScoreOptions with_other = options(), both = options(folder());
  with_other.settings = {GetParam() + ".model=" + other.path()};
  both.settings = with_other.settings;
  const auto expected = values(score(data_, with_other));
  EXPECT_NE(expected, values(score(data_, options())));
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(values(score(data_, options(folder()))), values(score(data_, options())));
    EXPECT_EQ(values(score(data_, both)), expected);
  }
}

TEST_P(EncoderRun, AFileThatIsDamagedIsToldAndMended) {
  const auto expected = values(score(data_, options()));
  score(data_, options(folder()));
  const std::uintmax_t size = bytes();
  for (const fs::path& file : files()) std::ofstream(file) << "nothing of the kind";
  const Result damaged = score(data_, options(folder()));
  EXPECT_EQ(values(damaged), expected);
  ASSERT_EQ(damaged.warnings.size(), score(data_, options()).warnings.size() + 1);
  EXPECT_TRUE(std::ranges::any_of(damaged.warnings, [](const std::string& warning) {
    return warning.find("is no file of vectors of this model") != std::string::npos;
  }));
  EXPECT_EQ(bytes(), size);
  for (const fs::path& file : files()) fs::resize_file(file, size - 70);
  EXPECT_EQ(values(score(data_, options(folder()))), expected);
  EXPECT_EQ(bytes(), size);
}

TEST_P(EncoderRun, AFolderThatCannotBeIsToldBeforeAnyWork) {
  ScoreOptions wrong = options(temporary_.write("file", "") + "/kept");
  EXPECT_THROW(check_options(wrong), FileError);
  EXPECT_NO_THROW(check_options(options(folder())));
  EXPECT_FALSE(fs::exists(folder()));
}

// Captions of a reward seldom come again, and it may run for days.
TEST_P(EncoderRun, ARewardKeepsItsReferences) {
  RewardOptions reward;
  reward.metric = GetParam();
  reward.settings = options().settings;
  const std::vector<std::string_view> ids = {"0", "1", "2"},
                                      captions = {"a cat runs", "red", "dogs on a cat"};
  const auto expected = Reward(data_, reward)(ids, captions);
  reward.cache = folder();
  std::uintmax_t size = 0;
  for (int run = 0; run < 2; ++run) {
    const Reward kept(data_, reward);
    EXPECT_TRUE(run == 0 || bytes() == size);
    size = bytes();
    EXPECT_EQ(kept(ids, captions), expected);
    EXPECT_EQ(bytes(), size);
  }
}

using EightBitRun = EncoderRun;
INSTANTIATE_TEST_SUITE_P(All, EightBitRun, ::testing::Values("sentence-cosine"));

TEST_P(EightBitRun, HasVectorsOfItsOwn) {
  ScoreOptions small = options();
  small.settings.push_back("sentence-cosine.precision=int8");
  const auto exact = values(score(data_, options())), expected = values(score(data_, small));
  EXPECT_NE(exact, expected);
  small.cache = folder();
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(values(score(data_, options(folder()))), exact);
    EXPECT_EQ(values(score(data_, small)), expected);
  }
  EXPECT_EQ(files().size(), 2u);
}

TEST_P(EightBitRun, IsForTheCpu) {
  ScoreOptions wrong = options();
  wrong.settings.push_back("sentence-cosine.precision=int8");
  EXPECT_NO_THROW(check_options(wrong));
  wrong.device = "cuda";
  EXPECT_EQ(message_of<UsageError>([&] { check_options(wrong); }),
            "sentence-cosine.precision=int8 is for the CPU, but --device is cuda; leave one of them out");
  EXPECT_THROW(score(data_, wrong), UsageError);
}

}  // namespace
}  // namespace capella::test
