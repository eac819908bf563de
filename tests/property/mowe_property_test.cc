// MOWE agrees with its slow twin on any corpus and any vectors.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "metric/mowe.h"
#include "property/corpus_generator.h"
#include "reference/mowe_reference.h"
#include "support/metric_texts.h"
#include "support/small_word_vectors.h"

namespace capella::test {
namespace {

// "cat" has none; "a" and "on" are stop words. Sums are exact, so that what cancels out does so in both ways.
rc::Gen<reference::NamedVectors> named_vectors() {
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(1, 9), [](std::size_t dimensions) {
    const auto number =
        rc::gen::map(rc::gen::inRange(-40, 41), [](int n) { return static_cast<float>(n) / 8; });
    const auto vector = rc::gen::container<std::vector<float>>(dimensions, number);
    return rc::gen::map(rc::gen::container<std::vector<std::vector<float>>>(5, vector),
                        [](const std::vector<std::vector<float>>& v) {
                          return reference::NamedVectors{
                              {"a", v[0]}, {"dog", v[1]}, {"runs", v[2]}, {"on", v[3]}, {"grass", v[4]}};
                        });
  });
}

std::vector<double> mowe_rows(const Corpus& corpus, const resource::WordVectors& vectors) {
  const auto metric = metric::make_mowe(metric::Settings("mowe", metric::kMoweSettings));
  metric::Resources resources;
  resources.vectors = &vectors;
  return MetricTexts(corpus, text::Detail::words).rows(*metric, resources);
}

TEST(MoweProperty, AgreesWithTheSlowTwin) {
  EXPECT_TRUE(rc::check("MOWE", [] {
    const Corpus corpus = *ragged_corpus();
    const reference::NamedVectors vectors = *named_vectors();
    const std::vector<double> rows = mowe_rows(corpus, SmallWordVectors(vectors).get());
    const reference::MeanScores expected = reference::mowe(corpus, vectors, {"a", "on"});
    for (std::size_t item = 0; item < corpus.size(); ++item) {
      RC_LOG() << rows[2 * item] << " " << expected.items[item] << '\n';
      RC_ASSERT(rows[2 * item + 1] == 1.0);
      RC_ASSERT(std::abs(rows[2 * item] - expected.items[item]) <= 1e-12);
    }
  }));
}

}  // namespace
}  // namespace capella::test
