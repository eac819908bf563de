// ROUGE-1 recall agrees with its slow twin, and with what must hold for any corpus.
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "capella/pipeline.h"

#include "property/corpus_generator.h"
#include "reference/rouge_1_reference.h"
#include "support/corpus.h"

namespace capella::test {
namespace {

Result score_recall(const Corpus& corpus) {
  ScoreOptions options;
  options.metrics = {"rouge-1"};
  options.tokenizer = "none";
  options.threads = 1;
  return score(make_dataset(corpus), options);
}

TEST(Rouge1Property, EqualToTheLastBit) {
  EXPECT_TRUE(rc::check("ROUGE-1 recall", [] {
    const Corpus corpus = *ragged_corpus();
    const Result result = score_recall(corpus);
    const reference::MeanScores expected = reference::rouge_1_recall(corpus);
    for (std::size_t item = 0; item < corpus.size(); ++item)
      RC_ASSERT(result.item_value(0, item, 0) == expected.items[item]);
    RC_ASSERT(result.systems[0].values[0] == expected.corpus);
  }));
}

TEST(Rouge1Property, ACaptionThatIsAReferenceHasAllOfIt) {
  EXPECT_TRUE(rc::check("recall 1", [] {
    Corpus corpus = *plain_corpus();
    for (reference::Item& item : corpus) {
      if (item.caption.empty()) item.caption = "dog";
      item.references.push_back(item.caption);
    }
    RC_ASSERT(score_recall(corpus).systems[0].values[0] == 1.0);
  }));
}

}  // namespace
}  // namespace capella::test
