#include <cmath>
#include <mutex>

#include <gtest/gtest.h>

#include "capella/error.h"
#include "capella/pipeline.h"
#include "capella/version.h"

#include "aggregate/row_block.h"
#include "support/message_of.h"
#include "support/score_items.h"

namespace capella {
namespace {

using test::Item;
using test::make_dataset;
using test::message_of;
using test::one_metric;
using test::score_items;

const std::vector<Item> kTwoItems = {{"A dog, runs!", {"a dog runs", "the dog ran"}},
                                     {"two cats", {"two cats", "cats"}}};

std::string signature(const std::string& metric, const std::string& tokenizer) {
  ScoreOptions options = one_metric(metric);
  options.tokenizer = tokenizer;
  return score(make_dataset(kTwoItems), options).columns[0].signature;
}

std::string with_version(const std::string& rest) {
  return rest + "|capella:" + std::string(kVersion);
}

TEST(Signatures, NameEveryChoice) {
  EXPECT_EQ(signature("bleu", "ptb"), with_version("BLEU-1|ref:closest|smooth:1e-15|tok:ptb"));
  EXPECT_EQ(signature("rouge-l", "ptb-iso"), with_version("ROUGE-L|beta:1.2|ref:max|tok:ptb-iso"));
  EXPECT_EQ(signature("cider-d", "13a"), with_version("CIDEr-D|n:4|sigma:6|df:refs(2)|tok:13a"));
  EXPECT_EQ(signature("cider-plain", "none"), with_version("CIDEr-plain|n:4|df:refs(2)|tok:none"));
  EXPECT_EQ(signature("cider-r", "none"), with_version("CIDEr-R|n:4|rep:0.8|len:0.2|df:refs(2)|tok:none"));
}

TEST(Signatures, DoNotNameATokenizerThatIsNotUsed) {
  EXPECT_EQ(signature("sacrebleu", "ptb"),
            with_version("sacreBLEU|nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp"));
  EXPECT_EQ(signature("chrf", "ptb"), with_version("chrF|case:mixed|nc:6|nw:0|beta:2|space:no|ref:best"));
}

TEST(Signatures, ShowSettings) {
  EXPECT_EQ(score_items(kTwoItems, "cider-d", {"cider-d.sigma=3.5"}).columns[0].signature,
            with_version("CIDEr-D|n:4|sigma:3.5|df:refs(2)|tok:none"));
}

TEST(Score, KeepsTheOrderOfMetricsSystemsAndItems) {
  ScoreOptions options = one_metric("rouge-l");
  options.metrics = {"rouge-l", "bleu", "rouge-l"};
  const Result result = score(make_dataset(kTwoItems, {{"other", {"x", "y"}}}), options);
  ASSERT_EQ(result.columns.size(), 5u);  // a metric that is named twice runs once
  EXPECT_EQ(result.columns[0].name, "ROUGE-L");
  EXPECT_EQ(result.columns[4].name, "BLEU-4");
  EXPECT_EQ(result.ids, (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(result.systems[1].name, "other");
}

TEST(Score, CiderMeansCiderD) {
  EXPECT_EQ(score_items(kTwoItems, "cider").columns[0].name, "CIDEr-D");
}

TEST(Score, TokenizesFirst) {
  ScoreOptions options = one_metric("rouge-l");
  options.tokenizer = "ptb";
  EXPECT_EQ(score(make_dataset(kTwoItems), options).item_value(0, 0, 0), 1.0);  // case and marks are gone
  options.tokenizer = "none";
  EXPECT_LT(score(make_dataset(kTwoItems), options).item_value(0, 0, 0), 0.5);
}

TEST(Score, WarnsOfEmptyCaptions) {
  const Result result = score_items({{"", {"a"}}, {"b", {"b"}}, {"", {"c"}}}, "bleu");
  ASSERT_EQ(result.warnings.size(), 1u);
  EXPECT_EQ(result.warnings[0], "first: 2 empty captions scored as such: 0, 2");
}

TEST(Score, WarnsOfEmptyReferences) {
  const Result result =
      score_items({{"a dog", {"a dog", " "}}, {"a cat", {"a cat"}}, {"a bird", {""}}}, "bleu");
  ASSERT_EQ(result.warnings.size(), 1u);
  EXPECT_EQ(result.warnings[0], "2 items have an empty reference, which counts as one: 0, 2");
}

// One warning for each system, with the number of its captions that have words.
TEST(Score, WarnsOfSystemsThatShareNoWordWithTheReferences) {
  const std::vector<Item> items = {{"a dog", {"a dog runs"}}, {"two cats", {"cats"}}, {"", {"a bird"}}};
  const auto foreign = [&](const std::vector<std::string>& captions, const std::string& metric) {
    const Result result = score(make_dataset(items, {{"other", captions}}), one_metric(metric));
    std::vector<std::string> found;
    for (const std::string& warning : result.warnings) {
      if (warning.find("empty") == std::string::npos) found.push_back(warning);
    }
    return found;
  };
  for (const std::string metric : {"bleu", "rouge-l"}) {
    const auto found = foreign({"ein Hund", "Katzen", ""}, metric);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(found[0].starts_with("other: ")) << found[0];
    EXPECT_NE(found[0].find(" 2 captions "), std::string::npos) << found[0];
    EXPECT_TRUE(foreign({"ein Hund", "Katzen", "bird"}, metric).empty());
    EXPECT_TRUE(foreign({"", "", ""}, metric).empty());
  }
  // The words of another item's references do not count.
  EXPECT_EQ(foreign({"cats", "dog", "dog"}, "bleu").size(), 1u);
}

TEST(Score, GivenScoresStandBesideMetrics) {
  ScoreOptions options = one_metric("rouge-l");
  options.given = {{"mine", {{0.25, 0.75}}}};
  const Result result = score(make_dataset(kTwoItems), options);
  ASSERT_EQ(result.columns.size(), 2u);
  EXPECT_EQ(result.columns[1].name, "mine");
  EXPECT_EQ(result.columns[1].signature, with_version("mine|given"));
  EXPECT_EQ(result.systems[0].values[1], 0.5);
  EXPECT_EQ(result.item_value(0, 1, 1), 0.75);
}

TEST(Score, ReportsProgressToTheEnd) {
  ScoreOptions options = one_metric("bleu");
  std::size_t last = 0, total = 0;
  options.threads = 4;
  options.progress = [&](std::string_view, std::size_t done, std::size_t all) {
    EXPECT_EQ(done, last + 1);
    last = done;
    total = all;
  };
  score(make_dataset(std::vector<Item>(2000, kTwoItems[0])), options);
  EXPECT_GT(total, 1u);
  EXPECT_EQ(last, total);
}

TEST(Score, UsageErrorsOfferTheNearest) {
  EXPECT_TRUE(message_of<UsageError>([] {
                score_items(kTwoItems, "blue");
              }).starts_with("unknown metric 'blue'; did you mean 'bleu'?"));
  EXPECT_TRUE(message_of<UsageError>([] {
                signature("bleu", "ptp");
              }).starts_with("unknown tokenizer 'ptp'; did you mean 'ptb'?"));
  EXPECT_EQ(message_of<UsageError>([] { score_items(kTwoItems, "bleu", {"sigma=3"}); }),
            "--set: found 'sigma=3', expected METRIC.KEY=VALUE, e.g. cider-d.sigma=6");
  EXPECT_THROW(score_items(kTwoItems, "bleu", {"cider-d.sigma=3"}), UsageError);  // not a metric of this run
  EXPECT_THROW(score_items(kTwoItems, "cider-d", {"cider-d.sigma=0"}), UsageError);
}

TEST(Score, NeedsSystemsAndItems) {
  EXPECT_THROW(score(Dataset(), one_metric("bleu")), DataError);
  EXPECT_THROW(score_items({}, "bleu"), DataError);
}

TEST(Shards, NeedATokenizerThatLooksAtEachCaptionAlone) {
  ScoreOptions options = one_metric("bleu");
  options.tokenizer = "ptb";
  EXPECT_NE(message_of<UsageError>([&] {
              shard_statistics(make_dataset(kTwoItems), options, {0, 2});
            }).find("ptb-iso"),
            std::string::npos);
  EXPECT_THROW(shard_statistics(make_dataset(kTwoItems), one_metric("bleu"), {2, 2}), UsageError);
  EXPECT_THROW(shard_statistics(make_dataset(kTwoItems), one_metric("bleu"), {0, 0}), UsageError);
}

TEST(Shards, OfOtherCaptionsDoNotFit) {
  std::vector<Item> edited = kTwoItems;
  edited[0].caption += " again";
  const std::vector<std::string> parts = {
      shard_statistics(make_dataset(kTwoItems), one_metric("bleu"), {0, 2}),
      shard_statistics(make_dataset(edited), one_metric("bleu"), {1, 2})};
  const std::vector<std::string> names = {"a.stats", "b.stats"};
  EXPECT_NE(message_of<DataError>([&] { merge_statistics(parts, names); }).find("references or captions"),
            std::string::npos);
}

TEST(Shards, OfAnotherVersionAreDataErrors) {
  std::string bytes = shard_statistics(make_dataset(kTwoItems), one_metric("bleu"), {0, 1});
  bytes.erase(0, bytes.find('\n') + 1);
  bytes.replace(bytes.find("\"bleu\""), 6, "\"blew\"");
  bytes = aggregate::seal(bytes);
  const std::vector<std::string> names = {"old.stats"};
  EXPECT_NE(message_of<DataError>([&] {
              merge_statistics(std::span(&bytes, 1), names);
            }).find("unknown metric 'blew'"),
            std::string::npos);
}

TEST(Parts, NeedFrequenciesFromElsewhere) {
  EXPECT_NE(message_of<UsageError>([] {
              part_statistics(make_dataset(kTwoItems), one_metric("cider-d"));
            }).find("capella df"),
            std::string::npos);
}

}  // namespace
}  // namespace capella
