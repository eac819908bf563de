#include "base/names.h"

#include <gtest/gtest.h>

#include "base/suggestion.h"

namespace capella {
namespace {

constexpr std::string_view kMetrics[] = {"bleu", "rouge-l", "cider-d", "cider-r", "meteor"};

TEST(NearestName, ForgivesOneOrTwoSlips) {
  EXPECT_EQ(nearest_name("bleau", kMetrics), "bleu");  // a letter too many
  EXPECT_EQ(nearest_name("bleu4", kMetrics), "bleu");
  EXPECT_EQ(nearest_name("belu", kMetrics), "bleu");        // two letters swapped
  EXPECT_EQ(nearest_name("rougel", kMetrics), "rouge-l");   // a letter missing
  EXPECT_EQ(nearest_name("cider-x", kMetrics), "cider-d");  // the first of equally near ones
}

TEST(NearestName, OffersNothingFarAway) {
  EXPECT_EQ(nearest_name("perplexity", kMetrics), "");
  EXPECT_EQ(nearest_name("", {}), "");
}

TEST(DidYouMean, ForgivesSlipsCapitalsAndMissingEnds) {
  EXPECT_EQ(did_you_mean("belu", kMetrics), "; did you mean 'bleu'?");
  EXPECT_EQ(did_you_mean("METOER", kMetrics), "; did you mean 'meteor'?");
  EXPECT_EQ(did_you_mean("rou", kMetrics), "; did you mean 'rouge-l'?");
  EXPECT_EQ(did_you_mean("perplexity", kMetrics), "");
  EXPECT_EQ(did_you_mean("m", kMetrics), "");
}

TEST(UnknownNameMessage, NamesTheNearestAndListsAll) {
  EXPECT_EQ(
      unknown_name_message("metric", "meteror", kMetrics),
      "unknown metric 'meteror'; did you mean 'meteor'? Valid: bleu, rouge-l, cider-d, cider-r, meteor");
  EXPECT_EQ(unknown_name_message("metric", "perplexity", kMetrics),
            "unknown metric 'perplexity'. Valid: bleu, rouge-l, cider-d, cider-r, meteor");
}

TEST(SplitList, LeavesOutEmptyPieces) {
  using Pieces = std::vector<std::string_view>;
  EXPECT_EQ(split_list("bleu,cider-d", ','), (Pieces{"bleu", "cider-d"}));
  EXPECT_EQ(split_list(",bleu,,", ','), (Pieces{"bleu"}));
  EXPECT_EQ(split_list("", ','), Pieces{});
  EXPECT_EQ(split_list("one", ','), (Pieces{"one"}));
}

TEST(SplitList, TakesSpacesAwayAroundPieces) {
  using Pieces = std::vector<std::string_view>;
  EXPECT_EQ(split_list(" bleu,  cider-d , ", ','), (Pieces{"bleu", "cider-d"}));
  EXPECT_EQ(split_list("a b, c", ','), (Pieces{"a b", "c"}));
}

}  // namespace
}  // namespace capella
