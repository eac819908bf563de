// BLEU's precisions are what the slow twin's counts say.
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "capella/pipeline.h"

#include "property/corpus_generator.h"
#include "reference/bleu_reference.h"
#include "support/corpus.h"

namespace capella::test {
namespace {

double precision(const reference::BleuCounts& counts, std::size_t n) {
  return counts.guessed[n] == 0 ? 0.0 : counts.correct[n] / counts.guessed[n];
}

TEST(BleuPrecisionsProperty, AreWhatTheCountsSay) {
  EXPECT_TRUE(rc::check("BLEU-P1 to BLEU-P4", [] {
    const Corpus corpus = *ragged_corpus();
    ScoreOptions options;
    options.metrics = {"bleu"};
    options.tokenizer = "none";
    options.detail = true;
    options.threads = 1;
    const Result result = score(make_dataset(corpus), options);
    RC_ASSERT(result.columns.size() == 8u);
    reference::BleuCounts sums;
    for (std::size_t item = 0; item < corpus.size(); ++item) {
      const reference::BleuCounts counts = reference::count_bleu(corpus[item]);
      for (std::size_t n = 0; n < 4; ++n)
        RC_ASSERT(result.item_value(0, item, 4 + n) == precision(counts, n));
      sums += counts;
    }
    for (std::size_t n = 0; n < 4; ++n) RC_ASSERT(result.systems[0].values[4 + n] == precision(sums, n));
  }));
}

}  // namespace
}  // namespace capella::test
