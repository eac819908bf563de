// Every metric agrees with its slow twin on any corpus.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "capella/pipeline.h"

#include "property/corpus_generator.h"
#include "reference/bleu_reference.h"
#include "reference/chrf_reference.h"
#include "reference/cider_reference.h"
#include "reference/rouge_l_reference.h"
#include "reference/sacrebleu_reference.h"
#include "support/corpus.h"
#include "support/temp_dir.h"

namespace capella::test {
namespace {

Result score_with(const Corpus& corpus, const std::string& metric,
                  const std::vector<std::string>& settings = {}) {
  ScoreOptions options;
  options.metrics = {metric};
  options.tokenizer = "none";
  options.settings = settings;
  options.threads = 1;
  return score(make_dataset(corpus), options);
}

void expect_near(double found, double expected, double tolerance) {
  RC_LOG() << "found " << found << ", expected " << expected << '\n';
  RC_ASSERT(std::abs(found - expected) <= tolerance);
}

// Compares a metric of one score.
template <class Scores>
void expect_scores(const Result& result, const Scores& expected, double tolerance) {
  for (std::size_t item = 0; item < expected.items.size(); ++item) {
    RC_LOG() << "item " << item << ": ";
    expect_near(result.item_value(0, item, 0), expected.items[item], tolerance);
  }
  RC_LOG() << "corpus: ";
  expect_near(result.systems[0].values[0], expected.corpus, tolerance);
}

TEST(MetricTwins, BleuIsEqualToTheLastBit) {
  EXPECT_TRUE(rc::check("BLEU", [] {
    const Corpus corpus = *ragged_corpus();
    const Result result = score_with(corpus, "bleu");
    reference::BleuCounts sums;
    for (std::size_t item = 0; item < corpus.size(); ++item) {
      const reference::BleuCounts counts = reference::count_bleu(corpus[item]);
      const auto expected = reference::bleu(counts);
      for (std::size_t n = 0; n < 4; ++n) RC_ASSERT(result.item_value(0, item, n) == expected[n]);
      sums += counts;
    }
    const auto expected = reference::bleu(sums);
    for (std::size_t n = 0; n < 4; ++n) RC_ASSERT(result.systems[0].values[n] == expected[n]);
  }));
}

TEST(MetricTwins, RougeLIsEqualToTheLastBit) {
  EXPECT_TRUE(rc::check("ROUGE-L", [] {
    const Corpus corpus = *ragged_corpus();
    expect_scores(score_with(corpus, "rouge-l"), reference::rouge_l(corpus), 0.0);
  }));
}

TEST(MetricTwins, CiderFamily) {
  EXPECT_TRUE(rc::check("CIDEr-D, CIDEr, CIDEr-R", [] {
    const Corpus corpus = *ragged_corpus();
    expect_scores(score_with(corpus, "cider-d"), reference::cider(reference::Cider::d, corpus), 1e-12);
    expect_scores(score_with(corpus, "cider-plain"), reference::cider(reference::Cider::plain, corpus),
                  1e-12);
    expect_scores(score_with(corpus, "cider-r"), reference::cider(reference::Cider::r, corpus), 1e-12);
  }));
}

TEST(MetricTwins, CiderWithFrequenciesOfAnotherCorpus) {
  EXPECT_TRUE(rc::check("CIDEr-D with a table", [] {
    const Corpus counted = *ragged_corpus();
    const Corpus corpus = *ragged_corpus();
    const TempDir folder;
    ScoreOptions options;
    options.metrics = {"cider-d"};
    options.tokenizer = "none";
    options.df = (folder.path() / "counted.df").string();
    write_document_frequencies(make_dataset(counted), "none", options.df);
    const auto expected =
        reference::cider(reference::Cider::d, corpus, reference::count_document_frequencies(counted));
    expect_scores(score(make_dataset(corpus), options), expected, 1e-12);
  }));
}

TEST(MetricTwins, SacreBleu) {
  EXPECT_TRUE(rc::check("sacreBLEU", [] {
    const Corpus corpus = *plain_corpus();
    const reference::SacreBleuOptions options{*rc::gen::element<std::string>("exp", "floor", "add-k", "none"),
                                              *rc::gen::arbitrary<bool>()};
    const Result result =
        score_with(corpus, "sacrebleu",
                   {"sacrebleu.smooth=" + options.smooth,
                    std::string("sacrebleu.effective-order=") + (options.effective_order ? "yes" : "no")});
    reference::MeanScores expected;
    reference::BleuCounts sums;
    for (const reference::Item& item : corpus) {
      expected.items.push_back(sacrebleu(count_bleu(item), options));
      sums += count_bleu(item);
    }
    expected.corpus = sacrebleu(sums, options);
    expect_scores(result, expected, 1e-9);
  }));
}

TEST(MetricTwins, Chrf) {
  EXPECT_TRUE(rc::check("chrF and chrF++", [] {
    const Corpus corpus = *ragged_corpus();
    const reference::ChrfOptions options{*rc::gen::inRange<std::size_t>(1, 7),
                                         *rc::gen::inRange<std::size_t>(0, 3), 2};
    const Result result = score_with(corpus, "chrf",
                                     {"chrf.char-order=" + std::to_string(options.char_order),
                                      "chrf.word-order=" + std::to_string(options.word_order)});
    expect_scores(result, reference::chrf(corpus, options), 1e-9);
  }));
}

}  // namespace
}  // namespace capella::test
