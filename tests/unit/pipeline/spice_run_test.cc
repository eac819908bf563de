// SPICE and what builds on it through whole runs, with a parser of random weights.
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "capella/error.h"
#include "capella/parse.h"
#include "capella/pipeline.h"
#include "capella/reward.h"

#include "support/corpus.h"
#include "support/small_home.h"

namespace capella {
namespace {

using Views = std::vector<std::string_view>;

class SpiceRunTest : public ::testing::Test {
 protected:
  static Dataset data() {
    return test::make_dataset({{"a man riding a red horse", {"a man on a horse", "a red horse"}},
                               {"a dog on the beach", {"a dog on the beach", "dogs. men!"}},
                               {"the men", {"a dog is riding a horse", "the red dog"}},
                               {"", {"a man", "the dog"}}});
  }
  static ScoreOptions options(std::vector<std::string> metrics) {
    ScoreOptions options;
    options.metrics = std::move(metrics);
    options.tokenizer = "none";
    options.threads = 2;
    return options;
  }
  static std::vector<double> all_values(const Result& result) {
    std::vector<double> values = result.systems[0].values;
    values.insert(values.end(), result.systems[0].item_values.begin(), result.systems[0].item_values.end());
    return values;
  }
  static std::size_t column(const Result& result, const std::string& name) {
    for (std::size_t i = 0; i < result.columns.size(); ++i)
      if (result.columns[i].name == name) return i;
    throw std::out_of_range(name);
  }

  test::SmallHome home_;
  test::TempDir folder_;
};

TEST_F(SpiceRunTest, SpiderIsTheMeanOfTheTwo) {
  const Result all = score(data(), options({"spider", "cider-d", "spice"}));
  ASSERT_EQ(all.columns.size(), 3u);
  const auto& values = all.systems[0].values;
  EXPECT_EQ(values[0], (values[1] + values[2]) / 2);
  for (std::size_t item = 0; item < all.ids.size(); ++item) {
    EXPECT_EQ(all.item_value(0, item, 0), (all.item_value(0, item, 1) + all.item_value(0, item, 2)) / 2);
  }
  const Result alone = score(data(), options({"spider"}));
  ASSERT_EQ(alone.columns.size(), 1u);
  EXPECT_EQ(alone.columns[0].signature, all.columns[0].signature);
  EXPECT_EQ(alone.systems[0].values[0], values[0]);
}

TEST_F(SpiceRunTest, SpiderTakesTheSettingsOfTheTwo) {
  ScoreOptions changed = options({"spider"});
  changed.settings = {"cider-d.sigma=2", "spice.synsets=no"};
  const std::string signature = score(data(), changed).columns[0].signature;
  EXPECT_TRUE(signature.starts_with("SPIDEr|n:4|sigma:2|df:refs(4)|parser:#")) << signature;
  EXPECT_NE(signature.find("|syn:none|tok:none|"), std::string::npos) << signature;
  changed.settings = {"meteor.paraphrases=none"};
  EXPECT_THROW(score(data(), changed), UsageError);
}

TEST_F(SpiceRunTest, DetailShowsCategories) {
  const Result plain = score(data(), options({"spice"}));
  EXPECT_EQ(plain.columns.size(), 1u);
  ScoreOptions finer = options({"spice"});
  finer.detail = true;
  const Result detailed = score(data(), finer);
  EXPECT_EQ(detailed.columns.size(), 7u * 6u);
  EXPECT_EQ(detailed.systems[0].values[0], plain.systems[0].values[0]);
  EXPECT_TRUE(detailed.columns[column(detailed, "SPICE-Color")].in_tables);
  EXPECT_FALSE(detailed.columns[column(detailed, "SPICE-Color-tp")].in_tables);
  double f = 0;
  for (std::size_t item = 0; item < 4; ++item) f += detailed.item_value(0, item, 0);
  EXPECT_DOUBLE_EQ(f / 4, detailed.systems[0].values[0]);
}

TEST_F(SpiceRunTest, CacheThreadsAndShardsChangeNothing) {
  const auto want = all_values(score(data(), options({"spice", "spider"})));
  ScoreOptions cached = options({"spice", "spider"});
  cached.cache = (folder_.path() / "cache").string();
  EXPECT_EQ(all_values(score(data(), cached)), want);
  EXPECT_EQ(all_values(score(data(), cached)), want);
  cached.threads = 1;
  EXPECT_EQ(all_values(score(data(), cached)), want);
  const std::vector<std::string> shards = {shard_statistics(data(), cached, {0, 2}),
                                           shard_statistics(data(), cached, {1, 2})};
  EXPECT_EQ(all_values(merge_statistics(shards, std::vector<std::string>{"a", "b"})), want);
  ScoreOptions detail;
  detail.detail = true;
  EXPECT_EQ(merge_statistics(shards, std::vector<std::string>{"a", "b"}, detail).columns.size(), 43u);
}

TEST_F(SpiceRunTest, ADamagedCacheIsToldAndChangesNothing) {
  ScoreOptions cached = options({"spice"});
  const auto want = all_values(score(data(), cached));
  cached.cache = (folder_.path() / "cache").string();
  score(data(), cached);
  for (const auto& entry : std::filesystem::directory_iterator(cached.cache))
    std::ofstream(entry.path(), std::ios::binary) << "damage";
  const Result damaged = score(data(), cached);
  EXPECT_EQ(all_values(damaged), want);
  ASSERT_EQ(damaged.warnings.size(), 2u);  // the other is of the empty caption
  EXPECT_NE(damaged.warnings[0].find("made anew"), std::string::npos) << damaged.warnings[0];
  EXPECT_EQ(score(data(), cached).warnings.size(), 1u);
}

TEST_F(SpiceRunTest, AnotherModelIsAnotherMetric) {
  ScoreOptions cached = options({"spice"});
  cached.cache = (folder_.path() / "cache").string();
  const Result first = score(data(), cached);
  home_.set_model(2);
  const Result second = score(data(), cached);
  EXPECT_NE(first.columns[0].signature, second.columns[0].signature);
  cached.cache.clear();
  EXPECT_EQ(all_values(score(data(), cached)), all_values(second));
}

TEST_F(SpiceRunTest, RewardsAreTheItemsScores) {
  for (const char* metric : {"spice", "spider"}) {
    const Result result = score(data(), options({metric}));
    RewardOptions reward_options;
    reward_options.metric = metric;
    reward_options.tokenizer = "none";
    const Reward reward(data(), reward_options);
    const Dataset dataset = data();
    const auto& captions = dataset.systems()[0].captions;
    const auto values =
        reward(Views{"1", "0", "2", "1"}, Views{captions[1], captions[0], captions[2], captions[1]});
    const std::size_t items[] = {1, 0, 2, 1};
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(values[k], result.item_value(0, items[k], 0));
    EXPECT_EQ(reward.signature(), result.columns[0].signature);
  }
}

TEST_F(SpiceRunTest, ExplainsBoth) {
  const auto why = explain(data(), "0", options({"spider", "spice"})).by_metric;
  ASSERT_EQ(why.size(), 2u);
  EXPECT_EQ(why[0].metric, "spider");
  EXPECT_EQ(why[1].metric, "spice");
  EXPECT_TRUE(why[1].summary[1].starts_with("SPICE = ")) << why[1].summary[1];
}

TEST_F(SpiceRunTest, ParsesWhatItScores) {
  ParseOptions parsing;
  parsing.threads = 2;
  const auto parsed = parse(Views{"a man. a dog", ""}, parsing);
  ASSERT_EQ(parsed.size(), 2u);
  EXPECT_EQ(parsed[0].text, "a man. a dog");
  EXPECT_EQ(parsed[0].sentences.size(), 2u);
  EXPECT_EQ(parsed[0].sentences[0][1].word, "man");
  EXPECT_TRUE(parsed[1].sentences.empty() && parsed[1].tuples.empty());
}

TEST_F(SpiceRunTest, ListsRowsThatItLeavesOut) {
  const std::string path =
      folder_.write("rows.jsonl", "{\"image_id\": 1, \"caption\": \"a dog\"}\n{\"image_id\": 2}\n");
  ReadOptions read;
  read.skip_bad = true;
  const ParsedFile file = parse_file(path, read, {});
  ASSERT_EQ(file.captions.size(), 1u);
  ASSERT_EQ(file.skipped.size(), 1u);
  EXPECT_EQ(file.skipped[0].id, "2");
  EXPECT_FALSE(file.looks_like_trees);
}

TEST_F(SpiceRunTest, KnowsTreesThatAreTakenForCaptions) {
  const auto looks = [&](const std::string& text) {
    return parse_file(folder_.write("lines.txt", text), {}, {}).looks_like_trees;
  };
  EXPECT_TRUE(looks("# text = dogs\n\n1\tdogs\tdog\tNNS\t0\troot\n\n"));
  EXPECT_FALSE(looks("# a dog\na dog\n1\tdogs\tdog\tNNS\t0\troot\n"));
  EXPECT_FALSE(looks("1\ta dog\n"));
}

TEST_F(SpiceRunTest, ChecksMakeNoFolder) {
  ScoreOptions with_cache = options({"spice"});
  with_cache.cache = (folder_.path() / "deep" / "cache").string();
  check_options(with_cache);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "deep"));
  with_cache.cache = folder_.write("file", "") + "/cache";
  EXPECT_THROW(check_options(with_cache), FileError);
}

