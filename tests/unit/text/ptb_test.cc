// The rules of the caption tokenizer by example, one table per kind of surprise, and what no rule decides.
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/thread_pool.h"
#include "text/ptb/pipeline.h"

namespace capella::text::ptb {
namespace {

std::vector<std::string> tokens(const std::vector<std::string_view>& captions, Scope scope,
                                Punctuation punctuation = Punctuation::keep,
                                std::size_t piece_size = kPieceSize) {
  ThreadPool pool(2);
  const StringColumn column = tokenize(captions, scope, punctuation, pool, piece_size);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < column.size(); ++i) lines.emplace_back(column[i]);
  return lines;
}

std::string alone(std::string_view caption) {
  return tokens({caption}, Scope::caption).front();
}

struct Example {
  std::string_view caption;
  std::string_view tokens;
};

void check(std::initializer_list<Example> examples) {
  for (const Example& example : examples)
    EXPECT_EQ(alone(example.caption), example.tokens) << example.caption;
}

TEST(Ptb, CutsCliticsOff) {
  check({{"The boy's kite isn't red", "the boy 's kite is n't red"},
         {"WE'LL see, they've won", "we 'll see , they 've won"},
         {"the girls' bikes", "the girls ' bikes"},
         {"Cannot or gonna", "can not or gon na"},
         {"the cat\u2019s \u201Cbed\u201D", "the cat 's `` bed ''"}});
}

TEST(Ptb, KeepsApostrophesThatBelongToWords) {
  check({{"o'clock ma'am y'all", "o'clock ma'am y' all"}, {"rock 'n' roll", "rock 'n' roll"}});
}

TEST(Ptb, TiesWordsByHyphensSlashesAndPoints) {
  check({{"a black-and-white T-shirt", "a black-and-white t-shirt"},
         {"blue,red-and-green", "blue,red-and-green"},
         {"a dog.A cat", "a dog.a cat"},
         {"salt/pepper", "salt/pepper"},
         {"AT&T and b&b", "at&t and b & b"}});
}

TEST(Ptb, DecidesWhosePeriodItIs) {
  check({{"a sign with a P.", "a sign with a p."},
         {"Mr. Bean", "mr. bean"},
         {"fruit etc. The end", "fruit etc. . the end"},
         {"fruit etc. on it", "fruit etc. on it"},
         {"plan B. The end", "plan b . the end"},
         {"No. 5 but no. six", "no. 5 but no . six"}});
}

TEST(Ptb, WritesBracketsQuotesAndDashesInItsWay) {
  check({{"(left) [x] {y}", "-lrb- left -rrb- -lsb- x -rsb- -lcb- y -rcb-"},
         {"a \"stop\" sign", "a `` stop '' sign"},
         {"one \u2014 two --- three", "one -- two -- three"},
         {"3 1/2 cups", "3\u00A01/2 cups"},
         {"\u00BD for 5\u00A2", "1/2 for 5 cents"}});
}

TEST(Ptb, DeletesWhatItDoesNotKnow) {
  check({{"dog\U0001F436cat", "dog cat"},
         {"soft\u00ADhyphen", "softhyphen"},
         {"bad\xFF"
          "byte \xE2\x82",
          "bad byte"}});
}

TEST(Ptb, TakesARunOfBlanksAsOne) {
  check({{"a \u3000www.x.com", "a www.x.com"}, {"a  \t b", "a b"}});
}

TEST(Ptb, DropsOnlyListedPunctuation) {
  const auto kept = tokens({"Yes, (so) - what?! 'tis; \"it\" ... !!"}, Scope::caption, Punctuation::drop);
  EXPECT_EQ(kept.front(), "yes -lrb- so -rrb- what ?! 't is it !!");
}

TEST(Ptb, EmptyAndPunctuationOnlyCaptionsStayInTheirPlaces) {
  const std::vector<std::string> expected = {"", "a", "", "", "b"};
  for (const Scope scope : {Scope::stream, Scope::caption}) {
    EXPECT_EQ(tokens({"", "a", " . ", "", "b"}, scope, Punctuation::drop), expected);
  }
  EXPECT_TRUE(tokens({}, Scope::stream).empty());
}

TEST(Ptb, StreamLooksIntoTheNextCaption) {
  const std::vector<std::string_view> captions = {"a sign with a P.", "A lamp"};
  EXPECT_EQ(tokens(captions, Scope::stream).front(), "a sign with a p .");
  EXPECT_EQ(tokens(captions, Scope::caption).front(), "a sign with a p.");
}

TEST(Ptb, PiecesOfWorkChangeNothing) {
  const std::vector<std::string_view> captions = {"plan B.", "",    "  ",   "\u3000", "A",
                                                  "etc.",    "<b>", "fig.", "5 x",    "c."};
  const auto whole = tokens(captions, Scope::stream);
  for (const std::size_t piece : {1, 2, 3, 5}) {
    EXPECT_EQ(tokens(captions, Scope::stream, Punctuation::keep, piece), whole) << piece;
  }
}

TEST(Ptb, LooksOverAnyNumberOfBlankCaptions) {
  std::vector<std::string_view> captions(30, "");
  captions.front() = "plan B.";
  EXPECT_EQ(tokens(captions, Scope::stream, Punctuation::keep, 1).front(), "plan b.");
  captions.back() = "The end";
  for (const std::size_t piece : {1, 7, 100}) {
    EXPECT_EQ(tokens(captions, Scope::stream, Punctuation::keep, piece).front(), "plan b .") << piece;
  }
}

TEST(Ptb, BreaksInsideACaptionAreSpaces) {
  const std::vector<std::string> expected = {"a b c d", "e"};
  EXPECT_EQ(tokens({"a\nb\rc\u2028d", "e"}, Scope::stream), expected);
}

TEST(Ptb, TagsDoNotReachOverTheEndOfACaption) {
  const auto lines = tokens({"x <a b=\"c", "d\"> y"}, Scope::stream);
  EXPECT_EQ(lines[1], "d '' > y");
  EXPECT_EQ(alone("x <a b=\"c d\"> y"), "x <a\u00A0b=\"c\u00A0d\"> y");
}

}  // namespace
}  // namespace capella::text::ptb
