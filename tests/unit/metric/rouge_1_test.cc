#include "metric/rouge_1.h"

#include <gtest/gtest.h>

#include "support/score_items.h"

namespace capella::metric {
namespace {

double recall(const std::string& caption, const std::vector<std::string>& references) {
  return test::score_items({{caption, references}}, "rouge-1").systems[0].values[0];
}

TEST(Rouge1, CountsTheReferencesWords) {
  EXPECT_DOUBLE_EQ(recall("a dog runs", {"the dog runs fast"}), 2.0 / 4.0);
  EXPECT_EQ(recall("a dog runs on grass", {"a dog"}), 1.0);  // what the caption says beyond costs nothing
  EXPECT_EQ(recall("a cat", {"the dog"}), 0.0);
}

TEST(Rouge1, OrderDoesNotMatter) {
  EXPECT_EQ(recall("fast runs dog the", {"the dog runs fast"}), 1.0);
}

TEST(Rouge1, AWordMatchesAsOftenAsBothHaveIt) {
  EXPECT_DOUBLE_EQ(recall("the the the", {"the cat the dog"}), 2.0 / 4.0);
  EXPECT_DOUBLE_EQ(recall("the cat", {"the the the cat"}), 2.0 / 4.0);
}

TEST(Rouge1, TheBestReferenceCounts) {
  // 1 of 2, 2 of 3, 0 of 1.
  EXPECT_DOUBLE_EQ(recall("a dog runs", {"a cat", "dog runs away", "b"}), 2.0 / 3.0);
}

TEST(Rouge1, EmptyTextsScoreZero) {
  EXPECT_EQ(recall("", {"a dog"}), 0.0);
  EXPECT_EQ(recall("a dog", {""}), 0.0);
  EXPECT_EQ(recall("", {""}), 0.0);
  EXPECT_EQ(recall("a dog", {"", "a dog"}), 1.0);
}

TEST(Rouge1, TheCorpusIsTheMeanOfItsCaptions) {
  const Result result = test::score_items({{"a", {"a b"}}, {"x y", {"x y"}}}, "rouge-1");
  EXPECT_DOUBLE_EQ(result.item_value(0, 0, 0), 0.5);
  EXPECT_DOUBLE_EQ(result.item_value(0, 1, 0), 1.0);
  EXPECT_DOUBLE_EQ(result.systems[0].values[0], 0.75);
}

TEST(Rouge1, ExplainsWhatIsMissing) {
  text::StringColumn tokens;
  tokens.push_back("the dog and the cat");
  const std::size_t ends[] = {1};
  const text::TextSet references(std::move(tokens), text::Detail::words);
  text::StringColumn captions;
  captions.push_back("the cat");
  const text::TextSet caption(std::move(captions), &references);
  const std::uint32_t items[] = {0};
  const References all{{}, ends, references};
  const auto metric = make_rouge_1(Settings("rouge-1", {}));
  const Explanation why = metric->explain({all, items, {}, caption}, nullptr);
  ASSERT_EQ(why.tables.size(), 1u);
  EXPECT_EQ(
      why.tables[0].rows,
      (std::vector<std::vector<std::string>>{{"the dog and the cat", "5", "2", "0.4000", "dog and the"}}));
}

}  // namespace
}  // namespace capella::metric
