// What must not change a run's result: threads, shards, the way through a file, the reward's way of asking.
#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "capella/error.h"
#include "capella/pipeline.h"
#include "capella/reward.h"

#include "aggregate/row_block.h"
#include "base/file.h"
#include "encoder/sentence_encoder.h"
#include "method/capella_s/calibration_file.h"
#include "property/corpus_generator.h"
#include "report/result_report.h"
#include "support/corpus.h"
#include "support/small_sentence_encoder.h"

namespace capella::test {
namespace {

// Metrics built on an encoder have a small one here: a real one would have to be read for every run.
constexpr const char* kWithEncoder[] = {"sentence-cosine", "bertscore", "moverscore", "capella-s"};

// With a curve of ratings in its folder.
const SmallSentenceEncoder& small_encoder() {
  static const SmallSentenceEncoder kEncoder;
  static const bool kHasCurve = [] {
    using namespace method::capella_s;
    const encoder::SentenceEncoder encoder(kEncoder.path());
    const stats::Calibration curve({{-1, 0, .1}, {1, 1, .3}});
    write_file_atomically(calibration_path(kEncoder.path()),
                          calibration_text({curve, encoder.fingerprint(), "a test"}));
    return true;
  }();
  (void)kHasCurve;
  return kEncoder;
}

// All that the data is there for; were it less than the repository brings, the tests would see too little.
// Asked once, since trained metrics are tried out for the answer.
const std::vector<std::string>& all_metrics(const std::string& tokenizer) {
  static std::map<std::string, std::vector<std::string>> known;
  std::vector<std::string>& names = known[tokenizer];
  if (names.empty()) {
    names = available_metrics(tokenizer);
    for (const char* name : kWithEncoder) {
      if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
    }
  }
  for (const char* name : {"bleu", "cider-d", "wmd", "hwcm", "chrf"}) {
    if (std::ranges::find(names, name) == names.end())
      throw std::runtime_error(std::string(name) + " cannot run");
  }
  return names;
}

std::vector<std::string> settings_for(const std::vector<std::string>& metrics) {
  std::vector<std::string> settings;
  for (const char* name : kWithEncoder) {
    if (std::ranges::find(metrics, name) != metrics.end())
      settings.push_back(std::string(name) + ".model=" + small_encoder().path());
  }
  return settings;
}

ScoreOptions options_for(const std::string& tokenizer, std::size_t threads = 1) {
  ScoreOptions options;
  options.metrics = all_metrics(tokenizer);
  options.tokenizer = tokenizer;
  options.threads = threads;
  options.settings = settings_for(options.metrics);
  return options;
}

// Two systems: the captions as they are, and in reverse order.
Dataset two_systems(const Corpus& corpus) {
  NamedCaptions second{"second", {}};
  for (const reference::Item& item : corpus) second.captions.push_back(item.caption);
  std::reverse(second.captions.begin(), second.captions.end());
  return make_dataset(corpus, {second});
}

std::string bytes_of(const Result& result) {
  return report::format_result(result, report::Format::json) + report::item_lines(result);
}

// More items than one batch holds.
Corpus repeated(const Corpus& corpus, std::size_t items) {
  Corpus many;
  for (std::size_t i = 0; i < items; ++i) many.push_back(corpus[i * 7 % corpus.size()]);
  return many;
}

TEST(Runs, ThreadsChangeNoByte) {
  EXPECT_TRUE(rc::check("1 and 4 threads", [] {
    const Dataset dataset = two_systems(repeated(*ragged_corpus(), *rc::gen::inRange<std::size_t>(1, 700)));
    const std::string tokenizer = *rc::gen::element<std::string>("ptb", "ptb-iso", "13a", "none", "karpathy");
    RC_ASSERT(bytes_of(score(dataset, options_for(tokenizer, 1))) ==
              bytes_of(score(dataset, options_for(tokenizer, 4))));
  }));
}

TEST(Runs, ShardsInAnyOrderMergeToTheWhole) {
  EXPECT_TRUE(rc::check("shards", [] {
    const Dataset dataset = two_systems(*ragged_corpus());
    const std::string tokenizer = *rc::gen::element<std::string>("ptb-iso", "13a", "none", "karpathy");
    const std::size_t count = *rc::gen::inRange<std::size_t>(1, 8);
    const auto keys = *rc::gen::container<std::vector<int>>(count, rc::gen::inRange(0, 100));
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
    std::vector<std::string> shards, names;
    for (const std::size_t index : order) {
      shards.push_back(shard_statistics(dataset, options_for(tokenizer), {index, count}));
      names.push_back("shard " + std::to_string(index));
    }
    RC_ASSERT(bytes_of(merge_statistics(shards, names)) == bytes_of(score(dataset, options_for(tokenizer))));
  }));
}

TEST(Runs, AMissingShardIsAnError) {
  EXPECT_TRUE(rc::check("all shards but one that has items", [] {
    const Corpus corpus = repeated(*plain_corpus(), 8);
    const std::size_t count = *rc::gen::inRange<std::size_t>(2, 8);
    const std::size_t left_out = *rc::gen::inRange<std::size_t>(0, count);
    std::vector<std::string> shards;
    for (std::size_t index = 0; index < count; ++index) {
      if (index != left_out)
        shards.push_back(shard_statistics(make_dataset(corpus), options_for("none"), {index, count}));
    }
    const std::vector<std::string> names(shards.size(), "shard");
    RC_ASSERT_THROWS_AS(merge_statistics(shards, names), DataError);
  }));
}

TEST(Runs, StatisticsComeBackFromBytes) {
  EXPECT_TRUE(rc::check("to_bytes and from_bytes", [] {
    const std::string bytes = shard_statistics(two_systems(*ragged_corpus()), options_for("none"), {0, 1});
    const aggregate::RowBlock block = aggregate::from_bytes(bytes, "test");
    RC_ASSERT(block.systems == (std::vector<std::string>{"first", "second"}));
    RC_ASSERT(block.rows.size() == 2 * all_metrics("none").size());
    RC_ASSERT(aggregate::to_bytes(block) == bytes);
  }));
}

TEST(Runs, CutOffStatisticsAreAnError) {
  EXPECT_TRUE(rc::check("any prefix", [] {
    const std::string bytes = shard_statistics(make_dataset(*plain_corpus()), options_for("none"), {0, 1});
    const std::string prefix = bytes.substr(0, *rc::gen::inRange<std::size_t>(0, bytes.size()));
    RC_ASSERT_THROWS_AS(aggregate::from_bytes(prefix, "test"), DataError);
    RC_ASSERT_THROWS_AS(aggregate::from_bytes(bytes + "x", "test"), DataError);
  }));
}

// Changes of single bytes may leave a readable file; whatever happens, only a DataError may come out.
TEST(Runs, GarbledStatisticsNeverCrash) {
  EXPECT_TRUE(rc::check("bytes changed at random", [] {
    std::string bytes = shard_statistics(make_dataset(*plain_corpus()), options_for("none"), {0, 1});
    const std::size_t header_end = bytes.find("\"warnings\"");
    for (int change = *rc::gen::inRange(1, 4); change > 0; --change) {
      bytes[*rc::gen::inRange<std::size_t>(0, header_end)] = *rc::gen::arbitrary<char>();
    }
    try {
      const std::vector<std::string> name = {"test"};
      merge_statistics(std::span(&bytes, 1), name);
    } catch (const DataError&) {
      RC_TAG("found out");
    }
  }));
}

TEST(Runs, RewardsAreTheScoresOfSingleCaptions) {
  EXPECT_TRUE(rc::check("Reward", [] {
    const Corpus corpus = *ragged_corpus();
    const Dataset dataset = make_dataset(corpus);
    RewardOptions options;
    options.metric = *rc::gen::elementOf(all_metrics("none"));
    options.tokenizer = *rc::gen::element<std::string>("ptb-iso", "13a", "none", "karpathy");
    options.settings = settings_for({options.metric});
    const Reward reward(dataset, options);
    ScoreOptions score_options = options_for(options.tokenizer);
    score_options.metrics = {options.metric};
    score_options.settings = options.settings;
    const Result result = score(dataset, score_options);
    const std::size_t column = result.columns.size() - 1;
    RC_ASSERT(reward.signature() == result.columns[column].signature);

    std::vector<std::string_view> ids, captions;
    std::vector<std::vector<std::string_view>> references;
    for (std::size_t k = 0; k < 2 * corpus.size(); ++k) {  // every id twice, in reverse
      const std::size_t item = corpus.size() - 1 - k % corpus.size();
      ids.push_back(dataset.id(item));
      captions.push_back(corpus[item].caption);
      references.emplace_back(corpus[item].references.begin(), corpus[item].references.end());
    }
    const std::vector<double> by_id = reward(ids, captions);
    const std::vector<double> by_references = reward(references, captions);
    for (std::size_t k = 0; k < captions.size(); ++k) {
      const double expected = result.item_value(0, corpus.size() - 1 - k % corpus.size(), column);
      RC_ASSERT(by_id[k] == expected);
      RC_ASSERT(by_references[k] == expected);
    }
  }));
}

}  // namespace
}  // namespace capella::test
