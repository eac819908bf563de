#include "report/table.h"

#include <gtest/gtest.h>

namespace capella::report {
namespace {

const Table kTable = {{"system", "BLEU-4"}, {{{"ours"}, {"31.20", true}}, {{"théirs"}, {"9.05"}}}, 1};

// A table of one cell beside an empty header.
Table cell(const std::string& text) {
  return {{"x"}, {{{text}}}, 1};
}

TEST(TextTable, AlignsWordsLeftAndNumbersRight) {
  EXPECT_EQ(to_text(kTable),
            "system  BLEU-4\n"
            "------  ------\n"
            "ours     31.20\n"
            "théirs    9.05\n");
}

TEST(TextTable, HasNoSpacesAtLineEnds) {
  EXPECT_EQ(to_text({{"a", "long"}, {{{"1"}, {"2"}}}, 2}), "a  long\n-  ----\n1  2\n");
}

TEST(TextTable, FoldsColumnsIntoBlocksWithTheirLabels) {
  const Table table{
      {"system", "a", "bb", "ccc"}, {{{"ours"}, {"1"}, {"2"}, {"3"}}, {{"x"}, {"4"}, {"5"}, {"6"}}}, 1};
  EXPECT_EQ(to_text(table, 18), to_text(table));
  EXPECT_EQ(to_text(table, 17),
            "system  a  bb\n"
            "------  -  --\n"
            "ours    1   2\n"
            "x       4   5\n"
            "\n"
            "system  ccc\n"
            "------  ---\n"
            "ours      3\n"
            "x         6\n");
}

TEST(TextTable, WrapsTextThatIsTooWide) {
  const Table table{{"name", "what it is"}, {{{"bleu"}, {"n-gram precision of captions"}}}, 2};
  EXPECT_EQ(to_text(table, 20),
            "name  what it is\n"
            "----  --------------\n"
            "bleu  n-gram\n"
            "      precision of\n"
            "      captions\n");
}

TEST(TextTable, WrapsTextRatherThanCutNames) {
  const Table table{{"name", "what"}, {{{"cider-plain"}, {"without clipping"}}}, 2};
  EXPECT_EQ(to_text(table, 22),
            "name         what\n"
            "-----------  ---------\n"
            "cider-plain  without\n"
            "             clipping\n");
}

TEST(TextTable, CutsWordsThatAreLongerThanTheirColumn) {
  EXPECT_EQ(to_text(cell("0123456789ab"), 10), "x\n----------\n0123456789\nab\n");
}

TEST(MarkdownTable, MarksTheBest) {
  EXPECT_EQ(to_markdown(kTable),
            "| system | BLEU-4 |\n"
            "|---|---:|\n"
            "| ours | **31.20** |\n"
            "| théirs | 9.05 |\n");
}

TEST(MarkdownTable, EscapesItsOwnCharacters) {
  EXPECT_EQ(to_markdown(cell("a|b_c*d`e\\f<g\nh")), "| x |\n|---|\n| a\\|b\\_c\\*d\\`e\\\\f\\<g h |\n");
}

TEST(LatexTable, IsATabularWithRules) {
  EXPECT_EQ(to_latex(kTable),
            "\\begin{tabular}{lr}\n"
            "\\toprule\n"
            "system & BLEU-4 \\\\\n"
            "\\midrule\n"
            "ours & \\textbf{31.20} \\\\\n"
            "théirs & 9.05 \\\\\n"
            "\\bottomrule\n"
            "\\end{tabular}\n");
}

TEST(LatexTable, EscapesItsOwnCharacters) {
  const std::string latex = to_latex(cell("a_b&c%d$e#f{g}h~i^j\\k"));
  EXPECT_NE(
      latex.find(
          "a\\_b\\&c\\%d\\$e\\#f\\{g\\}h\\textasciitilde{}i\\textasciicircum{}j\\textbackslash{}k \\\\\n"),
      std::string::npos)
      << latex;
}

TEST(CsvTable, QuotesOnlyWhereNeeded) {
  EXPECT_EQ(to_csv(kTable), "system,BLEU-4\nours,31.20\nthéirs,9.05\n");
  EXPECT_EQ(to_csv(cell("a,b")), "x\n\"a,b\"\n");
  EXPECT_EQ(to_csv(cell("say \"hi\"")), "x\n\"say \"\"hi\"\"\"\n");
  EXPECT_EQ(to_csv(cell("two\nlines")), "x\n\"two\nlines\"\n");
}

TEST(PlainTable, SeparatesByTabsThatCannotStandInCells) {
  EXPECT_EQ(to_plain(kTable), "ours\t31.20\nthéirs\t9.05\n");
  EXPECT_EQ(to_plain(cell("a\tb\nc\rd")), "a b c d\n");
}

}  // namespace
}  // namespace capella::report
