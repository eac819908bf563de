// METEOR's normaliser and stemmer against lines and words that went through the program's own, and some rare
// texts whose words its jar counted.
#include "golden/meteor_golden.h"
#include "metric/meteor_comparison.h"
#include "support/unescaped.h"
#include "text/meteor_normalizer.h"
#include "text/stemmer.h"

namespace capella::test {
namespace {

using testing::unescaped;

TEST(MeteorWordsGolden, NormaliserOnAllLines) {
  CAPELLA_NEED_SHARED(path, "golden/golden_meteor_norm.tsv");
  CAPELLA_NEED_SHARED(resources, "data/meteor-1.5/resources");
  const resource::MeteorData& data = meteor_table(resources, "");
  std::size_t lines = 0;
  for_each_line(path, [&](const std::string& line) {
    if (lines++ == 0) return;  // the header
    const std::size_t tab = line.find('\t');
    ASSERT_NE(tab, std::string::npos);
    const std::string input = unescaped(line.substr(0, tab));
    EXPECT_EQ(text::meteor_normalize(input, data), unescaped(line.substr(tab + 1)))
        << "of \"" << input << '"';
  });
  EXPECT_EQ(lines, 7312u);
}

// Vertical tabs are no symbols but do not cut words either, a text is trimmed before all else, a comma is not
// set apart if the one before it took its space, and METEOR's mark for dots may itself stand in the text.
TEST(MeteorWordsGolden, RareTexts) {
  CAPELLA_NEED_SHARED(resources, "data/meteor-1.5/resources");
  const resource::MeteorData& data = meteor_table(resources, "");
  struct Counts {
    std::string_view text;
    double words, function_words;
  };
  const Counts rare[] = {
      {"\u00E9 \u20AC\v.", 4, 1},
      {"Go St.\v", 2, 0},
      {"1\v\u65E5", 2, 0},
      {"the\vdog", 1, 0},
      {"the \v dog", 3, 1},
      {"\v . the", 2, 2},
      {"..DOTMULTI.dogs", 2, 0},
      {"DOTMULTI.DOTMULTI.3.5", 2, 0},
      {"vs..DOTMULTI.---", 3, 0},
      {" . DOTMULTI. the ", 3, 2},
      {"a, ,b", 3, 2},
      {"a,  ,b", 4, 3},
  };
  const std::string_view reference = "the dogs";
  for (const Counts& counts : rare) {
    const auto found = metric::compare_by_meteor(counts.text, {&reference, 1}, data, false);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].statistics[metric::kCaptionWords], counts.words) << counts.text;
    EXPECT_EQ(found[0].statistics[metric::kCaptionFunction], counts.function_words) << counts.text;
  }
}

TEST(MeteorWordsGolden, StemmerOnAllWords) {
  CAPELLA_NEED_SHARED(path, "golden/golden_stem.tsv");
  text::EnglishStemmer stemmer;
  std::size_t words = 0;
  for_each_line(path, [&](const std::string& line) {
    const std::size_t tab = line.find('\t');
    ASSERT_NE(tab, std::string::npos);
    EXPECT_EQ(stemmer.stem(line.substr(0, tab)), line.substr(tab + 1)) << "of " << line.substr(0, tab);
    ++words;
  });
  EXPECT_EQ(words, 98596u);
}

}  // namespace
}  // namespace capella::test
