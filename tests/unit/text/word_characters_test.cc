#include "text/word_characters.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace capella::text {
namespace {

std::vector<std::string> runs(std::string_view text) {
  std::vector<std::string> found;
  for_each_word_run(text, [&](std::string_view run) { found.emplace_back(run); });
  return found;
}

using Runs = std::vector<std::string>;

// As Python's re.findall(r"\w+", text) answers.
TEST(WordRuns, AreLettersDigitsAndUnderscores) {
  EXPECT_EQ(runs("a snow-board_2, isn't it?"), (Runs{"a", "snow", "board_2", "isn", "t", "it"}));
  EXPECT_EQ(runs("-- !"), Runs{});
  EXPECT_EQ(runs(""), Runs{});
  EXPECT_EQ(runs("end"), (Runs{"end"}));
}

TEST(WordRuns, KnowAllScripts) {
  EXPECT_EQ(runs("café—Ωμέγα 犬が x²½"), (Runs{"café", "Ωμέγα", "犬が", "x²½"}));
  EXPECT_EQ(runs("e\u0301 \u0664\u0665"),
            (Runs{"e", "\u0664\u0665"}));  // a combining mark is no word character; digits are
  EXPECT_EQ(runs("5 € × 3"), (Runs{"5", "3"}));
}

}  // namespace
}  // namespace capella::text