TEST_F(SpiceRunTest, WarnsOfACacheThatCannotBeWritten) {
  ScoreOptions with_cache = options({"spice"});
  with_cache.cache = (folder_.path() / "cache").string();
  score(data(), with_cache);
  for (const auto& entry : std::filesystem::directory_iterator(with_cache.cache)) {
    if (entry.path().extension() != ".lock") continue;
    std::filesystem::remove(entry.path());
    std::filesystem::create_directory(entry.path());  // which cannot be opened as a lock
  }
  const Dataset other = test::make_dataset({{"a red beach", {"the red men"}}});
  const auto warnings = explain(other, "0", with_cache).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(warnings[0].starts_with("parsed captions are not kept: ")) << warnings[0];
  RewardOptions reward;
  reward.metric = "spice";
  reward.tokenizer = "none";
  reward.cache = with_cache.cache;
  EXPECT_EQ(Reward(other, reward).warnings(), warnings);
}

TEST_F(SpiceRunTest, ReadsTreesInsteadOfParsing) {
  const std::string path = folder_.write("trees.conll",
                                         "# text = a big dog runs\n"
                                         "1\ta\ta\tDT\t3\tdet\n2\tbig\tbig\tJJ\t3\tamod\n"
                                         "3\tdog\tdog\tNN\t4\tnsubj\n4\truns\trun\tVBZ\t0\troot\n\n");
  const auto parsed = parse_trees_file(path, {});
  ASSERT_EQ(parsed.size(), 1u);
  EXPECT_EQ(parsed[0].text, "a big dog runs");
  EXPECT_EQ(parsed[0].tuples,
            (std::vector<std::vector<std::string>>{{"dog"}, {"dog", "big"}, {"dog", "run"}}));
}

}  // namespace
}  // namespace capella
