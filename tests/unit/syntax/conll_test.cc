// Trees as text: both layouts, comments, and what is said about bad input.
#include "syntax/conll.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::syntax {
namespace {

using test::message_of;

std::string error_of(const std::string& text) {
  return message_of<DataError>([&text] { parse_trees("t.conll", text); });
}

TEST(Conll, ReadsSentencesOfOneCaption) {
  const std::vector<ParsedCaption> captions = parse_trees("t.conll",
                                                          "# text = Dogs run. Why?\n"
                                                          "# id = 7.0\n"
                                                          "1\tDogs\tdog\tNNS\t2\tnsubj\n"
                                                          "2\trun\trun\tVBP\t0\troot\n"
                                                          "3\t.\t.\t.\t2\tpunct\n"
                                                          "\n"
                                                          "# id = 7.1\r\n"
                                                          "1\tWhy\twhy\tWRB\t0\troot\r\n"
                                                          "2\t?\t?\t.\t_\t_\r\n"
                                                          "\r\n"
                                                          "# text = Snow\n"
                                                          "1\tSnow\tsnow\tNN\t0\troot\n");
  ASSERT_EQ(captions.size(), 2u);
  EXPECT_EQ(captions[0].text, "Dogs run. Why?");
  ASSERT_EQ(captions[0].sentences.size(), 2u);
  EXPECT_EQ(captions[0].sentences[0].tokens[0], (Token{"Dogs", "dog", "NNS", 2, "nsubj"}));
  EXPECT_EQ(captions[0].sentences[1].tokens[1], (Token{"?", "?", ".", kNoHead, ""}));
  EXPECT_EQ(captions[1].text, "Snow");
  EXPECT_EQ(captions[1].sentences.size(), 1u);
}

TEST(Conll, ABlockWithoutTextIsACaptionOfItsOwn) {
  const std::vector<ParsedCaption> captions = parse_trees("t.conll",
                                                          "1\ta\ta\tDT\t2\tdet\n"
                                                          "2\tcat\tcat\tNN\t0\troot\n"
                                                          "\n\n"
                                                          "1\tsnow\tsnow\tNN\t0\troot\n");
  ASSERT_EQ(captions.size(), 2u);
  EXPECT_EQ(captions[0].text, "a cat");
  EXPECT_EQ(captions[1].text, "snow");
}

TEST(Conll, ReadsConllU) {
  const std::vector<ParsedCaption> captions =
      parse_trees("t.conllu",
                  "# sent_id = 1\n"
                  "# text = don't _\n"
                  "1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n"
                  "1\tdo\tdo\tAUX\tVBP\tMood=Ind\t0\troot\t0:root\t_\n"
                  "2\tn't\tnot\tPART\tRB\t_\t1\tadvmod\t1:advmod\tSpaceAfter=No\n"
                  "2.1\tgo\tgo\tVERB\tVB\t_\t_\t_\t1:dep\t_\n"
                  "3\t_\t_\tSYM\t_\t_\t1\tpunct\t_\t_\n");
  ASSERT_EQ(captions.size(), 1u);
  const std::vector<Token>& tokens = captions[0].sentences.at(0).tokens;
  ASSERT_EQ(tokens.size(), 3u);
  EXPECT_EQ(tokens[1], (Token{"n't", "not", "RB", 1, "advmod"}));
  EXPECT_EQ(tokens[2], (Token{"_", "_", "", 1, "punct"}));
}

TEST(Conll, WritesWhatItReads) {
  const std::vector<ParsedCaption> captions = {
      {"a\tcat.  Oh",
       {{{{"a", "", "", 2, "det"}, {"cat", "cat", "NN", 0, "root"}}}, {{{"_", "_", "NN", kNoHead, ""}}}}},
      {"", {}},
      {" two ", {{{{"two", "two", "CD", 0, "root"}}}}}};
  const std::string text = write_trees(captions);
  EXPECT_EQ(parse_trees("t.conll", text), captions);
  EXPECT_EQ(write_trees(std::vector<ParsedCaption>{{"a\nb", {{{{"x\ty", "l", "NN", 0, "root"}}}}}}),
            "# text = a b\n1\tx y\tl\tNN\t0\troot\n\n");
}

TEST(Conll, ReadsFiles) {
  const test::TempDir folder;
  const std::string path = folder.write("t.conll", "1\tsnow\tsnow\tNN\t0\troot\n");
  EXPECT_EQ(read_trees(path).size(), 1u);
  EXPECT_THROW(read_trees(path + ".none"), FileError);
}

TEST(Conll, RefusesSentencesThatAreTooLong) {
  std::string text = "1\ta\ta\tNN\t0\troot\n";
  for (std::size_t i = 2; i <= kLongestTree; ++i) text += std::to_string(i) + "\ta\ta\tNN\t1\tdep\n";
  EXPECT_EQ(parse_trees("t.conll", text).at(0).sentences.at(0).tokens.size(), kLongestTree);
  EXPECT_EQ(parse_trees("t.conll", text + "\n" + text).size(), 2u);
  EXPECT_EQ(
      error_of(text + "1001\ta\ta\tNN\t1\tdep\n"),
      "t.conll:1001: the sentence has more than 1000 words, the most that are read; end it with a blank "
      "line where a sentence ends, or leave it out");
}

TEST(Conll, SaysWhatIsWrong) {
  EXPECT_EQ(
      error_of("1\ta\tb\n"),
      "t.conll:1: the line has 3 columns, expected 6 with tabs between them (index, word, lemma, tag, head, "
      "relation) or the 10 of CoNLL-U: 1 a b");
  EXPECT_EQ(
      error_of("# x\n2\ta\ta\tDT\t0\troot\n"),
      "t.conll:2: the index is '2', expected 1; words are counted from 1 and a blank line ends a sentence");
  EXPECT_EQ(error_of("1\t\ta\tDT\t0\troot\n"),
            "t.conll:1: the word is empty, expected one in the second column");
  EXPECT_EQ(error_of("1\ta\ta\tDT\t-1\troot\n"),
            "t.conll:1: the head is '-1', expected the number of a word, 0 for the root or _ for none");
  EXPECT_EQ(error_of("1\ta\ta\tDT\t0\troot\n2\tb\tb\tNN\t3\tdep\n"),
            "t.conll:2: the head is 3, but the sentence has 2 words; expected one of them, 0 or _");
  EXPECT_EQ(error_of("1\ta\ta\tDT\t0\troot\n2\tb\tb\tNN\t_\t_\n3\tc\tc\tNN\t2\tdep\n"),
            "t.conll:3: the head is word 2, which is not in the graph (its own head is _); expected a word "
            "that is");
  EXPECT_EQ(
      error_of("1\ta\ta\tDT\t0\troot\n2\tb\tb\tNN\t0\troot\n"),
      "t.conll:2: the sentence has a second root, the first is in line 1; expected one word with head 0");
  EXPECT_EQ(error_of("1\ta\ta\tDT\t2\tdep\n2\tb\tb\tNN\t1\tdep\n"),
            "t.conll:1: the sentence has no root; expected one word with head 0");
  EXPECT_EQ(error_of("1\ta\ta\tDT\t0\troot\n2\tb\tb\tNN\t3\tdep\n3\tc\tc\tNN\t2\tdep\n"),
            "t.conll:2: word 2 depends on itself over its heads; expected a way from it to the root");
  EXPECT_EQ(error_of("\n"), "t.conll: the file is empty, expected trees");
}

}  // namespace
}  // namespace capella::syntax
