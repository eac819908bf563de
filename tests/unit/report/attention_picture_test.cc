#include "report/attention_picture.h"

#include <gtest/gtest.h>

#include "support/text_search.h"

namespace capella::report {
namespace {

using test::count;

MilAttention two_riders() {
  return {
      .25,
      200,
      100,
      {{"man", {0, 0, 40, 80}}, {"bike <1>", {30, 50, 90, 100}}, {"man", {150, 0, 200, 80}}, {"tree", {}}},
      {{0, 1, .875}, {2, 1, .125}}};
}

TEST(AttentionPicture, ShowsBoxesPairsAndNumbers) {
  const std::string svg = draw_attention(two_riders(), {"man", "ride", "bike"});
  EXPECT_NE(svg.find("ride(man, bike): P = 0.250"), std::string::npos);
  EXPECT_NE(svg.find(">man 1<"), std::string::npos);
  EXPECT_NE(svg.find(">bike &lt;1&gt; 2<"), std::string::npos);
  EXPECT_NE(svg.find(">man 3<"), std::string::npos);
  EXPECT_NE(svg.find(">tree 4<"), std::string::npos);
  // The strongest pair stands first in the legend and is painted last.
  EXPECT_LT(svg.find(">0.875  man 1 - bike"), svg.find(">0.125  man 3 - bike"));
  EXPECT_EQ(count(svg, "<circle"), 4u);
  EXPECT_NE(svg.find("stroke-width=\"7.88\""), std::string::npos) << svg;  // 9 x 0.875
}

TEST(AttentionPicture, SaysThatThereIsNoPair) {
  MilAttention attention = two_riders();
  attention.pairs.clear();
  const std::string svg = draw_attention(attention, {"dog", "ride", "bike"});
  EXPECT_NE(svg.find("no pair of such objects"), std::string::npos);
  EXPECT_EQ(count(svg, "<circle"), 0u);
}

TEST(AttentionPicture, BoxesMayReachBeyondAnImageOfUnknownSize) {
  MilAttention attention = two_riders();
  attention.width = attention.height = 0;
  EXPECT_EQ(draw_attention(attention, {"man", "ride", "bike"}).find("inf"), std::string::npos);
}

}  // namespace
}  // namespace capella::report
