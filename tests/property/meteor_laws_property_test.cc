// What holds for METEOR whatever the text: bounds, identical texts, independence of company, order and
// threads.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/thread_pool.h"
#include "metric/meteor_comparison.h"
#include "property/meteor_generator.h"
#include "support/meteor_rows.h"

namespace capella::test {
namespace {

std::vector<double> rows_of(const Corpus& items, const MeteorLexicon& lexicon, bool paraphrases = true) {
  return meteor_rows(*make_meteor(paraphrases), items, lexicon.data());
}

double meteor_laws_score_of(const reference::Item& item, const MeteorLexicon& lexicon) {
  return finish_meteor(*make_meteor(true), rows_of({item}, lexicon));
}

/// The caption's score by each reference alone.
std::vector<double> scores_of(const reference::Item& item, const MeteorLexicon& lexicon) {
  std::vector<double> scores;
  for (const std::string& reference : item.references)
    scores.push_back(meteor_laws_score_of({item.caption, {reference}}, lexicon));
  return scores;
}

TEST(MeteorLaws, ScoresLieBetweenZeroAndOne) {
  EXPECT_TRUE(rc::check("0 <= score <= 1", [] {
    const auto pool = *word_pool();
    const MeteorLexicon lexicon(*paraphrase_table(pool));
    for (const reference::Item& item : *meteor_items(pool, 8)) {
      const double score = meteor_laws_score_of(item, lexicon);
      RC_ASSERT(score >= 0.0);
      RC_ASSERT(score <= 1.0);
    }
  }));
}

// Whatever the words are, function words or not, known or not; only a text without any word scores 0.
TEST(MeteorLaws, IdenticalTextsScoreOne) {
  EXPECT_TRUE(rc::check("a caption that is a reference", [] {
    const auto pool = *word_pool();
    const MeteorLexicon lexicon(*paraphrase_table(pool));
    const std::string caption = *phrase_of(pool, 1, 40);
    RC_ASSERT(meteor_laws_score_of({caption, {*sentence_of(pool), caption}}, lexicon) == 1.0);
  }));
  EXPECT_EQ(meteor_laws_score_of({"", {""}}, MeteorLexicon("")), 0.0);
}

TEST(MeteorLaws, TheBestReferenceCounts) {
  EXPECT_TRUE(rc::check("the highest of the references' scores", [] {
    const auto pool = *word_pool();
    const MeteorLexicon lexicon(*paraphrase_table(pool));
    for (const reference::Item& item : *meteor_items(pool, 4)) {
      const std::vector<double> scores = scores_of(item, lexicon);
      RC_ASSERT(meteor_laws_score_of(item, lexicon) == *std::max_element(scores.begin(), scores.end()));
    }
  }));
}

// Between equal scores the first reference counts, and its statistics may be others.
TEST(MeteorLaws, OrderOfReferencesMattersOnlyBetweenEquals) {
  EXPECT_TRUE(rc::check("references in another order", [] {
    const auto pool = *word_pool();
    const MeteorLexicon lexicon(*paraphrase_table(pool));
    for (const reference::Item& item : *meteor_items(pool, 4)) {
      reference::Item turned = item;
      std::rotate(turned.references.begin(), turned.references.begin() + 1, turned.references.end());
      RC_ASSERT(meteor_laws_score_of(turned, lexicon) == meteor_laws_score_of(item, lexicon));
      const std::vector<double> scores = scores_of(item, lexicon);
      const double best = *std::max_element(scores.begin(), scores.end());
      if (std::count(scores.begin(), scores.end(), best) == 1)
        RC_ASSERT(rows_of({turned}, lexicon) == rows_of({item}, lexicon));
    }
  }));
}

TEST(MeteorLaws, AnItemsRowIsItsOwn) {
  EXPECT_TRUE(rc::check("alone and among others", [] {
    const auto pool = *word_pool();
    const MeteorLexicon lexicon(*paraphrase_table(pool));
    const bool paraphrases = *rc::gen::arbitrary<bool>();
    const Corpus items = *meteor_items(pool, 8);
    std::vector<double> one_by_one;
    for (const reference::Item& item : items) {
      const std::vector<double> row = rows_of({item}, lexicon, paraphrases);
      one_by_one.insert(one_by_one.end(), row.begin(), row.end());
    }
    RC_ASSERT(rows_of(items, lexicon, paraphrases) == one_by_one);
  }));
}

TEST(MeteorLaws, ThreadsChangeNothing) {
  ThreadPool pool_of_threads(4);
  EXPECT_TRUE(rc::check("the same rows from many threads at once", [&] {
    const auto pool = *word_pool();
    const MeteorLexicon lexicon(*paraphrase_table(pool));
    const auto meteor = make_meteor(true);
    const MeteorBatch batch(*meteor, *meteor_items(pool, 8), lexicon.data());
    const std::vector<double> expected = batch.rows();
    std::vector<std::vector<double>> found(8);
    pool_of_threads.parallel_for(found.size(), [&](std::size_t i) { found[i] = batch.rows(); });
    for (const std::vector<double>& rows : found) RC_ASSERT(rows == expected);
  }));
}

// 200 words that all match each other: what the beam lets through is many orders of magnitude below all ways.
TEST(MeteorLaws, LongRepetitionsEnd) {
  const MeteorLexicon lexicon("0.5\ndog\ndog dog\n0.5\ndog dog dog\ndog dog\n");
  std::string text;
  for (int i = 0; i < 200; ++i) text += "dog ";
  EXPECT_EQ(meteor_laws_score_of({text, {text}}, lexicon), 1.0);
  const std::vector<std::string> shorter = {text.substr(4)};
  const std::vector<std::string_view> references(shorter.begin(), shorter.end());
  const auto found = metric::compare_by_meteor(text, references, lexicon.data(), false);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].statistics[metric::kCaptionWords], 200);
  EXPECT_EQ(found[0].statistics[metric::kReferenceMatched], 199);
  EXPECT_EQ(found[0].statistics[metric::kChunks], 1);
}

}  // namespace
}  // namespace capella::test
