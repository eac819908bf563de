// Fifteen tiny corpora that show the corners of the definitions (golden_ngram_edge.json).
#include "golden/golden_scores.h"
#include "support/corpus.h"
#include "support/shared.h"

namespace capella::test {
namespace {

std::vector<Item> items_of(const Json& corpus) {
  std::vector<Item> items;
  for (const Json& item : corpus.at("items")) items.push_back({item.at("cand"), item.at("refs")});
  return items;
}

// Calls `check(corpus, data set)` for each of the corpora.
template <class Check>
void for_each_corpus(const std::filesystem::path& path, Check check) {
  const Json corpora = read_json(path);
  EXPECT_EQ(corpora.size(), 15u);
  for (const auto& [name, corpus] : corpora.items()) {
    SCOPED_TRACE(name);
    check(corpus, make_dataset(items_of(corpus)));
  }
}

void expect_mean_metric(const Json& corpus, const Result& result, const std::string& key, double tolerance) {
  const std::string score = result.columns[0].name;
  expect_items(result, score, tolerance,
               [&](std::size_t item) { return corpus.at(key + "_per").at(item).get<double>(); });
  expect_value(corpus_value(result, score), corpus.at(key), tolerance, score);
}

TEST(NgramEdgeGolden, Bleu) {
  CAPELLA_NEED_SHARED(path, "golden/golden_ngram_edge.json");
  for_each_corpus(path, [](const Json& corpus, const Dataset& dataset) {
    const Result result = score_golden(dataset, {"bleu"}, "none");
    for (std::size_t n = 0; n < 4; ++n) {
      EXPECT_EQ(result.systems[0].values[n], corpus.at("Bleu").at(n).get<double>()) << "BLEU-" << n + 1;
      for (std::size_t item = 0; item < dataset.size(); ++item) {
        EXPECT_EQ(result.item_value(0, item, n), corpus.at("Bleu_per").at(item).at(n).get<double>())
            << "BLEU-" << n + 1;
      }
    }
  });
}

TEST(NgramEdgeGolden, RougeL) {
  CAPELLA_NEED_SHARED(path, "golden/golden_ngram_edge.json");
  for_each_corpus(path, [](const Json& corpus, const Dataset& dataset) {
    expect_mean_metric(corpus, score_golden(dataset, {"rouge-l"}, "none"), "ROUGE_L", kExact);
  });
}

TEST(NgramEdgeGolden, CiderDAndPlain) {
  CAPELLA_NEED_SHARED(path, "golden/golden_ngram_edge.json");
  for_each_corpus(path, [](const Json& corpus, const Dataset& dataset) {
    expect_mean_metric(corpus, score_golden(dataset, {"cider-d"}, "none"), "CIDEr_D", kCider);
    expect_mean_metric(corpus, score_golden(dataset, {"cider-plain"}, "none"), "CIDEr_plain", kCider);
  });
}

// The published program gives not-a-number (null in the file) for a caption without words and so for the
// corpus. Ours gives such a caption 0.
TEST(NgramEdgeGolden, CiderR) {
  CAPELLA_NEED_SHARED(path, "golden/golden_ngram_edge.json");
  std::size_t undefined = 0;
  for_each_corpus(path, [&](const Json& corpus, const Dataset& dataset) {
    const Result result = score_golden(dataset, {"cider-r"}, "none");
    double sum = 0.0;
    for (std::size_t item = 0; item < dataset.size(); ++item) {
      const Json& expected = corpus.at("CIDEr_R_per").at(item);
      undefined += expected.is_null();
      const double value = expected.is_null() ? 0.0 : expected.get<double>();
      expect_value(result.item_value(0, item, 0), value, kCider, "CIDEr-R of item " + std::to_string(item));
      sum += value;
    }
    const Json& whole = corpus.at("CIDEr_R");
    const double mean = whole.is_null() ? sum / static_cast<double>(dataset.size()) : whole.get<double>();
    expect_value(result.systems[0].values[0], mean, kCider, "CIDEr-R");
  });
  EXPECT_GE(undefined, 2u);
}

TEST(NgramEdgeGolden, SentenceSacreBleuAndChrf) {
  CAPELLA_NEED_SHARED(path, "golden/golden_ngram_edge.json");
  for_each_corpus(path, [](const Json& corpus, const Dataset& dataset) {
    const auto compare = [&](const Result& result, const std::string& key) {
      expect_items(result, result.columns[0].name, kPercent,
                   [&](std::size_t item) { return corpus.at(key).at(item).get<double>(); });
    };
    compare(score_golden(dataset, {"sacrebleu"}, "13a", {"sacrebleu.effective-order=yes"}),
            "sent_sacrebleu_eff");
    compare(score_golden(dataset, {"sacrebleu"}, "13a"), "sent_sacrebleu_noeff");
    compare(score_golden(dataset, {"chrf"}, "none"), "sent_chrf2");
    compare(score_golden(dataset, {"chrf"}, "none", {"chrf.word-order=2"}), "sent_chrf2pp");
  });
}

}  // namespace
}  // namespace capella::test
